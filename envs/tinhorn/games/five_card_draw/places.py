"""Places and rewards (FD-16, FD-19, FD-20)."""

from tinhorn.core.bits import bits_set
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, row
from tinhorn.games.five_card_draw.state import RANK, WIN


@kernel
def bust_places(state):
    """Players without chips are out, ranked by their stacks at the start of the hand; equal ones share (FD-16)."""
    alive = bits(row(state.alive))
    bust = bits(row(state.alive) & (row(state.stacks) == 0))
    if bust == 0:
        return
    for seat in range(state.num_seats):
        if bust & (1 << seat) != 0:
            state.alive[seat] = 0
            state.places[seat] = place_among(bust, state.hand_stacks, seat) + bits_set(alive & ~bust)
            state.out[seat] = 1
            pay_place(state, seat)


@kernel
def finish_places(state):
    """Players left at the end are ranked by their stacks; equal ones share."""
    alive = bits(row(state.alive))
    for seat in range(state.num_seats):
        if alive & (1 << seat) != 0:
            state.places[seat] = place_among(alive, state.stacks, seat)


@kernel
def place_among(seats, stacks, seat):
    """The place by stack among the seats of a word of bits, from 1; the mean of the places that equal stacks share."""
    more, equal = bits(row(stacks) > stacks[seat]), bits(row(stacks) == stacks[seat])
    return bits_set(more & seats) + 0.5 * (bits_set(equal & seats) + 1)


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
