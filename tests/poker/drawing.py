"""Measures hands drawn to by the book; run it to see the tables of the house bot of draw poker.

``python -m poker.drawing`` with the tests' folder on the path.
"""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import new_stream, shuffle
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.house import kind_of_hand
from tinhorn.poker.ranking import hand_strength, sort_hand

KINDS = 33


@kernel
def _draw(stream, kinds, drawn, strengths):
    deck = np.arange(52).astype(np.int8)
    for row in range(kinds.shape[0]):
        shuffle(stream, deck, 52)
        hand = deck[:5].copy()
        sort_hand(hand)
        kinds[row] = kind_of_hand(hand)
        thrown, count = places_to_throw(hand), 0
        for place in range(5):
            if thrown & (1 << place) != 0:
                hand[place] = deck[5 + count]
                count += 1
        drawn[row] = count
        strengths[row] = hand_strength(hand)


def measure(count, seed=1):
    """Kind before the draw, cards drawn, strength after it: three int64[count]."""
    kinds, drawn, strengths = (np.zeros(count, np.int64) for _ in range(3))
    _draw(new_stream(seed), kinds, drawn, strengths)
    return kinds, drawn, strengths


def groups(kinds, drawn):
    """Which hands the rows of `AFTER_DRAW` are about: worth playing by cards drawn, worth playing, strong, all."""
    plays = np.isin(kinds, (2, 3)) | (kinds >= 11)
    return [*(plays & (drawn == count) for count in range(4)), plays, kinds >= 13, kinds >= 0]


def after_draw(kinds, drawn, strengths):
    """The strengths at 5%, 10% .. 95% of each group, int[7, 19]."""
    found = [np.quantile(strengths[group], np.arange(1, 20) / 20) for group in groups(kinds, drawn)]
    return np.array(found).astype(int)


def outcomes(kinds, strengths):
    """The strengths at 5%, 15% .. 95% after the draw of each kind of hand, int[33, 10]."""
    found = [np.quantile(strengths[kinds == kind], np.arange(0.05, 1, 0.1)) for kind in range(KINDS)]
    return np.array(found).astype(int)


if __name__ == "__main__":
    measured = measure(8_000_000)
    print(after_draw(*measured).tolist())
    print(outcomes(measured[0], measured[2]).tolist())
