"""What a seat may see of a hand of no-limit draw poker. Every game's layout begins with these fields."""

import numpy as np

from tinhorn.core.encoding import FLAG, CardSlots, Encoding, Logarithm, MultiHot, OneHot, Ratio, Scaled
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import around, in_units, largest, least, row, rows_around, total, where, write
from tinhorn.core.layout import Field, Layout
from tinhorn.poker.betting import (
    MOST_CHIPS,
    MOST_COUNTED,
    ROUNDS,
    asked,
    bet_limits,
    must_act,
    to_call,
)
from tinhorn.poker.exchange import HAND
from tinhorn.poker.features import FIVE_CARD_PATTERN
from tinhorn.poker.pots import chips_between
from tinhorn.poker.seats import relative

_SEATS = (MAX_SEATS,)
_BOTH = (ROUNDS,)
_BOTH_SEATS = (ROUNDS, MAX_SEATS)
_ALL_CHIPS = MAX_SEATS * MOST_CHIPS * 100  # rebuys included
BETS_IN_VIEW = 1000  # smallest bets: what depths are scaled by


def _chips(name: str, meaning: str, encode: Encoding | tuple[Encoding, ...] = (), per_seat: bool = False) -> Field:
    return Field(name, meaning, 0, _ALL_CHIPS, _SEATS if per_seat else (), encode=encode)


TABLE_FIELDS = (
    Field("num_players", "Players at the start.", 2, MAX_SEATS, encode=OneHot()),
    Field("turn", "The seat to act.", 0, 5, none="nobody, it is over"),
    Field("button", "The seat with the button; its left acts first.", 0, 5, encode=OneHot()),
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
    Field("thrown", "Own discards of this hand.", 0, 51, (HAND,), "none", MultiHot(), cards=True),
    Field("in_hand", "1 for a player dealt in who has not folded.", 0, 1, _SEATS, encode=FLAG),
    Field("all_in", "1 for a player in the hand with no chips behind.", 0, 1, _SEATS, encode=FLAG),
    Field("to_decide", "1 for a player who still decides in this round.", 0, 1, _SEATS, encode=FLAG),
    Field("drawn", "Cards drawn in this hand.", 0, HAND, _SEATS, "not yet, or not in", OneHot()),
    _chips("smallest_bet", "Chips: the smallest opening bet and first raise."),
    _chips("stacks", "Chips behind.", (Ratio(4.0, "pot"), Ratio(4.0, "own_stack")), per_seat=True),
    Field(
        "depths",
        "Chips behind in smallest bets, rounded down.",
        0,
        _ALL_CHIPS,
        _SEATS,
        encode=Logarithm(BETS_IN_VIEW),
    ),
    _chips("own_stack", "Own chips behind.", Ratio(4.0, "pot")),
    _chips("bets", "Chips put in during this round.", Ratio(4.0, "pot"), per_seat=True),
    _chips("put_in", "Chips put in during this hand, ante included.", Ratio(1.0, "pot"), per_seat=True),
    _chips("pot", "All chips put in during this hand.", Ratio(4.0, "own_stack")),
    Field(
        "pot_depth",
        "The pot in smallest bets, rounded down.",
        0,
        _ALL_CHIPS,
        encode=Logarithm(BETS_IN_VIEW),
    ),
    _chips("pots", "The chips so far in the main pot and each side pot.", Ratio(1.0, "pot"), per_seat=True),
    _chips("highest_bet", "Chips: the highest bet of this round."),
    _chips("to_call", "Chips that a call costs.", (Ratio(4.0, "pot"), Ratio(1.0, "own_stack"))),
    _chips("contested", "Chips that can be won after a call, the call included.", Ratio(4.0, "pot")),
    Field("pot_odds", "Percent of those chips that a call puts in.", 0, 100, encode=Scaled(100.0)),
    _chips(
        "raise_from",
        "The smallest legal bet or raise, a total; 0 if there is none.",
        (Ratio(4.0, "pot"), Ratio(1.0, "raise_to")),
    ),
    _chips("raise_to", "The largest legal bet or raise, a total; 0 if there is none.", Ratio(4.0, "pot")),
    Field("opener", "Who bet first in each round.", 0, 5, _BOTH, "nobody", OneHot()),
    Field("last_raiser", "Who bet or raised last in each round.", 0, 5, _BOTH, "nobody", OneHot()),
    Field("raises", "Bets and raises by round and seat.", 0, MOST_COUNTED, _BOTH_SEATS, encode=Scaled(3.0)),
    Field(
        "moves",
        "The last move by round and seat: 0 check, 1 call, 2 bet or raise, 3 fold.",
        0,
        3,
        _BOTH_SEATS,
        "none yet",
        OneHot(),
    ),
    Field("shown", "Hands shown at the last showdown.", 0, 51, (MAX_SEATS, HAND), "covered", cards=True),
    _chips("won", "Chips won from the pots of the last hand.", per_seat=True),
)

TABLE = Layout(*TABLE_FIELDS)

write_hands = rows_around(HAND)

_NUM_PLAYERS = TABLE.at("num_players")
_TURN = TABLE.at("turn")
_BUTTON = TABLE.at("button")
_HAND = TABLE.at("hand")
_THROWN = TABLE.at("thrown")
_IN_HAND = TABLE.at("in_hand")
_ALL_IN = TABLE.at("all_in")
_TO_DECIDE = TABLE.at("to_decide")
_DRAWN = TABLE.at("drawn")
_SMALLEST_BET = TABLE.at("smallest_bet")
_STACKS = TABLE.at("stacks")
_DEPTHS = TABLE.at("depths")
_OWN_STACK = TABLE.at("own_stack")
_BETS = TABLE.at("bets")
_PUT_IN = TABLE.at("put_in")
_POT = TABLE.at("pot")
_POT_DEPTH = TABLE.at("pot_depth")
_POTS = TABLE.at("pots")
_HIGHEST_BET = TABLE.at("highest_bet")
_TO_CALL = TABLE.at("to_call")
_CONTESTED = TABLE.at("contested")
_POT_ODDS = TABLE.at("pot_odds")
_RAISE_FROM = TABLE.at("raise_from")
_RAISE_TO = TABLE.at("raise_to")
_OPENER = TABLE.at("opener")
_LAST_RAISER = TABLE.at("last_raiser")
_RAISES = TABLE.at("raises")
_MOVES = TABLE.at("moves")
_SHOWN = TABLE.at("shown")
_WON = TABLE.at("won")


@kernel(inline=True)
def view_table(state, seat, betting, drawing, out):
    """Write `TABLE_FIELDS` as ``seat`` sees them into ``out`` (int32).

    ``betting`` and ``drawing`` say what is decided now.
    """
    seats, seat = np.int64(state.num_seats), np.int64(seat)
    out[_NUM_PLAYERS] = seats
    out[_TURN] = relative(state.actor, seat, seats) if state.actor >= 0 else -1
    out[_BUTTON] = relative(state.button, seat, seats)
    out[_SMALLEST_BET] = state.smallest_bet
    out[_OWN_STACK] = state.stacks[seat]
    out[_HIGHEST_BET] = state.highest_bet
    for place in range(HAND):
        out[_HAND + place] = state.hands[seat, place]
        out[_THROWN + place] = state.thrown[seat, place]
    for r in range(ROUNDS):
        out[_OPENER + r] = relative(state.opener[r], seat, seats) if state.opener[r] >= 0 else -1
        out[_LAST_RAISER + r] = relative(state.last_raiser[r], seat, seats) if state.last_raiser[r] >= 0 else -1
    per_chip = 1.0 / state.smallest_bet
    pot, capped = write_seats(state, seat, per_chip, betting, drawing, out)
    out[_POT] = pot
    out[_POT_DEPTH] = in_bets(pot, per_chip)
    for k in range(MAX_SEATS):
        out[_POTS + k] = 0
    out[_POTS] = pot
    if capped:
        write_side_pots(state, pot, out)
    write_price(state, seat, betting, out)


@kernel
def in_bets(chips, per_chip):
    """Whole smallest bets in so many chips, exact; ``per_chip`` is 1 / smallest bet."""
    return np.int32((chips + 0.5) * per_chip)


@kernel(inline=True)
def write_seats(state, looks, per_chip, betting, drawing, out):
    """The public facts of every seat, clockwise from the one that ``looks``.

    Returns the chips in the pot, and whether anyone in the hand is all-in for less than another one has put in.
    """
    seats = np.int64(state.num_seats)
    in_hand, drawn = around(state.in_hand, looks, seats, 0), around(state.drawn, looks, seats, -1)
    stacks, put_in = around(state.stacks, looks, seats, 0), around(state.put_in, looks, seats, 0)
    bets, answered = around(state.bets, looks, seats, 0), around(state.answered, looks, seats, 0)
    all_in = in_hand & (stacks == 0)
    in_turn = asked(in_hand, stacks, bets, answered, state.highest_bet)
    write(out, _IN_HAND, in_hand)
    write(out, _ALL_IN, all_in)
    write(out, _TO_DECIDE, (in_hand & (drawn < 0) & drawing) | (in_turn & betting))
    write(out, _DRAWN, drawn)
    write(out, _STACKS, stacks)
    write(out, _DEPTHS, in_units(stacks, per_chip))
    write(out, _BETS, bets)
    write(out, _PUT_IN, put_in)
    write(out, _WON, around(state.won, looks, seats, 0))
    for r in range(ROUNDS):
        write(out, _RAISES + MAX_SEATS * r, around(state.raises[r], looks, seats, 0))
        write(out, _MOVES + MAX_SEATS * r, around(state.moves[r], looks, seats, -1))
    write_hands(state.shown, looks, seats, -1, out, _SHOWN)
    return total(put_in), least(where(all_in, put_in, _ALL_CHIPS)) < largest(in_hand * put_in)


@kernel
def write_side_pots(state, pot, out):
    """The pots as they stand when somebody is all-in for less than another one has put in (FD-15)."""
    k, below = 0, np.int64(0)
    cap = next_cap(state, below)
    while cap >= 0:
        out[_POTS + k] = chips_between(state, below, cap)
        pot -= out[_POTS + k]
        k, below = k + 1, np.int64(cap)
        cap = next_cap(state, below)
    if k < MAX_SEATS:
        out[_POTS + k] = pot
    else:
        out[_POTS + k - 1] += pot


@kernel
def next_cap(state, below):
    """The least total above ``below`` that a player is all-in for, if anyone in has put in more; else -1."""
    in_hand, put_in = row(state.in_hand), row(state.put_in)
    cap = least(where(in_hand & (row(state.stacks) == 0) & (put_in > below), put_in, _ALL_CHIPS))
    return cap if cap < largest(in_hand * put_in) else np.int64(-1)


@kernel(inline=True)
def write_price(state, seat, betting, out):
    """What a call costs and can win, and the bets that are open, for a seat in a betting round."""
    call = np.int64(0)
    out[_RAISE_FROM] = 0
    out[_RAISE_TO] = 0
    if betting and must_act(state, seat):
        call = np.int64(to_call(state, seat))
        out[_RAISE_FROM], out[_RAISE_TO] = bet_limits(state, seat)
    most, put_in = state.put_in[seat] + call, row(state.put_in)
    contested = call + total(where(put_in < most, put_in, most))
    out[_TO_CALL] = call
    out[_CONTESTED] = contested
    out[_POT_ODDS] = np.int32(100.0 * call / max(contested, 1) + 1e-9)
