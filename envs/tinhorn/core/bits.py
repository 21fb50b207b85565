"""Counting the bits of a word."""

import numpy as np

from tinhorn.core.kernel import kernel

_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_FIVES, _THREES, _FIFTEENS, _ONES = (np.uint64(int(digits * 8, 16)) for digits in ("55", "33", "0f", "01"))


@kernel
def bits_set(word):
    """How many bits of ``word`` (an integer >= 0) are set. Written so that it becomes one instruction."""
    bits = np.uint64(word)
    bits = bits - ((bits >> _1) & _FIVES)
    bits = (bits & _THREES) + ((bits >> _2) & _THREES)
    bits = (bits + (bits >> _4)) & _FIFTEENS
    return np.int64((bits * _ONES) >> _56)


@kernel
def lowest_bit(word):
    """The place of the lowest bit of ``word`` (int64 > 0) that is set."""
    return bits_set((word & -word) - 1)
