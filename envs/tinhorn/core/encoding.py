"""How a field of a view becomes features.

An encoding is written with two primitives: a `Lookup` (one place of the view puts a 1 somewhere) and a `Scalar`
(one place becomes one number); a `Pattern` brings a kernel of its own. `tinhorn.core.encoder` makes a kernel of them;
a policy network reads the same primitives and need not see the float features at all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tinhorn.core.cards import JOKER

if TYPE_CHECKING:
    from tinhorn.core.layout import Field, Layout


class Lookup(NamedTuple):
    """``features[feature + (view[place] - low) // divide % modulus] += 1``, unless ``view[place] < low``.

    A ``modulus`` of 0 stands for none.
    """

    place: int
    low: int
    feature: int
    divide: int
    modulus: int


class Scalar(NamedTuple):
    """``features[feature] = f(view[place])``, 0 where ``view[place] < low``.

    ``kind`` names f: ``linear`` value / scale, ``log`` log(1 + value) / log(1 + scale), ``ratio``
    min(value / max(view[other], 1), scale).
    """

    place: int
    low: int
    feature: int
    kind: str
    scale: float
    other: int = 0


class Encoding:
    """What every encoding answers: its width, and its primitives given the first place and the first feature."""

    def width(self, field: "Field") -> int:
        raise NotImplementedError

    def bounds(self, field: "Field") -> tuple[float, float]:
        """The least and the greatest value that a feature can have."""
        return 0.0, 1.0

    def lookups(self, field: "Field", place: int, feature: int) -> list[Lookup]:
        return []

    def scalars(self, layout: "Layout", field: "Field", feature: int) -> list[Scalar]:
        return []

    def one_for_each_card(self, field: "Field") -> bool:
        """Whether the features are one for each kind of card, 2c .. As, and perhaps the joker."""
        return False

    def describe(self, field: "Field") -> str:
        """A few words for the docs table."""
        raise NotImplementedError


@dataclass(frozen=True)
class OneHot(Encoding):
    """A 1 among ``high - low + 1`` places for each number of the field."""

    def width(self, field: "Field") -> int:
        return field.size * (field.high - field.low + 1)

    def lookups(self, field: "Field", place: int, feature: int) -> list[Lookup]:
        values = field.high - field.low + 1
        return [Lookup(place + k, field.low, feature + k * values, 1, 0) for k in range(field.size)]

    def describe(self, field: "Field") -> str:
        return f"one-hot, {self.width(field)}"


@dataclass(frozen=True)
class MultiHot(Encoding):
    """All numbers of the field counted in the same ``high - low + 1`` places: a set of cards."""

    def width(self, field: "Field") -> int:
        return field.high - field.low + 1

    def bounds(self, field: "Field") -> tuple[float, float]:
        return 0.0, float(field.size)

    def lookups(self, field: "Field", place: int, feature: int) -> list[Lookup]:
        return [Lookup(place + k, field.low, feature, 1, 0) for k in range(field.size)]

    def one_for_each_card(self, field: "Field") -> bool:
        return field.cards

    def describe(self, field: "Field") -> str:
        return f"multi-hot, {self.width(field)}"


@dataclass(frozen=True)
class CardSlots(Encoding):
    """Each card, in its place, as a one-hot rank (13, or 14 where jokers are allowed) and a one-hot suit (4)."""

    def width(self, field: "Field") -> int:
        return field.size * (self._ranks(field) + 4)

    def lookups(self, field: "Field", place: int, feature: int) -> list[Lookup]:
        ranks = self._ranks(field)
        width = ranks + 4
        found = [Lookup(place + k, 0, feature + width * k, 4, 0) for k in range(field.size)]
        return found + [Lookup(place + k, 0, feature + width * k + ranks, 1, 4) for k in range(field.size)]

    def _ranks(self, field: "Field") -> int:
        return field.high // 4 + 1

    def describe(self, field: "Field") -> str:
        return f"rank and suit one-hot for each place, {self.width(field)}"


@dataclass(frozen=True)
class Scaled(Encoding):
    """Each number divided by ``scale``; 0 for none. `FLAG` is the case of 0 and 1."""

    scale: float = 1.0
    kind = "linear"

    def width(self, field: "Field") -> int:
        return field.size

    def bounds(self, field: "Field") -> tuple[float, float]:
        return min(field.low / self.scale, 0.0), max(field.high / self.scale, 0.0)

    def scalars(self, layout: "Layout", field: "Field", feature: int) -> list[Scalar]:
        place = layout.at(field.name)
        return [
            Scalar(place + k, field.low, feature + k, self.kind, self.scale, self._other(layout))
            for k in range(field.size)
        ]

    def one_for_each_card(self, field: "Field") -> bool:
        return field.shape in ((JOKER,), (JOKER + 1,))

    def describe(self, field: "Field") -> str:
        return f"flag, {field.size}" if self.scale == 1 else f"divided by {self.scale:g}, {field.size}"

    def _other(self, layout: "Layout") -> int:
        return 0


FLAG = Scaled(1.0)


@dataclass(frozen=True)
class Logarithm(Scaled):
    """log(1 + value) / log(1 + scale), for amounts of any size."""

    kind = "log"

    def bounds(self, field: "Field") -> tuple[float, float]:
        return 0.0, float(np.log1p(max(field.high, 0)) / np.log1p(self.scale))

    def describe(self, field: "Field") -> str:
        return f"log(1 + value) / log(1 + {self.scale:g}), {field.size}"


@dataclass(frozen=True)
class Ratio(Scaled):
    """The number divided by the field named ``to`` (at least 1), at most ``scale``."""

    to: str = ""
    kind = "ratio"

    def bounds(self, field: "Field") -> tuple[float, float]:
        return min(float(field.low), 0.0), self.scale

    def describe(self, field: "Field") -> str:
        return f"divided by `{self.to}`, at most {self.scale:g}, {field.size}"

    def _other(self, layout: "Layout") -> int:
        return layout.at(self.to)


@dataclass(frozen=True)
class Pattern(Encoding):
    """Features computed by ``kernel(view, place, features, feature)`` from the field's numbers.

    ``name`` is how a policy network finds its own form of the same computation.
    """

    name: str
    features: int
    kernel: Callable[..., None]
    meaning: str

    def width(self, field: "Field") -> int:
        return self.features

    def describe(self, field: "Field") -> str:
        return f"{self.meaning}, {self.features}"
