"""Chance by name: what happens at a table by luck, recorded in the state and open to prescription.

Each kind of chance (a deck's order, a reshuffle, the bullets) has a record in the state. The engine draws
from the stream, lets a prescribed outcome overrule it, and leaves the outcome there for replays to read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.cards import card_text, parse_card
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import below, shuffle


@dataclass(frozen=True)
class Chance:
    """One kind of chance: the state field that holds it, how many values at most, and what they are.

    ``kind`` is ``"cards"`` (values are cards, a shuffle) or ``"numbers"``. ``copies`` is how many cards of a
    kind there are: two with two decks.
    """

    name: str
    size: int
    kind: str
    meaning: str
    copies: int = 1

    @property
    def field(self) -> tuple[str, np.dtype]:
        """The entry of the state's dtype."""
        values = ("i1", (self.size,))
        return self.name, np.dtype(
            [("drawn", "i4"), ("prescribed", "u1"), ("given", *values), ("values", *values), ("count", "i1")]
        )

    def prescribe(self, state: Any, outcome: Sequence[Any]) -> None:
        """Make the next draw of this kind come out as ``outcome``; None in it leaves a place to luck.

        Raises ValueError when there are too many values, or a card is unknown or named more often than it is there.
        """
        if len(outcome) > self.size:
            raise ValueError(f"chance {self.name!r}: {len(outcome)} values given, at most {self.size} fit")
        record = state[self.name]
        codes = [-1 if value is None else self._code(value) for value in outcome]
        named = [code for code in codes if code >= 0]
        often = [code for code in named if named.count(code) > self.copies] if self.kind == "cards" else []
        if often:
            times = "twice" if self.copies == 1 else f"{named.count(often[0])} times"
            raise ValueError(f"chance {self.name!r}: {card_text(often[0])} is named {times}")
        record["given"][:] = -1
        record["given"][: len(codes)] = codes
        record["prescribed"] = 1

    def outcome(self, state: Any) -> list[Any]:
        """The last outcome, cards as text."""
        record = state[self.name]
        values = record["values"][: record["count"]].tolist()
        return [card_text(value) for value in values] if self.kind == "cards" else values

    def _code(self, value: Any) -> int:
        if self.kind == "cards":
            return parse_card(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 127:
            raise ValueError(f"chance {self.name!r}: {value!r} is no whole number of 0 to 126")
        return value


@kernel
def shuffle_cards(chance, stream, cards, count, needed=1 << 30):
    """Shuffle ``cards[:count]``; prescribed cards take their places, those that are not there are passed over.

    Only the first ``needed`` places are made random: a deck of which no more can be drawn before the next shuffle.
    """
    shuffle(stream, cards, count, needed)
    if chance.prescribed != 0:
        for place in range(min(count, chance.given.shape[0])):
            for other in range(count):
                settled = other < place and chance.given[other] >= 0  # a twin that was prescribed for there
                if chance.given[place] >= 0 and cards[other] == chance.given[place] and not settled:
                    cards[other] = cards[place]
                    cards[place] = chance.given[place]
                    break
        chance.prescribed = 0
    for place in range(count):
        chance.values[place] = cards[place]
    chance.count = count
    chance.drawn += 1


@kernel
def draw_number(chance, stream, place, low, high):
    """A uniform number of low..high for ``place``, or the prescribed one. `end_draw` closes the draw."""
    number = low + below(stream, high - low + 1)
    if chance.prescribed != 0 and low <= chance.given[place] <= high:
        number = np.int64(chance.given[place])
    chance.values[place] = number
    return number


@kernel
def end_draw(chance, count):
    """Numbers for places 0..count-1 have been drawn."""
    chance.prescribed = 0
    chance.count = count
    chance.drawn += 1
