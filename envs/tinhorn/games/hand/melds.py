"""A meld on the table as one integer, int64; 0 is a free place.

A run has a suit, its lowest and highest position (1..14, A low to A high) and the position of its joker. A set
has its position (1..13) as both, a mask of the suits that lie there, and whether a joker does.
"""

import numpy as np

from tinhorn.core.bits import bits_set, lowest_bit
from tinhorn.core.kernel import kernel
from tinhorn.games.hand.words import POSITIONS, bit_of, card_at

RUN, SET = 1, 2
LONGEST_RUN = 13  # one card of each rank (HA-8)
_ALL_SUITS = np.int64(15)
NOTHING = np.int64(-1)
# Typed, so that a kernel is compiled once for all of them and not for each constant.
NO_JOKER, A_JOKER = np.int64(0), np.int64(1)


@kernel
def pack_run(owner, suit, low, high, joker):
    """A run; ``joker`` is the position it stands for, 0 for none."""
    return (
        np.int64(RUN)
        | np.int64(owner) << 2
        | np.int64(low) << 6
        | np.int64(high) << 10
        | np.int64(suit) << 14
        | np.int64(joker) << 18
    )


@kernel
def pack_set(owner, position, suits, joker):
    """A set at position 1..13; ``suits`` is a mask of the natural cards, ``joker`` 0 or 1."""
    return (
        np.int64(SET)
        | np.int64(owner) << 2
        | np.int64(position) << 6
        | np.int64(position) << 10
        | np.int64(suits) << 14
        | np.int64(joker) << 18
    )


@kernel
def is_run(meld):
    return meld & 3 == RUN


@kernel
def owner_of(meld):
    """The seat that laid it."""
    return (meld >> 2) & 3


@kernel
def low_of(meld):
    return (meld >> 6) & 15


@kernel
def high_of(meld):
    return (meld >> 10) & 15


@kernel
def suits_of(meld):
    """Of a run its suit, 0..3; of a set the mask of its natural suits."""
    return (meld >> 14) & 15


@kernel
def joker_of(meld):
    """Of a run the position of its joker, of a set 1; 0 for none."""
    return (meld >> 18) & 15


@kernel
def set_size(meld):
    """Cards in a set, the joker included."""
    return bits_set(suits_of(meld)) + joker_of(meld)


@kernel
def count_melds(melds):
    """Melds (int64[16]) fill the places from the first on."""
    count = 0
    while count < melds.shape[0] and melds[count] != 0:
        count += 1
    return count


@kernel
def below(meld):
    """The position at which a card can be added below a run, 0 for none (HA-8)."""
    low = low_of(meld)
    return low - 1 if high_of(meld) - low + 1 < LONGEST_RUN else 0


@kernel
def above(meld):
    """The position at which a card can be added above a run, 0 for none (HA-8)."""
    high = high_of(meld)
    room = high < POSITIONS and high - low_of(meld) + 1 < LONGEST_RUN
    return high + 1 if room else 0


@kernel
def with_position(meld, position, joker):
    """A run grown by the card, or the joker, at one of its ends."""
    low, high = min(low_of(meld), position), max(high_of(meld), position)
    return pack_run(owner_of(meld), suits_of(meld), low, high, position if joker else joker_of(meld))


@kernel
def with_suit(meld, suit):
    """A set with one more natural card."""
    return pack_set(owner_of(meld), low_of(meld), suits_of(meld) | (1 << suit), joker_of(meld))


@kernel
def without_joker(meld):
    """A meld whose joker has been taken for the card it stood for (HA-11)."""
    if is_run(meld):
        return pack_run(owner_of(meld), suits_of(meld), low_of(meld), high_of(meld), NO_JOKER)
    return pack_set(owner_of(meld), low_of(meld), _ALL_SUITS, NO_JOKER)


@kernel
def joker_price(meld):
    """The card to lay for a meld's joker, or `NOTHING` (HA-11): of a set the fourth suit, when three lie there."""
    joker = joker_of(meld)
    if joker == 0:
        return NOTHING
    if is_run(meld):
        return card_at(joker, suits_of(meld))
    missing = _ALL_SUITS & ~suits_of(meld)
    return card_at(low_of(meld), lowest_bit(missing)) if bits_set(missing) == 1 else NOTHING


@kernel
def takes_joker(meld):
    """Whether a joker can be added: there is none and there is room (HA-10)."""
    if joker_of(meld) != 0:
        return False
    return below(meld) > 0 or above(meld) > 0 if is_run(meld) else set_size(meld) < 4


@kernel
def write_fits(melds, fits):
    """Into ``fits`` (int64[2]): the kinds that can be added or take a joker, as a word; 1 if a joker can be added."""
    word = np.int64(0)
    jokers = 0
    for place in range(count_melds(melds)):
        meld = melds[place]
        if takes_joker(meld):
            jokers = 1
        price = joker_price(meld)
        if price != NOTHING:
            word |= np.int64(1) << bit_of(price)
        if is_run(meld):
            if below(meld) > 0:
                word |= np.int64(1) << bit_of(card_at(below(meld), suits_of(meld)))
            if above(meld) > 0:
                word |= np.int64(1) << bit_of(card_at(above(meld), suits_of(meld)))
        elif set_size(meld) < 4:
            word |= (_ALL_SUITS & ~suits_of(meld)) << (4 * (low_of(meld) - 1))
    fits[0] = word
    fits[1] = jokers
