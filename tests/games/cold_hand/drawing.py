"""Measures how strong hands get that are drawn to by the book; run it to see the tables of the house bot.

``python -m games.cold_hand.drawing`` with the tests' folder on the path.
"""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import derive, shuffle
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.ranking import hand_strength, sort_hand


@kernel
def _draw(hands, stream, drawn):
    """Strengths after one and after two draws into ``drawn`` (int16[2, N]); discards return in between (CH-4)."""
    for row in range(drawn.shape[1]):
        deck = np.arange(52).astype(np.int8)
        shuffle(stream, deck, 52)
        hand = deck[:5].copy()
        sort_hand(hand)
        for turn in range(2):
            rest = np.zeros(52, np.int8)
            count = 0
            for card in range(52):
                held = False
                for place in range(5):
                    held |= hand[place] == card
                if not held:
                    rest[count] = card
                    count += 1
            shuffle(stream, rest, count)
            thrown = places_to_throw(hand)
            for place in range(5):
                if thrown & (1 << place) != 0:
                    count -= 1
                    hand[place] = rest[count]
            sort_hand(hand)
            drawn[turn, row] = hand_strength(hand)
        hands[row] = hand


def measure(count, seed=1):
    """Strengths, int16[2, count], of hands dealt by chance and drawn to by `places_to_throw` once and twice."""
    stream, drawn = np.zeros(1, np.uint64), np.zeros((2, count), np.int16)
    stream[0] = derive(np.uint64(seed), 0)
    _draw(np.zeros((count, 5), np.int8), stream, drawn)
    return drawn


def twentieths(strengths):
    """The strengths at 5%, 10% .. 95%."""
    return np.quantile(strengths, np.arange(1, 20) / 20, axis=1, method="nearest").T.astype(int)


def weakest_later(drawn):
    """Chance, float64[20, 6], that a hand of each twentieth after one draw is weaker after two than 0 to 5 others."""
    ordered = np.sort(drawn[1])
    stronger = 1 - sum(np.searchsorted(ordered, drawn[1], side) for side in ("left", "right")) / 2 / len(ordered)
    place = np.searchsorted(twentieths(drawn)[0], drawn[0], "left")
    return np.array([[(stronger[place == k] ** others).mean() for others in range(6)] for k in range(20)])


if __name__ == "__main__":
    measured = measure(4_000_000)
    print(twentieths(measured).tolist())
    print((weakest_later(measured) * 1000).round().astype(int).tolist())
