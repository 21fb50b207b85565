"""One seat learns, bots sit in the others: a game as an ordinary Gymnasium environment, single or vectorized."""

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tinhorn import bots
from tinhorn.bots import Bot
from tinhorn.core.batch import Batch
from tinhorn.core.game import MAX_SEATS, Game, find_game
from tinhorn.core.options import OptionError
from tinhorn.core.rng import as_seed, derive
from tinhorn.core.table import IllegalActionError
from tinhorn.pictures import picture
from tinhorn.spaces import ILLEGAL, OBSERVATIONS, RENDER_MODES, choose, observation_space


class _Seats:
    """Tables at which one seat each is the learner's; plays the bots until the learner is to act or has ended.

    The reward of a learner's step is all that came in since its last decision. A game that ends before the learner's
    first turn is played again with the next seed. An eliminated learner has ended at once.
    """

    def __init__(
        self,
        game: Game,
        num_tables: int,
        opponents: str | Bot | Sequence[str | Bot],
        seat: int | None,
        skip_forced: bool,
        features: bool,
        options: dict[str, Any],
    ) -> None:
        made = game.options.make(options)
        if seat is not None and (isinstance(seat, (bool, float)) or seat not in range(made.num_players)):
            raise OptionError(f"seat={seat!r}: choose 0 to {made.num_players - 1}, or None for a random one")
        names: list[str | Bot] = list(opponents) if isinstance(opponents, (list, tuple)) else [opponents]  # type: ignore[list-item]
        if not names:
            raise OptionError("opponents=[]: give at least one bot, as in opponents='house'")
        self.bots: list[Bot] = [_opponent(name, game) for name in names]
        self.batch = Batch(game, num_tables, made, seed=0, features=features, skip_forced=skip_forced, autoreset=False)
        self._fixed_seat = seat
        self._tables = np.arange(num_tables)
        self.learners = np.zeros(num_tables, np.int64)
        self.pilots = np.zeros((num_tables, MAX_SEATS), np.int64)  # which bot sits where
        self.streams = np.zeros(num_tables, np.uint64)
        self.rewards = np.zeros(num_tables)
        self._base, self._episodes = np.zeros(num_tables, np.uint64), np.zeros(num_tables, np.int64)

    def seed(self, seed: int | None) -> None:
        """Start the seed sequence of every table anew."""
        base = as_seed(seed)
        self._base[:] = [derive(base, table) for table in self._tables]
        self._episodes[:] = 0

    def begin(self, tables: np.ndarray) -> None:
        """Start episodes at ``tables`` (int[K]), each up to the learner's first decision."""
        players = self.batch.options[0].num_players
        while len(tables):
            seeds = np.array([derive(self._base[i], self._episodes[i]) for i in tables], np.uint64)
            self._episodes[tables] += 1
            for table, seed in zip(tables, seeds, strict=True):
                chosen = np.random.Generator(np.random.PCG64(int(derive(seed, 1 << 40))))
                drawn = int(chosen.integers(players))
                self.learners[table] = drawn if self._fixed_seat is None else self._fixed_seat
                self.pilots[table] = chosen.integers(len(self.bots), size=MAX_SEATS)
                self.streams[table] = derive(seed, (1 << 40) + 1)
            self.batch.restart(tables, seeds)
            self._run(tables)
            self.rewards[tables] = 0.0
            tables = tables[self.ended(tables)]

    def ended(self, tables: np.ndarray) -> np.ndarray:
        """Whether the learner of each table has ended, bool[K]."""
        states = self.batch.states
        return (states.finished[tables] != 0) | (states.out[tables, self.learners[tables]] != 0)

    def truncated(self) -> np.ndarray:
        """Whether the game of each table was cut off, bool[N]."""
        return np.asarray(self.batch.states.truncated) != 0

    def step(self, actions: np.ndarray, tables: np.ndarray) -> None:
        """Apply the learners' legal actions (int[K]) at ``tables``, then play on."""
        self.rewards[tables] = 0.0
        self._step(actions, tables)
        self._run(tables)

    def _run(self, tables: np.ndarray) -> None:
        while True:
            waiting = tables[~self.ended(tables)]
            waiting = waiting[self.batch.actors[waiting] != self.learners[waiting]]
            if not len(waiting):
                return
            pilots = self.pilots[waiting, self.batch.actors[waiting]]
            actions = np.zeros(len(waiting), np.int64)
            for index in np.unique(pilots):
                rows = pilots == index
                actions[rows] = bots.decide(self.bots[index], self.batch, waiting[rows], self.streams)
            self._step(actions, waiting)

    def _step(self, actions: np.ndarray, tables: np.ndarray) -> None:
        self.batch.step(actions, tables)
        self.rewards[tables] += self.batch.rewards[tables, self.learners[tables]]


class SeatVectorEnv(VectorEnv):
    """N tables of a game, one learning seat at each: ``gymnasium.make_vec("tinhorn/ColdHand-v0", num_envs=64)``.

    Observations are ``{"observation": float32[N, D], "action_mask": int8[N, A]}``. An episode that ends restarts in the
    same step; its last observation is in ``infos["final_obs"]``.

    Args:
        game: the game, or its name. num_envs: N.
        opponents: a bot, its name, or several: each other seat gets one of them at random, anew in each episode.
        seat: the learner's seat; None draws one in each episode.
        observation: ``"features"`` or ``"view"`` (int32[N, V]).
        illegal: ``"lose"`` ends the episode with -1; ``"raise"`` raises IllegalActionError, nothing has changed.
        skip_forced: play decisions with one legal action inside the engine.
        options: the game's options.
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        opponents: str | Bot | Sequence[str | Bot] = "house",
        seat: int | None = None,
        observation: str = "features",
        illegal: str = "lose",
        skip_forced: bool = True,
        **options: Any,
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        self.num_envs = num_envs
        choose("observation", observation, OBSERVATIONS)
        self._illegal = choose("illegal", illegal, ILLEGAL)
        self._features = observation == "features"
        self.seats = _Seats(self.game, num_envs, opponents, seat, skip_forced, self._features, options)
        self.single_observation_space = seat_space(self.game, observation)
        self.single_action_space = spaces.Discrete(self.game.actions.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.arange(num_envs)
        self._began = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """New episodes everywhere. Without a seed each table goes on with its sequence (from the system's at first)."""
        super().reset(seed=seed)
        if seed is not None or not self.seats._base.any():
            self.seats.seed(seed)
        self.seats.begin(self._all)
        self._began = True
        return self._observations(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Apply one action (int[N]) at each table.

        Raises IllegalActionError with ``illegal="raise"``, and before the first `reset`; ValueError for another shape.
        """
        if not self._began:
            raise IllegalActionError("there is no episode yet: call reset() first")
        seats, acts = self.seats, np.asarray(actions)
        if acts.shape != (self.num_envs,) or acts.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.num_envs} whole numbers, one a table, not {actions!r}")
        legal = self._legal(acts)
        seats.step(acts[legal], self._all[legal])
        rewards = np.where(legal, seats.rewards, -1.0)
        ended = seats.ended(self._all)
        truncations = ended & legal & seats.truncated()
        terminations = (ended | ~legal) & ~truncations
        infos: dict[str, Any] = {}
        done = terminations | truncations
        if done.any():
            infos = {
                "final_obs": _rows(self._observations(), done),
                "_final_obs": done,
                "illegal_action": ~legal,
            }
            seats.begin(self._all[done])
        return self._observations(), rewards, terminations, truncations, infos

    def action_masks(self) -> np.ndarray:
        """The masks of the learners, bool[N, A], as sb3-contrib's MaskablePPO asks for them."""
        return self.seats.batch.masks.astype(bool)

    def _legal(self, actions: np.ndarray) -> np.ndarray:
        masks = self.seats.batch.masks
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & (masks[self._all, np.where(inside, actions, 0)] != 0)
        if self._illegal == "raise" and not legal.all():
            table = int(np.flatnonzero(~legal)[0])
            raise IllegalActionError(f"table {table}: {self.seats.batch.table(table).explain(actions[table])}")
        return np.asarray(legal)

    def _observations(self) -> dict[str, np.ndarray]:
        batch = self.seats.batch
        seen = batch.features if self._features else batch.views
        return {"observation": seen.copy(), "action_mask": batch.masks.copy()}

    def render(self) -> tuple[str, ...]:
        """Each table as its learner sees it."""
        seats = self.seats
        pairs = zip(seats.batch.states, seats.learners, strict=True)
        return tuple(self.game.text(state, int(learner)) for state, learner in pairs)


class SeatEnv(gymnasium.Env):
    """One table with one learning seat: ``gymnasium.make("tinhorn/ColdHand-v0", opponents="house")``.

    See `SeatVectorEnv`, of which this is one table that does not restart by itself. ``render_mode="ansi"`` gives the
    table as text, ``"rgb_array"`` as a picture (uint8[560, 1000, 3], needs matplotlib).
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(self, game: Game | str, *, render_mode: str | None = None, **settings: Any) -> None:
        self.render_mode = choose("render_mode", render_mode, (None, *RENDER_MODES))
        self._vector = SeatVectorEnv(game, 1, **settings)
        self.game, self._illegal = self._vector.game, self._vector._illegal
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self._done = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """A new episode, up to the learner's first decision."""
        super().reset(seed=seed)
        observations, _ = self._vector.reset(seed=seed)
        self._done = False
        return _first(observations), self._info()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Apply the learner's action and play on to its next. Raises IllegalActionError with ``illegal="raise"``."""
        if self._done:
            raise IllegalActionError("the episode is over: call reset()")
        vector, seats = self._vector, self._vector.seats
        acts = np.array([_action_id(action)], np.int64)
        if not vector._legal(acts)[0]:
            self._done = True
            return _first(vector._observations()), -1.0, True, False, self._info() | {"illegal_action": True}
        seats.step(acts, vector._all)
        self._done = bool(seats.ended(vector._all)[0])
        truncated = self._done and bool(seats.truncated()[0])
        reward = float(seats.rewards[0])
        return _first(vector._observations()), reward, self._done and not truncated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """The learner's mask, bool[A], as sb3-contrib's MaskablePPO asks for it."""
        return self._vector.action_masks()[0]

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._vector.seats.batch.masks[0].copy()}

    def render(self) -> str | np.ndarray | None:
        """The table as the learner sees it, see ``render_mode``."""
        if self.render_mode is None:
            return None
        shown = self._vector.render()[0]
        return picture(shown) if self.render_mode == "rgb_array" else shown


def seat_space(game: Game, observation: str) -> spaces.Dict:
    """The observation space of one seat."""
    mask = spaces.Box(0, 1, (game.actions.count,), np.int8)
    return spaces.Dict({"observation": observation_space(game, observation), "action_mask": mask})


def _opponent(bot: str | Bot, game: Game) -> Bot:
    """A bot, by name or as it is. Raises BotError: it is none, or plays another game."""
    if isinstance(bot, str):
        return bots.load(bot, game)
    if not hasattr(bot, "act"):
        raise bots.BotError(f"opponents={bot!r}: give bots or their names, as in opponents='house'")
    plays = getattr(bot, "game", None)
    if plays is not None and plays is not game:
        raise bots.BotError(f"{bot.name} plays {plays.title}, not {game.title}")
    return bot


def _action_id(action: Any) -> int:
    """A whole number as it is; anything else as -1, which is never legal."""
    if isinstance(action, (bool, np.bool_)):
        return -1
    try:
        number = operator.index(action)
    except TypeError:
        return -1
    return number if 0 <= number < 1 << 62 else -1


def _first(observations: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: rows[0] for name, rows in observations.items()}


def _rows(observations: dict[str, np.ndarray], which: np.ndarray) -> np.ndarray:
    """Gymnasium's form of final observations: an object array with a dict where ``which`` is set, else None."""
    final = np.full(len(which), None, dtype=object)
    for index in np.flatnonzero(which):
        final[index] = {name: rows[index] for name, rows in observations.items()}
    return final
