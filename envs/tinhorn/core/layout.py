"""The view of a table as named integers, declared once per game.

A `Layout` is a list of `Field`. From that one declaration come the offsets that a game's ``view`` kernel writes
to, the feature vector, the JSON form of a table and its schema, the tables in the docs and the named inputs
of an exported bot. In every field a value below ``low`` means "none" and encodes to zeros.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from tinhorn.core.cards import CARD_TEXTS, ORDERS, card_text, in_order, parse_card
from tinhorn.core.encoding import Encoding, Lookup, Pattern, Ratio, Scalar


class ViewError(ValueError):
    """A table handed to a bot does not fit the layout; the message names the field and the range."""


@dataclass(frozen=True)
class Field:
    """A named integer, or array of integers, of a view.

    ``low`` and ``high`` bound the value, both included. ``none`` says what ``low - 1`` means; without it that
    value is not allowed. ``cards`` fields are written as card texts in JSON. ``encode`` says how the field
    becomes features, by one encoding or several; none leaves it out of features and of a bot's inputs: it is for
    people and frontends. ``order`` names the order, one of `ORDERS`, in which a hand must be written: places of moves
    refer to it, and a network has seen no other.
    """

    name: str
    meaning: str
    low: int
    high: int
    shape: tuple[int, ...] = ()
    none: str = ""
    encode: Encoding | tuple[Encoding, ...] = ()
    cards: bool = False
    order: str = ""

    @property
    def size(self) -> int:
        """How many integers the field takes in a view."""
        return prod(self.shape)

    @property
    def explained(self) -> str:
        """The meaning, with the order of the cards."""
        return f"{self.meaning.removesuffix('.')}: {ORDERS[self.order]}." if self.order else self.meaning

    @property
    def encodings(self) -> tuple[Encoding, ...]:
        """The encodings, as a tuple; empty for a field that only people and frontends read."""
        return self.encode if isinstance(self.encode, tuple) else (self.encode,)

    @property
    def lowest(self) -> int:
        """The least value allowed: ``low``, or one less where that means "none"."""
        return self.low - 1 if self.none else self.low


class Layout:
    """Fields in order, each at a fixed offset of the view, ``int32[size]``.

    Args:
        fields: the declaration. Names must be unique; an encoding may refer to another field by name.

    Attributes:
        size: integers in a view. feature_size: floats in a feature vector.
    """

    def __init__(self, *fields: Field) -> None:
        self.fields = fields
        self._offsets: dict[str, int] = {}
        self._feature_offsets: dict[str, int] = {}
        self.size = self.feature_size = 0
        for field in fields:
            if field.name in self._offsets:
                raise ValueError(f"field {field.name!r} is declared twice")
            if field.order and (field.order not in ORDERS or not field.cards or len(field.shape) != 1):
                raise ValueError(f"field {field.name!r}: a row of cards may have an order: {', '.join(ORDERS)}")
            self._offsets[field.name] = self.size
            self._feature_offsets[field.name] = self.feature_size
            self.size += field.size
            self.feature_size += sum(part.width(field) for part in field.encodings)
        for field in fields:
            for other in [part.to for part in field.encodings if isinstance(part, Ratio)]:
                if other not in self._offsets or not self[other].encodings:
                    raise ValueError(f"field {field.name!r} is scaled by {other!r}: that must be an encoded field")

    def at(self, name: str) -> int:
        """The offset of a field's first integer in the view."""
        return self._offsets[name]

    def features_at(self, name: str) -> int:
        """The offset of a field's first feature."""
        return self._feature_offsets[name]

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)

    @property
    def encoded(self) -> list[Field]:
        """The fields that become features: the inputs of a bot."""
        return [field for field in self.fields if field.encodings]

    @cached_property
    def lows(self) -> np.ndarray:
        """The least value at each place of a view, ``int32[size]``."""
        return np.repeat([f.lowest for f in self.fields], [f.size for f in self.fields]).astype(np.int32)

    @cached_property
    def highs(self) -> np.ndarray:
        """The greatest value at each place of a view, ``int32[size]``."""
        return np.repeat([f.high for f in self.fields], [f.size for f in self.fields]).astype(np.int32)

    @cached_property
    def feature_lows(self) -> np.ndarray:
        """The least value of each feature, ``float32[feature_size]``."""
        return self._feature_bounds(0)

    @cached_property
    def feature_highs(self) -> np.ndarray:
        """The greatest value of each feature, ``float32[feature_size]``."""
        return self._feature_bounds(1)

    def _feature_bounds(self, which: int) -> np.ndarray:
        bounds = [part.bounds(field) for field, _, part in self._parts]
        widths = [part.width(field) for field, _, part in self._parts]
        return np.repeat(np.array([pair[which] for pair in bounds], np.float32), widths)

    @cached_property
    def lookups(self) -> list[Lookup]:
        """Every one-hot of the feature vector."""
        return [entry for field, at, part in self._parts for entry in part.lookups(field, self.at(field.name), at)]

    @cached_property
    def scalars(self) -> list[Scalar]:
        """Every scaled number of the feature vector."""
        return [entry for field, at, part in self._parts for entry in part.scalars(self, field, at)]

    @cached_property
    def patterns(self) -> list[tuple[Field, int, Pattern]]:
        """Every field with a computed pattern, and the place of its first feature."""
        return [(field, at, part) for field, at, part in self._parts if isinstance(part, Pattern)]

    @cached_property
    def card_planes(self) -> list[int]:
        """The first feature of each field that has one for every kind of card, 2c .. As in order (a joker may follow).

        Cards counted or marked among all kinds are such a field, and so is an array of one number for each kind.
        """
        return [at for field, at, part in self._parts if part.one_for_each_card(field)]

    @cached_property
    def _parts(self) -> list[tuple[Field, int, Encoding]]:
        """Each field's encodings with the place of their first feature."""
        parts = []
        for field in self.encoded:
            at = self.features_at(field.name)
            for part in field.encodings:
                parts.append((field, at, part))
                at += part.width(field)
        return parts

    def named(self, view: np.ndarray) -> dict[str, Any]:
        """A view (int32[size]) as plain integers and nested lists by name: what a bot's inputs take."""
        return {
            field.name: np.asarray(view[self.at(field.name) : self.at(field.name) + field.size])
            .reshape(field.shape)
            .tolist()
            for field in self.fields
        }

    def to_json(self, view: np.ndarray) -> dict[str, Any]:
        """A view as JSON: numbers by name, cards as text, None where a value means "none"."""
        named = self.named(view)
        return {field.name: _to_json(field, named[field.name]) for field in self.fields}

    def from_json(self, table: Mapping[str, Any]) -> np.ndarray:
        """The view (int32[size]) of a table written as JSON or as named integers. Inverse of `to_json`.

        Fields without an encoding may be missing; they read as their least value.
        Raises ViewError: a field is missing, unknown, of a wrong shape, out of range, or cards are out of order.
        """
        if not isinstance(table, Mapping):
            raise ViewError(f"a table is a mapping of fields to what the seat sees in them, not {table!r}")
        unknown = [name for name in table if name not in self._offsets]
        if unknown:
            raise ViewError(f"unknown field {unknown[0]!r}; the fields are: {', '.join(self._offsets)}")
        view = self.lows.copy()
        for field in self.fields:
            if field.name in table:
                start = self.at(field.name)
                view[start : start + field.size] = _from_json(field, table[field.name])
            elif field.encodings:
                raise ViewError(f"field {field.name!r} is missing: {field.explained}")
        return view

    def schema(self) -> dict[str, Any]:
        """The JSON Schema (draft 2020-12) of a table as `to_json` writes it."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": False,
            "required": [field.name for field in self.encoded],
            "properties": {field.name: _schema(field) for field in self.fields},
        }

    def describe(self) -> list[dict[str, Any]]:
        """The fields as plain data, for manifests and docs tables."""
        return [
            {
                "name": field.name,
                "shape": list(field.shape),
                "low": field.low,
                "high": field.high,
                "none": field.none or None,
                "cards": field.cards,
                "order": field.order or None,
                "features": "; ".join(part.describe(field) for part in field.encodings) or "not encoded",
                "meaning": field.explained,
            }
            for field in self.fields
        ]


def _to_json(field: Field, value: Any) -> Any:
    if isinstance(value, list):
        return [_to_json(field, part) for part in value]
    if value < field.low:
        return None
    return card_text(value) if field.cards else value


def _from_json(field: Field, value: Any) -> np.ndarray:
    try:
        codes = np.array(_codes(field, value))
    except ValueError as error:
        raise ViewError(f"field {field.name!r}: {error}") from None
    if codes.dtype.kind != "i" or codes.shape != field.shape:
        shape = "one whole number" if field.shape == () else f"whole numbers of shape {list(field.shape)}"
        none = ", null for each that is missing" if field.cards and field.none and field.shape else ""
        raise ViewError(f"field {field.name!r} takes {shape}{none}, not {value!r}")
    if codes.size and (codes.min() < field.lowest or codes.max() > field.high):
        raise ViewError(f"field {field.name!r} takes {field.lowest} to {field.high}, not {value!r}")
    if field.order:
        _check_order(field, codes.tolist())
    return codes.reshape(-1)


def _check_order(field: Field, codes: list[int]) -> None:
    right = in_order(codes, field.order)
    if codes != right:
        texts = [None if code < 0 else card_text(code) for code in right]
        raise ViewError(
            f"field {field.name!r} takes its cards in this order: {json.dumps(texts)} ({ORDERS[field.order]})"
        )


def _codes(field: Field, value: Any) -> Any:
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_codes(field, part) for part in value]
    if value is None:
        if not field.none:
            raise ValueError("null is not allowed here")
        return field.low - 1
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    return parse_card(value) if field.cards and isinstance(value, str) else value


def _schema(field: Field) -> dict[str, Any]:
    if field.cards:
        texts: list[str | None] = list(CARD_TEXTS[: field.high + 1])
        schema: dict[str, Any] = {"enum": texts + ([None] if field.none else [])}
    else:
        schema = {
            "type": ["integer", "null"] if field.none else "integer",
            "minimum": field.low,
            "maximum": field.high,
        }
    for length in reversed(field.shape):
        schema = {"type": "array", "minItems": length, "maxItems": length, "items": schema}
    return schema | {"description": field.explained + (f" (none: {field.none})" if field.none else "")}
