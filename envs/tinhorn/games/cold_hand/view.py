"""What a seat of Cold Hand may see, as named integers. Seats are relative: 0 is the seat that looks."""

import numpy as np

from tinhorn.core.encoding import FLAG, CardSlots, MultiHot, OneHot
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import around, rows_around, write
from tinhorn.core.layout import Field, Layout
from tinhorn.games.cold_hand.penalty import hands_per_rise
from tinhorn.games.cold_hand.state import HAND, MOST_EXCHANGED, MOST_RAISES, MOST_STAKES, OVER
from tinhorn.poker.features import FIVE_CARD_PATTERN
from tinhorn.poker.seats import relative

_SEATS = (MAX_SEATS,)
_NOT_YET = "not chosen yet, or not in"

LAYOUT = Layout(
    Field("num_players", "Players at the start of the game.", 2, 6, encode=OneHot()),
    Field(
        "phase",
        "0 first draw, 1 first betting, 2 second draw, 3 second betting.",
        0,
        3,
        none="the game is over",
        encode=OneHot(),
    ),
    Field("turn", "The seat to act.", 0, 5, none="the game is over"),
    Field("opening_seat", "The seat that opens this hand.", 0, 5, encode=OneHot()),
    Field("stakes", "Pulls at stake.", 1, MOST_STAKES, encode=OneHot()),
    Field("house_minimum", "Pulls that a fold costs.", 1, 3, encode=OneHot()),
    Field(
        "hands_to_next_rise",
        "Hands, this one included, until the house minimum rises.",
        1,
        4,
        none="it stays at three",
        encode=OneHot(),
    ),
    Field(
        "hand",
        "Own cards.",
        0,
        51,
        (HAND,),
        "not dealt in",
        (CardSlots(), FIVE_CARD_PATTERN),
        cards=True,
        order="grouped",
    ),
    Field(
        "thrown_first",
        "Own cards thrown in the first draw.",
        0,
        51,
        (MOST_EXCHANGED,),
        "none",
        MultiHot(),
        cards=True,
    ),
    Field("thrown_second", "Own cards thrown in the second draw.", 0, 51, (MOST_EXCHANGED,), "none", cards=True),
    Field("alive", "1 for a survivor.", 0, 1, _SEATS, encode=FLAG),
    Field("in_hand", "1 for a player dealt in who has not folded.", 0, 1, _SEATS, encode=FLAG),
    Field("folded", "1 for a player who folded this hand.", 0, 1, _SEATS),
    Field("to_decide", "1 for a player who still decides in this round.", 0, 1, _SEATS, encode=FLAG),
    Field("exchanged_first", "Cards exchanged in the first draw.", 0, MOST_EXCHANGED, _SEATS, _NOT_YET, OneHot()),
    Field(
        "exchanged_second",
        "Cards exchanged in the second draw.",
        0,
        MOST_EXCHANGED,
        _SEATS,
        _NOT_YET,
        OneHot(),
    ),
    Field("raise_seat", "Who raised in this hand, in order.", 0, 5, (MOST_RAISES,), "no raise", OneHot()),
    Field(
        "raise_round",
        "The betting round of that raise: 0 first, 1 second.",
        0,
        1,
        (MOST_RAISES,),
        "no raise",
        OneHot(),
    ),
    Field("shown", "Hands shown at the last reveal.", 0, 51, (MAX_SEATS, HAND), "covered", cards=True),
    Field("last_pulled", "Pulls made after the last hand.", 0, MOST_STAKES, _SEATS),
    Field("last_shot", "1 for a player eliminated after the last hand.", 0, 1, _SEATS),
)

write_hands = rows_around(HAND)

_NUM_PLAYERS = LAYOUT.at("num_players")
_PHASE = LAYOUT.at("phase")
_TURN = LAYOUT.at("turn")
_OPENING_SEAT = LAYOUT.at("opening_seat")
_STAKES = LAYOUT.at("stakes")
_HOUSE_MINIMUM = LAYOUT.at("house_minimum")
_TO_RISE = LAYOUT.at("hands_to_next_rise")
_HAND = LAYOUT.at("hand")
_THROWN_FIRST = LAYOUT.at("thrown_first")
_THROWN_SECOND = LAYOUT.at("thrown_second")
_ALIVE = LAYOUT.at("alive")
_IN_HAND = LAYOUT.at("in_hand")
_FOLDED = LAYOUT.at("folded")
_TO_DECIDE = LAYOUT.at("to_decide")
_EXCHANGED_FIRST = LAYOUT.at("exchanged_first")
_EXCHANGED_SECOND = LAYOUT.at("exchanged_second")
_RAISE_SEAT = LAYOUT.at("raise_seat")
_RAISE_ROUND = LAYOUT.at("raise_round")
_SHOWN = LAYOUT.at("shown")
_LAST_PULLED = LAYOUT.at("last_pulled")
_LAST_SHOT = LAYOUT.at("last_shot")


@kernel
def view(state, seat, out):
    """Write what ``seat`` may see into ``out`` (int32[V])."""
    seats = state.num_seats
    out[_NUM_PLAYERS] = seats
    out[_PHASE] = state.phase if state.phase != OVER else -1
    out[_TURN] = relative(state.actor, seat, seats) if state.actor >= 0 else -1
    out[_OPENING_SEAT] = relative(state.opening_seat, seat, seats)
    out[_STAKES] = state.stakes
    out[_HOUSE_MINIMUM] = state.house_minimum
    out[_TO_RISE] = hands_to_next_rise(state)
    for place in range(HAND):
        out[_HAND + place] = state.hands[seat, place]
    for place in range(MOST_EXCHANGED):
        out[_THROWN_FIRST + place] = state.discards[seat, 0, place]
        out[_THROWN_SECOND + place] = state.discards[seat, 1, place]
    for k in range(MOST_RAISES):
        out[_RAISE_ROUND + k] = state.raise_round[k]
        out[_RAISE_SEAT + k] = relative(state.raise_seat[k], seat, seats) if k < state.num_raises else -1
    write_seats(state, np.int64(seat), out)


@kernel(inline=True)
def write_seats(state, looks, out):
    """The public facts of every seat, clockwise from the one that ``looks``."""
    seats = np.int64(state.num_seats)
    write(out, _ALIVE, around(state.alive, looks, seats, 0))
    write(out, _IN_HAND, around(state.in_hand, looks, seats, 0))
    write(out, _FOLDED, around(state.folded, looks, seats, 0))
    write(out, _TO_DECIDE, around(state.pending, looks, seats, 0))
    write(out, _EXCHANGED_FIRST, around(state.exchanged[0], looks, seats, -1))
    write(out, _EXCHANGED_SECOND, around(state.exchanged[1], looks, seats, -1))
    write_hands(state.shown, looks, seats, -1, out, _SHOWN)
    write(out, _LAST_PULLED, around(state.pulled, looks, seats, 0))
    write(out, _LAST_SHOT, around(state.shot, looks, seats, 0))


@kernel
def hands_to_next_rise(state):
    """Hands, the running one included, until the house minimum rises; 0 when it no longer does (CH-15)."""
    if state.house_minimum == 3:
        return 0
    per_rise = hands_per_rise(state.num_seats)
    return per_rise - state.hands_completed % per_rise
