"""Many games between given bots in given seats: what evaluation, cross-play and validation stand on.

All luck of game g follows from its seed: that of the table, and that of the bot in seat k, whoever sits there. So a
result depends neither on how many tables are played at once nor on the order of the games, and two line-ups that meet
on the same seed share all luck (common random numbers).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tinhorn.bots import Bot, BotError, decide
from tinhorn.core.batch import Batch
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn.core.rng import as_seed, derive
from tinhorn_training.style import StyleCounts

TABLES = 2048

# Sub-streams of a user's seed from which deals come. A batch derives the seeds of its episodes from sub-streams 0,
# 1, 2 .. of its seed, one a table; these lie where no batch has a table, so that no deal of a final evaluation is
# ever trained or validated on, even with equal seeds (but for chance collisions of 64-bit numbers).
VALIDATION_DEALS = 1 << 40
EVALUATION_DEALS = 3 << 40
# Sub-streams of a game's seed: the table takes 0, 1, 2 .. (one a hand), the bot in seat k this plus k.
BOT_LUCK = 1 << 40


@dataclass(frozen=True)
class Played:
    """What came out.

    Attributes:
        values: float64[G, players, M], each measure of each seat. decisions: int64[B] by bot, forced ones left out.
        truncated: games cut off by a limit that is no rule. seconds: wall-clock. style: by bot, when asked for.
    """

    values: np.ndarray
    decisions: np.ndarray
    truncated: int
    seconds: float
    style: StyleCounts | None


def deal_seeds(purpose: int, seed: int, count: int) -> np.ndarray:
    """The seeds (uint64[count]) of the deals of ``seed`` for `VALIDATION_DEALS` or `EVALUATION_DEALS`."""
    base = np.uint64(derive(as_seed(seed), purpose))  # kernels return plain integers
    return np.array([derive(base, deal) for deal in range(count)], np.uint64)


def play_games(
    game: Game,
    options: Options,
    bots: Sequence[Bot],
    seating: np.ndarray,
    seeds: np.ndarray,
    *,
    tables: int = TABLES,
    style: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play games to their ends.

    Args:
        seating: int[G, players], which of ``bots`` has each seat. seeds: uint64[G].
        tables: so many games at once; it changes memory and speed, not results.
        style: also count how each bot plays. progress: called with the number of games finished so far.

    Raises:
        BotError: a bot chose an illegal action.
    """
    began = time.perf_counter()
    counts = StyleCounts(game, len(bots), min(tables, len(seeds))) if style else None
    run = _Run(game, options, bots, seating, seeds, tables, counts)
    while len(run.active):
        finished = run.collect()
        if finished and progress is not None:
            progress(run.finished)
        run.decide()
    return Played(run.values, run.decisions, run.truncated, time.perf_counter() - began, run.style)


class _Run:
    """Games in progress at the tables of one batch; a finished table takes the next game."""

    def __init__(
        self,
        game: Game,
        options: Options,
        bots: Sequence[Bot],
        seating: np.ndarray,
        seeds: np.ndarray,
        tables: int,
        style: StyleCounts | None,
    ) -> None:
        count = min(tables, len(seeds))
        self.game, self.bots, self.seating, self.seeds, self.style = game, bots, seating, seeds, style
        self.batch = Batch(game, count, options, skip_forced=True, autoreset=False)
        self.batch.reset(seeds=seeds[:count])
        self.active = np.arange(count)
        self.games = np.arange(count)  # at each table
        self.next, self.finished, self.truncated = count, 0, 0
        self.luck = np.zeros((count, options.num_players), np.uint64)  # of the bot in each seat
        self._deal_luck(self.active)
        self._turn = np.zeros(count, np.uint64)
        self._actions = np.zeros(count, np.int64)
        self.values = np.zeros((len(seeds), options.num_players, len(game.measures)))
        self.decisions = np.zeros(len(bots), np.int64)
        if style is not None:
            style.begin(self.active, self.batch.states)

    def _deal_luck(self, tables: np.ndarray) -> None:
        for table in tables:
            seed = self.seeds[self.games[table]]
            self.luck[table] = [derive(seed, BOT_LUCK + seat) for seat in range(self.luck.shape[1])]

    def collect(self) -> int:
        """Take the results of finished games and start the next ones; returns how many finished."""
        total = 0
        while True:
            over = self.batch.actors[self.active] < 0
            ended = self.active[over]
            if not len(ended):
                return total
            total += len(ended)
            self._measure(ended)
            again = ended[: len(self.seeds) - self.next]
            self.games[again] = np.arange(self.next, self.next + len(again))
            self.next += len(again)
            self.active = np.concatenate([self.active[~over], again])
            if len(again):
                self.batch.restart(again, self.seeds[self.games[again]])
                self._deal_luck(again)
                if self.style is not None:
                    self.style.begin(again, self.batch.states)

    def _measure(self, ended: np.ndarray) -> None:
        states, games = self.batch.states[ended], self.games[ended]
        for number, measure in enumerate(self.game.measures):
            for seat in range(self.values.shape[1]):
                self.values[games, seat, number] = measure.of(states, np.full(len(ended), seat))
        if self.style is not None:
            self.style.settle(ended, self.batch.states, self.seating[games])
        self.finished += len(ended)
        self.truncated += int(np.count_nonzero(states.truncated))

    def decide(self) -> None:
        """One decision at every table in play."""
        active, batch = self.active, self.batch
        if not len(active):
            return
        seats = batch.actors[active]
        who = self.seating[self.games[active], seats]
        if self.style is not None:
            self.style.settle(active, batch.states, self.seating[self.games[active]])
        self._turn[active] = self.luck[active, seats]
        for number, bot in enumerate(self.bots):
            tables = active[who == number]
            if len(tables):
                actions = decide(bot, batch, tables, self._turn)
                if not batch.masks[tables, actions].all():
                    raise BotError(f"{bot.name} chose an illegal action")
                self._actions[tables] = actions
                self.decisions[number] += len(tables)
                if self.style is not None:
                    self.style.add(number, tables, batch.actors[tables], actions, batch.masks[tables])
        self.luck[active, seats] = self._turn[active]
        batch.step(self._actions[active], active)
