"""How strong a bot is: duplicate deals, every seat in turn, intervals that know which games share a deal.

Each deal is played once for every seat of the bot, with the same luck for tables and bots (`matches`). The others sit
in fixed places relative to it, and change places from deal to deal until each has had every one. Bots that are equal
move by move get exactly the fair share: every rotation is then the same game, seen from another seat.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from tinhorn.bots import Bot
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn_training.errors import InputError
from tinhorn_training.matches import EVALUATION_DEALS, TABLES, Played, deal_seeds, play_games
from tinhorn_training.style import Habit

DEALS = 10_000
_FEW_DEALS = 100
UNDECIDED = "undecided"


@dataclass(frozen=True)
class Estimate:
    """A mean over deals with its 95% interval; ``low`` and ``high`` are None for a single deal."""

    value: float
    low: float | None
    high: float | None

    @property
    def width(self) -> float | None:
        """Half the interval, or the longer part of one that is cut at what is possible."""
        return None if self.low is None or self.high is None else max(self.high - self.value, self.value - self.low)


@dataclass(frozen=True)
class Score:
    """One measure of a bot: over all seats, and seat by seat (where the seat has an advantage, it shows).

    ``close``: differences from the fair share of up to this do not matter.
    """

    name: str
    unit: str
    fair: float
    mean: Estimate
    seats: list[Estimate]
    close: float

    @property
    def verdict(self) -> str:
        """Where all of the interval lies: ``"above"``, ``"below"`` or, within ``close``, ``"at"`` the fair share.

        Else the result is ``"undecided"``.
        """
        if self.mean.low is None or self.mean.high is None:
            return UNDECIDED
        slack = 1e-9 * max(1.0, abs(self.fair))
        if self.mean.low > self.fair + slack:
            return "above"
        if self.mean.high < self.fair - slack:
            return "below"
        near = self.fair - self.close <= self.mean.low and self.mean.high <= self.fair + self.close
        return "at" if near else UNDECIDED

    def deals_to_decide(self, deals: int) -> int | None:
        """About how many deals, two digits, would decide what so many have not, if the value stays what it is.

        The interval then either leaves out the fair share or lies within ``close`` of it. None when it is decided or
        there is no interval to go by.
        """
        width, away = self.mean.width, abs(self.mean.value - self.fair)
        if self.verdict != UNDECIDED or not width:
            return None
        wanted = max(away, self.close - away)
        needed = math.ceil(deals * (width / wanted) ** 2 - 1e-6)
        unit = 10 ** max(len(str(needed)) - 2, 0)
        return math.ceil(needed / unit) * unit


@dataclass(frozen=True)
class Evaluation:
    """The result. ``scores[0]`` is the headline; ``style`` maps bots to their habits when it was asked for."""

    game: str
    options: dict[str, Any]
    bot: str
    against: list[str]
    deals: int
    games: int
    seed: int
    scores: list[Score]
    decisions: int
    seconds: float
    truncated: int
    notes: list[str]
    style: dict[str, list[Habit]] = field(default_factory=dict)
    tinhorn: str = field(default_factory=lambda: version("tinhorn"))

    @property
    def headline(self) -> Score:
        """The game's first measure."""
        return self.scores[0]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain JSON, the verdicts included."""
        made = asdict(self)
        for entry, score in zip(made["scores"], self.scores, strict=True):
            entry["verdict"], entry["deals_to_decide"] = score.verdict, score.deals_to_decide(self.deals)
        return made


def evaluate(
    game: Game,
    bot: Bot,
    against: Sequence[Bot],
    options: Options,
    *,
    deals: int = DEALS,
    seed: int = 0,
    purpose: int = EVALUATION_DEALS,
    tables: int = TABLES,
    style: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Play ``deals`` deals, each from every seat.

    Args:
        against: who fills the other seats. purpose: which seeds, see `matches`.
        progress: called with the number of games finished; ``deals * num_players`` in all.

    Raises:
        InputError: no deals or nobody to play against.
    """
    if deals < 1:
        raise InputError(f"deals={deals}: at least one")
    if not against:
        raise InputError("nobody to play against: name at least one bot")
    seating = duplicate_seating(deals, options, len(against))
    seeds = np.repeat(deal_seeds(purpose, seed, deals), options.num_players)
    bots = [bot, *against]
    played = play_games(game, options, bots, seating, seeds, tables=tables, style=style, progress=progress)
    return Evaluation(
        game=game.id,
        options=options.as_dict(),
        bot=bot.name,
        against=[other.name for other in against],
        deals=deals,
        games=len(seeds),
        seed=seed,
        scores=scores(game, played, options.num_players),
        decisions=int(played.decisions.sum()),
        seconds=round(played.seconds, 3),
        truncated=played.truncated,
        notes=_notes(bot, against, deals, options, played),
        style={} if played.style is None else _habits(bots, played),
    )


def duplicate_seating(deals: int, options: Options, opponents: int) -> np.ndarray:
    """Who has which seat, int64[deals * players, players]: 0 for the bot, 1 and up for the opponents.

    Row ``deal * players + r`` has the bot in seat r and in all of its side (`Options.side`). The j-th other seat after
    it goes to the opponents in turn.
    """
    players = options.num_players
    deal, rotation, after = np.ogrid[:deals, :players, :players]
    own = np.zeros((players, players), bool)  # [seat of the bot, seats after it]
    for seat in range(players):
        own[seat, (np.array(options.side(seat)) - seat) % players] = True
    who = np.where(own, 0, 1 + (np.cumsum(~own, axis=1) - 1 + deal) % opponents)
    seating = np.zeros((deals, players, players), np.int64)
    seats = np.broadcast_to((rotation + after) % players, seating.shape)
    np.put_along_axis(seating, seats, np.broadcast_to(who, seating.shape), axis=2)
    return seating.reshape(-1, players)


def scores(game: Game, played: Played, players: int, after: int = 0) -> list[Score]:
    """All measures of the bot that sat in seat r in the r-th game of every deal, or ``after`` seats after that one."""
    by_deal = played.values.reshape(-1, players, players, len(game.measures))
    rotations = np.arange(players)
    own = by_deal[:, rotations, (rotations + after) % players]  # [deals, rotation, measure]
    return [
        Score(
            measure.name,
            measure.unit,
            float(measure.fair(players)),
            estimate(own[:, :, number].mean(axis=1), measure.limits),
            [estimate(own[:, seat, number], measure.limits) for seat in range(players)],
            measure.close,
        )
        for number, measure in enumerate(game.measures)
    ]


def estimate(values: np.ndarray, limits: tuple[float, float] = (-np.inf, np.inf)) -> Estimate:
    """The mean of independent values (float64[K]) with its 95% interval by Student's t, cut at ``limits``."""
    mean = float(values.mean())
    if len(values) < 2:
        return Estimate(mean, None, None)
    margin = _student(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(mean, max(mean - margin, limits[0]), min(mean + margin, limits[1]))


def _student(freedom: int) -> float:
    """The 97.5% point of Student's t: a table, then an expansion in 1/freedom (error below 0.001)."""
    table = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447)
    if freedom <= len(table):
        return table[freedom - 1]
    return 1.95996 + 2.37227 / freedom + 2.8225 / freedom**2 + 2.5556 / freedom**3


def _notes(bot: Bot, against: Sequence[Bot], deals: int, options: Options, played: Played) -> list[str]:
    notes = []
    if all(other.name == "random" for other in against):
        notes.append(
            "Random play is the only opponent: this says little about strength. Evaluate against house as well."
        )
    if all(other.name == bot.name for other in against):
        notes.append("The bot plays against itself: with equal luck in every seat its share is the fair one.")
    if deals < _FEW_DEALS:
        notes.append(f"Only {deals} deals: the interval is rough.")
    if played.truncated:
        notes.append(f"{played.truncated:,} of {len(played.values):,} games were cut off by {_limit(options)}.")
    return notes


def _limit(options: Options) -> str:
    """What cuts games off: an option of the game, with its value."""
    name = options.cut_off_by
    return f"the option {name}={getattr(options, name)}" if name else "a limit of the engine"


def _habits(bots: Sequence[Bot], played: Played) -> dict[str, list[Habit]]:
    assert played.style is not None
    return {bot.name: played.style.of(number) for number, bot in reversed(list(enumerate(bots)))}
