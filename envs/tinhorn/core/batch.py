"""Many tables at once: the engine as arrays."""

import operator
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tinhorn.core.driver import as_bytes, driver, outputs, warm_up
from tinhorn.core.game import Game
from tinhorn.core.options import OptionError, Options
from tinhorn.core.rng import as_seed, derive
from tinhorn.core.table import IllegalActionError, Table

# Other names for memory that `states` and `_outputs` hold, and what no copy can share.
_BOUND = ("_memory", "_written", "masks", "views", "features", "rewards", "finished", "actors", "_driver", "_pool")


class Batch:
    """N tables of one game in arrays that are overwritten in place at every step.

    Args:
        game: the game. options: its options for all tables, or several that the tables take in turn (tables of two and
            of four players in one batch); None takes the defaults.
        num_tables: N. seed: table i plays episode k with seed ``derive(derive(seed, i), k)``; see `seeds`.
        features: also write float features. skip_forced: play decisions with one legal action inside the engine.
        autoreset: a finished table starts its next episode in the same step.
        threads: split the tables over so many threads (one is the default and often the fastest).

    Attributes:
        states: record array [N]. masks: int8[N, A]. views: int32[N, V] and features: float32[N, D] (width 0 when
        off) of the seat to act. actors: int8[N], -1 where finished. rewards: float64[N, 6] of the last step.
        finished: uint8[N], whether the last step ended an episode. seeds: uint64[N] of the running episodes.
    """

    def __init__(
        self,
        game: Game,
        num_tables: int,
        options: Options | Sequence[Options] | None = None,
        *,
        seed: int | None = None,
        features: bool = False,
        skip_forced: bool = False,
        autoreset: bool = True,
        threads: int = 1,
    ) -> None:
        if num_tables < 1:
            raise ValueError(f"num_tables={num_tables}: a batch has at least one table")
        if threads < 1:
            raise ValueError(f"threads={threads}: at least one")
        warm_up(game)
        self.game, self.num_tables = game, num_tables
        given = [options] if options is None or isinstance(options, Options) else list(options)
        if not given:
            raise OptionError("options=[]: give the options of one table at least, or None for the defaults")
        self.options = [game.own(each) for each in given]
        self.skip_forced, self.autoreset = skip_forced, autoreset
        self.states = game.new_states(num_tables, self.options[0])
        for place, other in enumerate(self.options):
            self.states[place :: len(self.options)] = game.new_states(1, other)[0]
        self._blank = as_bytes(self.states).copy()
        self._outputs = outputs(game, num_tables, features=features)
        self.threads = min(threads, num_tables)
        self._all = np.arange(num_tables)
        self._bind()
        self.reset(seed)

    def _bind(self) -> None:
        """Name the arrays that the compiled loops write, and get the loops."""
        self._memory = as_bytes(self.states)
        self.masks, self.views, self.features, self.rewards, self.finished, self.actors = self._outputs
        self._written = [as_bytes(array) for array in self._outputs]
        self._driver = driver(self.game)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _BOUND}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        warm_up(self.game)
        self.states = self.states.view(np.recarray)
        self._bind()

    @property
    def seeds(self) -> np.ndarray:
        """The seed of the episode that runs at each table, uint64[N]: `make(...).reset(seed=)` replays it."""
        return np.asarray(self.states.seed)

    def reset(self, seed: int | None = None, seeds: Sequence[int] | np.ndarray | None = None) -> None:
        """Start a new episode at every table, from one seed or from ``seeds`` [N] of their own."""
        base = as_seed(seed)
        self._table_seeds = np.array([derive(base, table) for table in self._all], np.uint64)
        self._episodes = np.zeros(self.num_tables, np.int64)
        self._begin(self._all, seeds)
        self.rewards[:] = 0
        self.finished[:] = 0

    def step(self, actions: np.ndarray, tables: np.ndarray | None = None) -> None:
        """Apply one action (int[K]) at each of ``tables`` (int[K], all of them by default).

        Then finished tables start anew when ``autoreset`` is on. An action at a finished table does nothing. `rewards`
        and `finished` speak of the tables that were stepped.

        Raises:
            IllegalActionError: an action that `masks` forbids. ValueError: what is no action or no table. Nothing has
                changed then.
        """
        which = self._all if tables is None else self._tables(tables)
        acts = _whole("actions", actions, np.int64)
        if acts.shape != which.shape:
            raise ValueError(f"actions have shape {acts.shape}, the tables to step {which.shape}")
        self._check(which, acts)
        if self._pool is None:
            self._play(which, acts)
        else:
            parts = _ranges(len(which), self.threads)
            list(self._pool.map(lambda part: self._play(which[slice(*part)], acts[slice(*part)]), parts))
        if self.autoreset:
            ended = which[self.finished[which] != 0]
            if len(ended):
                self._begin(ended)

    def restart(self, tables: np.ndarray, seeds: np.ndarray | None = None) -> None:
        """Start the next episode at some tables (int[K]), with ``seeds`` (uint64[K]) of their own if given."""
        self._begin(self._tables(tables), seeds)

    def table(self, number: int) -> Table:
        """A copy of one table, to look at or to play on from there."""
        alone = Table(self.game, self.options[number % len(self.options)])
        alone.load(self.states[number])
        return alone

    def _tables(self, tables: Sequence[int] | np.ndarray) -> np.ndarray:
        """Numbers of tables, int64[K], each once. Raises ValueError."""
        which = _whole("tables", tables, np.int64)
        if which.ndim != 1 or ((which < 0) | (which >= self.num_tables)).any():
            raise ValueError(f"tables are a list of numbers of 0 to {self.num_tables - 1}, not {tables!r}")
        if np.bincount(which, minlength=1).max(initial=0) > 1:
            raise ValueError(f"a table is named twice: {tables!r}")
        return which

    def _check(self, which: np.ndarray, acts: np.ndarray) -> None:
        """Whether every action is legal. Raises IllegalActionError that explains the first one that is not."""
        inside = (acts >= 0) & (acts < self.masks.shape[1])
        legal = inside & (self.masks[which, np.where(inside, acts, 0)] != 0)
        for k in np.flatnonzero(~legal & (self.actors[which] >= 0)):
            edge = self.table(int(which[k]))
            if not edge.is_legal(acts[k]):  # amounts beyond the action table are
                raise IllegalActionError(f"table {which[k]}: {edge.explain(acts[k])}")

    def _play(self, which: np.ndarray, actions: np.ndarray) -> None:
        self._driver.play(self._memory, which, actions, self.skip_forced, *self._written)

    def _begin(self, tables: np.ndarray, seeds: Sequence[int] | np.ndarray | None = None) -> None:
        if seeds is None:
            pairs = zip(self._table_seeds[tables], self._episodes[tables], strict=True)
            own = np.array([derive(seed, episode) for seed, episode in pairs], np.uint64)
            self._episodes[tables] += 1
        else:
            own = _whole("seeds", seeds if isinstance(seeds, np.ndarray) else _folded(seeds), np.uint64)
            if own.shape != tables.shape:
                raise ValueError(f"seeds have shape {own.shape}, the tables to start {tables.shape}")
        blank = self._blank.reshape(self.num_tables, -1)
        self._memory.reshape(self.num_tables, -1)[tables] = blank[tables]
        self._driver.begin(self._memory, tables, own, self.skip_forced, *self._written)

    def random_decisions(self, decisions: int, seed: int = 0) -> int:
        """Play at least ``decisions`` random legal decisions in compiled loops; returns how many. For measuring."""

        def run(part: tuple[int, int]) -> int:
            arrays = self._written[:3]
            share = decisions // self.threads
            return int(self._driver.random(self._memory, self._blank, *part, share, base, self.skip_forced, *arrays))

        base, parts = np.uint64(seed), _ranges(self.num_tables, self.threads)
        return sum(map(run, parts) if self._pool is None else self._pool.map(run, parts))


def _whole(what: str, values: Any, dtype: Any) -> np.ndarray:
    """Whole numbers as an array. Raises ValueError for anything else, truth values included."""
    given = np.asarray(values)
    if given.dtype.kind not in "iu" and given.size:
        raise ValueError(f"{what} are whole numbers, not {given.dtype}: {values!r}")
    return np.ascontiguousarray(given, dtype)


def _folded(seeds: Any) -> Any:
    """Seeds in a list as numpy takes them, of any size and sign."""
    try:
        return [as_seed(operator.index(seed)) for seed in seeds]
    except TypeError:
        return seeds


def _ranges(count: int, parts: int) -> list[tuple[int, int]]:
    edges = np.linspace(0, count, parts + 1).astype(int).tolist()
    return list(zip(edges[:-1], edges[1:], strict=True))
