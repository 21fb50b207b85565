"""The compiled loops that drive any game: one table or many, with views, masks and features written on the way.

`driver(game)` makes them once per game, as closures over the game's kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.encoding import make_encoder
from tinhorn.core.game import Game
from tinhorn.core.kernel import announce_compile, kernel
from tinhorn.core.rng import choose, derive

NO_FEATURES = np.zeros(0, np.float32)


@dataclass(frozen=True)
class Driver:
    """The kernels of `driver`. ``states`` are record arrays [N]; ``features`` of width 0 are not written.

    - ``begin(states, which, seeds, skip_forced, masks, views, features, actors)`` starts an episode at each table
      of ``which`` (int[K]) with the seed (uint64) that stands in its place of ``seeds`` [K].
    - ``play(states, first, last, actions, skip_forced, masks, views, features, rewards, finished, actors)``
      applies ``actions[i]`` (int64[N]) to each unfinished table i of first..last-1.
    - ``observe(states, table, seat, mask, view, features)`` writes what one seat sees now.
    - ``random(states, first, last, decisions, seed, ...)`` plays random legal games in one call, for measuring.
    - ``encode(view, features)`` turns one view into features.
    """

    begin: Callable[..., None]
    play: Callable[..., None]
    observe: Callable[..., None]
    random: Callable[..., int]
    encode: Callable[..., None]


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
        states = game.new_states(1, options)
        masks, views = np.zeros((1, game.actions.count), np.int8), np.zeros((1, game.layout.size), np.int32)
        features = np.zeros((1, game.layout.feature_size), np.float32)
        rewards, finished = np.zeros((1, len(states[0].rewards))), np.zeros(1, np.uint8)
        actors = np.zeros(1, np.int8)
        made.begin(
            states, np.zeros(1, np.int64), np.zeros(1, np.uint64), False, masks, views, features, actors
        )
        action = np.array([masks[0].argmax()])
        made.play(states, 0, 1, action, False, masks, views, features, rewards, finished, actors)
        made.observe(states, 0, 0, masks[0], views[0], features[0])


def _make(game: Game) -> Driver:
    new, legal, step, view = game.new, game.legal, game.step, game.view
    encode = make_encoder(game.layout, game.sources)
    compiled = kernel(sources=game.sources)

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
            step(state, only)
            legal(state, mask)

    @compiled
    def write(state, seat, out, features):
        view(state, seat, out)
        if features.shape[0] > 0:
            encode(out, features)

    @compiled
    def begin(states, which, seeds, skip_forced, masks, views, features, actors):
        for k in range(which.shape[0]):
            i = which[k]
            state = states[i]
            new(state, seeds[k])
            play_forced(state, skip_forced, masks[i])
            write(state, max(state.actor, 0), views[i], features[i])
            actors[i] = state.actor

    @compiled
    def play(states, first, last, actions, skip_forced, masks, views, features, rewards, finished, actors):
        for i in range(first, last):
            state = states[i]
            state.rewards[:] = 0
            if state.finished == 0:
                step(state, actions[i])
                play_forced(state, skip_forced, masks[i])
                write(state, max(state.actor, 0), views[i], features[i])
            rewards[i, :] = state.rewards
            finished[i] = state.finished
            actors[i] = state.actor

    @compiled
    def observe(states, table, seat, mask, out, features):
        state = states[table]
        if seat == state.actor:
            legal(state, mask)
        else:
            mask[:] = 0
        write(state, seat, out, features)

    @compiled
    def random(states, first, last, decisions, seed, skip_forced, masks, views, features):
        """At least ``decisions`` decisions, tables in turn; returns how many. Needs tables that have begun."""
        stream = np.zeros(1, np.uint64)
        stream[0] = derive(seed, first)
        episode = 0
        done = 0
        while done < decisions:
            for i in range(first, last):
                state = states[i]
                if state.finished != 0:
                    episode += 1
                    new(state, derive(seed, last + episode))
                else:
                    state.rewards[:] = 0
                    step(state, choose(stream, masks[i]))
                    done += 1
                play_forced(state, skip_forced, masks[i])
                write(state, max(state.actor, 0), views[i], features[i])
        return done

    return Driver(begin, play, observe, random, encode)
