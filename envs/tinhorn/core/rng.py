"""The random stream of a table: SplitMix64 (Steele, Lea, Flood 2014), one ``uint64`` of state.

A stream is a ``uint64[1]`` array, so that kernels advance it in place; it lies inside the state record. What
chance does in hand k depends only on the seed and k (`derive`), not on what was played before: duplicate
deals stay duplicate whatever the players do.
"""

import secrets

import numpy as np

from tinhorn.core.bits import bits_set, lowest_bit
from tinhorn.core.kernel import kernel
from tinhorn.core.vectors import FLAGS, flags

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)
_11 = np.uint64(11)


@kernel
def mix(value):
    """A 64-bit finalizer: every bit of ``value`` (uint64) moves every bit of the result."""
    value = (value ^ (value >> _30)) * _MIX_1
    value = (value ^ (value >> _27)) * _MIX_2
    return value ^ (value >> _31)


@kernel
def derive(seed, index):
    """The start of sub-stream ``index`` (integer >= 0) of ``seed`` (uint64)."""
    return mix(mix(np.uint64(seed) + _GAMMA) + _GAMMA * (np.uint64(index) + np.uint64(1)))


@kernel
def next_bits(stream):
    """64 random bits; moves ``stream`` (uint64[1]) on."""
    stream[0] = stream[0] + _GAMMA
    return mix(stream[0])


@kernel
def uniform(stream):
    """A float64 in [0, 1)."""
    return np.float64(np.int64(next_bits(stream) >> _11)) * 1.1102230246251565e-16


@kernel
def below(stream, bound):
    """A uniform integer in 0..bound-1, without bias (Lemire 2019)."""
    size = np.uint64(bound)
    product = (next_bits(stream) >> _32) * size
    low = product & _LOW_32
    if low < size:
        threshold = ((_LOW_32 + np.uint64(1)) - size) % size
        while low < threshold:
            product = (next_bits(stream) >> _32) * size
            low = product & _LOW_32
    return np.int64(product >> _32)


@kernel
def shuffle(stream, values, count, needed=1 << 30):
    """Shuffle ``values[:count]`` in place (Fisher-Yates); only the first ``needed`` places are made random."""
    for place in range(min(count - 1, needed)):
        other = place + below(stream, count - place)
        kept = values[place]
        values[place] = values[other]
        values[other] = kept


@kernel(inline=True)
def choose(stream, mask):
    """A uniformly random index where ``mask`` (int8[A], 0 or 1) is 1; at least one must be."""
    count = 0
    for place in range(0, mask.shape[0], FLAGS):
        count += bits_set(flags(mask, place))
    skip, place = below(stream, count), 0
    part = flags(mask, place)
    here = bits_set(part)
    while skip >= here:
        skip -= here
        place += FLAGS
        part = flags(mask, place)
        here = bits_set(part)
    while skip > 0:
        part &= part - 1
        skip -= 1
    return place + lowest_bit(part)


def as_seed(seed: int | None) -> np.uint64:
    """A seed as the engine takes it: any whole number, folded to 64 bits; None asks the system for one.

    Python's and numpy's global random states are neither read nor moved.
    """
    return np.uint64(secrets.randbits(63) if seed is None else int(seed) & 0xFFFFFFFFFFFFFFFF)


def new_stream(seed: int | None) -> np.ndarray:
    """A stream of its own, ``uint64[1]``, for bots and samplers outside a table."""
    stream = np.zeros(1, np.uint64)
    stream[0] = derive(as_seed(seed), 0)
    return stream
