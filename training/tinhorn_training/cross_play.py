"""Every bot against every other: a matrix of duplicate matches, and a rating from their games."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from tinhorn.bots import Bot
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn_training.errors import InputError
from tinhorn_training.evaluate import Score, duplicate_seating, scores
from tinhorn_training.matches import EVALUATION_DEALS, TABLES, deal_seeds, play_games

RATED_GAMES = 4000  # at most; a rating hardly moves after a thousand


@dataclass(frozen=True)
class Rating:
    """OpenSkill (Plackett-Luce): skill ``mu``, uncertainty ``sigma``; ``ordinal`` = mu - 3 sigma ranks bots."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A skill that the bot has almost surely."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True)
class CrossPlay:
    """``scores[i][j]`` is the headline of bot i when bot j has all other seats; None on the diagonal (fair)."""

    game: str
    options: dict[str, Any]
    bots: list[str]
    deals: int
    seed: int
    scores: list[list[Score | None]]
    ratings: list[Rating]
    games: int
    seconds: float
    tinhorn: str = field(default_factory=lambda: version("tinhorn"))

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return asdict(self)


def matches_of(num_bots: int, players: int) -> list[tuple[int, int]]:
    """Who is measured against whom; with two players one match measures both."""
    pairs = [(row, column) for row in range(num_bots) for column in range(num_bots) if row != column]
    return [(row, column) for row, column in pairs if players > 2 or row < column]


def cross_play(
    game: Game,
    bots: Sequence[Bot],
    options: Options,
    *,
    deals: int,
    seed: int = 0,
    tables: int = TABLES,
    progress: Callable[[int], None] | None = None,
) -> CrossPlay:
    """Play ``deals`` duplicate deals for every match.

    Raises:
        InputError: fewer than two bots, one named twice, or no deals.
    """
    names = [bot.name for bot in bots]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError("cross-play needs at least two bots, each named once")
    if deals < 1:
        raise InputError(f"deals={deals}: at least one")
    players = options.num_players
    seeds = np.repeat(deal_seeds(EVALUATION_DEALS, seed, deals), players)
    lineup = duplicate_seating(deals, options, 1)
    table: list[list[Score | None]] = [[None] * len(bots) for _ in bots]
    seatings, results, seconds = [], [], 0.0
    for number, (row, column) in enumerate(matches_of(len(bots), players)):
        done = number * len(seeds)
        report = None if progress is None else lambda n, done=done, tell=progress: tell(done + n)
        played = play_games(game, options, [bots[row], bots[column]], lineup, seeds, tables=tables, progress=report)
        table[row][column] = scores(game, played, players)[0]
        if players == 2:
            table[column][row] = scores(game, played, players, after=1)[0]
        seatings.append(np.where(lineup == 0, row, column))
        results.append(played.values[:, :, 0])
        seconds += played.seconds
    seating, values = np.concatenate(seatings), np.concatenate(results)
    return CrossPlay(
        game=game.id,
        options=options.as_dict(),
        bots=names,
        deals=deals,
        seed=seed,
        scores=table,
        ratings=rate(seating, values, len(bots), seed),
        games=len(seating),
        seconds=round(seconds, 3),
    )


def rate(seating: np.ndarray, values: np.ndarray, num_bots: int, seed: int = 0) -> list[Rating]:
    """Ratings of bots from games: who sat where (int[G, n]) and what each seat got (float64[G, n], more is better).

    Seats of the same bot are rated on their own in a game and averaged afterwards. Up to `RATED_GAMES` games count,
    drawn at random.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(num_bots)]
    order = np.random.default_rng(seed).permutation(len(seating))[:RATED_GAMES]
    for who, gains in zip(seating[order].tolist(), values[order].tolist(), strict=True):
        after = model.rate([[ratings[bot]] for bot in who], scores=gains)
        for bot in set(who):
            copies = [team[0] for team, sitting in zip(after, who, strict=True) if sitting == bot]
            mu = sum(copy.mu for copy in copies) / len(copies)
            sigma = sum(copy.sigma for copy in copies) / len(copies)
            ratings[bot] = model.rating(mu=mu, sigma=sigma)
    return [Rating(rating.mu, rating.sigma) for rating in ratings]
