"""The compiled loops that drive any game: one table or many, with views, masks and features written on the way.

`driver(game)` makes them once per game, as closures over the game's kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.encoder import make_encoder
from tinhorn.core.game import MAX_SEATS, Game
from tinhorn.core.kernel import announce_compile, inlined, kernel
from tinhorn.core.rng import choose, derive

BEGIN, PLAY, OBSERVE = range(3)  # modes of `Driver.drive`


@dataclass(frozen=True)
class Driver:
    """The kernels of `driver`. ``features`` of width 0 are not written.

    ``memory`` (uint8[N * itemsize]) are the states as bytes, see `as_bytes`, and so are the arrays of `Outputs`.

    - ``drive(mode, memory, which, values, skip_forced, masks, views, features, rewards, finished, actors)``, one kernel
      for all that happens at a table, as each would compile the whole game anew; see `begin`, `play`, `observe`.
    - ``random(memory, blank, first, last, decisions, seed, ...)`` plays random legal games in one call, for measuring;
      ``blank`` is the memory before ``new``.
    - ``encode(view, features)`` turns one view into features.
    """

    drive: Callable[..., None]
    random: Callable[..., int]
    encode: Callable[..., None]

    def begin(self, memory: np.ndarray, which: np.ndarray, seeds: np.ndarray, skip_forced: bool, *out: Any) -> None:
        """Start an episode at each table of ``which`` (int64[K]) with the seed in its place of ``seeds`` (uint64[K]).

        The states must be blank but for options and prescribed chance. ``out``: masks, views, features, rewards,
        finished, actors; rewards and finished are left alone.
        """
        self.drive(BEGIN, memory, which, seeds.view(np.int64), skip_forced, *out)

    def play(self, memory: np.ndarray, which: np.ndarray, actions: np.ndarray, skip_forced: bool, *out: Any) -> None:
        """Apply ``actions[k]`` (int64[K]) to table ``which[k]``, unless that has finished. ``out``: as in `begin`."""
        self.drive(PLAY, memory, which, actions, skip_forced, *out)

    def observe(self, memory: np.ndarray, seat: int, *out: Any) -> None:
        """Write what one seat sees now at the one table of ``memory``. ``out``: as in `begin`, of one row."""
        self.drive(OBSERVE, memory, _FIRST, np.array([seat], np.int64), False, *out)


_FIRST = np.zeros(1, np.int64)


def as_bytes(array: np.ndarray) -> np.ndarray:
    """The memory of a contiguous array as uint8[...]; writing to one changes the other.

    So kernels get them: Numba recognises plain arrays ten times faster than arrays of records, and the rows of a matrix
    would have their references counted at every call, which takes longer than many a call.
    """
    return array.view(np.ndarray).reshape(-1).view(np.uint8)


_drivers: dict[int, Driver] = {}


def driver(game: Game) -> Driver:
    """The driver of a game, made at the first call."""
    if id(game) not in _drivers:
        _drivers[id(game)] = _make(game)
    return _drivers[id(game)]


def warm_up(game: Game) -> None:
    """Compile everything a game needs, or load it from the cache; says so in one line when it compiles."""
    options = game.options()  # type: ignore[call-arg]
    made = driver(game)
    with announce_compile(game.title, game.id, game.sources):
        memory, arrays = as_bytes(game.new_states(1, options)), outputs(game, 1)
        made.begin(memory, _FIRST, np.zeros(1, np.uint64), False, *map(as_bytes, arrays))


def outputs(game: Game, num_tables: int, *, features: bool = True) -> tuple[np.ndarray, ...]:
    """What a driver writes: masks int8[N, A], views int32[N, V], features float32[N, D] (width 0 without), rewards
    float64[N, 6], finished uint8[N], actors int8[N].
    """
    return (
        np.zeros((num_tables, game.actions.count), np.int8),
        np.zeros((num_tables, game.layout.size), np.int32),
        np.zeros((num_tables, game.layout.feature_size if features else 0), np.float32),
        np.zeros((num_tables, MAX_SEATS)),
        np.zeros(num_tables, np.uint8),
        np.zeros(num_tables, np.int8),
    )


def _make(game: Game) -> Driver:
    encode = make_encoder(game.layout, game.sources)
    new, legal, step, view, write_features = game.new, *map(inlined, (game.legal, game.step, game.view, encode))
    compiled = kernel(sources=game.sources)
    records = np.dtype((np.record, game.state))
    mask_rows, view_rows = _rows(np.int8, game.actions.count), _rows(np.int32, game.layout.size)
    feature_rows, reward_rows = _rows(np.float32, game.layout.feature_size), _rows(np.float64, MAX_SEATS)

    @compiled
    def decide(state, acts, action, skip_forced, looks, mask, out, features, i):
        """Apply the action if the seat ``acts``, and with ``skip_forced`` all that are the only one; then write.

        The mask of the seat to act, and what ``looks`` sees (-1: the seat to act): its view, and its features in row
        ``i`` of ``features`` unless that is empty. One kernel for all, into which the game's are built.
        """
        while True:
            if acts:
                step(state, action)
            legal(state, mask)
            if not skip_forced or state.finished != 0:
                break
            count, action = 0, np.int64(0)
            for other in range(mask.shape[0]):
                if mask[other] != 0:
                    count += 1
                    action = other
            if count != 1:
                break
            acts = True
        seat = np.int64(state.actor)
        if looks >= 0:
            if looks != seat:
                mask[:] = 0
            seat = looks
        view(state, max(seat, 0), out)
        if features.shape[0] > 0:
            write_features(out, features[i].row)

    @compiled
    def drive(mode, memory, which, values, skip_forced, masks, views, features, rewards, finished, actors):
        states, masks, views = memory.view(records), masks.view(mask_rows), views.view(view_rows)
        features, rewards, actors = features.view(feature_rows), rewards.view(reward_rows), actors.view(np.int8)
        for k in range(which.shape[0]):
            i = which[k]
            state = states[i]
            playing = mode == PLAY and state.finished == 0
            if mode == BEGIN:
                new(state, np.uint64(values[k]))
            elif mode == PLAY:
                state.rewards[:] = 0
            if mode != PLAY or playing:
                looks = values[k] if mode == OBSERVE else np.int64(-1)
                decide(state, playing, values[k], skip_forced, looks, masks[i].row, views[i].row, features, i)
            if mode == PLAY:
                copy(state.rewards, rewards[i].row)
                finished[i] = state.finished
            if mode != OBSERVE:
                actors[i] = state.actor

    @compiled
    def random(memory, blank, first, last, decisions, seed, skip_forced, masks, views, features):
        """At least ``decisions`` decisions, tables in turn; returns how many. Needs tables that have begun."""
        states, fresh, masks = memory.view(records), blank.view(records), masks.view(mask_rows)
        views, features = views.view(view_rows), features.view(feature_rows)
        stream = np.zeros(1, np.uint64)
        stream[0] = derive(seed, first)
        episode = 0
        done = 0
        while done < decisions:
            for i in range(first, last):
                state, mask, out = states[i], masks[i].row, views[i].row
                acts, action = state.finished == 0, np.int64(0)
                if acts:
                    state.rewards[:] = 0
                    action = choose(stream, mask)
                    done += 1
                else:
                    episode += 1
                    states[i] = fresh[i]
                    new(state, derive(seed, last + episode))
                decide(state, acts, action, skip_forced, np.int64(-1), mask, out, features, i)
        return done

    return Driver(drive, random, encode)


def _rows(dtype: Any, width: int) -> np.dtype:
    """A row of a matrix as a record."""
    return np.dtype((np.record, [("row", dtype, (width,))]))
