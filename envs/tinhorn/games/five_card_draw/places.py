"""Places and rewards (FD-16, FD-19, FD-20)."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.games.five_card_draw.state import RANK, WIN
from tinhorn.poker.seats import count_seats


@kernel
def bust_places(state):
    """Players without chips are out, ranked by their stacks at the start of the hand; equal ones share (FD-16)."""
    bust = np.zeros(state.alive.shape[0], np.uint8)
    for seat in range(state.num_seats):
        bust[seat] = state.alive[seat] != 0 and state.stacks[seat] == 0
        state.alive[seat] -= bust[seat]
    survivors = count_seats(state.alive, state.num_seats)
    for seat in range(state.num_seats):
        if bust[seat] != 0:
            state.places[seat] = place_among(bust, state.hand_stacks, seat, state.num_seats) + survivors
            state.out[seat] = 1
            pay_place(state, seat)


@kernel
def finish_places(state):
    """Players left at the end are ranked by their stacks; equal ones share."""
    for seat in range(state.num_seats):
        if state.alive[seat] != 0:
            state.places[seat] = place_among(state.alive, state.stacks, seat, state.num_seats)


@kernel
def place_among(flags, stacks, seat, num_seats):
    """The place by stack among flagged seats, from 1; the mean of the places that equal stacks share."""
    more, equal = 0, 0
    for other in range(num_seats):
        if flags[other] != 0:
            more += stacks[other] > stacks[seat]
            equal += stacks[other] == stacks[seat]
    return more + 0.5 * (equal + 1)


@kernel
def pay_place(state, seat):
    """The reward ``win`` or ``rank`` of a player whose game is over (FD-19, FD-20)."""
    others = state.entrants - 1
    if state.reward == WIN:
        total = 0
        for other in range(state.num_seats):
            total += state.stacks[other]
        state.rewards[seat] += (state.entrants * state.stacks[seat] / total - 1.0) / others
    elif state.reward == RANK:
        state.rewards[seat] += (state.entrants + 1.0 - 2.0 * state.places[seat]) / others


@kernel
def pay_chips(state):
    """The reward ``chips``: what each won or lost in this hand, in antes (FD-19)."""
    for seat in range(state.num_seats):
        state.rewards[seat] += (state.stacks[seat] - state.hand_stacks[seat]) / state.ante
