"""The kernel that turns a view into features, written out as source and specialised for one layout.

What a view holds cannot be foreseen, so branches cost more than the rest. A place that has features of its own copies
them from a table with a row for each value; many numbers side by side are scaled in one loop over slices, which becomes
vector instructions.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tinhorn.core.encoding import Lookup, Scalar
from tinhorn.core.kernel import inlined, kernel
from tinhorn.core.vectors import scaler

if TYPE_CHECKING:
    from tinhorn.core.layout import Layout

_LOGARITHMS = np.log(np.arange(1, 1025, dtype=np.float32))
_WIDEST_ROW = 20  # of a table to copy; wider ones are cheaper to clear and to mark
_LONG_RUN = 32  # numbers; a loop over fewer makes no vectors
_SHORT_RUN = 4  # numbers; fewer are scaled one by one


@kernel
def logarithm(value):
    """log(1 + value), float32, for whole numbers >= 0; of small ones from a table."""
    return _LOGARITHMS[value] if value < _LOGARITHMS.shape[0] else np.log(np.float32(1 + value))


def make_encoder(layout: "Layout", sources: Sequence[str] = ()) -> Callable[[Any, Any], None]:
    """The compiled ``encode(view: int32[size], features: float32[feature_size])`` of a layout."""
    source, names = encoder_source(layout)
    namespace = {"np": np, "logarithm": logarithm, **names}
    namespace |= {f"pattern_{k}": inlined(pattern.kernel) for k, (_, _, pattern) in enumerate(layout.patterns)}
    exec(compile(source, "<encoder of a layout>", "exec"), namespace)
    return kernel(namespace["encode"], sources=tuple(sources))


def encoder_source(layout: "Layout") -> tuple[str, dict[str, Any]]:
    """The encoder of one layout as Python source, ``encode(view, features)``, and its tables and scalers by name."""
    names: dict[str, Any] = {}
    rows, shared = _rows(layout)
    linear = [entry for entry in layout.scalars if entry.kind == "linear"]
    others = [entry for entry in layout.scalars if entry.kind != "linear"]
    written = {row.feature + k for row in rows for k in range(len(row.values[0]))} | {x.feature for x in linear}
    written |= {entry.feature for entry in others if layout.lows[entry.place] >= entry.low}
    lines = ["def encode(view, features):"]
    for start, stop in _spans(sorted(set(range(layout.feature_size)) - written)):
        lines += [f"    for k in range({start}, {stop}):", "        features[k] = 0"]
    for row_run in _runs(rows):
        lines += _row_lines(row_run, names)
    for linear_run in _side_by_side(linear):
        lines += _linear_lines(linear_run, layout, names)
    for place in sorted({entry.other for entry in others if entry.kind == "ratio"}):  # one division for all
        lines.append(f"    inverse_{place} = np.float32(1) / np.float32(max(view[{place}], 1))")
    for none in (False, True):  # whether the places may hold "none"
        for lookup_run in _runs([entry for entry in shared if (layout.lows[entry.place] < entry.low) == none]):
            lines += _lookup_lines(lookup_run, none)
        for run in _runs([entry for entry in others if (layout.lows[entry.place] < entry.low) == none]):
            lines += _scalar_lines(run, none, names)
    for index, (field, feature, _) in enumerate(layout.patterns):
        lines.append(f"    pattern_{index}(view, {layout.at(field.name)}, features, {feature})")
    return "\n".join(lines) + "\n", names


class _Row(NamedTuple):
    """The features from ``feature`` on are ``values[view[place] - low]``."""

    place: int
    feature: int
    low: int
    values: tuple[tuple[float, ...], ...]


def _rows(layout: "Layout") -> tuple[list[_Row], list[Lookup]]:
    """The places whose features are theirs alone and lie side by side; and the lookups of all other places."""
    by_place: dict[int, list[Lookup]] = {}
    for entry in layout.lookups:
        by_place.setdefault(entry.place, []).append(entry)
    cells = {
        place: {entry.feature + _step(entry, value) for entry in entries for value in _values(layout, entry)}
        for place, entries in by_place.items()
    }
    users = Counter(cell for found in cells.values() for cell in found)
    rows: list[_Row] = []
    shared: list[Lookup] = []
    for place, found in cells.items():
        first, width = min(found), max(found) - min(found) + 1
        if width == len(found) <= _WIDEST_ROW and all(users[cell] == 1 for cell in found):
            low, high = int(layout.lows[place]), int(layout.highs[place])
            values = [_row_of(by_place[place], value, first, width) for value in range(low, high + 1)]
            rows.append(_Row(place, first, low, tuple(values)))
        else:
            shared += by_place[place]
    return rows, shared


def _values(layout: "Layout", entry: Lookup) -> range:
    return range(entry.low, int(layout.highs[entry.place]) + 1)


def _step(entry: Lookup, value: int) -> int:
    step = (value - entry.low) // entry.divide
    return step % entry.modulus if entry.modulus else step


def _row_of(entries: Sequence[Lookup], value: int, first: int, width: int) -> tuple[float, ...]:
    row = [0.0] * width
    for entry in entries:
        if value >= entry.low:
            row[entry.feature + _step(entry, value) - first] += 1.0
    return tuple(row)


def _spans(cells: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers as (first, last + 1) of those without a gap."""
    spans: list[tuple[int, int]] = []
    for cell in cells:
        start = spans.pop()[0] if spans and spans[-1][1] == cell else cell
        spans.append((start, cell + 1))
    return spans


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


def _side_by_side(entries: Sequence[Scalar]) -> list[list[Scalar]]:
    """Entries of which each is one place and one feature further than the one before, together."""
    runs: list[list[Scalar]] = []
    for entry in entries:
        if runs and (runs[-1][-1].place + 1, runs[-1][-1].feature + 1) == (entry.place, entry.feature):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs


def _table(names: dict[str, Any], values: np.ndarray) -> str:
    """The name of a table with these values, a new one if need be."""
    for name, table in names.items():
        if isinstance(table, np.ndarray) and table.dtype == values.dtype and np.array_equal(table, values):
            return name
    name = f"table_{len(names)}"
    names[name] = values
    return name


def _loop(run: Sequence[Any]) -> tuple[str, str]:
    """The head of the loop over a run, and the first feature of its entry k."""
    stride = run[1].feature - run[0].feature if len(run) > 1 else 0
    return f"    for k in range({len(run)}):", f"{run[0].feature} + {stride} * k"


def _row_lines(run: Sequence[_Row], names: dict[str, Any]) -> list[str]:
    first, (head, feature) = run[0], _loop(run)
    table, width = _table(names, np.array(first.values, np.float32)), len(first.values[0])
    return [
        head,
        f"        value = np.int64(view[{first.place} + k]) - {first.low}",
        f"        for j in range({width}):",
        f"            features[{feature} + j] = {table}[value, j]",
    ]


def _linear_lines(run: Sequence[Scalar], layout: "Layout", names: dict[str, Any]) -> list[str]:
    """Short runs number by number, long ones in one loop over slices; "none" becomes 0."""
    place, feature, size = run[0].place, run[0].feature, len(run)
    if size < _LONG_RUN:
        return [line for part in _runs(run) for line in _few_linear_lines(part, layout, names)]
    low = _table(names, np.array([entry.low for entry in run], np.int32))
    factor = _table(names, np.array([1 / entry.scale for entry in run], np.float32))
    return [
        f"    numbers, out = view[{place} : {place + size}], features[{feature} : {feature + size}]",
        f"    for k in range({size}):",
        f"        out[k] = np.float32(numbers[k]) * {factor}[k] if numbers[k] >= {low}[k] else np.float32(0)",
    ]


def _few_linear_lines(run: Sequence[Scalar], layout: "Layout", names: dict[str, Any]) -> list[str]:
    place, low, scale = run[0].place, run[0].low, run[0].scale
    factor = f"np.float32({1 / scale!r})"
    may_be_none = (layout.lows[place : place + len(run)] < low).any()
    if not may_be_none and len(run) >= _SHORT_RUN:
        return [_scaler_line(run, factor, "np.inf", names)]
    head, feature = _loop(run)
    number = f"view[{place} + k]"
    scaled = f"np.float32({number}) * {factor}" + (f" if {number} >= {low} else 0" if may_be_none else "")
    return [head, f"        features[{feature}] = {scaled}"]


def _lookup_lines(run: Sequence[Lookup], may_be_none: bool) -> list[str]:
    place, low, _, divide, modulus = run[0]
    head, feature = _loop(run)
    index = f"(value - {low})" if low else "value"
    index += f" // {divide}" if divide > 1 else ""
    index += f" % {modulus}" if modulus else ""
    mark = f"features[{feature} + {index}] += 1"
    lines = [head, f"        value = np.int64(view[{place} + k])"]
    return (
        [*lines, f"        if value >= {low}:", f"            {mark}"] if may_be_none else [*lines, f"        {mark}"]
    )


def _scalar_lines(run: Sequence[Scalar], may_be_none: bool, names: dict[str, Any]) -> list[str]:
    place, low, _, kind, scale, other = run[0]
    side_by_side = len(run) >= _SHORT_RUN and run[1].feature == run[0].feature + 1
    if kind == "ratio" and side_by_side and not may_be_none:
        return [_scaler_line(run, f"inverse_{other}", repr(scale), names)]
    head, feature = _loop(run)
    value = f"view[{place} + k]"
    formula = {
        "log": f"logarithm({value}) * np.float32({float(1 / np.log1p(scale))!r})",
        "ratio": f"min(np.float32({value}) * inverse_{other}, np.float32({scale!r}))",
    }[kind]
    if may_be_none:
        return [head, f"        if {value} >= {low}:", f"            features[{feature}] = {formula}"]
    return [head, f"        features[{feature}] = {formula}"]


def _scaler_line(run: Sequence[Scalar], factor: str, most: str, names: dict[str, Any]) -> str:
    """Numbers side by side, none of which can be "none", in vector instructions."""
    name = f"scale_{len(run)}"
    names[name] = scaler(len(run))
    return f"    {name}(view, {run[0].place}, features, {run[0].feature}, {factor}, np.float32({most}))"
