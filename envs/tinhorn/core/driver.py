"""The compiled loops that drive any game: one table or many, with views, masks and features written on the way.

`driver(game)` makes them once per game, as closures over the game's kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tinhorn.core.encoding import make_encoder
from tinhorn.core.game import MAX_SEATS, Game
from tinhorn.core.kernel import announce_compile, kernel
from tinhorn.core.rng import choose, derive

NO_FEATURES = np.zeros(0, np.float32)


@dataclass(frozen=True)
class Driver:
    """The kernels of `driver`. ``features`` of width 0 are not written.

    ``memory`` (uint8[N * itemsize]) are the states as bytes: Numba recognises a plain array ten times faster than an
    array of records, and a single decision costs little more than that.

    - ``begin(memory, which, seeds, skip_forced, masks, views, features, actors)`` starts an episode at each table
      of ``which`` (int64[K]) with the seed that stands in its place of ``seeds`` (uint64[K]). The states must be
      blank but for options and prescribed chance.
    - ``play(memory, which, actions, skip_forced, masks, views, features, rewards, finished, actors)`` applies
      ``actions[k]`` (int64[K]) to table ``which[k]``, unless that has finished.
    - ``observe(memory, table, seat, mask, view, features)`` writes what one seat sees now.
    - ``random(memory, blank, first, last, decisions, seed, ...)`` plays random legal games in one call, for measuring;
      ``blank`` is the memory before ``new``.
    - ``encode(view, features)`` turns one view into features.
    """

    begin: Callable[..., None]
    play: Callable[..., None]
    observe: Callable[..., None]
    random: Callable[..., int]
    encode: Callable[..., None]


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
        memory = state_bytes(game.new_states(1, options))
        masks, views = np.zeros((1, game.actions.count), np.int8), np.zeros((1, game.layout.size), np.int32)
        features = np.zeros((1, game.layout.feature_size), np.float32)
        rewards, finished = np.zeros((1, MAX_SEATS)), np.zeros(1, np.uint8)
        actors, which = np.zeros(1, np.int8), np.zeros(1, np.int64)
        made.begin(memory, which, np.zeros(1, np.uint64), False, masks, views, features, actors)
        action = np.array([masks[0].argmax()])
        made.play(memory, which, action, False, masks, views, features, rewards, finished, actors)
        made.observe(memory, 0, 0, masks[0], views[0], features[0])


def _make(game: Game) -> Driver:
    new, legal, step, view = game.new, game.legal, game.step, game.view
    encode = make_encoder(game.layout, game.sources)
    compiled = kernel(sources=game.sources)
    records = np.dtype((np.record, game.state))

    @compiled
    def play_forced(state, skip_forced, mask):
        """Write the mask; with ``skip_forced`` first play on while there is just one legal action."""
        legal(state, mask)
        while skip_forced and state.finished == 0:
            count, only = 0, 0
            for action in range(mask.shape[0]):
                if mask[action] != 0:
                    count += 1
                    only = action
            if count != 1:
                break
            step(state, np.int64(only))  # a literal 0 would compile all of step once more
            legal(state, mask)

    @compiled
    def write(state, seat, out, features):
        view(state, seat, out)
        if features.shape[0] > 0:
            encode(out, features)

    @compiled
    def begin(memory, which, seeds, skip_forced, masks, views, features, actors):
        states = memory.view(records)
        for k in range(which.shape[0]):
            i = which[k]
            state = states[i]
            new(state, seeds[k])
            play_forced(state, skip_forced, masks[i])
            write(state, max(state.actor, 0), views[i], features[i])
            actors[i] = state.actor

    @compiled
    def play(memory, which, actions, skip_forced, masks, views, features, rewards, finished, actors):
        states = memory.view(records)
        for k in range(which.shape[0]):
            i = which[k]
            state = states[i]
            state.rewards[:] = 0
            if state.finished == 0:
                step(state, actions[k])
                play_forced(state, skip_forced, masks[i])
                write(state, max(state.actor, 0), views[i], features[i])
            rewards[i, :] = state.rewards
            finished[i] = state.finished
            actors[i] = state.actor

    @compiled
    def observe(memory, table, seat, mask, out, features):
        state = memory.view(records)[table]
        if seat == state.actor:
            legal(state, mask)
        else:
            mask[:] = 0
        write(state, seat, out, features)

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
                if state.finished != 0:
                    episode += 1
                    states[i] = fresh[i]
                    new(state, derive(seed, last + episode))
                else:
                    state.rewards[:] = 0
                    step(state, choose(stream, masks[i]))
                    done += 1
                play_forced(state, skip_forced, masks[i])
                write(state, max(state.actor, 0), views[i], features[i])
        return done

    return Driver(begin, play, observe, random, encode)
