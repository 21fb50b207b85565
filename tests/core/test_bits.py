"""Counting bits."""

import numpy as np
import pytest

from tinhorn.core.bits import bits_set, lowest_bit

WORDS = [0, 1, 2, 3, 0b1011000, (1 << 52) - 1, 1 << 55, (1 << 62) + 5, (1 << 63) - 1]


@pytest.mark.plain_python
def test_bits_set():
    random = np.random.default_rng(1).integers(0, 1 << 62, 1000).tolist()
    assert [bits_set(np.int64(word)) for word in WORDS + random] == [word.bit_count() for word in WORDS + random]


@pytest.mark.plain_python
def test_lowest_bit():
    for place in range(63):
        assert lowest_bit(np.int64(1 << place)) == place
        assert lowest_bit(np.int64((1 << 62) | (1 << place))) == place
