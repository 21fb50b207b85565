"""Vector code for masks and for words of bits."""

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from tinhorn.core.kernel import kernel
from tinhorn.core.vectors import FLAGS, flags, spreader


@kernel
def words_of(mask, out):
    for k in range(out.shape[0]):
        out[k] = flags(mask, k * FLAGS)


@pytest.mark.plain_python
@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 42, 63, 64, 65, 474])
def test_flags_of_masks_of_every_length(size):
    random = np.random.default_rng(size)
    around = random.integers(0, 2, size + 64).astype(np.int8)  # what lies beside the mask is not read
    for mask in (around[32 : 32 + size], np.zeros(size, np.int8), np.ones(size, np.int8)):
        out = np.zeros(-(-size // FLAGS), np.int64)
        words_of(np.ascontiguousarray(mask), out)
        legal = [FLAGS * word + k for word in range(len(out)) for k in range(FLAGS) if int(out[word]) >> k & 1]
        assert legal == np.flatnonzero(mask).tolist()
        assert out.max() < 1 << FLAGS


write_bits, add_bits, write_few = spreader(52), spreader(52, adds=True), spreader(7)


@kernel
def spread_all(words, out):
    write_bits(words[0], 1, out, 1)
    write_bits(words[1], 3, out, 53)
    add_bits(words[2], 4, out, 53)
    add_bits(words[3], -2, out, 53)
    write_few(words[0], 9, out, 105)


@pytest.mark.plain_python
def test_bits_spread_to_numbers():
    random = np.random.default_rng(1)
    for words in [*random.integers(0, 1 << 52, (50, 4)), [0] * 4, [(1 << 52) - 1] * 4]:
        out = np.full(113, -1, np.int32)
        spread_all(np.array(words, np.int64), out)
        bit = np.array([[int(word) >> k & 1 for k in range(52)] for word in words])
        expected = [-1, *bit[0], *(3 * bit[1] + 4 * bit[2] - 2 * bit[3]), *(9 * bit[0][:7]), -1]
        assert out.tolist() == [int(number) for number in expected]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="about compiled code")
@pytest.mark.parametrize("mask", [np.zeros(200, np.int8)[::2], np.zeros(100, np.int64)], ids=["strided", "wide"])
def test_other_arrays_are_refused(mask):
    with pytest.raises(TypingError, match="need a contiguous array of such items"):
        words_of(mask, np.zeros(4, np.int64))
