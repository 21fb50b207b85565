"""What a seat of Cowboy Draw may see, as named integers. Seats are relative: 0 is the seat that looks."""

import numpy as np

from tinhorn.core.encoding import FLAG, OneHot, Scaled
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import around, write
from tinhorn.core.layout import Field, Layout
from tinhorn.games.cowboy_draw.state import BET_1, BET_2, BUY_IN, DRAW, HANDS, OVER, READOUT
from tinhorn.poker.exchange import EXCHANGES, HAND
from tinhorn.poker.view import TABLE_FIELDS, view_table

_EACH = (MAX_SEATS,)
_STARS = 10_000_000
_MOST_REBUYS = HANDS - 1  # one in each readout

LAYOUT = Layout(
    *TABLE_FIELDS,
    Field(
        "phase",
        "0 first betting, 1 draw, 2 second betting, 3 readout.",
        0,
        3,
        none="the tournament is over",
        encode=OneHot(),
    ),
    Field("hands_left", "Hands to come after this one.", 0, HANDS - 1, encode=OneHot()),
    Field(
        "chosen",
        "1 for a place of the own hand chosen to be thrown, until all have chosen.",
        0,
        1,
        (HAND,),
        encode=FLAG,
    ),
    Field("tournament_pot", "Stars in the tournament pot.", 0, _STARS, encode=Scaled(10.0 * BUY_IN)),
    Field("account", "Own stars.", 0, _STARS),
    Field(
        "rebuys_open",
        "Rebuys that the own account could still pay in this tournament.",
        0,
        _MOST_REBUYS,
        encode=Scaled(5.0),
    ),
    Field("person", "1 for a seat that the house bot has not taken over.", 0, 1, _EACH, encode=FLAG),
    Field("entitled", "1 for a seat that takes part in the payout.", 0, 1, _EACH, encode=FLAG),
    Field("rebuys", "Rebuys so far.", 0, _MOST_REBUYS, _EACH),
    Field("streak", "Hands in a row in which the clock folded this seat.", 0, HANDS, _EACH),
    Field("payouts", "Stars paid out at the end.", 0, _STARS, _EACH),
)

_PHASE = LAYOUT.at("phase")
_HANDS_LEFT = LAYOUT.at("hands_left")
_CHOSEN = LAYOUT.at("chosen")
_TOURNAMENT_POT = LAYOUT.at("tournament_pot")
_ACCOUNT = LAYOUT.at("account")
_REBUYS_OPEN = LAYOUT.at("rebuys_open")
_PERSON = LAYOUT.at("person")
_ENTITLED = LAYOUT.at("entitled")
_REBUYS = LAYOUT.at("rebuys")
_STREAK = LAYOUT.at("streak")
_PAYOUTS = LAYOUT.at("payouts")
_TO_DECIDE = LAYOUT.at("to_decide")


@kernel
def view(state, seat, out):
    """Write what ``seat`` may see into ``out`` (int32[V])."""
    view_table(state, seat, state.phase == BET_1 or state.phase == BET_2, state.phase == DRAW, out)
    out[_PHASE] = state.phase if state.phase != OVER else -1
    playing = state.phase < READOUT
    hands_left = HANDS - state.hands_played - (1 if playing else 0)
    out[_HANDS_LEFT] = min(hands_left, HANDS - 1)
    out[_TOURNAMENT_POT] = state.tournament_pot
    out[_ACCOUNT] = state.stars[seat]
    out[_REBUYS_OPEN] = max(min(state.stars[seat] // BUY_IN, HANDS - 1 - state.hands_played), 0)
    choice = state.choices[seat] if state.phase == DRAW else -1
    for place in range(HAND):
        out[_CHOSEN + place] = choice >= 0 and EXCHANGES[choice] & (1 << place) != 0
    write_tournament(state, np.int64(seat), out)


@kernel(inline=True)
def write_tournament(state, looks, out):
    """What the tournament knows of every seat, clockwise from the one that ``looks``."""
    seats = np.int64(state.num_seats)
    write(out, _PERSON, around(state.house_seat, looks, seats, 1) == 0)
    write(out, _ENTITLED, around(state.entitled, looks, seats, 0))
    write(out, _REBUYS, around(state.rebuys, looks, seats, 0))
    write(out, _STREAK, around(state.streak, looks, seats, 0))
    write(out, _PAYOUTS, around(state.payouts, looks, seats, 0))
    if state.phase == DRAW:
        undecided = around(state.choices, looks, seats, 0) < 0
        write(out, _TO_DECIDE, undecided & around(state.in_hand, looks, seats, 0))
    elif state.phase == READOUT:
        write(out, _TO_DECIDE, around(state.pending, looks, seats, 0))
