"""What five cards hold, as features: the groups, flushes and straights that a network should not have to find."""

import numpy as np

from tinhorn.core.bits import bits_set
from tinhorn.core.encoding import Pattern
from tinhorn.core.kernel import kernel

RANKS_IN_STRAIGHT = 5
STRAIGHTS = 10  # five high to ace high


def straight_mask(low: int) -> int:
    """The ranks of a straight as bits 0..12; ``low`` 0 is A-2-3-4-5 (PK-4), 9 is T-J-Q-K-A."""
    ranks = [12, 0, 1, 2, 3] if low == 0 else range(low - 1, low + 4)
    return sum(1 << rank for rank in ranks)


STRAIGHT_MASKS = tuple(straight_mask(low) for low in range(STRAIGHTS))


def _best_straights() -> np.ndarray:
    """For each set of ranks: the mask of the straight of which it holds most (the highest of equals)."""
    held = np.arange(1 << 13)
    masks = np.array(STRAIGHT_MASKS)
    counts = np.bitwise_count(held[:, None] & masks[None, :])
    best = STRAIGHTS - 1 - counts[:, ::-1].argmax(axis=1)
    return masks[best].astype(np.int16)


BEST_STRAIGHT = _best_straights()
_AT_LEAST = (np.arange(8)[:, None] >= np.arange(8)).astype(np.float32)


@kernel
def five_card_pattern(view, place, features, feature):
    """Write the 55 features of `FIVE_CARD_PATTERN` for the cards ``view[place : place + 5]``; none if not dealt.

    0-38: at least two (0-12), three (13-25), four (26-38) of that rank. 39-41: at least three, four, five of one
    suit. 42-44: at least three, four, five different ranks of one straight. 45-49: the card in that place is one of at
    least four of its suit. 50-54: it is one of at least four ranks of one straight.
    """
    if view[place] < 0:
        return
    ranks, suits, present = np.int64(0), np.int64(0), np.int64(0)
    for k in range(5):  # counts in fields of three bits
        card = np.int64(view[place + k])
        ranks += 1 << (3 * (card >> 2))
        suits += 1 << (3 * (card & 3))
        present |= 1 << (card >> 2)
    straight = np.int64(BEST_STRAIGHT[present])
    length = bits_set(present & straight)
    drawing = straight if length >= 4 else 0
    suited = np.int64(0)
    for k in range(5):  # without branches: they could not be foreseen
        card = np.int64(view[place + k])
        rank = card >> 2
        count = (suits >> (3 * (card & 3))) & 7
        at, alike = feature + rank, (ranks >> (3 * rank)) & 7
        features[at] = _AT_LEAST[alike, 2]
        features[at + 13] = _AT_LEAST[alike, 3]
        features[at + 26] = _AT_LEAST[alike, 4]
        features[feature + 45 + k] = _AT_LEAST[count, 4]
        features[feature + 50 + k] = (drawing >> rank) & 1
        suited = max(suited, count)
    for level in range(3, 6):
        features[feature + 36 + level] = _AT_LEAST[suited, level]
        features[feature + 39 + level] = _AT_LEAST[length, level]


FIVE_CARD_PATTERN = Pattern(
    "five_card_pattern", 55, five_card_pattern, "groups, suits and straights among the five cards"
)
