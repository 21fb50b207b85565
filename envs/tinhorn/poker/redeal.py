"""Another deal of draw poker that looks the same to one seat: for the no-leak test, search and variance reduction."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import next_bits, shuffle
from tinhorn.poker.exchange import HAND
from tinhorn.poker.ranking import sort_hand


@kernel
def redeal_cards(state, seat, stream):
    """Replace, in place, covered hands, others' discards, the deck and the luck to come.

    Uniform over the deals that fit what ``seat`` knows: its hand, its discards, and from the public counts how many
    cards came out of the reshuffled muck. Its own discards that were shuffled back can be in the deck or among the
    cards drawn since, nowhere else (FD-13).
    """
    state.seed = next_bits(stream)
    state.stream[0] = next_bits(stream)
    known = np.zeros(52, np.uint8)
    back = np.zeros(52, np.uint8)  # own discards, back in the deck
    slots = np.full(52, -1, np.int64)  # by place in the reshuffled deck: 5 * seat + place of the hand that drew it
    fresh = np.zeros(6 * HAND, np.uint8)  # these places hold cards of the reshuffled muck
    if state.reshuffled != 0:
        find_drawn(state, slots, fresh)
    for place in range(HAND):
        card = state.thrown[seat, place]
        if card >= 0 and state.thrown_back[seat] != 0:
            back[card] = 1
        elif card >= 0:
            known[card] = 1
    for place in range(HAND):
        if state.hands[seat, place] >= 0:
            known[state.hands[seat, place]] = 1
    pool = np.zeros(52, np.int8)
    count = np.int64(0)
    for card in range(52):
        if known[card] == 0 and back[card] == 0:
            pool[count] = card
            count += 1
    shuffle(stream, pool, count)
    count = redeal_never_mucked(state, seat, fresh, pool, count)
    for card in range(52):
        if back[card] != 0 and known[card] == 0:
            pool[count] = card
            count += 1
    shuffle(stream, pool, count)
    redeal_deck(state, seat, slots, pool, count)
    if state.reshuffled != 0:
        redeal_thrown_back(state, seat, back, pool, stream)
    for other in range(state.num_seats):
        if other != seat and state.hands[other, 0] >= 0:
            sort_hand(state.hands[other])


@kernel
def find_drawn(state, slots, fresh):
    """Where the cards drawn from the reshuffled deck are."""
    for gone in range(state.next_card):
        for other in range(state.num_seats):
            for place in range(HAND):
                if state.hands[other, place] == state.cards[gone]:
                    slots[gone] = HAND * other + place
                    fresh[HAND * other + place] = 1


@kernel
def redeal_never_mucked(state, seat, fresh, pool, count):
    """Cards that others hold or threw and that were never reshuffled; returns how many are left in the pool."""
    for other in range(state.num_seats):
        if other == seat or state.hands[other, 0] < 0:
            continue
        for place in range(HAND):
            if fresh[HAND * other + place] == 0:
                count -= 1
                state.hands[other, place] = pool[count]
            if state.thrown[other, place] >= 0 and state.thrown_back[other] == 0:
                count -= 1
                state.thrown[other, place] = pool[count]
    return count


@kernel
def redeal_deck(state, seat, slots, pool, count):
    """The deck, and the cards that others drew from the reshuffled one."""
    for gone in range(state.next_card):
        if slots[gone] >= 0 and slots[gone] // HAND != seat:
            count -= 1
            state.cards[gone] = pool[count]
            state.hands[slots[gone] // HAND, slots[gone] % HAND] = pool[count]
    for place in range(state.next_card, state.deck_end):
        count -= 1
        state.cards[place] = pool[count]


@kernel
def redeal_thrown_back(state, seat, back, pool, stream):
    """What others threw before the reshuffle: all that was in the muck but the seat's own discards."""
    count = np.int64(0)
    for place in range(state.deck_end):
        if back[state.cards[place]] == 0:
            pool[count] = state.cards[place]
            count += 1
    shuffle(stream, pool, count)
    for other in range(state.num_seats):
        if other != seat and state.thrown_back[other] != 0:
            for place in range(state.drawn[other]):
                count -= 1
                state.thrown[other, place] = pool[count]
