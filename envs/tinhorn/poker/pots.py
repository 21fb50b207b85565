"""The end of a hand: main and side pots, ties, odd chips (FD-10, FD-14, FD-15), on a state that holds `POT_FIELDS`."""

import numpy as np

from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.poker.ranking import hand_strength
from tinhorn.poker.seats import clockwise, count_seats

_HAND = 5
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
    level = np.int64(-1)
    for seat in range(state.num_seats):
        chips = np.int64(state.put_in[seat])
        if state.in_hand[seat] != 0 and chips > below and (level < 0 or chips < level):
            level = chips
    return level


@kernel
def chips_between(state, below, level):
    """What all have put in above ``below`` and up to ``level``; with a level of -1 all of it above ``below``."""
    chips = 0
    for seat in range(state.num_seats):
        upper = state.put_in[seat] if level < 0 else min(state.put_in[seat], level)
        chips += max(upper - below, 0)
    return chips


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
    best, tied = -1, 0
    for seat in range(state.num_seats):
        if state.in_hand[seat] != 0 and state.put_in[seat] >= level:
            state.pot_eligible[pot, seat] = 1
            strength = state.strengths[seat]
            if strength > best:
                best, tied = strength, 0
            if strength == best:
                tied += 1
    odd = chips % tied
    for step in range(1, state.num_seats + 1):
        seat = clockwise(state.button, step, state.num_seats)
        if state.pot_eligible[pot, seat] != 0 and state.strengths[seat] == best:
            share = chips // tied + (1 if odd > 0 else 0)
            odd -= 1
            state.pot_winners[pot, seat] = 1
            state.won[seat] += share
            state.stacks[seat] += share
