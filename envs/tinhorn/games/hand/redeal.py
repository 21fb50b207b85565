"""Another deal that looks the same to one seat: for the no-leak test, search and variance reduction."""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import next_bits, shuffle
from tinhorn.games.hand.lookahead import finishable
from tinhorn.games.hand.rules import appraise
from tinhorn.games.hand.solver import new_space
from tinhorn.games.hand.state import CARDS, KINDS
from tinhorn.games.hand.words import JOKERS, add_card, count_of, hand_size

_TRIES = 30


@kernel
def redeal(state, seat, stream):
    """Replace everything hidden from ``seat``: the stock's order, the others' cards, luck to come.

    Uniform over the deals with the same view: jokers that a player is known to hold, and a card taken from the fire and
    not yet melded, stay. What went into the stock with an earlier fire is not remembered. If another seat has begun to
    lay what it must finish, its new cards let it; where 30 deals do not, it keeps its own.
    """
    state.seed = next_bits(stream)
    state.stream[0] = next_bits(stream)
    pool = np.zeros(CARDS, np.int8)
    count = collect_hidden(state, seat, pool)
    committed = state.actor >= 0 and state.actor != seat and state.laid > 0
    kept = state.hands[max(state.actor, 0)].copy()
    for attempt in range(_TRIES):
        shuffle(stream, pool, count)
        deal_hidden(state, seat, pool, count)
        if not committed or can_finish(state):
            break
        if attempt == _TRIES - 1:
            keep_hand(state, kept, seat, pool, count)
    for other in range(state.num_seats):
        if other != seat:
            appraise(state, np.int64(other))


@kernel
def known_of(state, seat, card):
    """How many of a kind everybody knows in a player's hand."""
    pending = 1 if seat == state.actor and state.fire_card == card else 0
    return pending + (state.known_jokers[seat] if card == JOKER else 0)


@kernel
def collect_hidden(state, seat, pool):
    """Write all covered cards into the pool, in an order that does not tell where they lay; returns how many."""
    hidden = np.zeros(KINDS, np.int64)
    for place in range(state.next_card, state.stock_end):
        hidden[state.stock_cards[place]] += 1
    count = 0
    for card in range(KINDS):
        for other in range(state.num_seats):
            if other != seat:
                hidden[card] += count_of(state.hands[other], card) - known_of(state, other, card)
        for _ in range(hidden[card]):
            pool[count] = card
            count += 1
    return count


@kernel
def deal_hidden(state, seat, pool, count):
    """The pool's last cards to the other hands, the rest becomes the stock."""
    for other in range(state.num_seats):
        if other != seat:
            hand = state.hands[other]
            size = hand_size(hand)
            hand[:] = 0
            for card in range(JOKER + 1):
                for _ in range(known_of(state, other, card)):
                    add_card(hand, card)
            for _ in range(size - hand_size(hand)):
                count -= 1
                add_card(hand, pool[count])
    for place in range(state.next_card, state.stock_end):
        count -= 1
        state.stock_cards[place] = pool[count]


@kernel
def can_finish(state):
    """Whether the seat to act can finish the turn it has begun."""
    seat = np.int64(state.actor)
    space = new_space()
    opened, own = state.opened[seat] != 0, state.opened_before == 0
    card = np.int64(state.fire_card)
    hand, melds, staged = state.hands[seat].copy(), state.melds.copy(), np.int64(state.staged)
    return finishable(seat, hand, melds, staged, opened, card, own, space)


@kernel
def keep_hand(state, kept, seat, pool, count):
    """Give the seat to act its own cards back, the others the rest of the pool."""
    actor = state.actor
    for card in range(JOKER + 1):
        for _ in range(count_of(kept, card) - known_of(state, actor, card)):
            place = 0
            while pool[place] != card:
                place += 1
            count -= 1
            pool[place] = pool[count]
    copy(kept, state.hands[actor])
    for other in range(state.num_seats):
        if other != seat and other != actor:
            hand = state.hands[other]
            size = hand_size(hand)
            hand[:] = 0
            hand[JOKERS] = state.known_jokers[other]
            for _ in range(size - hand_size(hand)):
                count -= 1
                add_card(hand, pool[count])
    for place in range(state.next_card, state.stock_end):
        count -= 1
        state.stock_cards[place] = pool[count]
