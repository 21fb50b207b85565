"""Another deal that looks the same to one seat: for the no-leak test, search and variance reduction."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import below, next_bits, shuffle
from tinhorn.games.cold_hand.state import BET_1, CHAMBERS, HAND
from tinhorn.poker.ranking import sort_hand


@kernel
def redeal(state, seat, stream):
    """Replace everything hidden from ``seat``: covered hands, others' discards, the deck, the bullets, luck to come.

    Uniform over the deals that fit what the seat knows. Its own first discards have been shuffled back before
    the second draw (CH-4), so they can be in the deck or among cards drawn since, nowhere else.
    """
    state.seed = next_bits(stream)
    state.stream[0] = next_bits(stream)
    second = state.phase > BET_1
    back = np.zeros(52, np.uint8)  # own first discards, back in the deck
    known = np.zeros(52, np.uint8)
    mark_known(state, seat, second, known, back)
    pool = np.zeros(52, np.int8)
    count = 0
    for card in range(52):
        if known[card] == 0 and back[card] == 0:
            pool[count] = card
            count += 1
    shuffle(stream, pool, count)
    count = deal_before_reshuffle(state, seat, second, pool, count)
    if second:
        for card in range(52):
            if back[card] != 0 and known[card] == 0:
                pool[count] = card
                count += 1
        shuffle(stream, pool, count)
        count = deal_after_reshuffle(state, seat, pool, count)
    for place in range(state.next_card, state.deck_end):
        count -= 1
        state.cards[place] = pool[count]
    for other in range(state.num_seats):
        state.bullets.values[other] = 1 + below(stream, CHAMBERS)
        if other != seat and state.hands[other, 0] >= 0:
            sort_hand(state.hands[other])


@kernel
def mark_known(state, seat, second, known, back):
    """Where the seat's own cards are: in its hand, thrown and out, or thrown and shuffled back."""
    for place in range(HAND):
        if state.hands[seat, place] >= 0:
            known[state.hands[seat, place]] = 1
    for draw_round in range(2):
        for place in range(state.exchanged[draw_round, seat]):
            card = state.discards[seat, draw_round, place]
            if second and draw_round == 0:
                back[card] = 1
            else:
                known[card] = 1


@kernel
def deal_before_reshuffle(state, seat, second, pool, count):
    """Others' cards from before the second draw; returns how many cards are left in the pool."""
    for other in range(state.num_seats):
        if other == seat or state.hands[other, 0] < 0:
            continue
        drawn = max(state.exchanged[1, other], 0) if second else 0
        for place in range(drawn, HAND):
            count -= 1
            state.hands[other, place] = pool[count]
        for place in range(drawn):
            count -= 1
            state.discards[other, 1, place] = pool[count]
        for place in range(state.exchanged[0, other]):
            if not second:
                count -= 1
                state.discards[other, 0, place] = pool[count]
    return count


@kernel
def deal_after_reshuffle(state, seat, pool, count):
    """Others' cards drawn in the second draw; returns how many cards are left in the pool."""
    for other in range(state.num_seats):
        if other == seat or state.hands[other, 0] < 0:
            continue
        for place in range(max(state.exchanged[1, other], 0)):
            count -= 1
            state.hands[other, place] = pool[count]
    return count
