"""Vector instructions where Numba finds none: in short rows of numbers, and for the legal moves of a mask.

Each function is written twice, as plain Python, which says what it does and runs uncompiled, and as the LLVM code that
kernels get instead (`lowered`). The code is LLVM's general one, which every processor can run.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.core.errors import TypingError
from numba.core.extending import intrinsic

from tinhorn.core.kernel import kernel

FLAGS = 32  # of a mask that `flags` takes together

_config: Any = config  # its attributes are made at run time
_BYTE, _INT32, _INT64, _FLOAT32 = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.FloatType()


def lowered(typed: Callable[..., Any], make: Callable[..., Any]) -> Callable[[Any], Any]:
    """The decorator for a function that kernels get as LLVM code; with ``NUMBA_DISABLE_JIT=1`` it stays as it is.

    Args:
        typed: the signature (of `numba.core.typing`) for the types of the arguments.
        make: ``(context, builder, signature, arguments)``, writes the code and returns the value that it leaves.
    """

    def decorate(function: Any) -> Any:
        if _config.DISABLE_JIT:
            return function

        def define(context: Any, *arguments: Any) -> Any:
            return typed(*arguments), make

        first = inspect.Parameter("context", inspect.Parameter.POSITIONAL_ONLY)
        parameters = inspect.signature(function).parameters.values()
        names = [parameter.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for parameter in parameters]
        define.__name__, define.__doc__ = function.__name__, function.__doc__
        define.__signature__ = inspect.Signature([first, *names])  # type: ignore[attr-defined]
        return intrinsic(define)

    return decorate


def address(context: Any, builder: Any, kind: Any, array: Any, place: Any, vector: Any) -> Any:
    """Where a vector lies that begins at item ``place`` of an array. Raises TypingError where that is no such array."""
    width = 32 if vector.element == _FLOAT32 else vector.element.width
    if kind.layout != "C" or kind.dtype.bitwidth != width:
        raise TypingError(f"vectors of {vector.element} need a contiguous array of such items, not {kind}")
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), vector.as_pointer())


def repeated(builder: Any, value: Any, vector: Any) -> Any:
    """A vector with one value in all its places."""
    nothing = ir.Constant(vector, ir.Undefined)
    places = ir.Constant(ir.VectorType(_INT32, vector.count), [0] * vector.count)
    return builder.shuffle_vector(builder.insert_element(nothing, value, ir.Constant(_INT32, 0)), nothing, places)


def scaler(count: int) -> Any:
    """``scale(view, place, features, feature, factor, most)`` for ``count`` numbers side by side.

    ``features[feature + k]`` becomes ``min(view[place + k] * factor, most)``, in float32; view int32, features float32.
    """
    numbers, floats = ir.VectorType(_INT32, count), ir.VectorType(_FLOAT32, count)

    def typed(view: Any, place: Any, features: Any, feature: Any, factor: Any, most: Any) -> Any:
        return types.void(view, types.intp, features, types.intp, types.float32, types.float32)

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view, place, features, feature, factor, most = arguments
        found = builder.load(address(context, builder, signature.args[0], view, place, numbers), align=4)
        scaled = builder.fmul(builder.sitofp(found, floats), repeated(builder, factor, floats))
        limit = repeated(builder, most, floats)
        scaled = builder.select(builder.fcmp_ordered("<", limit, scaled), limit, scaled)
        builder.store(scaled, address(context, builder, signature.args[2], features, feature, floats), align=4)
        return context.get_dummy_value()

    def scale(view: Any, place: int, features: Any, feature: int, factor: Any, most: Any) -> None:
        for k in range(count):
            features[feature + k] = min(np.float32(view[place + k]) * factor, most)

    scale.__name__ = f"scale_{count}"
    return lowered(typed, make)(scale)


def _make_whole_flags(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    mask, place = arguments
    whole = ir.VectorType(_BYTE, FLAGS)
    found = builder.load(address(context, builder, signature.args[0], mask, place, whole), align=1)
    flags = builder.bitcast(builder.trunc(found, ir.VectorType(ir.IntType(1), FLAGS)), _INT32)
    return builder.zext(flags, _INT64)


@lowered(lambda mask, place: types.int64(mask, types.intp), _make_whole_flags)
def _whole_flags(mask: Any, place: int) -> Any:
    return sum(int(mask[place + k]) << k for k in range(FLAGS))


@kernel(inline=True)
def flags(mask, place):
    """``mask[place : place + FLAGS]`` (int8, 0 or 1) as the bits of an int64; fewer at the end of the mask."""
    size = mask.shape[0]
    if place + FLAGS <= size:
        return _whole_flags(mask, place)
    if size >= FLAGS:
        return _whole_flags(mask, size - FLAGS) >> (place + FLAGS - size)
    found = np.int64(0)
    for k in range(place, size):
        found |= np.int64(mask[k]) << (k - place)
    return found


def _spread(builder: Any, word: Any, weight: Any, first: int, count: int) -> Any:
    """``count`` <= 32 numbers: the weight where the bit from ``first`` on is set, else 0."""
    numbers = ir.VectorType(_INT32, count)
    part = builder.trunc(builder.lshr(word, ir.Constant(_INT64, first)), _INT32)
    places = ir.Constant(numbers, list(range(count)))
    set_bits = builder.and_(builder.lshr(repeated(builder, part, numbers), places), ir.Constant(numbers, [1] * count))
    return builder.mul(set_bits, repeated(builder, weight, numbers))


def spreader(count: int, *, adds: bool = False) -> Any:
    """``spread(word, weight, out, at)`` for ``count`` <= 64 bits.

    ``out[at + k]`` (int32) becomes ``weight`` where bit ``k`` of the word (int64) is set, else 0; with ``adds`` that is
    added to it.
    """
    parts = [(first, min(count - first, 32)) for first in range(0, count, 32)]

    def typed(word: Any, weight: Any, out: Any, at: Any) -> Any:
        return types.void(types.int64, types.int32, out, types.intp)

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, weight, out, at = arguments
        for first, size in parts:
            numbers = _spread(builder, word, weight, first, size)
            place = builder.add(at, ir.Constant(at.type, first))
            target = address(context, builder, signature.args[2], out, place, numbers.type)
            if adds:
                numbers = builder.add(builder.load(target, align=4), numbers)
            builder.store(numbers, target, align=4)
        return context.get_dummy_value()

    def spread(word: Any, weight: int, out: Any, at: int) -> None:
        numbers = weight * (int(word) >> np.arange(count) & 1)
        out[at : at + count] = numbers + (out[at : at + count] if adds else 0)

    spread.__name__ = f"spread_{count}_{adds}"
    return lowered(typed, make)(spread)
