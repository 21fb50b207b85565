"""Chance by name: what happens at a table by luck, recorded in the state and open to prescription.

Each kind of chance (a deck's order, a reshuffle, the bullets) has a record in the state. The engine draws
from the stream, lets a prescribed outcome overrule it, and leaves the outcome there for replays to read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.cards import card_text, parse_card
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import below, shuffle

ANY = "--"  # in cards written as one text: this place is left to luck
_LEFT = "None, or -- in a text, leaves a place to the seed"


class ChanceError(ValueError):
    """A prescribed outcome of chance cannot happen; the message says which, and what to write instead."""


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

    def read(self, outcome: Any) -> list[Any]:
        """An outcome as a list, None where a place is left to luck; cards may be one text, ``"As -- Kd"``.

        Raises ChanceError: no list, too many values, a card that is none or named too often, a number that is none.
        """
        if isinstance(outcome, str) and self.kind == "cards":
            outcome = [None if word == ANY else word for word in outcome.split()]
        if isinstance(outcome, (str, bytes, Mapping)) or not isinstance(outcome, Iterable):
            example = (
                'cards, like ["As", None, "Kd"] or "As -- Kd"' if self.kind == "cards" else "numbers, like [6, None]"
            )
            raise ChanceError(f"chance {self.name!r}: {outcome!r} is no list: give {example}")
        values = [int(value) if isinstance(value, np.integer) else value for value in outcome]
        if len(values) > self.size:
            raise ChanceError(
                f"chance {self.name!r}: {len(values)} values given, at most {self.size} fit; fewer will do"
            )
        codes = [self._code(value) for value in values if value is not None]
        often = [code for code in codes if codes.count(code) > self.copies] if self.kind == "cards" else []
        if often:
            times = "twice" if self.copies == 1 else f"{codes.count(often[0])} times"
            raise ChanceError(
                f"chance {self.name!r}: {card_text(often[0])} is named {times}, more often than it is there; {_LEFT}"
            )
        return values

    def prescribe(self, state: Any, outcome: Any) -> None:
        """Make the next draw of this kind come out as ``outcome``, see `read`. Raises ChanceError."""
        codes = [-1 if value is None else self._code(value) for value in self.read(outcome)]
        record = state[self.name]
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
            try:
                return parse_card(value)
            except ValueError as error:
                raise ChanceError(f"chance {self.name!r}: {error}; {_LEFT}") from None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 127:
            raise ChanceError(f"chance {self.name!r}: {value!r} is no whole number of 0 to 126")
        return value

    def check(self, asked: Sequence[Any], state: Any) -> None:
        """Raises ChanceError where the last outcome is not as ``asked``."""
        got = self.outcome(state)
        for place, want in enumerate(asked):
            if want is None or (place < len(got) and got[place] == want):
                continue
            if place >= len(got):
                raise ChanceError(
                    f"chance {self.name!r}: {want!r} is named at place {place}, but this draw has places 0 to "
                    f"{len(got) - 1} only: leave it out"
                )
            why = "is not in this deck" if self.kind == "cards" else f"cannot be ({self.meaning.removesuffix('.')})"
            raise ChanceError(
                f"chance {self.name!r}: {want!r} at place {place} {why}, it came out as {got[place]!r}: name another "
                f"one; {_LEFT}"
            )


def read_script(chances: Sequence[Chance], given: Any) -> list[dict[str, list[Any]]]:
    """Prescribed chance as a list of mappings, every outcome read. Raises ChanceError."""
    kinds = {chance.name: chance for chance in chances}
    parts = [given] if isinstance(given, Mapping) else [] if given is None else given
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        raise ChanceError(f"chance {given!r}: give outcomes by name, like {{{_example(chances)}}}, or a list of such")
    script = []
    for part in parts:
        if not isinstance(part, Mapping):
            raise ChanceError(f"chance {part!r}: each entry of the list names outcomes, like {{{_example(chances)}}}")
        for name in part:
            if name not in kinds:
                raise ChanceError(f"unknown chance {name!r}; this game has: {', '.join(kinds) or 'none'}")
        script.append({name: kinds[name].read(outcome) for name, outcome in part.items()})
    return script


def _example(chances: Sequence[Chance]) -> str:
    return f"{chances[0].name!r}: [...]" if chances else ""


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
