"""Five-card ranking in plain Python, written from PK-2, PK-3 and PK-4 alone. Slow and easy to check."""

from collections import Counter

CLASSES = ["high", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush"]


def hand_key(cards):
    """A tuple for five card codes: the greater one wins, equal ones tie.

    First the class (0 high card .. 8 straight flush), then the ranks (2..14) that decide inside it.
    """
    ranks = [card // 4 + 2 for card in cards]
    suits = {card % 4 for card in cards}
    times = Counter(ranks)
    grouped = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    shape = sorted(times.values(), reverse=True)
    straight = len(times) == 5 and max(ranks) - min(ranks) == 4
    if set(ranks) == {14, 2, 3, 4, 5}:
        straight, grouped = True, [5, 4, 3, 2, 1]
    flush = len(suits) == 1
    if straight and flush:
        name = "straight-flush"
    elif shape == [4, 1]:
        name = "four"
    elif shape == [3, 2]:
        name = "full-house"
    elif flush:
        name = "flush"
    elif straight:
        name = "straight"
    elif shape == [3, 1, 1]:
        name = "three"
    elif shape == [2, 2, 1]:
        name = "two-pair"
    elif shape == [2, 1, 1, 1]:
        name = "pair"
    else:
        name = "high"
    return CLASSES.index(name), *grouped
