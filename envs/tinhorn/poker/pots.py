"""The end of a hand: main and side pots, ties, odd chips (FD-10, FD-14, FD-15), on a state that holds `POT_FIELDS`."""

import numpy as np

from tinhorn.core.bits import bits_set
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, largest, least, row, total, where, write
from tinhorn.poker.ranking import hand_strength
from tinhorn.poker.seats import count_seats, next_among

_HAND = 5
_NO_LEVEL = 2**31 - 1  # chips, more than there can be
POT_FIELDS = (
    ("num_pots", "i1"),  # of the last hand
    ("pot_chips", "i4", (MAX_SEATS,)),  # chips in each pot of the last hand, the main pot first
    ("pot_eligible", "u1", (MAX_SEATS, MAX_SEATS)),  # pot, seat
    ("pot_winners", "u1", (MAX_SEATS, MAX_SEATS)),  # pot, seat
    ("won", "i4", (MAX_SEATS,)),  # chips won from the pots of the last hand
    ("shown", "i1", (MAX_SEATS, _HAND)),  # hands shown at the last showdown, -1 for covered
    ("strengths", "i2", (MAX_SEATS,)),  # of the hands that were in at the end of the last hand
)


@kernel
def clear_pots(state):
    """Nothing has been won or shown yet."""
    for pot in range(state.num_pots):
        state.pot_chips[pot] = 0
        for seat in range(MAX_SEATS):
            state.pot_eligible[pot, seat] = 0
            state.pot_winners[pot, seat] = 0
    state.num_pots = 0
    state.won[:] = 0
    state.shown[:, :] = -1


@kernel
def next_level(state, below):
    """The least that a player still in has put in above ``below``; -1 if there is none."""
    put_in = row(state.put_in)
    level = least(where(row(state.in_hand) & (put_in > below), put_in, _NO_LEVEL))
    return level if level < _NO_LEVEL else np.int64(-1)


@kernel
def chips_between(state, below, level):
    """What all have put in above ``below`` and up to ``level``; with a level of -1 all of it above ``below``."""
    put_in, upper = row(state.put_in), level if level >= 0 else np.int64(_NO_LEVEL)
    above = where(put_in < upper, put_in, upper) + -below
    return total(above * (above > 0))


@kernel
def settle_pots(state):
    """Show the hands unless one player is left alone, cut the pots, pay them; the chips go from the pots to the stacks.

    Pots are cut only at what players still in have put in (FD-15); what folded players put in above goes with the top
    one.
    """
    clear_pots(state)
    if count_seats(state.in_hand, state.num_seats) > 1:
        for seat in range(state.num_seats):
            if state.in_hand[seat] != 0:
                state.strengths[seat] = hand_strength(state.hands[seat])
                for place in range(_HAND):
                    state.shown[seat, place] = state.hands[seat, place]
    below = np.int64(0)
    level = next_level(state, below)
    while level >= 0:
        above = next_level(state, level)
        pay_pot(state, state.num_pots, chips_between(state, below, level if above >= 0 else -1), level)
        state.num_pots += 1
        below, level = level, above
    state.put_in[:] = 0
    state.bets[:] = 0


@kernel
def pay_pot(state, pot, chips, level):
    """The best hand of those who put in ``level`` wins; ties share, odd chips from the button's left (FD-14)."""
    state.pot_chips[pot] = chips
    eligible = row(state.in_hand) & (row(state.put_in) >= level)
    strengths = where(eligible, row(state.strengths), -1)
    winners = eligible & (strengths == largest(strengths))
    write(state.pot_eligible[pot], 0, eligible)
    write(state.pot_winners[pot], 0, winners)
    left, seat = bits(winners), np.int64(state.button)
    share, odd = chips // bits_set(left), chips % bits_set(left)
    while left != 0:
        seat = next_among(left, seat, np.int64(state.num_seats))
        left &= ~(1 << seat)
        chips = share + (1 if odd > 0 else 0)
        odd -= 1
        state.won[seat] += chips
        state.stacks[seat] += chips
