"""A number for each seat in one register: each function against what it says, on fields in the middle of a record."""

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from tinhorn.core.game import HEADER, ROOM
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import (
    around,
    bits,
    in_units,
    largest,
    least,
    row,
    rows_around,
    total,
    where,
    write,
)
from tinhorn.core.layout import Field, Layout
from tinhorn.registry import list_games

SEATS = 6
RECORD = np.dtype(
    [
        ("before", "u1", (ROOM,)),
        ("marks", "u1", (SEATS,)),
        ("moves", "i1", (2, SEATS)),
        ("chips", "i4", (SEATS,)),
        ("hands", "i1", (SEATS, 5)),
        ("pairs", "i1", (SEATS, 2)),
        ("after", "u1", (ROOM,)),
    ]
)
write_hands, write_pairs = rows_around(5), rows_around(2)


def records(count: int):
    """Random records, every byte of them, as kernels take them."""
    random = np.random.default_rng(count)
    made = np.frombuffer(random.bytes(count * RECORD.itemsize), RECORD).copy()
    made["marks"] %= 2
    made["chips"] = random.integers(-1000, 1_000_000, made["chips"].shape)
    made["chips"][::7] = 5
    return made.view(np.recarray)


@kernel
def turn(state, looks, seats, out):
    write(out, 1, around(state.marks, looks, seats, 7))
    write(out, 7, around(state.moves[1], looks, seats, -1))
    write(out, 13, around(state.chips, looks, seats, 0))
    write_hands(state.hands, looks, seats, -1, out, 19)
    write_pairs(state.pairs, looks, seats, 3, out, 49)


@pytest.mark.plain_python
def test_around_the_table_from_every_seat_of_every_table():
    for state in records(40):
        for seats in range(1, SEATS + 1):
            for looks in range(seats):
                out = np.full(62, -99, np.int32)
                turn(state, looks, seats, out)
                order = [(looks + step) % seats for step in range(seats)]
                empty = SEATS - seats
                expected = [*state.marks[order], *[7] * empty, *state.moves[1][order], *[-1] * empty]
                expected += [*state.chips[order], *[0] * empty]
                expected += [*state.hands[order].flat, *[-1] * 5 * empty, *state.pairs[order].flat, *[3] * 2 * empty]
                assert out.tolist() == [-99, *map(int, expected), -99]


@kernel
def combine(state, number, flag, out):
    chips, flags, moves = row(state.chips), row(state.marks), row(state.moves[0])
    write(out, 0, chips)
    write(out, 6, (chips == number) | (moves < 0))
    write(out, 12, (chips > moves) & flag)
    write(out, 18, flags * chips + 3)
    write(out, 24, where(flags & (moves > number), chips, number))
    write(out, 30, (flags == flags) & (chips < moves))


@pytest.mark.plain_python
def test_what_is_asked_of_every_seat():
    for state in records(60):
        for number, flag in ((5, True), (0, False), (-100, True)):
            out = np.zeros(36, np.int32)
            combine(state, number, flag, out)
            chips, flags, moves = (np.array(x, np.int64) for x in (state.chips, state.marks, state.moves[0]))
            expected = [chips, (chips == number) | (moves < 0), (chips > moves) & flag, flags * chips + 3]
            expected += [np.where((flags == 1) & (moves > number), chips, number), chips < moves]
            np.testing.assert_array_equal(out.reshape(6, SEATS), np.array(expected).astype(np.int64))


@kernel
def reduce(state, out):
    chips = row(state.chips)
    out[0], out[1], out[2] = total(chips), largest(chips), least(chips)
    out[3], out[4] = bits(row(state.marks)), bits(chips == 5)


@pytest.mark.plain_python
def test_one_number_of_six():
    for state in records(60):
        out = np.zeros(5, np.int64)
        reduce(state, out)
        chips = state.chips.tolist()
        flags, fives = (sum(1 << k for k in range(SEATS) if x[k]) for x in (state.marks, state.chips == 5))
        assert out.tolist() == [sum(chips), max(chips), min(chips), flags, fives]


@kernel
def write_units(state, per_one, out):
    write(out, 0, in_units(row(state.chips), per_one))


@pytest.mark.plain_python
def test_whole_units_are_exact():
    state = records(1)[0]
    random = np.random.default_rng(3)
    for unit in [1, 2, 3, 7, 10, 49, 50, 333, 1000, 999_983]:
        near = random.integers(0, 600, SEATS) * unit + random.integers(-1, 2, SEATS)
        state.chips[:] = np.clip(near, 0, 600_000_000)
        out = np.zeros(SEATS, np.int32)
        write_units(state, 1 / unit, out)
        assert out.tolist() == [int(chips) // unit for chips in state.chips]


def test_a_state_has_room_around_every_field_of_a_game():
    for game in list_games():
        header = game.state.fields[game.state.names[len(HEADER)]][1]
        assert header >= ROOM, game.name
        assert game.state.names[-1] == "room"
        assert game.state["room"].itemsize == ROOM, game.name


@pytest.mark.plain_python
def test_short_rows_of_features_are_what_the_layout_says():
    from tinhorn.core.encoder import encoder_source, make_encoder
    from tinhorn.core.encoding import FLAG, Ratio, Scaled

    for count in (3, 4, 6, 7, 18, 31):
        layout = Layout(
            Field("pot", "Chips.", 0, 1000, encode=FLAG),
            Field("bets", "Chips.", 0, 1000, (count,), encode=(Ratio(2.0, "pot"), Scaled(3.0))),
            Field("flags", "Flags.", 0, 1, (count,), encode=FLAG),
        )
        assert (f"scale_{count}(" in encoder_source(layout)[0]) == (count > 3)
        view = np.random.default_rng(count).integers(0, 1000, layout.size).astype(np.int32)
        view[1 + count :] %= 2
        features = np.full(layout.feature_size, 9, np.float32)
        make_encoder(layout)(view, features)
        pot, bets, flags = view[0], view[1 : 1 + count], view[1 + count :]
        ratios = np.minimum(bets * (np.float32(1) / np.float32(pot)), 2)
        expected = np.concatenate([[pot], ratios, bets * np.float32(1 / 3), flags])
        np.testing.assert_allclose(features, expected.astype(np.float32), rtol=1e-6)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="about compiled code")
def test_a_field_of_another_size_is_refused():
    record = np.zeros(1, [("four", "i4", (4,)), ("room", "u1", (ROOM,))]).view(np.recarray)[0]
    with pytest.raises(TypingError, match=r"read from a field of shape \(6,\), not of \(4,\)"):
        kernel(lambda state: total(row(state.four)))(record)
    with pytest.raises(TypingError, match=r"of shape \(6, 2\), not of \(6, 5\)"):
        kernel(lambda state, out: write_pairs(state.hands, 0, 2, 0, out, 0))(records(1)[0], np.zeros(12, np.int32))


@kernel
def write_marks(state, out):
    write(out, 1, row(state.chips) >= 5)


@pytest.mark.plain_python
def test_flags_are_written_to_bytes():
    state, out = records(1)[0], np.full(8, 9, np.uint8)
    write_marks(state, out)
    assert out.tolist() == [9, *(state.chips >= 5).astype(int).tolist(), 9]
