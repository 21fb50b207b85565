"""The declared view: its ranges, its JSON form and schema, and the features, recomputed in plain Python."""

import json
import math

import numpy as np
import pytest

from contract.play import every_game, every_table, positions
from tinhorn.core.driver import driver
from tinhorn.core.layout import ViewError


def views(game, options, count=24):
    """Views of all seats of random tables."""
    for table, _ in positions(game, options, count=count):
        for seat in range(options.num_players):
            yield table.observe(seat)[1:]


@every_table
def test_every_number_is_in_its_range(game, options):
    layout = game.layout
    for view, features in views(game, options, count=60):
        wrong = np.flatnonzero((view < layout.lows) | (view > layout.highs))
        assert not wrong.size, layout.named(view)
        assert features.shape == (layout.feature_size,)
        assert np.isfinite(features).all()
        assert (features >= layout.feature_lows - 1e-6).all()
        assert (features <= layout.feature_highs + 1e-6).all()


def features_by_hand(layout, view):
    """What `Layout` declares, number by number."""
    out = np.zeros(layout.feature_size)
    for place, low, feature, divide, modulus in layout.lookups:
        if view[place] >= low:
            value = (int(view[place]) - low) // divide
            out[feature + (value % modulus if modulus else value)] += 1
    for place, low, feature, kind, scale, other in layout.scalars:
        value = int(view[place])
        if value >= low:
            out[feature] = {
                "linear": lambda value=value, scale=scale: value / scale,
                "log": lambda value=value, scale=scale: math.log(1 + value) / math.log(1 + scale),
                "ratio": lambda value=value, other=other, scale=scale: min(value / max(int(view[other]), 1), scale),
            }[kind]()
    for field, feature, pattern in layout.patterns:
        own = np.zeros(layout.feature_size, np.float32)
        getattr(pattern.kernel, "py_func", pattern.kernel)(view, layout.at(field.name), own, feature)
        assert not own[:feature].any()
        assert not own[feature + pattern.features :].any()
        out += own
    return out


@every_table
def test_features_are_what_the_layout_declares(game, options):
    layout, encode = game.layout, driver(game).encode
    for view, features in views(game, options):
        again = np.full(layout.feature_size, 7, np.float32)
        encode(view, again)
        assert again.tobytes() == features.tobytes(), "the encoder writes every feature"
        assert np.allclose(features, features_by_hand(layout, view), atol=1e-6)


@every_game
def test_features_of_extreme_views(game):
    """The least and the greatest of every number encode too, and so does none."""
    layout, encode = game.layout, driver(game).encode
    rng = np.random.default_rng(1)
    for _ in range(100):
        pick = rng.integers(0, 2, layout.size)
        view = np.where(pick == 0, layout.lows, layout.highs).astype(np.int32)
        for field, _, _ in layout.patterns:  # all there or nothing, no card twice
            start = layout.at(field.name)
            there = np.arange(field.high, field.high - field.size, -1)
            view[start : start + field.size] = there if pick[start] else field.lowest
        features = np.zeros(layout.feature_size, np.float32)
        encode(view, features)
        assert np.allclose(features, features_by_hand(layout, view), atol=1e-5)


@every_game
def test_features_lie_side_by_side(game):
    layout, at = game.layout, 0
    for field in layout.fields:
        if field.encodings:
            assert layout.features_at(field.name) == at
        at += sum(part.width(field) for part in field.encodings)
    assert at == layout.feature_size
    assert layout.size == sum(field.size for field in layout.fields)
    for entry in layout.describe():
        assert entry["meaning"].endswith(".")
        json.dumps(entry)


@every_table
def test_json_and_view_are_inverse(game, options):
    layout = game.layout
    for view, _ in views(game, options):
        written = json.loads(json.dumps(layout.to_json(view)))
        assert (layout.from_json(written) == view).all()
        assert (layout.from_json(layout.named(view)) == view).all()
        assert fits(written, layout.schema()) == ""
        shorter = {name: written[name] for name in written if layout[name].encodings}
        assert fits(shorter, layout.schema()) == ""
        encoded = layout.from_json(shorter)
        for field in layout.encoded:
            start = layout.at(field.name)
            assert (encoded[start : start + field.size] == view[start : start + field.size]).all()


@every_game
def test_what_does_not_fit_is_refused_by_name(game):
    layout = game.layout
    table = layout.to_json(layout.highs)
    assert (layout.from_json(table) == layout.highs).all()
    with pytest.raises(ViewError, match="unknown field 'luck'"):
        layout.from_json(table | {"luck": 1})
    for field in layout.fields:
        short = {name: value for name, value in table.items() if name != field.name}
        if field.encodings:
            with pytest.raises(ViewError, match=f"{field.name!r} is missing"):
                layout.from_json(short)
        start = layout.at(field.name)
        for number in (field.lowest - 1, field.high + 1):
            view = layout.highs.copy()
            view[start] = number
            with pytest.raises(ViewError, match=f"{field.name!r} takes"):
                layout.from_json(layout.named(view))
        for wrong in ("many", 0.5, {}, [[[[0]]]]):
            broken = table | {field.name: wrong}
            with pytest.raises(ViewError, match=repr(field.name)):
                layout.from_json(broken)
            assert fits(broken, layout.schema())


def fits(value, schema, where="table"):
    """Why ``value`` is against a JSON Schema, of the words that layouts use; "" if it is not."""
    kinds = {"integer": int, "null": type(None), "array": list, "object": dict}
    known = {"$schema", "type", "additionalProperties", "required", "properties", "description", "enum"}
    assert set(schema) <= known | {"minimum", "maximum", "items", "minItems", "maxItems"}
    if "enum" in schema:
        return "" if value in schema["enum"] else f"{where}: {value!r} is none of the values"
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if isinstance(value, bool) or not isinstance(value, tuple(kinds[name] for name in types)):
        return f"{where}: {value!r} is no {types}"
    if isinstance(value, int) and not schema["minimum"] <= value <= schema["maximum"]:
        return f"{where}: {value} is out of range"
    if isinstance(value, list):
        if not schema["minItems"] <= len(value) <= schema["maxItems"]:
            return f"{where}: {len(value)} items"
        return "".join(fits(part, schema["items"], where) for part in value)
    if isinstance(value, dict):
        if set(schema["required"]) - set(value) or set(value) - set(schema["properties"]):
            return f"{where}: wrong names"
        return "".join(fits(part, schema["properties"][name], name) for name, part in value.items())
    return ""
