"""The flow of Cowboy Draw: six hands with a simultaneous draw, a readout after each, payout."""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import derive
from tinhorn.games.cowboy_draw.actions import CLOCK, COUNT, FIRST_BET, PASS
from tinhorn.games.cowboy_draw.house import HOUSE_STYLE, house
from tinhorn.games.cowboy_draw.state import BET_1, BET_2, DRAW, HANDS, MOST_THROWN, READOUT
from tinhorn.games.cowboy_draw.tournament import (
    answer_readout,
    begin_readout,
    buy_in,
    end_tournament,
    is_over,
    legal_readout,
    pay_chips,
    release_seats,
)
from tinhorn.games.cowboy_draw.view import LAYOUT, view
from tinhorn.poker.betting import (
    FOLD,
    begin_betting,
    bet,
    clock_bet,
    legal_bets,
    next_to_act,
    return_unmatched,
)
from tinhorn.poker.draw import draw_button, exchange, next_to_draw, open_draw, open_hand
from tinhorn.poker.exchange import EXCHANGES
from tinhorn.poker.pots import clear_pots, settle_pots
from tinhorn.poker.seats import clockwise, count_seats, next_seat

_VIEW = LAYOUT.size


@kernel
def new(state, seed):
    """Start a tournament; the first button is drawn at random (CD-1, FD-3)."""
    state.seed = seed
    state.stream[0] = derive(seed, 0)
    buy_in(state)
    clear_pots(state)
    copy(state.entitled, state.in_hand)
    draw_button(state)
    begin_hand(state, False)


@kernel
def begin_hand(state, shuffled):
    """Antes, a shuffled deck (or the order of the last shuffle), five cards each, the first betting (CD-2, CD-4)."""
    state.house_stream[0] = derive(state.seed, 101 + state.hands_played)
    state.choices[:] = -1
    open_hand(state, shuffled, MOST_THROWN)
    state.phase = BET_1
    state.actor = begin_betting(state, np.int64(0))
    if state.actor < 0:
        begin_draw(state)


@kernel
def next_hand(state):
    """Release who was absent, move the button, deal (CD-3, CD-14)."""
    release_seats(state)
    for seat in range(state.num_seats):
        state.in_hand[seat] = state.stacks[seat] > 0
    state.button = next_seat(state.in_hand, state.button, state.num_seats)
    begin_hand(state, False)


@kernel
def begin_draw(state):
    """Everyone still in chooses, blind to the others (CD-5)."""
    open_draw(state)
    state.phase = DRAW
    state.actor = next_to_draw(state, state.choices, np.int64(state.button))


@kernel
def legal(state, mask):
    """The exact mask: exchanges of up to three cards, bets, or the readout (CD-5, CD-7)."""
    mask[:FIRST_BET] = state.phase == DRAW
    mask[FIRST_BET:] = 0
    if state.phase == BET_1 or state.phase == BET_2:
        legal_bets(state, mask, FIRST_BET)
    elif state.phase == READOUT:
        legal_readout(state, mask)


@kernel
def timeout_action(state):
    """The clock's own id: `step` plays what the rules give, and counts a fold to the streak (CD-13, CD-14)."""
    return CLOCK


@kernel
def step(state, action):
    """Apply a legal decision, let the house bot play its seats, run on to the next decision or to the end."""
    state.ply += 1
    seat = np.int64(state.actor)
    if action == CLOCK:
        action = clock_choice(state)
        if action == FIRST_BET + FOLD:
            state.streak[seat] += 1
    else:
        state.streak[seat] = 0
    while True:
        apply(state, action)
        if state.finished != 0 or state.house_seat[state.actor] == 0:
            break
        action = house_choice(state)


@kernel
def clock_choice(state):
    """Check if that is free, else fold; stand pat; pass (CD-13)."""
    if state.phase == DRAW:
        return 0
    if state.phase == READOUT:
        return PASS
    return FIRST_BET + clock_bet(state)


@kernel
def house_choice(state):
    """What the house bot plays for a seat that left or was released, from its view (CD-8, CD-14)."""
    mask, out = np.zeros(COUNT, np.int8), np.zeros(_VIEW, np.int32)
    legal(state, mask)
    view(state, np.int64(state.actor), out)
    return house(out, mask, HOUSE_STYLE, state.house_stream)


@kernel
def apply(state, action):
    """Apply one decision of the seat to act and run on to the next one, or to the end."""
    if state.phase == READOUT:
        answer_readout(state, action)
        if state.actor < 0:
            end_readout(state)
        return
    seat = np.int64(state.actor)
    if state.phase == DRAW:
        state.choices[seat] = action
        state.actor = next_to_draw(state, state.choices, seat)
        if state.actor >= 0:
            return
        draw_together(state)
    else:
        bet(state, action - FIRST_BET, action - COUNT)
        state.actor = next_to_act(state, seat)
        if state.actor < 0 and state.phase == BET_1 and count_seats(state.in_hand, state.num_seats) > 1:
            begin_draw(state)
    if state.actor < 0:
        end_hand(state)


@kernel
def draw_together(state):
    """All have chosen: the cards go out from the button's left, then the second betting (CD-5)."""
    for step in range(1, state.num_seats + 1):
        seat = clockwise(state.button, step, state.num_seats)
        if state.in_hand[seat] != 0:
            exchange(state, seat, EXCHANGES[state.choices[seat]])
    state.phase = BET_2
    state.actor = begin_betting(state, np.int64(1))


@kernel
def end_hand(state):
    """Pay the pots, then the readout or, after the last hand, the end (CD-4, CD-7, CD-10)."""
    return_unmatched(state)
    settle_pots(state)
    pay_chips(state)
    state.hands_played += 1
    state.hands[:, :] = -1
    state.thrown[:, :] = -1
    state.drawn[:] = -1
    state.choices[:] = -1
    state.in_hand[:] = 0
    state.highest_bet = 0
    if state.hands_played < HANDS:
        begin_readout(state)
        if state.actor >= 0:
            return
    end_readout(state)


@kernel
def end_readout(state):
    """On to the next hand, unless the tournament is over (CD-10)."""
    if is_over(state):
        end_tournament(state)
    else:
        next_hand(state)
