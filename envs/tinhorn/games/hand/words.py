"""The cards of a hand as bits, so that melds are found with shifts.

A word (int64) has a bit for each of the 52 kinds without the joker, four suits a rank, the ace first:
bit ``(card + 4) % 52``, that is ``4 * (position - 1) + suit`` with positions A..K as 1..13. The high ace is
position 14, the four bits above. A hand is int64[3]: kinds held, kinds held twice, number of jokers.
"""

import numpy as np

from tinhorn.core.bits import bits_set
from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel

ONE, TWO, JOKERS = range(3)
ALL = (1 << 52) - 1
_WIDE = (1 << 56) - 1
POSITIONS = 14  # A low, 2 .. K, A high
_FIRST_SUIT, _SUITS_0_AND_1, _SUITS_0_TO_2 = (int(digit * 13, 16) for digit in "137")
JOKER_COST = 15
_POINTS = (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)  # by position from 1 (HA-13)
_PLANE_0, _PLANE_1, _PLANE_2, _PLANE_3 = (
    sum(15 << (4 * place) for place in range(13) if _POINTS[place] >> bit & 1) for bit in range(4)
)


@kernel
def points_at(position):
    """Points of a card (or of the joker that stands for it) at position 1..14: ace 11, pictures 10 (HA-13)."""
    if position == 1 or position == POSITIONS:
        return 11
    return min(position, 10)


@kernel
def points_in(word):
    """Points of all cards of a word."""
    low = bits_set(word & _PLANE_0) + 2 * bits_set(word & _PLANE_1)
    return low + 4 * bits_set(word & _PLANE_2) + 8 * bits_set(word & _PLANE_3)


@kernel
def bit_of(card):
    """The place of a card's bit; not for jokers."""
    return np.int64(card + 4) % 52


@kernel
def card_at(position, suit):
    """The card at position 1..14 of a suit."""
    return np.int64(4 * position + 44 + suit) % 52


@kernel
def by_card(word):
    """The word turned so that each card's bit stands at the card's code: aces last."""
    return (word >> 4) | ((word & 15) << 48)


@kernel
def wide(word):
    """The word with its aces once more at position 14."""
    return word | ((word & 15) << 52)


@kernel
def folded(word):
    """A word of 56 bits with the high aces back among the aces."""
    return (word & ALL) | (word >> 52)


@kernel
def full_sets(word):
    """The first suit's bit of every rank that has three suits or more (HA-9)."""
    clubs, diamonds = word & _FIRST_SUIT, (word >> 1) & _FIRST_SUIT
    hearts, spades = (word >> 2) & _FIRST_SUIT, (word >> 3) & _FIRST_SUIT
    return (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))


@kernel
def pairs(word):
    """Not 0 if two cards have the same rank."""
    return (
        (word & (word >> 1) & _SUITS_0_TO_2)
        | (word & (word >> 2) & _SUITS_0_AND_1)
        | (word & (word >> 3) & _FIRST_SUIT)
    )


@kernel
def meldable(word):
    """The cards that are part of some meld without a joker (HA-8, HA-9)."""
    cards = wide(word)
    runs = cards & (cards >> 4) & (cards >> 8)
    return folded(runs | (runs << 4) | (runs << 8)) | (word & (full_sets(word) * 15))


@kernel
def suits_on(word, steps):
    """The word with every card turned into that of the suit so many steps (1..3) on, of the same rank."""
    kept = _FIRST_SUIT * ((15 << steps) & 15)
    return ((word << steps) & kept) | ((word >> (4 - steps)) & ~kept & ALL)


@kernel
def added(a, b, c):
    """Three words added bit by bit: the ones and the twos of each sum."""
    return a ^ b ^ c, (a & b) | (c & (a ^ b))


@kernel
def partnered(word):
    """The cards of a word that are one card short of a meld with another one of it."""
    cards = wide(word)
    runs = folded(((cards >> 4) | (cards >> 8) | (cards << 4) | (cards << 8)) & _WIDE)
    return word & (runs | suits_on(word, 1) | suits_on(word, 2) | suits_on(word, 3))


@kernel
def outs(loose, unseen):
    """How many kinds of the word ``unseen`` make a meld with each card of the word ``loose`` and another one of it.

    Three words, the binary digits of 0..7: in each of seven directions a kind may lie, and all cards are counted at
    once.
    """
    held, there = wide(loose), wide(unseen)
    up, down = (held >> 4) | (held << 8), (held << 4) | (held >> 8)
    below, above = up & (there << 4), down & (there >> 4)
    far_below, far_above = (held << 4) & (there << 8), (held >> 4) & (there >> 8)
    one, two, three = suits_on(loose, 1), suits_on(loose, 2), suits_on(loose, 3)
    first, first_carry = added(folded(below & _WIDE), folded(above & _WIDE), folded(far_below & _WIDE))
    second, second_carry = added(
        folded(far_above & _WIDE), (two | three) & suits_on(unseen, 1), (one | three) & suits_on(unseen, 2)
    )
    ones, third_carry = added(first, second, (one | two) & suits_on(unseen, 3))
    twos, fours = added(first_carry, second_carry, third_carry)
    return ones & loose, twos & loose, fours & loose


@kernel
def hand_size(hand):
    """How many cards."""
    return bits_set(hand[ONE]) + bits_set(hand[TWO]) + hand[JOKERS]


@kernel
def hand_points(hand):
    """What a hand costs at the end of a deal: ace 11, pictures 10, joker 15, others their number (HA-17)."""
    return points_in(hand[ONE]) + points_in(hand[TWO]) + JOKER_COST * hand[JOKERS]


@kernel
def count_of(hand, card):
    """How many of a kind, 0 to 2."""
    if card == JOKER:
        return hand[JOKERS]
    bit = bit_of(card)
    return ((hand[ONE] >> bit) & 1) + ((hand[TWO] >> bit) & 1)


@kernel
def add_card(hand, card):
    """Put a card into a hand."""
    if card == JOKER:
        hand[JOKERS] += 1
        return
    word = np.int64(1) << bit_of(card)
    hand[TWO] |= hand[ONE] & word
    hand[ONE] |= word


@kernel
def remove_card(hand, card):
    """Take a card, which must be there, out of a hand."""
    if card == JOKER:
        hand[JOKERS] -= 1
    else:
        remove_word(hand, np.int64(1) << bit_of(card))


@kernel
def add_word(hand, word):
    """Put one of each kind of ``word`` into a hand."""
    hand[TWO] |= hand[ONE] & word
    hand[ONE] |= word


@kernel
def given_away(before, after):
    """The kinds, as a word, of which a hand holds fewer than before."""
    return (before[ONE] & ~after[ONE]) | (before[TWO] & ~after[TWO])


@kernel
def remove_word(hand, word):
    """Take one of each kind of ``word`` out of a hand; all must be there."""
    kept = hand[TWO] & word
    hand[ONE] &= ~(word & ~kept)
    hand[TWO] &= ~kept
