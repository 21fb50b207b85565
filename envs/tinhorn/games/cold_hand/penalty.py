"""Who pays after a hand, and the revolver (CH-9 to CH-15, CH-17)."""

import numpy as np

from tinhorn.core.chance import draw_number, end_draw
from tinhorn.core.kernel import kernel
from tinhorn.games.cold_hand.options import PULLS, WIN
from tinhorn.games.cold_hand.state import CHAMBERS
from tinhorn.poker.ranking import hand_strength
from tinhorn.poker.seats import count_seats


@kernel
def house_minimum(num_seats, hands_completed):
    """Pulls: 1, 2, then 3, rising after every three hands of 2-3 players at the start, four of 4-6 (CH-15)."""
    return min(1 + hands_completed // hands_per_rise(num_seats), 3)


@kernel
def hands_per_rise(num_seats):
    """Completed hands from one house minimum to the next (CH-15)."""
    return 3 if num_seats <= 3 else 4


@kernel
def load_cylinders(state):
    """Every player gets a fresh cylinder: the pull that would fire is uniform in 1..6 (CH-14)."""
    for seat in range(state.num_seats):
        draw_number(state.bullets, state.stream, seat, 1, CHAMBERS)
    end_draw(state.bullets, state.num_seats)


@kernel
def reveal(state):
    """Show the hands still in; the weakest alone takes the stakes, tied ones the house minimum (CH-11, CH-12)."""
    weakest, tied = 1 << 30, 0
    for seat in range(state.num_seats):
        if state.in_hand[seat] != 0:
            for place in range(state.hands.shape[1]):
                state.shown[seat, place] = state.hands[seat, place]
            strength = hand_strength(state.hands[seat])
            if strength < weakest:
                weakest, tied = strength, 0
            if strength == weakest:
                tied += 1
    for seat in range(state.num_seats):
        if state.in_hand[seat] != 0 and hand_strength(state.hands[seat]) == weakest:
            state.penalty[seat] = state.stakes if tied == 1 else state.house_minimum


@kernel
def settle(state):
    """Settle all penalties in seat order, until one survivor is left (CH-13, CH-14, CH-17)."""
    survivors = count_seats(state.alive, state.num_seats)
    for seat in range(state.num_seats):
        if state.folded[seat] != 0:
            state.penalty[seat] = state.house_minimum
    if state.reward == PULLS:
        reward_pulls(state, survivors)
    for seat in range(state.num_seats):
        pulls = state.penalty[seat]
        if pulls > 0 and survivors == 1:
            state.penalty[seat] = -1
        elif pulls > 0:
            fires = state.bullets.values[seat]
            state.pulled[seat] = min(pulls, fires)
            if pulls >= fires:
                eliminate(state, seat)
                survivors -= 1


@kernel
def reward_pulls(state, survivors):
    """The reward `pulls`: what the penalties due cost on average, whichever chamber holds the bullet."""
    due = 0
    for seat in range(state.num_seats):
        due += state.penalty[seat]
    for seat in range(state.num_seats):
        if state.alive[seat] != 0:
            own = np.float64(state.penalty[seat])
            state.rewards[seat] += ((due - own) / (survivors - 1) - own) / CHAMBERS


@kernel
def eliminate(state, seat):
    """This seat is out; it gets its share of the loss at once."""
    state.alive[seat] = 0
    state.shot[seat] = 1
    state.out[seat] = 1
    if state.reward == WIN:
        state.rewards[seat] += -1.0 / (state.num_seats - 1)
