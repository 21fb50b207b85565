"""The random stream: uniform, without bias, and independent of what came before."""

from itertools import permutations

import numpy as np
import pytest

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import as_seed, below, choose, derive, mix, new_stream, next_bits, shuffle, uniform


def chi_square(counts):
    """The statistic of counts that should be equal; with k counts about k - 1, deviation sqrt(2 (k - 1))."""
    expected = np.sum(counts) / len(counts)
    return float(((np.asarray(counts) - expected) ** 2 / expected).sum())


def assert_uniform(counts):
    freedom = len(counts) - 1
    assert chi_square(counts) < freedom + 5 * np.sqrt(2 * freedom) + 10


@kernel
def draw_below(stream, bound, out):
    for k in range(out.shape[0]):
        out[k] = below(stream, bound)


@kernel
def shuffle_many(stream, count, out):
    for row in range(out.shape[0]):
        for k in range(count):
            out[row, k] = k
        shuffle(stream, out[row], count)


@kernel
def choose_many(stream, mask, out):
    for k in range(out.shape[0]):
        out[k] = choose(stream, mask)


@kernel
def uniforms(stream, out):
    for k in range(out.shape[0]):
        out[k] = uniform(stream)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 26, 52, 1000])
def test_below_is_uniform(bound):
    out = np.zeros(200_000, np.int64)
    draw_below(new_stream(bound), bound, out)
    assert out.min() >= 0
    counts = np.bincount(out, minlength=bound)
    assert len(counts) == bound
    assert_uniform(counts)


def test_below_has_no_bias_where_taking_the_remainder_would():
    """With 3 * 2^30 values of 2^32 the first 2^30 would come twice as often."""
    out = np.zeros(100_000, np.int64)
    draw_below(new_stream(3), 3 << 30, out)
    assert_uniform(np.bincount(out >> 30, minlength=3))


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_every_order_is_equally_likely(count):
    out = np.zeros((120_000, count), np.int64)
    shuffle_many(new_stream(count), count, out)
    codes = out @ (count ** np.arange(count))
    wanted = [sum(value * count**place for place, value in enumerate(order)) for order in permutations(range(count))]
    found = [np.count_nonzero(codes == code) for code in wanted]
    assert sum(found) == len(out)
    assert_uniform(found)


def test_every_card_is_equally_likely_in_every_place():
    out = np.zeros((52_000, 52), np.int64)
    shuffle_many(new_stream(1), 52, out)
    assert (np.sort(out, axis=1) == np.arange(52)).all()
    for place in range(52):
        assert_uniform(np.bincount(out[:, place], minlength=52))


def test_shuffle_leaves_what_lies_behind_alone():
    values = np.arange(10)
    shuffle(new_stream(1), values, 4)
    assert values[4:].tolist() == list(range(4, 10))
    assert sorted(values[:4]) == [0, 1, 2, 3]


def test_choose_takes_every_set_place_alike_and_no_other():
    mask = np.array([0, 1, 0, 0, 1, 1, 0, 1, 0], np.int8)
    out = np.zeros(100_000, np.int64)
    choose_many(new_stream(4), mask, out)
    counts = np.bincount(out, minlength=len(mask))
    assert (counts[mask == 0] == 0).all()
    assert_uniform(counts[mask == 1])


def test_uniform_fills_the_unit_interval():
    out = np.zeros(200_000)
    uniforms(new_stream(9), out)
    assert 0 <= out.min() < 1e-4
    assert 0.9999 < out.max() < 1
    assert_uniform(np.histogram(out, 100, (0, 1))[0])
    assert abs(np.corrcoef(out[:-1], out[1:])[0, 1]) < 0.012


def test_the_stream_is_splitmix64():
    """The first numbers of the published generator from state 1234567."""
    stream = np.array([1234567], np.uint64)
    found = [int(next_bits(stream)) for _ in range(3)]
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_derived_streams_are_apart():
    """Neighbouring seeds and neighbouring indices give streams with nothing in common."""
    starts = {int(derive(np.uint64(seed), index)) for seed in range(300) for index in range(300)}
    assert len(starts) == 90_000
    for index in range(64):
        flips = [bin(int(mix(np.uint64(7))) ^ int(mix(np.uint64(7 ^ (1 << index))))).count("1")]
        assert 12 < flips[0] < 52
    first = np.array([int(derive(np.uint64(seed), 0)) >> 58 for seed in range(64_000)])
    second = np.array([int(derive(np.uint64(seed), 1)) >> 58 for seed in range(64_000)])
    assert_uniform(np.bincount(first, minlength=64))
    assert_uniform(np.bincount(8 * (first >> 3) + (second >> 3), minlength=64))


@pytest.mark.plain_python
def test_streams_are_the_same_with_and_without_compilation():
    """What this seed gives is part of what a seed means: it may not change."""
    stream = np.array([derive(np.uint64(2**64 - 1), 3)], np.uint64)
    assert [int(below(stream, 52)) for _ in range(8)] == [5, 11, 8, 7, 35, 12, 42, 7]
    assert int(stream[0]) == 16071425813659925084


def test_a_signed_seed_is_the_same_seed():
    assert derive(np.int64(5), 2) == derive(np.uint64(5), 2)


@pytest.mark.plain_python
def test_any_whole_number_is_a_seed():
    assert as_seed(5) == 5
    assert as_seed(-1) == 2**64 - 1
    assert as_seed(2**64 + 3) == 3
    assert as_seed(np.int64(7)) == 7
    assert as_seed(None) != as_seed(None)
    with pytest.raises((TypeError, ValueError)):
        as_seed("seven")
