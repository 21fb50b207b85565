"""How a field of a view becomes features, and the kernel that does it.

An encoding is written with two primitives: a `Lookup` (one place of the view puts a 1 somewhere) and a `Scalar`
(one place becomes one number); a `Pattern` brings a kernel of its own. The encoder kernel is written out as source,
specialised for one layout; a policy network reads the same primitives and need not see the float features at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel

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


_LOGARITHMS = np.log(np.arange(1, 1025, dtype=np.float32))


@kernel
def logarithm(value):
    """log(1 + value), float32, for whole numbers >= 0; of small ones from a table."""
    return _LOGARITHMS[value] if value < _LOGARITHMS.shape[0] else np.log(np.float32(1 + value))


def encoder_source(layout: "Layout") -> str:
    """The encoder of one layout as Python source: ``encode(view, features)``, straight-line but for short loops."""
    lines = ["def encode(view, features):", f"    for k in range({layout.feature_size}):", "        features[k] = 0"]
    for place in sorted({entry.other for entry in layout.scalars if entry.kind == "ratio"}):  # one division for all
        lines.append(f"    inverse_{place} = 1.0 / max(np.float64(view[{place}]), 1.0)")
    for none in (False, True):  # whether the places may hold "none"
        for run in _runs([entry for entry in layout.lookups if (layout.lows[entry.place] < entry.low) == none]):
            lines += _lookup_lines(run, none)
        for run in _runs([entry for entry in layout.scalars if (layout.lows[entry.place] < entry.low) == none]):
            lines += _scalar_lines(run, none)
    for index, (field, feature, _) in enumerate(layout.patterns):
        lines.append(f"    pattern_{index}(view, {layout.at(field.name)}, features, {feature})")
    return "\n".join(lines) + "\n"


def make_encoder(layout: "Layout", sources: Sequence[str] = ()) -> Callable[[Any, Any], None]:
    """The compiled ``encode(view: int32[size], features: float32[feature_size])`` of a layout."""
    namespace: dict[str, Any] = {"np": np, "logarithm": logarithm}
    namespace |= {f"pattern_{k}": pattern.kernel for k, (_, _, pattern) in enumerate(layout.patterns)}
    source = encoder_source(layout)
    exec(compile(source, "<encoder of a layout>", "exec"), namespace)
    return kernel(namespace["encode"], sources=tuple(sources))


def _runs(entries: Sequence[Any]) -> list[list[Any]]:
    """Entries that differ only by one place and a constant stride of features, together."""
    runs: list[list[Any]] = []
    for entry in entries:
        run = runs[-1] if runs else [entry]
        last, stride = run[-1], run[-1].feature - run[-2].feature if len(run) > 1 else None
        alike = last._replace(place=entry.place, feature=entry.feature) == entry and entry.place == last.place + 1
        if runs and alike and stride in (None, entry.feature - last.feature):
            run.append(entry)
        else:
            runs.append([entry])
    return runs


def _loop(run: Sequence[Any]) -> tuple[str, str]:
    """The head of the loop over a run, and the first feature of its entry k."""
    stride = run[1].feature - run[0].feature if len(run) > 1 else 0
    return f"    for k in range({len(run)}):", f"{run[0].feature} + {stride} * k"


def _lookup_lines(run: Sequence[Lookup], may_be_none: bool) -> list[str]:
    place, low, _, divide, modulus = run[0]
    head, feature = _loop(run)
    index = f"(value - {low})" if low else "value"
    index += f" // {divide}" if divide > 1 else ""
    index += f" % {modulus}" if modulus else ""
    lines = [head, f"        value = np.int64(view[{place} + k])"]
    if may_be_none:
        return [*lines, f"        if value >= {low}:", f"            features[{feature} + {index}] += 1"]
    return [*lines, f"        features[{feature} + {index}] += 1"]


def _scalar_lines(run: Sequence[Scalar], may_be_none: bool) -> list[str]:
    place, low, _, kind, scale, other = run[0]
    head, feature = _loop(run)
    value = f"view[{place} + k]"
    formula = {
        "linear": f"{value} * np.float32({1 / scale!r})",
        "log": f"logarithm({value}) * np.float32({float(1 / np.log1p(scale))!r})",
        "ratio": f"min({value} * inverse_{other}, {scale!r})",
    }[kind]
    if may_be_none:
        return [head, f"        if {value} >= {low}:", f"            features[{feature}] = {formula}"]
    return [head, f"        features[{feature}] = {formula}"]
