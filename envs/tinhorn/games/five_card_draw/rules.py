"""The flow of Five Card Draw: antes, betting, one draw, betting, showdown, until one player has all the chips."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import derive, uniform
from tinhorn.games.five_card_draw.actions import COUNT, FIRST_BET
from tinhorn.games.five_card_draw.places import bust_places, finish_places, pay_chips, pay_place
from tinhorn.games.five_card_draw.state import BET_1, BET_2, CHIPS, DRAW, HAND_EPISODE, OVER
from tinhorn.poker.betting import begin_betting, bet, clock_bet, legal_bets, next_to_act, return_unmatched
from tinhorn.poker.draw import draw_button, exchange, next_to_draw, open_draw, open_hand
from tinhorn.poker.exchange import EXCHANGES, HAND
from tinhorn.poker.pots import clear_pots, settle_pots
from tinhorn.poker.seats import count_seats, next_seat


@kernel
def new(state, seed):
    """Start an episode; the first button is drawn at random (FD-3, FD-17)."""
    state.seed = seed
    state.stream[0] = derive(seed, 0)
    for seat in range(state.stacks.shape[0]):
        state.stacks[seat] = state.first_stacks[seat] if seat < state.num_seats else 0
    if state.random_stacks != 0:
        share_out(state)
    seat_players(state)
    draw_button(state)
    begin_hand(state, False)


@kernel
def share_out(state):
    """Random stacks: the same chips in all, every division as likely, at least one each (FD-17)."""
    total = 0
    for seat in range(state.num_seats):
        total += state.stacks[seat]
    weights = np.zeros(state.num_seats)
    for seat in range(state.num_seats):
        weights[seat] = -np.log(1.0 - uniform(state.stream))
    spare, sum_of_weights = total - state.num_seats, weights.sum()
    left = spare
    for seat in range(state.num_seats):
        chips = np.int64(spare * weights[seat] / sum_of_weights) if seat < state.num_seats - 1 else left
        chips = min(chips, left)
        left -= chips
        state.stacks[seat] = 1 + chips
    for seat in range(state.num_seats):
        state.first_stacks[seat] = state.stacks[seat]


@kernel
def seat_players(state):
    """Whoever has chips is in the game."""
    state.places[:] = 0
    state.entrants = 0
    for seat in range(state.stacks.shape[0]):
        state.alive[seat] = state.stacks[seat] > 0
        state.in_hand[seat] = state.alive[seat]
        state.out[seat] = state.alive[seat] == 0
        state.entrants += state.alive[seat]
    clear_pots(state)


@kernel
def begin_hand(state, shuffled):
    """Antes, a shuffled deck (or the order of the last shuffle), five cards each, the first betting (FD-1 to FD-4)."""
    open_hand(state, shuffled, HAND)
    state.phase = BET_1
    state.actor = begin_betting(state, np.int64(0))
    if state.actor < 0:
        begin_draw(state)


@kernel
def begin_draw(state):
    """Everyone still in draws, all-in players too (FD-12)."""
    open_draw(state)
    state.phase = DRAW
    state.actor = next_to_draw(state, state.drawn, np.int64(state.button))


@kernel
def legal(state, mask):
    """The exact mask: exchanges in the draw, bets in a betting round (FD-5, FD-12, FD-18)."""
    if state.phase == BET_1 or state.phase == BET_2:
        mask[:FIRST_BET] = 0
        legal_bets(state, mask, FIRST_BET)
    else:
        mask[:FIRST_BET] = state.phase == DRAW
        mask[FIRST_BET:] = 0


@kernel
def timeout_action(state):
    """Check if that is free, else fold; stand pat (FD-21)."""
    return 0 if state.phase == DRAW else FIRST_BET + clock_bet(state)


@kernel
def step(state, action):
    """Apply a legal decision and run on to the next one or to the end."""
    state.ply += 1
    seat = np.int64(state.actor)
    if state.phase == DRAW:
        exchange(state, seat, EXCHANGES[action])
        state.actor = next_to_draw(state, state.drawn, seat)
        if state.actor >= 0:
            return
        state.phase = BET_2
        state.actor = begin_betting(state, np.int64(1))
    else:
        bet(state, action - FIRST_BET, action - COUNT)
        state.actor = next_to_act(state, seat)
        if state.actor < 0 and state.phase == BET_1 and count_seats(state.in_hand, state.num_seats) > 1:
            begin_draw(state)
    if state.actor < 0:
        end_hand(state)


@kernel
def end_hand(state):
    """Pay the pots, rank who is out, and deal the next hand or end the episode (FD-14 to FD-17, FD-20)."""
    return_unmatched(state)
    settle_pots(state)
    if state.reward == CHIPS:
        pay_chips(state)
    bust_places(state)
    state.hands_played += 1
    if count_seats(state.alive, state.num_seats) > 1:
        if state.episode != HAND_EPISODE and state.hands_played < state.max_hands:
            state.button = next_seat(state.alive, state.button, state.num_seats)
            begin_hand(state, False)
            return
        state.truncated = state.episode != HAND_EPISODE
    end_episode(state)


@kernel
def end_episode(state):
    """Rank and pay who is left (FD-16, FD-19, FD-20)."""
    finish_places(state)
    for seat in range(state.num_seats):
        if state.alive[seat] != 0:
            pay_place(state, seat)
    state.phase = OVER
    state.finished = 1
    state.actor = -1
    state.in_hand[:] = 0
    state.out[:] = 1
