"""Exchanging cards, as actions: which places of the hand are thrown."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tinhorn.core.cards import cards_text, parse_cards

HAND = 5  # cards
EXCHANGE_KEYS = ("cards", "places")  # of an exchange as JSON


def exchanges(most: int) -> tuple[tuple[int, ...], ...]:
    """The places of the hand that each exchange of up to ``most`` cards throws; fewest cards first."""
    return tuple(places for count in range(most + 1) for places in combinations(range(HAND), count))


EXCHANGES = np.array([sum(1 << place for place in places) for places in exchanges(HAND)], np.int64)
"""The same as bit masks. Exchanges of at most three cards have the same ids in a shorter table."""

STAND_PAT: dict[str, Any] = {"type": "exchange", "cards": []}
STAND_WORDS = {"stand": STAND_PAT, "pat": STAND_PAT}


def parse_exchange(state: Any, action: Mapping[str, Any], exchanges: Sequence[tuple[int, ...]]) -> int:
    """Which of ``exchanges`` (places of the hand) ``{"type": "exchange", "cards": ["7d", "2c"]}`` asks for.

    The static table's form, ``"places": [0, 2]`` instead of cards, will do too; they count from 0 in the order of the
    view's hand. Where both are given the cards count. Raises ValueError.
    """
    hand = state["hands"][state["actor"]].tolist()
    if "places" in action and "cards" not in action:
        if not isinstance(action["places"], Sequence) or isinstance(action["places"], str):
            raise ValueError(f"places={action['places']!r}: a list of places in the hand, 0 to {len(hand) - 1}")
        places = list(action["places"])
    elif "cards" in action:
        thrown = parse_cards(action["cards"])
        places = [hand.index(card) if card in hand else -1 for card in thrown]
    else:
        raise ValueError("say which cards, none as 'cards': []")
    if any(place not in range(len(hand)) for place in places) or len(set(places)) < len(places):
        raise ValueError(f"the hand is {' '.join(cards_text(hand))}; exchange cards of it, each once")
    if tuple(sorted(places)) not in exchanges:
        raise ValueError(f"at most {len(exchanges[-1])} cards may be exchanged")
    return exchanges.index(tuple(sorted(places)))
