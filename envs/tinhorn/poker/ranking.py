"""Five-card ranking (PK-1 to PK-7): how strong a hand is, as one small integer.

A hand is looked at as bit masks of its ranks: bit 0 is the two, bit 12 the ace. Among masks with equally many
bits, the greater mask is the hand with the higher cards, compared from high to low (PK-3). So a hand's place
inside its class is the place of its masks, and one table of 8,192 places serves all classes.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from tinhorn.core.kernel import kernel

STRENGTHS = 7462
HAND_CLASSES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
_HIGH_CARDS = 1277  # five ranks of thirteen, without the ten straights
_STRAIGHTS = 10
_PAIR = _HIGH_CARDS
_TWO_PAIR = _PAIR + 13 * 220  # kickers: three ranks of twelve
_THREE = _TWO_PAIR + 78 * 11
_STRAIGHT = _THREE + 13 * 66
_FLUSH = _STRAIGHT + _STRAIGHTS
_FULL_HOUSE = _FLUSH + _HIGH_CARDS
_FOUR = _FULL_HOUSE + 13 * 12
_STRAIGHT_FLUSH = _FOUR + 13 * 12
CLASS_STARTS = (0, _PAIR, _TWO_PAIR, _THREE, _STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH)
"""The weakest strength of each of `HAND_CLASSES`."""


def _places() -> np.ndarray:
    """int16[8192]: of one to three ranks the place among its like; of five the unsuited strength."""
    masks = np.arange(1 << 13)
    sizes = sum(masks >> rank & 1 for rank in range(13))
    places = np.zeros(1 << 13, np.int16)
    for size in (1, 2, 3):
        places[sizes == size] = np.arange(np.count_nonzero(sizes == size))
    wheel = 0b1_0000_0000_1111  # A-2-3-4-5 is the lowest straight (PK-4)
    straights = np.array([wheel] + [0b11111 << low for low in range(9)])
    high_cards = masks[(sizes == 5) & ~np.isin(masks, straights)]
    places[high_cards] = np.arange(_HIGH_CARDS)
    places[straights] = _STRAIGHT + np.arange(_STRAIGHTS)
    return places


_PLACES = _places()


@kernel
def _place_without(mask: int, rank: int) -> int:
    """The place of ``mask`` among masks of the twelve ranks other than the bit ``rank``."""
    below = rank - 1
    return int(_PLACES[(mask & below) | (mask >> 1 & ~below)])


@kernel
def strength(c0: int, c1: int, c2: int, c3: int, c4: int) -> int:
    """The strength of five different cards in any order: 0..7461, greater wins, equal ties (PK-2 to PK-5)."""
    seen = 1 << (int(c0) >> 2)
    twice = thrice = four = 0
    for card in (c1, c2, c3, c4):
        rank = 1 << (int(card) >> 2)
        four |= thrice & rank
        thrice |= twice & rank
        twice |= seen & rank
        seen |= rank
    if twice == 0:
        place = int(_PLACES[seen])
        if ((c0 ^ c1) | (c0 ^ c2) | (c0 ^ c3) | (c0 ^ c4)) & 3 == 0:
            place += _FLUSH if place < _HIGH_CARDS else _STRAIGHT_FLUSH - _STRAIGHT
        return place
    if thrice == 0:
        low = twice & -twice
        high = twice ^ low
        single = seen ^ twice
        if high == 0:
            return _PAIR + 220 * int(_PLACES[low]) + _place_without(single, low)
        return _TWO_PAIR + 11 * int(_PLACES[twice]) + int(_PLACES[single]) - (single > low) - (single > high)
    rest = seen ^ thrice
    if four != 0:
        return _FOUR + 12 * int(_PLACES[four]) + _place_without(rest, four)
    if rest & twice != 0:
        return _FULL_HOUSE + 12 * int(_PLACES[thrice]) + _place_without(rest, thrice)
    return _THREE + 66 * int(_PLACES[thrice]) + _place_without(rest, thrice)


@kernel
def hand_strength(cards: np.ndarray) -> int:
    """`strength` of ``cards``, int8[5] of card codes."""
    return strength(cards[0], cards[1], cards[2], cards[3], cards[4])


@kernel
def strengths(hands: np.ndarray, out: np.ndarray) -> None:
    """`strength` of many hands: ``hands`` int8[N, 5] of card codes, ``out`` int16[N]."""
    for index in range(hands.shape[0]):
        out[index] = strength(hands[index, 0], hands[index, 1], hands[index, 2], hands[index, 3], hands[index, 4])


@kernel
def hand_class(strength: int) -> int:
    """The place of a strength's class in `HAND_CLASSES`: 0 is high card, 8 straight flush (PK-2)."""
    found = 0
    for start in CLASS_STARTS[1:]:
        if strength >= start:
            found += 1
    return found


@kernel
def _ordered(first: int, second: int) -> tuple[int, int]:
    """The greater one first."""
    return max(first, second), min(first, second)


@kernel
def _sort_key(card: int, counts: int) -> int:
    code = int(card)
    return (counts >> (code & ~3) & 7) << 6 | code


@kernel
def sort_hand(cards: np.ndarray) -> None:
    """Sort ``cards``, int8[5] of different card codes, in place into grouped order (PK-3).

    The most frequent rank comes first, then the higher rank, then the higher suit (s h d c): KKK77, QQ994,
    AK975. Straights too read from high to low, the ace first even in A-5-4-3-2.
    """
    counts = 0  # four bits a rank
    for place in range(5):
        counts += 1 << (int(cards[place]) & ~3)
    a, b, c, d, e = (
        _sort_key(cards[0], counts),
        _sort_key(cards[1], counts),
        _sort_key(cards[2], counts),
        _sort_key(cards[3], counts),
        _sort_key(cards[4], counts),
    )
    a, d = _ordered(a, d)  # a sorting network: nine exchanges sort any five keys
    b, e = _ordered(b, e)
    a, c = _ordered(a, c)
    b, d = _ordered(b, d)
    a, b = _ordered(a, b)
    c, e = _ordered(c, e)
    b, c = _ordered(b, c)
    d, e = _ordered(d, e)
    c, d = _ordered(c, d)
    cards[0], cards[1], cards[2], cards[3], cards[4] = a & 63, b & 63, c & 63, d & 63, e & 63


@cache
def _representatives() -> np.ndarray:
    """int8[7462, 5]: for each strength a hand that has it, in grouped order."""
    hands = []
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] < ranks[4]:  # five of a kind do not exist
            unsuited = [4 * rank + place % 4 for place, rank in enumerate(ranks)]
            hands.append(unsuited)
            if len(set(ranks)) == 5:
                hands.append([4 * rank for rank in ranks])
    cards = np.array(hands, np.int8)
    order = np.empty(STRENGTHS, np.int16)
    strengths(cards, order)
    found = np.empty_like(cards)
    found[order] = cards
    for hand in found:
        sort_hand(hand)
    return found


def example_hand(strength: int) -> np.ndarray:
    """Five cards, int8[5] in grouped order, that have this strength. Raises ValueError outside 0..7461."""
    if not 0 <= strength < STRENGTHS:
        raise ValueError(f"strength {strength} is out of range: strengths are 0 to {STRENGTHS - 1}")
    return _representatives()[strength].copy()


_RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip


def _plural(name: str) -> str:
    return name + ("es" if name == "six" else "s")


def describe_strength(strength: int) -> str:
    """A strength in words, like ``"two pair, kings and sevens, ace kicker"``; no two strengths read alike.

    Raises ValueError outside 0..7461.
    """
    first, second, third, fourth, fifth = (_RANK_NAMES[card >> 2] for card in example_hand(strength))
    name = HAND_CLASSES[hand_class(strength)]
    match name:
        case "pair":
            return f"pair of {_plural(first)}, {third}-{fourth}-{fifth} kickers"
        case "two pair":
            return f"{name}, {_plural(first)} and {_plural(third)}, {fifth} kicker"
        case "three of a kind":
            return f"{name}, {_plural(first)}, {fourth}-{fifth} kickers"
        case "full house":
            return f"{name}, {_plural(first)} over {_plural(fourth)}"
        case "four of a kind":
            return f"{name}, {_plural(first)}, {fifth} kicker"
        case "straight" | "straight flush":
            return f"{name}, {second if (first, second) == ('ace', 'five') else first} high"
        case _:
            return f"{name}, {first}-{second}-{third}-{fourth}-{fifth}"
