"""The exact solver: which melds of a hand are worth most, and can a total be reached.

It chooses among items: a new meld of three to five cards, or an extension of one of the player's own melds by up to
two cards at each end. That is enough: longer runs and extensions fall apart into these (six cards are two runs
of three), with at most one joker in each part. A branch is cut where all that is still meldable cannot beat the
best. Rules HA-8 to HA-10 and the values of HA-13 are all it knows.
"""

from typing import NamedTuple

import numpy as np

from tinhorn.core.bits import bits_set, lowest_bit
from tinhorn.core.kernel import kernel
from tinhorn.games.hand.melds import (
    A_JOKER,
    LONGEST_RUN,
    NO_JOKER,
    NOTHING,
    count_melds,
    high_of,
    is_run,
    joker_of,
    low_of,
    owner_of,
    pack_run,
    pack_set,
    set_size,
    suits_of,
)
from tinhorn.games.hand.moves import ADD, ADD_WAYS, run_id, set_id
from tinhorn.games.hand.words import (
    JOKERS,
    ONE,
    POSITIONS,
    TWO,
    folded,
    full_sets,
    meldable,
    points_at,
    points_in,
    wide,
)

MOST_ITEMS = 640
MOST_CHOSEN = 15
_ITEMS_END = 6 * MOST_ITEMS
_HEAD_END = _ITEMS_END + 5
_CHOSEN_END = _HEAD_END + MOST_CHOSEN + 2
# Typed, so that a kernel is compiled once for all of them and not for each constant.
NO_ITEM = NEW = NOBODY = np.int64(-1)
ZERO, A_CARD, NO_LIMIT = np.int64(0), np.int64(1), np.int64(10_000)
# Columns of an item: its natural cards as a word, points, jokers (0 or 1), cards laid from the hand, place of the
# meld that it extends (-1 for a new meld), the meld that comes of it.
WORD, POINTS, JOKER, SIZE, PLACE, MELD = range(6)
# Of a list of items: how many there are, where those with a joker and the natural ones begin (extensions come first),
# the most points that an item with a joker and that all extensions together can bring.
NUM_ITEMS, FIRST_JOKER, FIRST_NATURAL, JOKER_POINTS, EXTENSION_POINTS = range(5)


class Space(NamedTuple):
    """Memory for one search: ``items`` int64[640, 6], their summary ``head`` int64[5], ``chosen`` int64[17] (how many
    items are chosen, then which), ``stack`` int64[16, 9].
    """

    items: np.ndarray
    head: np.ndarray
    chosen: np.ndarray
    stack: np.ndarray


@kernel
def new_space():
    """A `Space`, in one piece of memory."""
    memory = np.empty(_CHOSEN_END + 9 * (MOST_CHOSEN + 1), np.int64)
    return Space(
        memory[:_ITEMS_END].reshape(MOST_ITEMS, 6),
        memory[_ITEMS_END:_HEAD_END],
        memory[_HEAD_END:_CHOSEN_END],
        memory[_CHOSEN_END:].reshape(MOST_CHOSEN + 1, 9),
    )


SUITS_IN = np.array([suits.bit_count() for suits in range(16)], np.int64)


@kernel
def put_item(space, word, points, joker, size, place, meld):
    """Append an item to the list."""
    item = space.items[space.head[NUM_ITEMS]]
    item[WORD], item[POINTS], item[JOKER] = word, points, joker
    item[SIZE], item[PLACE], item[MELD] = size, place, meld
    space.head[NUM_ITEMS] += 1
    if joker > 0:
        space.head[JOKER_POINTS] = max(space.head[JOKER_POINTS], points)


@kernel
def collect_items(hand, melds, seat, limit, space):
    """Write every item of at most ``limit`` cards into ``space``, with a summary.

    Only the melds of ``seat`` are extended; -1 extends none.
    """
    space.head[:] = 0
    if seat >= 0:
        for place in range(count_melds(melds)):
            if owner_of(melds[place]) == seat:
                before = space.head[NUM_ITEMS]
                if is_run(melds[place]):
                    extend_run(hand, melds[place], place, limit, space)
                else:
                    extend_set(hand, melds[place], place, limit, space)
                most = np.int64(0)
                for k in range(before, space.head[NUM_ITEMS]):
                    most = max(most, space.items[k, POINTS])
                space.head[EXTENSION_POINTS] += most
    space.head[FIRST_JOKER] = space.head[NUM_ITEMS]
    if hand[JOKERS] > 0:
        collect_joker_runs(hand[ONE], limit, space)
        collect_sets(hand[ONE], A_JOKER, limit, space)
    space.head[FIRST_NATURAL] = space.head[NUM_ITEMS]
    collect_runs(hand[ONE], limit, space)
    if full_sets(hand[ONE]) != 0:
        collect_sets(hand[ONE], NO_JOKER, limit, space)


@kernel
def collect_runs(one, limit, space):
    """New runs of three to five natural cards."""
    cards = wide(one)
    starts = cards & (cards >> 4) & (cards >> 8)
    pattern = np.int64(0x111)
    for length in range(3, 6):
        if length > limit:
            return
        rest = starts
        while rest != 0:
            bit = lowest_bit(rest)
            rest &= rest - 1
            word = folded(pattern << bit)
            low = (bit >> 2) + 1
            meld = pack_run(ZERO, bit & 3, low, low + length - 1, NO_JOKER)
            put_item(space, word, points_in(word), NO_JOKER, length, NEW, meld)
        starts &= cards >> (4 * length)
        pattern |= np.int64(1) << (4 * length)


@kernel
def collect_joker_runs(one, limit, space):
    """New runs of three to five cards of which one is a joker, in any place."""
    cards = wide(one)
    for length in range(3, min(limit, 5) + 1):
        for gap in range(length):
            starts = (np.int64(1) << (4 * (POSITIONS + 1 - length))) - 1
            pattern = np.int64(0)
            for place in range(length):
                if place != gap:
                    starts &= cards >> (4 * place)
                    pattern |= np.int64(1) << (4 * place)
            while starts != 0:
                bit = lowest_bit(starts)
                starts &= starts - 1
                word = folded(pattern << bit)
                low = (bit >> 2) + 1
                meld = pack_run(ZERO, bit & 3, low, low + length - 1, low + gap)
                put_item(space, word, points_in(word) + points_at(low + gap), A_JOKER, length, NEW, meld)


@kernel
def collect_sets(one, joker, limit, space):
    """New sets of three or four cards, one of them a joker if ``joker`` is 1."""
    for position in range(1, 14):
        held = (one >> (4 * (position - 1))) & 15
        if SUITS_IN[held] + joker < 3:
            continue
        for suits in range(3, 16):
            size = SUITS_IN[suits] + joker
            if suits & held == suits and 3 <= size <= 4 and size <= limit:
                word = np.int64(suits) << (4 * (position - 1))
                meld = pack_set(ZERO, position, suits, joker)
                put_item(space, word, size * points_at(position), joker, size, NEW, meld)


@kernel
def extend_run(hand, meld, place, limit, space):
    """Up to two cards at each end of an own run, one of them a joker if the run has none (HA-10)."""
    low, high, suit = low_of(meld), high_of(meld), suits_of(meld)
    cards = wide(hand[ONE])
    may_joker = hand[JOKERS] > 0 and joker_of(meld) == 0
    for down in range(3):
        for up in range(3):
            size = down + up
            bottom, top = low - down, high + up
            if size == 0 or size > limit or bottom < 1 or top > POSITIONS or top - bottom + 1 > LONGEST_RUN:
                continue
            word = np.int64(0)
            points = 0
            for position in range(bottom, top + 1):
                if position < low or position > high:
                    word |= np.int64(1) << (4 * (position - 1) + suit)
                    points += points_at(position)
            if word & ~cards == 0:
                grown = pack_run(ZERO, suit, bottom, top, joker_of(meld))
                put_item(space, folded(word), points, NO_JOKER, size, place, grown)
            if may_joker:
                for position in range(bottom, top + 1):
                    bit = np.int64(1) << (4 * (position - 1) + suit)
                    if word & bit != 0 and word & ~bit & ~cards == 0:
                        grown = pack_run(ZERO, suit, bottom, top, position)
                        put_item(space, folded(word & ~bit), points, A_JOKER, size, place, grown)


@kernel
def extend_set(hand, meld, place, limit, space):
    """The fourth card of an own set, or a joker for it."""
    if set_size(meld) > 3 or limit < 1:
        return
    position, suits = low_of(meld), suits_of(meld)
    missing = (hand[ONE] >> (4 * (position - 1))) & 15 & ~suits
    for suit in range(4):
        if (missing >> suit) & 1:
            word = np.int64(1) << (4 * (position - 1) + suit)
            grown = pack_set(ZERO, position, suits | (1 << suit), joker_of(meld))
            put_item(space, word, points_at(position), NO_JOKER, A_CARD, place, grown)
    if hand[JOKERS] > 0 and joker_of(meld) == 0:
        put_item(space, ZERO, points_at(position), A_JOKER, A_CARD, place, pack_set(ZERO, position, suits, A_JOKER))


@kernel
def natural_points(one, two):
    """No melds without a joker are worth more together."""
    cards = meldable(one)
    return points_in(one & cards) + points_in(two & cards) if cards != 0 else np.int64(0)


@kernel
def fits_hand(item, one, jokers, room, extended):
    """Whether an item can be chosen: its cards are there, the limit allows it, its meld is not extended yet."""
    if item[WORD] & ~one != 0 or item[JOKER] > jokers or item[SIZE] > room:
        return False
    return item[PLACE] < 0 or (extended >> item[PLACE]) & 1 == 0


@kernel
def best_choice(hand, space, limit, floor, target, first):
    """The items worth most together, by depth-first search.

    Args:
        hand: int64[3]. space: with the items of `collect_items` for the same hand and limit; its ``chosen`` gets the
            number of items chosen and then the items. limit: cards laid at most.
        floor: totals up to it are of no interest. target: a total of so much ends the search.
        first: an item that must be among them, -1 for none.

    Returns:
        The total, in points, or ``floor`` if there is none above it (then 0 items are chosen).
    """
    space.chosen[0] = 0
    one, two, jokers, total = hand[ONE], hand[TWO], hand[JOKERS], np.int64(0)
    room, extended = np.int64(limit), np.int64(0)
    stack = space.stack  # of frames: item, next, one, two, jokers, total, room, extended, natural
    depth = 0
    best = np.int64(floor)
    if first >= 0:
        item = space.items[first]
        if not fits_hand(item, one, jokers, room, extended):
            return best
        both = two & item[WORD]
        one, two = one & ~(item[WORD] & ~both), two & ~both
        jokers, total, room = jokers - item[JOKER], item[POINTS], room - item[SIZE]
        extended = np.int64(1) << item[PLACE] if item[PLACE] >= 0 else np.int64(0)
        if total > best:
            best = total
            space.chosen[0], space.chosen[1] = 1, first
            if best >= target:
                return best
    natural = natural_points(one, two)
    bound = total + natural + jokers * space.head[JOKER_POINTS] + space.head[EXTENSION_POINTS]
    goal = min(np.int64(target), bound)
    if bound <= best:
        return best
    frame = stack[0]
    frame[0], frame[1], frame[2], frame[3] = first, 0, one, two
    frame[4], frame[5], frame[6], frame[7], frame[8] = jokers, total, room, extended, natural
    while depth >= 0:
        frame = stack[depth]
        k = frame[1]
        if k >= space.head[NUM_ITEMS]:
            depth -= 1
            continue
        frame[1] = k + 1
        item = space.items[k]
        if not fits_hand(item, frame[2], frame[4], frame[6], frame[7]):
            continue
        jokers, total = frame[4] - item[JOKER], frame[5] + item[POINTS]
        later = jokers * space.head[JOKER_POINTS] if k < space.head[FIRST_NATURAL] else ZERO
        if k < space.head[FIRST_JOKER]:
            later += space.head[EXTENSION_POINTS]
        if total + later + frame[8] <= best:
            continue
        if total > best:
            best = total
            note_choice(stack, depth, first, k, space.chosen)
            if best >= goal:
                return best
        both = frame[3] & item[WORD]
        one, two = frame[2] & ~(item[WORD] & ~both), frame[3] & ~both
        natural = natural_points(one, two)
        if total + later + natural > best and frame[6] > item[SIZE]:
            depth += 1
            below = stack[depth]
            below[0], below[1], below[2], below[3] = k, k, one, two
            below[4], below[5], below[6], below[8] = jokers, total, frame[6] - item[SIZE], natural
            below[7] = frame[7] | (np.int64(1) << item[PLACE]) if item[PLACE] >= 0 else frame[7]
    return best


@kernel
def note_choice(stack, depth, first, last, chosen):
    """Write the path of the search, and the last item, into ``chosen``."""
    count = 0
    if first >= 0:
        chosen[1] = first
        count = 1
    for level in range(1, depth + 1):
        count += 1
        chosen[count] = stack[level, 0]
    chosen[count + 1] = last
    chosen[0] = count + 1


@kernel
def best_melds(hand, limit, space):
    """The most points that the hand can lay in new melds of at most ``limit`` cards; chosen are the melds."""
    space.chosen[0] = 0
    if hand[JOKERS] == 0 and meldable(hand[ONE]) == 0:
        return np.int64(0)
    collect_items(hand, space.chosen[:0], NOBODY, limit, space)
    return best_choice(hand, space, limit, ZERO, NO_LIMIT, NO_ITEM)


@kernel
def mark_first_moves(space, melds, num_melds, mask):
    """Set the ids of every move by which the chosen items can be begun, with the first ``num_melds`` on the table."""
    for k in range(1, space.chosen[0] + 1):
        item = space.items[space.chosen[k]]
        grown, place = item[MELD], item[PLACE]
        if place >= num_melds:
            continue
        if place >= 0:
            mark_extension(melds[place], grown, ADD + place * ADD_WAYS, mask)
        elif is_run(grown):
            joker = joker_of(grown)
            for low in range(low_of(grown), high_of(grown) - 1):
                mask[run_id(suits_of(grown), low, joker - low if low <= joker < low + 3 else NOTHING)] = 1
        else:
            mark_set(grown, mask)


@kernel
def mark_extension(meld, grown, action, mask):
    """The first card at either end of a run, or the card of a set."""
    if not is_run(meld):
        for suit in range(4):
            if ((suits_of(grown) & ~suits_of(meld)) >> suit) & 1:
                mask[action + suit] = 1
        if joker_of(grown) != joker_of(meld):
            mask[action + 4] = 1
        return
    if low_of(grown) < low_of(meld):
        mask[action + (2 if joker_of(grown) == low_of(meld) - 1 else 0)] = 1
    if high_of(grown) > high_of(meld):
        mask[action + (3 if joker_of(grown) == high_of(meld) + 1 else 1)] = 1


@kernel
def mark_set(meld, mask):
    """Every three cards of a set."""
    suits = suits_of(meld)
    joker = joker_of(meld)
    for some in range(3, 16):
        if some & suits == some:
            size = bits_set(np.int64(some))
            if size == 3 or (size == 2 and joker != 0):
                mask[set_id(low_of(meld), some)] = 1
