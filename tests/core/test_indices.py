"""An index of an array is taken as it is: never counted from the end."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.core import types

from tinhorn.core.indices import unsigned
from tinhorn.core.kernel import kernel

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="about compiled code")


def item(values, place):
    return values[place]


def put(values, row, place):
    values[row, place] = 1


@pytest.mark.skipif(numba.config.BOUNDSCHECK == 1, reason="with bounds checked there is another such question")
def test_no_question_whether_an_index_is_negative():
    plain, ours = numba.njit(item), kernel(item)
    values = np.arange(5)
    assert plain(values, 3) == ours(values, 3) == 3
    asked = [" slt " in next(iter(f.inspect_llvm().values())) for f in (plain, ours)]
    assert asked == [True, False]


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8])
def test_indices_of_every_width(dtype):
    table = np.zeros((2, 200), np.int8)
    kernel(put)(table, dtype(1), dtype(100))
    assert np.argwhere(table).tolist() == [[1, 100]]


def test_slices_may_count_from_the_end():
    assert kernel(lambda values: values[-3:].sum() + values[1:-1].sum())(np.arange(10)) == 24 + 36


def test_types_of_indices():
    assert [unsigned(types.int32), unsigned(types.uint8)] == [types.uintp, types.uintp]
    assert list(unsigned(types.Tuple([types.int8, types.slice2_type]))) == [types.uintp, types.slice2_type]
    assert unsigned(types.none) == types.none


def test_a_negative_index_raises_where_bounds_are_checked():
    program = (
        "import numpy as np\nfrom tinhorn.core.kernel import kernel\n"
        "f = kernel(lambda values, place: values[place])\nassert f(np.arange(5), 4) == 4\n"
        "try:\n    f(np.arange(5), -1)\nexcept IndexError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, capture_output=True, text=True
    )
    assert "out of bounds" in done.stdout, done.stderr
