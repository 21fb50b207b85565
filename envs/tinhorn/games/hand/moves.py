"""The small moves of a turn: their ids, which of them the cards allow, and what they do to hand and table.

No rule of a turn's end is known here; `lookahead.py` asks whether a move leads to one.
"""

import numpy as np

from tinhorn.core.bits import lowest_bit
from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel
from tinhorn.games.hand.melds import (
    A_JOKER,
    NO_JOKER,
    NOTHING,
    above,
    below,
    count_melds,
    is_run,
    joker_price,
    low_of,
    owner_of,
    pack_run,
    pack_set,
    set_size,
    suits_of,
    takes_joker,
    with_position,
    with_suit,
    without_joker,
)
from tinhorn.games.hand.state import KINDS, MELDS
from tinhorn.games.hand.words import (
    JOKERS,
    ONE,
    by_card,
    card_at,
    count_of,
    full_sets,
    pairs,
    points_at,
    remove_card,
    wide,
)

LOWS = 12  # lowest positions of a run of three
RUN_WAYS = 4  # no joker, or a joker in the first, second, third place
SET_WAYS = 10  # three suits of four, or two and a joker
ADD_WAYS = 6  # for each meld
DRAW_STOCK = 0
TAKE_FIRE = 1
PUT_BACK = 2
LAY_RUN = 3
LAY_SET = LAY_RUN + 4 * LOWS * RUN_WAYS
ADD = LAY_SET + 13 * SET_WAYS
THROW = ADD + MELDS * ADD_WAYS
COUNT = THROW + KINDS
TAKE_JOKER = 5  # the sixth way
_FIRST_PLACES = (1 << (4 * LOWS)) - 1  # the lowest cards of runs, as a word

# The suits of each way of a set: without clubs, diamonds, hearts, spades; then two suits and the joker.
_WAYS = (14, 13, 11, 7, 3, 5, 9, 6, 10, 12)
SUITS_OF_WAY = np.array(_WAYS, np.int64)
WAY_OF_SUITS = np.array([_WAYS.index(suits) if suits in _WAYS else -1 for suits in range(16)], np.int64)


@kernel
def run_id(suit, low, joker):
    """Lay three cards of a suit from position ``low`` (1..12) on; ``joker`` is its place 0, 1, 2, or -1."""
    return LAY_RUN + (suit * LOWS + low - 1) * RUN_WAYS + joker + 1


@kernel
def set_id(position, suits):
    """Lay a set at position 1..13: three suits (mask), or two and a joker. Ranks are in the order 2..A."""
    return LAY_SET + (position + 11) % 13 * SET_WAYS + WAY_OF_SUITS[suits]


@kernel
def set_position(action):
    """The position 1..13 of a set to lay."""
    return ((action - LAY_SET) // SET_WAYS + 1) % 13 + 1


@kernel
def write_lays(hand, mask):
    """Allow every three-card meld that the hand holds."""
    one, jokers = hand[ONE], hand[JOKERS]
    cards = wide(one)
    first, second, third = cards, cards >> 4, cards >> 8
    starts = first & second & third
    low_joker = mid_joker = high_joker = np.int64(0)
    if jokers > 0:
        low_joker, mid_joker, high_joker = second & third, first & third, first & second
    found = starts | low_joker | mid_joker | high_joker
    found &= _FIRST_PLACES
    while found != 0:
        bit = lowest_bit(found)
        found &= found - 1
        action = run_id(bit & 3, (bit >> 2) + 1, NOTHING)
        mask[action] = (starts >> bit) & 1
        mask[action + 1] = (low_joker >> bit) & 1
        mask[action + 2] = (mid_joker >> bit) & 1
        mask[action + 3] = (high_joker >> bit) & 1
    if full_sets(one) == 0 and (jokers == 0 or pairs(one) == 0):
        return
    ways = SET_WAYS if jokers > 0 else 4
    ranks = by_card(one)
    for rank in range(13):
        suits = (ranks >> (4 * rank)) & 15
        if suits & (suits - 1) != 0:
            action = LAY_SET + rank * SET_WAYS
            for way in range(ways):
                mask[action + way] = suits & SUITS_OF_WAY[way] == SUITS_OF_WAY[way]


@kernel
def write_adds(hand, meld, place, mask):
    """Allow what the hand can add to a meld (HA-8 to HA-10)."""
    jokers = hand[JOKERS] > 0 and takes_joker(meld)
    action = ADD + place * ADD_WAYS
    if is_run(meld):
        low, high, suit = below(meld), above(meld), suits_of(meld)
        mask[action] = low > 0 and count_of(hand, card_at(low, suit)) > 0
        mask[action + 1] = high > 0 and count_of(hand, card_at(high, suit)) > 0
        mask[action + 2] = jokers and low > 0
        mask[action + 3] = jokers and high > 0
    elif set_size(meld) < 4:
        suits = (hand[ONE] >> (4 * (low_of(meld) - 1))) & 15 & ~suits_of(meld)
        for suit in range(4):
            mask[action + suit] = (suits >> suit) & 1
        mask[action + 4] = jokers


@kernel
def write_take(hand, meld, place, mask):
    """Allow to take a meld's joker, if the hand holds its card (HA-11)."""
    price = joker_price(meld)
    mask[ADD + place * ADD_WAYS + TAKE_JOKER] = price != NOTHING and count_of(hand, price) > 0


@kernel
def target_of(action):
    """The place of the meld that a move adds to or takes from; -1 for a new meld."""
    return (action - ADD) // ADD_WAYS if action >= ADD else -1


@kernel
def apply_move(action, seat, hand, melds):
    """Lay, add or take a joker, in place; returns the points laid, of a joker those of its card (HA-13)."""
    if action < LAY_SET:
        return lay_run(action, seat, hand, melds)
    if action < ADD:
        return lay_set(action, seat, hand, melds)
    place, way = target_of(action), (action - ADD) % ADD_WAYS
    meld = melds[place]
    if way == TAKE_JOKER:
        remove_card(hand, joker_price(meld))
        hand[JOKERS] += 1
        melds[place] = without_joker(meld)
        return 0
    if is_run(meld):
        position = below(meld) if way % 2 == 0 else above(meld)
        joker = way >= 2
        remove_card(hand, JOKER if joker else card_at(position, suits_of(meld)))
        melds[place] = with_position(meld, position, joker)
        return points_at(position)
    position = low_of(meld)
    if way == 4:
        hand[JOKERS] -= 1
        melds[place] = pack_set(owner_of(meld), position, suits_of(meld), A_JOKER)
    else:
        remove_card(hand, card_at(position, way))
        melds[place] = with_suit(meld, way)
    return points_at(position)


@kernel
def lay_run(action, seat, hand, melds):
    """A new run of three; returns its points."""
    index = action - LAY_RUN
    joker, low, suit = index % RUN_WAYS - 1, index // RUN_WAYS % LOWS + 1, index // (RUN_WAYS * LOWS)
    points = 0
    for place in range(3):
        remove_card(hand, JOKER if place == joker else card_at(low + place, suit))
        points += points_at(low + place)
    melds[count_melds(melds)] = pack_run(seat, suit, low, low + 2, low + joker if joker >= 0 else NO_JOKER)
    return points


@kernel
def lay_set(action, seat, hand, melds):
    """A new set of three; returns its points."""
    position, suits = set_position(action), SUITS_OF_WAY[(action - LAY_SET) % SET_WAYS]
    joker = A_JOKER if (action - LAY_SET) % SET_WAYS >= 4 else NO_JOKER
    for suit in range(4):
        if (suits >> suit) & 1:
            remove_card(hand, card_at(position, suit))
    hand[JOKERS] -= joker
    melds[count_melds(melds)] = pack_set(seat, position, suits, joker)
    return 3 * points_at(position)


@kernel
def write_throws(hand, mask):
    """Allow to throw every kind held."""
    cards = by_card(hand[ONE])
    for card in range(JOKER):
        mask[THROW + card] = (cards >> card) & 1
    mask[THROW + JOKER] = hand[JOKERS] > 0
