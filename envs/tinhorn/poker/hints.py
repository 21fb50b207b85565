"""What a careful player of draw poker works out, in words: for a person who asks for a hint.

Reads what the seat may see and nothing else: its own cards, and chips that lie open.
"""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from tinhorn.core.cards import cards_text
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.betting import to_call
from tinhorn.poker.exchange import HAND
from tinhorn.poker.ranking import CLASS_STARTS, HAND_CLASSES, describe_strength, hand_class, hand_strength, strengths

_UNSEEN = 52 - HAND


def table_advice(state: Any, seat: int, betting: bool, *, before_draw: bool) -> str:
    """A seat's hand in words, what its draw may bring, and the price of a call; "" for a seat without cards."""
    if state["hands"][seat, 0] < 0:
        return ""
    draws = before_draw and bool(state["drawn"][seat] < 0)
    return "\n".join([*hand_lines(state["hands"][seat], draws), *price_lines(state, seat, betting)])


def hand_lines(hand: np.ndarray, draws: bool) -> list[str]:
    """A hand (int8[5], grouped order) in words; where it still ``draws``, what the book throws and what may come."""
    lines = [f"the hand: {describe_strength(int(hand_strength(hand)))}"]
    if not draws:
        return lines
    places = int(places_to_throw(hand))
    if places == 0:
        return [*lines, "good players stand pat with it"]
    thrown = cards_text(hand[place] for place in range(HAND) if places >> place & 1)
    return [*lines, f"good players throw {' '.join(thrown)}: {_prospects(hand, places)}"]


def _prospects(hand: np.ndarray, places: int) -> str:
    """How many draws end in which better class (PK-7)."""
    counts, before = classes_after(hand, places), int(hand_class(hand_strength(hand)))
    better = [(int(counts[kind]), HAND_CLASSES[kind]) for kind in range(before + 1, len(counts)) if counts[kind]]
    if counts.sum() == _UNSEEN:
        outs = ", ".join(
            f"{count} {'makes' if count == 1 else 'make'} {_one(name)}" for count, name in reversed(better)
        )
        return f"of the {_UNSEEN} other cards {outs or 'none helps'}"
    total = int(counts.sum())
    shares = ", ".join(f"{name} {100 * count / total:.1f}%" for count, name in better)
    return f"{100 * sum(count for count, _ in better) / total:.1f}% of the draws make a better hand ({shares})"


def classes_after(hand: np.ndarray, places: int) -> np.ndarray:
    """How many draws end in each of `HAND_CLASSES`, int64[9], when the cards at the set bits of ``places`` are thrown.

    All draws from the 47 other cards count alike.
    """
    kept = [int(hand[place]) for place in range(HAND) if not places >> place & 1]
    others = np.setdiff1d(np.arange(52, dtype=np.int8), hand)
    drawn = others[_choices(HAND - len(kept))]
    hands = np.empty((len(drawn), HAND), np.int8)
    hands[:, : len(kept)], hands[:, len(kept) :] = kept, drawn
    found = np.empty(len(hands), np.int16)
    strengths(hands, found)
    kinds = np.searchsorted(CLASS_STARTS, found, side="right") - 1
    return np.bincount(kinds, minlength=len(HAND_CLASSES))


def _one(name: str) -> str:
    return name if name in ("two pair", "three of a kind", "four of a kind") else f"a {name}"


@cache
def _choices(count: int) -> np.ndarray:
    """Every choice of so many of the 47 other cards: int[N, count]."""
    return np.array(list(combinations(range(_UNSEEN), count)))


def price_lines(state: Any, seat: int, betting: bool) -> list[str]:
    """What a call costs the seat to act, and what it can win: its pot odds, later bets left out."""
    call = int(to_call(state, seat)) if betting and state["actor"] == seat else 0
    if call == 0:
        return []
    total = int(state["put_in"][seat]) + call
    won = call + int(np.minimum(state["put_in"], total).sum())
    return [f"a call puts {call} into a pot of then {won}: it pays when it wins more than {100 * call / won:.0f}%"]
