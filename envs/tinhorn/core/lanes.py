"""A number for each seat, all in one register: what is asked of every seat is asked once.

A kernel that goes around the table seat by seat does the same few instructions up to six times, and cannot foresee its
branches. Lanes are read from a field of the state that has a number for each seat, `row` in the order of the seats and
`around` clockwise from one of them. They are compared (``==``, ``<``, ``>``, ``>=``: 1 or 0) and combined (``&``,
``|``, ``+``, ``*``) with lanes or one number, and written to six places of a view.

Compiled, lanes are eight int32, of which the last two mean nothing; they are read with what lies beside the field in
the state, up to `ROOM` bytes before and after. Uncompiled they are numpy arrays of six.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import PrimitiveModel
from numba.core.errors import TypingError
from numba.core.extending import lower_builtin, register_model
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from tinhorn.core.game import MAX_SEATS, ROOM
from tinhorn.core.vectors import address, lowered, repeated

_WIDTH = 8
_PLACES = np.arange(MAX_SEATS)
_BYTE, _INT32, _INT64, _DOUBLE = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
_VECTOR = ir.VectorType(_INT32, _WIDTH)
_ZEROS = ir.Constant(_VECTOR, [0] * _WIDTH)
_NOTHING = ir.Constant(_VECTOR, ir.Undefined)


class LanesType(types.Type):
    """Numba's name for lanes."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES = LanesType()


@register_model(LanesType)
class LanesModel(PrimitiveModel):
    """Lanes are an LLVM vector, in variables and between kernels."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _count(places: int, item: Any = _INT32) -> Any:
    return ir.Constant(ir.VectorType(item, places), list(range(places)))


def _operation(sign: Callable[..., Any], make: Callable[..., Any]) -> None:
    """Give lanes an operator, with lanes or one number on its right."""

    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            others = (LanesType, types.Integer, types.Boolean)
            fits = len(args) == 2 and isinstance(args[0], LanesType) and isinstance(args[1], others)
            return signature(LANES, *args) if fits else None

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        left, right = arguments
        if not isinstance(signature.args[1], LanesType):
            right = repeated(builder, context.cast(builder, right, signature.args[1], types.int32), _VECTOR)
        return make(builder, left, right)

    infer_global(sign)(Template)
    for other in (LanesType, types.Integer, types.Boolean):
        lower_builtin(sign, LanesType, other)(lower)


def _comparison(sign: str) -> Callable[..., Any]:
    return lambda builder, left, right: builder.zext(builder.icmp_signed(sign, left, right), _VECTOR)


for _sign, _text in ((operator.eq, "=="), (operator.lt, "<"), (operator.gt, ">"), (operator.ge, ">=")):
    _operation(_sign, _comparison(_text))
_operation(operator.and_, lambda builder, left, right: builder.and_(left, right))
_operation(operator.or_, lambda builder, left, right: builder.or_(left, right))
_operation(operator.add, lambda builder, left, right: builder.add(left, right))
_operation(operator.mul, lambda builder, left, right: builder.mul(left, right))


def _read(context: Any, builder: Any, kind: Any, values: Any, place: Any) -> Any:
    """Eight items of an array of int32, int16, int8 or uint8."""
    items = ir.VectorType(ir.IntType(kind.dtype.bitwidth), _WIDTH)
    found = builder.load(address(context, builder, kind, values, place, items), align=1)
    if items.element == _INT32:
        return found
    return builder.sext(found, _VECTOR) if kind.dtype.signed else builder.zext(found, _VECTOR)


def _field(values: Any, *width: int) -> Any:
    """The type of a field that lanes, or rows of a width, can be read from. Raises TypingError for another size."""
    shape = getattr(values, "shape", None)  # of a field; a row of a field has none that is known
    if shape not in (None, (MAX_SEATS, *width)):
        raise TypingError(f"lanes are read from a field of shape {(MAX_SEATS, *width)}, not of {shape}")
    return values


def _make_row(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _read(context, builder, signature.args[0], arguments[0], ir.Constant(_INT64, 0))


@lowered(lambda values: LANES(_field(values)), _make_row)
def row(values: Any) -> Any:
    """The lanes of a field with a number for each seat (int32[6], int16[6], int8[6] or uint8[6]), seat 0 first."""
    return np.asarray(values, np.int32)


def _turned(builder: Any, first: Any, second: Any, left: Any, taken: Any, nobody: Any) -> Any:
    """``first`` as far as ``left`` places, then ``second`` as far as ``taken``, then nobody."""
    vector = first.type
    places = _count(vector.count, vector.element)
    before = builder.icmp_signed("<", places, repeated(builder, left, vector))
    there = builder.icmp_signed("<", places, repeated(builder, taken, vector))
    return builder.select(there, builder.select(before, first, second), repeated(builder, nobody, vector))


def _make_around(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    values, looks, seats, nobody = arguments
    first = _read(context, builder, signature.args[0], values, looks)
    second = _read(context, builder, signature.args[0], values, builder.sub(looks, seats))
    left, taken = (builder.trunc(number, _INT32) for number in (builder.sub(seats, looks), seats))
    return _turned(builder, first, second, left, taken, nobody)


@lowered(lambda values, looks, seats, nobody: LANES(_field(values), types.intp, types.intp, types.int32), _make_around)
def around(values: Any, looks: int, seats: int, nobody: int) -> Any:
    """The lanes of such a field clockwise from the seat that ``looks``, and ``nobody`` from place ``seats`` on."""
    turned = np.asarray(values, np.int32)[(looks + _PLACES) % seats]
    return np.where(seats > _PLACES, turned, np.int32(nobody))


def _make_write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    out, at, lanes = arguments
    item = ir.IntType(signature.args[0].dtype.bitwidth)
    some = ir.VectorType(item, MAX_SEATS)
    numbers = builder.shuffle_vector(lanes, _NOTHING, _count(MAX_SEATS))
    numbers = numbers if item == _INT32 else builder.trunc(numbers, some)
    builder.store(numbers, address(context, builder, signature.args[0], out, at, some), align=1)
    return context.get_dummy_value()


@lowered(lambda out, at, lanes: types.void(out, types.intp, LANES), _make_write)
def write(out: Any, at: int, lanes: Any) -> None:
    """Write the six numbers to ``out[at : at + 6]`` (int32, int8 or uint8)."""
    out[at : at + MAX_SEATS] = lanes


def rows_around(width: int) -> Any:
    """``write_rows(values, looks, seats, nobody, out, at)`` for a field with ``width`` <= 5 numbers for each seat.

    Writes ``values`` (int8[6, width]) to ``out[at : at + 6 * width]`` (int32), seats in the order of `around`.
    """
    used, whole = MAX_SEATS * width, ir.VectorType(_BYTE, ROOM)
    numbers = ir.VectorType(_INT32, used)

    def typed(values: Any, looks: Any, seats: Any, nobody: Any, out: Any, at: Any) -> Any:
        return types.void(_field(values, width), types.intp, types.intp, types.int8, out, types.intp)

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, looks, seats, nobody, out, at = arguments
        step = ir.Constant(looks.type, width)
        start, taken = builder.mul(looks, step), builder.mul(seats, step)
        first, second = (
            builder.load(address(context, builder, signature.args[0], values, place, whole), align=1)
            for place in (start, builder.sub(start, taken))
        )
        left, taken = (builder.trunc(number, _BYTE) for number in (builder.sub(taken, start), taken))
        turned = _turned(builder, first, second, left, taken, nobody)
        some = builder.shuffle_vector(turned, ir.Constant(whole, ir.Undefined), _count(used))
        target = address(context, builder, signature.args[4], out, at, numbers)
        builder.store(builder.sext(some, numbers), target, align=4)
        return context.get_dummy_value()

    def write_rows(values: Any, looks: int, seats: int, nobody: int, out: Any, at: int) -> None:
        for step in range(MAX_SEATS):
            found = np.asarray(values)[(looks + step) % seats] if step < seats else nobody
            out[at + width * step : at + width * (step + 1)] = found

    write_rows.__name__ = f"write_rows_of_{width}"
    return lowered(typed, make)(write_rows)


def _make_bits(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    found = builder.zext(builder.bitcast(builder.icmp_signed("!=", arguments[0], _ZEROS), _BYTE), _INT64)
    return builder.and_(found, ir.Constant(_INT64, (1 << MAX_SEATS) - 1))


@lowered(lambda lanes: types.int64(LANES), _make_bits)
def bits(lanes: Any) -> Any:
    """A word whose bit ``k`` says whether the number in place ``k`` is not 0."""
    return np.int64(np.sum((np.asarray(lanes) != 0) << _PLACES))


def _make_where(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    condition, lanes, other = arguments
    return builder.select(builder.icmp_signed("!=", condition, _ZEROS), lanes, repeated(builder, other, _VECTOR))


@lowered(lambda condition, lanes, other: LANES(LANES, LANES, types.int32), _make_where)
def where(condition: Any, lanes: Any, other: int) -> Any:
    """The lanes where ``condition`` is not 0, and one ``other`` number elsewhere."""
    return np.where(np.asarray(condition) != 0, lanes, np.int32(other))


def _reduced(name: str, rest: list[int]) -> Callable[..., Any]:
    """Code that makes one number of six; ``rest`` says which lanes, or which of eight zeros, fill the last two."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = ir.Constant(_VECTOR, [*range(MAX_SEATS), *rest])
        kind = ir.FunctionType(_INT32, [_VECTOR])
        reduce = cgutils.get_or_insert_function(builder.module, kind, f"llvm.vector.reduce.{name}.v{_WIDTH}i32")
        number = builder.call(reduce, [builder.shuffle_vector(arguments[0], _ZEROS, places)])
        return builder.sext(number, _INT64)

    return make


def _number(lanes: Any) -> Any:
    return types.int64(LANES)


@lowered(_number, _reduced("add", [_WIDTH, _WIDTH]))
def total(lanes: Any) -> Any:
    """The sum of the numbers, within int32."""
    return np.int64(np.sum(lanes))


@lowered(_number, _reduced("smax", [0, 0]))
def largest(lanes: Any) -> Any:
    """The greatest of the numbers."""
    return np.int64(np.max(lanes))


@lowered(_number, _reduced("smin", [0, 0]))
def least(lanes: Any) -> Any:
    """The least of the numbers."""
    return np.int64(np.min(lanes))


def _make_in_units(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    lanes, per_one = arguments
    doubles = ir.VectorType(_DOUBLE, _WIDTH)
    halves = ir.Constant(doubles, [0.5] * _WIDTH)
    scaled = builder.fmul(builder.fadd(builder.sitofp(lanes, doubles), halves), repeated(builder, per_one, doubles))
    return builder.fptosi(scaled, _VECTOR)


@lowered(lambda lanes, per_one: LANES(LANES, types.float64), _make_in_units)
def in_units(lanes: Any, per_one: float) -> Any:
    """How many whole units are in each number (>= 0), exact; ``per_one`` is 1 / unit."""
    return ((np.asarray(lanes) + 0.5) * per_one).astype(np.int32)
