"""The compiled loops that drive any game: one table or many, with views, masks and features written on the way.

`driver(game)` makes them once per game, as closures over the game's kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.encoding import make_encoder
from tinhorn.core.game import MAX_SEATS, Game
from tinhorn.core.kernel import announce_compile, kernel
from tinhorn.core.rng import choose, derive

BEGIN, PLAY, OBSERVE = range(3)  # modes of `Driver.drive`


@dataclass(frozen=True)
class Driver:
    """The kernels of `driver`. ``features`` of width 0 are not written.

    ``memory`` (uint8[N * itemsize]) are the states as bytes: Numba recognises a plain array ten times faster than an
    array of records, and a single decision costs little more than that.

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
        self.drive(BEGIN, memory, which, seeds, skip_forced, *out)

    def play(self, memory: np.ndarray, which: np.ndarray, actions: np.ndarray, skip_forced: bool, *out: Any) -> None:
        """Apply ``actions[k]`` (int64[K]) to table ``which[k]``, unless that has finished. ``out``: as in `begin`."""
        self.drive(PLAY, memory, which, actions.view(np.uint64), skip_forced, *out)

    def observe(self, memory: np.ndarray, seat: int, *out: Any) -> None:
        """Write what one seat sees now at the one table of ``memory``. ``out``: as in `begin`, of one row."""
        self.drive(OBSERVE, memory, _FIRST, np.array([seat], np.uint64), False, *out)


_FIRST = np.zeros(1, np.int64)


def state_bytes(states: np.ndarray) -> np.ndarray:
    """The memory of a contiguous record array [N] as uint8[N * itemsize]; writing to one changes the other."""
    return states.view(np.ndarray).view(np.uint8)


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
        memory, arrays = state_bytes(game.new_states(1, options)), outputs(game, 1)
        made.begin(memory, _FIRST, np.zeros(1, np.uint64), False, *arrays)


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
    new, legal, step, view = game.new, game.legal, game.step, game.view
    encode = make_encoder(game.layout, game.sources)
    compiled = kernel(sources=game.sources)
    records = np.dtype((np.record, game.state))

    @compiled
    def run_on(state, acts, action, skip_forced, mask):
        """Apply the action if the seat ``acts``, and with ``skip_forced`` all that are the only one; write the mask."""
        while True:
            if acts:
                step(state, action)
            legal(state, mask)
            if not skip_forced or state.finished != 0:
                return
            count, action = 0, np.int64(0)
            for other in range(mask.shape[0]):
                if mask[other] != 0:
                    count += 1
                    action = other
            if count != 1:
                return
            acts = True

    @compiled
    def write(state, seat, out, features):
        view(state, seat, out)
        if features.shape[0] > 0:
            encode(out, features)

    @compiled
    def drive(mode, memory, which, values, skip_forced, masks, views, features, rewards, finished, actors):
        states = memory.view(records)
        for k in range(which.shape[0]):
            i = which[k]
            state = states[i]
            playing = mode == PLAY and state.finished == 0
            if mode == BEGIN:
                new(state, values[k])
            elif mode == PLAY:
                state.rewards[:] = 0
            if mode != PLAY or playing:
                run_on(state, playing, np.int64(values[k]), skip_forced, masks[i])
                seat = max(np.int64(state.actor), 0)
                if mode == OBSERVE:
                    seat = np.int64(values[k])
                    if seat != state.actor:
                        masks[i][:] = 0
                write(state, seat, views[i], features[i])
            if mode == PLAY:
                copy(state.rewards, rewards[i])
                finished[i] = state.finished
            if mode != OBSERVE:
                actors[i] = state.actor

    @compiled
    def random(memory, blank, first, last, decisions, seed, skip_forced, masks, views, features):
        """At least ``decisions`` decisions, tables in turn; returns how many. Needs tables that have begun."""
        states, fresh = memory.view(records), blank.view(records)
        stream = np.zeros(1, np.uint64)
        stream[0] = derive(seed, first)
        episode = 0
        done = 0
        while done < decisions:
            for i in range(first, last):
                state = states[i]
                acts, action = state.finished == 0, np.int64(0)
                if acts:
                    state.rewards[:] = 0
                    action = choose(stream, masks[i])
                    done += 1
                else:
                    episode += 1
                    states[i] = fresh[i]
                    new(state, derive(seed, last + episode))
                run_on(state, acts, action, skip_forced, masks[i])
                write(state, max(np.int64(state.actor), 0), views[i], features[i])
        return done

    return Driver(drive, random, encode)
