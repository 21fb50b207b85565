"""Can a turn be finished legally from here? Exact, without playing the turn out (HA-21).

With no card of the fire pending, a player who has opened can always throw, and an opening needs its total. A pending
card (HA-5) asks for more, but never for more than one joker from the table: the meld that is to hold the card
takes one joker at most (HA-10). So it is enough to look at the hand as it is and after the taking of each joker.
"""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.bits import lowest_bit
from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel
from tinhorn.games.hand.melds import (
    LONGEST_RUN,
    NO_JOKER,
    NOTHING,
    count_melds,
    high_of,
    is_run,
    joker_of,
    joker_price,
    low_of,
    owner_of,
    set_size,
    suits_of,
    takes_joker,
    with_suit,
    without_joker,
)
from tinhorn.games.hand.solver import JOKER as ITEM_JOKER
from tinhorn.games.hand.solver import (
    NEW,
    NO_ITEM,
    NUM_ITEMS,
    WORD,
    ZERO,
    best_choice,
    collect_items,
    natural_points,
    put_item,
)
from tinhorn.games.hand.state import OPENING
from tinhorn.games.hand.words import (
    JOKERS,
    ONE,
    POSITIONS,
    TWO,
    bit_of,
    card_at,
    count_of,
    folded,
    hand_size,
    meldable,
    pairs,
    partnered,
    points_at,
    points_in,
    remove_card,
    wide,
)

TWO_CARDS = np.int64(2)


@kernel
def finishable(seat, hand, melds, staged, opened, card, own, space):
    """Whether the turn can be brought to a legal end from here.

    Args:
        seat: the seat to act. hand: int64[3]. melds: int64[16].
        staged: points laid in an opening below 51. opened: whether the player has opened.
        card: the card of the fire that is still to be melded, -1 for none; the hand holds it.
        own: whether it must go into a meld of the player's own (HA-5, for an opening in this turn).
        space: for the solver; its ``chosen`` gets a way to open (0 items where there is none or no
            need).
    """
    space.chosen[0] = 0
    if card >= 0 and count_of(hand, card) == 0:
        return False
    if card < 0:
        if opened or staged == 0:
            return hand_size(hand) >= 1
        return can_open(seat, hand, melds, staged, space)
    if opened:
        return can_meld(seat, hand, melds, card, own)
    if staged == 0 and not may_open(hand):
        return False
    return can_open_with(seat, hand, melds, staged, card, space) or can_open_and_meld(
        seat, hand, melds, staged, card, space
    )


@kernel
def may_open(hand):
    """A quick look at a hand with nothing laid yet: False only if it cannot reach 51."""
    return hand[JOKERS] > 0 or natural_points(hand[ONE], hand[TWO]) >= OPENING


@kernel
def can_open(seat, hand, melds, staged, space):
    """Whether 51 can be reached with a card kept to throw (HA-6, HA-13, HA-14)."""
    need = OPENING - staged
    if staged == 0 and not may_open(hand):
        return False
    limit = hand_size(hand) - 1
    collect_items(hand, melds, seat, limit, space)
    return best_choice(hand, space, limit, need - 1, need, NO_ITEM) >= need


@kernel
def can_open_with(seat, hand, melds, staged, card, space):
    """Whether 51 can be reached with the card of the fire among the cards laid (HA-5)."""
    need = OPENING - staged
    if staged == 0 and not in_new_meld(hand, card):
        return False
    limit = hand_size(hand) - 1
    collect_items(hand, melds, seat, limit, space)
    if best_choice(hand, space, limit, need - 1, need, NO_ITEM) < need:
        return False
    bit = np.int64(0) if card == JOKER else np.int64(1) << bit_of(card)
    for k in range(space.head[NUM_ITEMS]):
        if space.items[k, WORD] & bit != 0 or (card == JOKER and space.items[k, ITEM_JOKER] != 0):
            if best_choice(hand, space, limit, need - 1, need, k) >= need:
                return True
    return False


@kernel
def can_open_and_meld(seat, hand, melds, staged, card, space):
    """Whether 51 can be reached without the card of the fire, and a joker on the table then lets it into an own meld.

    The card takes an own meld's joker, or a joker that another card takes stands beside it: in a new meld of three, or
    between it and the end of an own run. Of a set of two suits and a joker, one missing suit is added first; to an own
    set it can be added, and counts, before 51 is reached.
    """
    if card == JOKER:
        return False  # it could be laid before the opening is complete
    trial, early, late = hand.copy(), melds.copy(), melds.copy()
    for place in range(count_melds(melds)):
        meld = melds[place]
        if joker_of(meld) == 0:
            continue
        own = owner_of(meld) == seat
        copy(hand, trial)
        copy(melds, early)
        copy(melds, late)
        need = np.int64(OPENING - staged)
        if own and joker_price(meld) == card:
            collect_items(hand, melds, seat, hand_size(hand) - 1, space)
            first = space.head[NUM_ITEMS]
            put_item(space, np.int64(1) << bit_of(card), ZERO, NO_JOKER, ZERO, NEW, ZERO)
        elif take_joker(trial, late, place) and count_of(trial, card) > 0:
            trial[JOKERS] -= 1  # it comes too late for the total
            if own and joker_price(meld) == NOTHING:
                need -= points_at(low_of(meld))
                early[place] = with_suit(meld, lowest_bit(15 & ~suits_of(meld)))
            collect_items(trial, early, seat, hand_size(trial) - 1, space)
            first = space.head[NUM_ITEMS]
            collect_late_items(seat, trial, late, card, space)
        else:
            continue
        last, space.head[NUM_ITEMS] = space.head[NUM_ITEMS], first
        limit = hand_size(trial) - 1
        for k in range(first, last):
            if best_choice(trial, space, limit, need - 1, need, k) >= need:
                drop_late_item(space.chosen)
                return True
    return False


@kernel
def drop_late_item(chosen):
    """Leave in ``chosen`` what is laid for the total; the late item, which stands first, is laid after it."""
    for k in range(1, chosen[0]):
        chosen[k] = chosen[k + 1]
    chosen[0] -= 1


@kernel
def collect_late_items(seat, hand, melds, card, space):
    """Append every way to meld ``card`` beside a joker to come: its cards, and the points laid before the joker."""
    bit, suit = np.int64(1) << bit_of(card), bit_of(card) & 3
    cards = wide(hand[ONE])
    rank = bit_of(card) & ~3
    for other in range(4):
        if other != suit and (hand[ONE] >> (rank + other)) & 1:
            put_item(space, bit | np.int64(1) << (rank + other), ZERO, NO_JOKER, TWO_CARDS, NEW, ZERO)
    position = (bit_of(card) >> 2) + 1
    for side in range(2 if position == 1 else 1):  # an ace is low and high
        at = position if side == 0 else POSITIONS
        for other in range(max(at - 2, 1), min(at + 2, POSITIONS) + 1):
            word = folded(np.int64(1) << (4 * (other - 1) + suit))
            if other != at and word & hand[ONE] != 0:
                put_item(space, bit | word, ZERO, NO_JOKER, TWO_CARDS, NEW, ZERO)
        for length in range(3, 6):
            put_late_run(cards, suit, at - 1 - length, at - 2, bit, space)
            put_late_run(cards, suit, at + 2, at + 1 + length, bit, space)
        for place in range(count_melds(melds)):
            meld = melds[place]
            if is_run(meld) and owner_of(meld) == seat and suits_of(meld) == suit and joker_of(meld) == 0:
                for down in range(3):
                    for up in range(3):
                        low, high = low_of(meld) - down, high_of(meld) + up
                        if (high == at - 2 and at - low < LONGEST_RUN) or (low == at + 2 and high - at < LONGEST_RUN):
                            put_late_extension(cards, meld, place, low, high, bit, space)


@kernel
def put_late_run(cards, suit, low, high, bit, space):
    """A new natural run low..high, if it is there, and the late card of ``bit``."""
    if low < 1 or high > POSITIONS:
        return
    word = positions_word(suit, low, high)
    if word & ~cards == 0:
        put_item(space, folded(word) | bit, points_in(folded(word)), NO_JOKER, high - low + 2, NEW, ZERO)


@kernel
def put_late_extension(cards, meld, place, low, high, bit, space):
    """An own run grown naturally to low..high, if that can be, and the late card of ``bit``."""
    if low < 1 or high > POSITIONS:
        return
    suit = suits_of(meld)
    word = positions_word(suit, low, high) & ~positions_word(suit, low_of(meld), high_of(meld))
    if word & ~cards == 0:
        size = high - low - (high_of(meld) - low_of(meld)) + 1
        put_item(space, folded(word) | bit, points_in(folded(word)), NO_JOKER, size, place, ZERO)


@kernel
def positions_word(suit, low, high):
    """The cards low..high of a suit, as a word with high aces."""
    word = np.int64(0)
    for position in range(low, high + 1):
        word |= np.int64(1) << (4 * (position - 1) + suit)
    return word


@kernel
def take_joker(hand, melds, place):
    """Take a meld's joker, in place, if the hand can: in a set of three also by adding one suit and then the other."""
    meld = melds[place]
    price = joker_price(meld)
    if price != NOTHING:
        if count_of(hand, price) == 0:
            return False
        remove_card(hand, price)
    else:
        for suit in range(4):
            if (suits_of(meld) >> suit) & 1 == 0:
                if count_of(hand, card_at(low_of(meld), suit)) == 0:
                    return False
                remove_card(hand, card_at(low_of(meld), suit))
    hand[JOKERS] += 1
    melds[place] = without_joker(meld)
    return True


@kernel
def can_meld(seat, hand, melds, card, own):
    """Whether a player who has opened can meld ``card`` and keep a card to throw, also after other moves (HA-5)."""
    if can_place(seat, hand, melds, card, own):
        return True
    trial, table = hand.copy(), melds.copy()
    for place in range(count_melds(melds)):
        if joker_of(melds[place]) == 0:
            continue
        copy(hand, trial)
        copy(melds, table)
        if take_joker(trial, table, place) and count_of(trial, card) > 0:
            if can_place(seat, trial, table, card, own):
                return True
    return False


@kernel
def can_place(seat, hand, melds, card, own):
    """The same without taking a joker first, but for the one that stands for ``card`` itself."""
    size = hand_size(hand)
    for place in range(count_melds(melds)):
        meld = melds[place]
        if own and owner_of(meld) != seat:
            continue
        if card == JOKER:
            if takes_joker(meld) and size >= 2:
                return True
        elif joker_price(meld) == card and size >= 1:
            return True
        elif is_run(meld):
            if suits_of(meld) == bit_of(card) & 3 and reaches_card(hand, meld, card, size):
                return True
        elif low_of(meld) == (bit_of(card) >> 2) + 1 and size >= 2:
            if set_size(meld) < 4 and (suits_of(meld) >> (bit_of(card) & 3)) & 1 == 0:
                return True
    return size >= 4 and in_new_meld(hand, card)


@kernel
def reaches_card(hand, meld, card, size):
    """Whether the run grows to ``card`` with the cards between from the hand, one of them perhaps a joker."""
    position = (bit_of(card) >> 2) + 1
    for side in range(2 if position == 1 else 1):
        at = position if side == 0 else POSITIONS
        low, high = low_of(meld), high_of(meld)
        if low <= at <= high or max(high, at) - min(low, at) >= LONGEST_RUN:
            continue
        first, last = (high + 1, at - 1) if at > high else (at + 1, low - 1)
        jokers = np.int64(1) if hand[JOKERS] > 0 and joker_of(meld) == 0 else np.int64(0)
        for between in range(first, last + 1):
            if count_of(hand, card_at(between, suits_of(meld))) == 0:
                jokers -= 1
        if jokers >= 0 and size >= last - first + 1 + 2:
            return True
    return False


@kernel
def in_new_meld(hand, card):
    """Whether two other cards of the hand make a meld of three with ``card``, which it holds (HA-8 to HA-10)."""
    if card == JOKER:
        cards = wide(hand[ONE])
        return cards & ((cards >> 4) | (cards >> 8)) != 0 or pairs(hand[ONE]) != 0
    bit = np.int64(1) << bit_of(card)
    return meldable(hand[ONE]) & bit != 0 or (hand[JOKERS] > 0 and partnered(hand[ONE]) & bit != 0)
