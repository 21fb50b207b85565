"""What commands read from their arguments: bots, a game and its options, files to write."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tinhorn.bots import BY_RULE, Bot, BotError, load
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn.registry import get_game
from tinhorn_training.errors import InputError

GameName = Annotated[
    str | None, typer.Option("--game", "-g", help="Left out, it is the game of the first exported bot or checkpoint.")
]
Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        "-n",
        help="Seats at the table. [default: what the first bot was trained for, else the game's]",
        show_default=False,
    ),
]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable.")
]


def names_of(text: str) -> list[str]:
    """The names in a comma-separated list. Raises InputError when there are none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise InputError(f"{text!r} names no bot")
    return names


def load_bots(names: Sequence[str], game_name: str | None) -> tuple[Game, list[Bot]]:
    """The bots of those names, each loaded once, and the game they play.

    Raises InputError when nothing says which game it is, BotError for a bot that cannot be had.
    """
    game = get_game(game_name) if game_name is not None else _game_of(names)
    loaded: dict[str, Bot] = {}
    for name in names:
        if name not in loaded:
            loaded[name] = load(name, game)
    return game, [loaded[name] for name in names]


def _game_of(names: Iterable[str]) -> Game:
    """The game of the first bot that knows its own."""
    for name in names:
        if name.partition(":")[0] not in BY_RULE:
            game = getattr(load(name), "game", None)
            if game is None:
                raise BotError(f"{name} does not say which game it plays: add --game")
            found: Game = game
            return found
    raise InputError("which game? Add --game NAME; `tinhorn games` lists them")


def game_options(game: Game, players: int | None, settings: Iterable[str] | None, bots: Iterable[Bot] = ()) -> Options:
    """The game's options from ``--players`` and ``NAME=VALUE`` settings. Raises OptionError, InputError.

    Where they name no number of players, it is one for which the first trained one of ``bots`` was trained.
    """
    players = players or _learnt_size(game, bots)
    values: dict[str, Any] = {} if players is None else {"num_players": players}
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--option {setting}: write NAME=VALUE")
        values[name.strip()] = _value(value.strip())
    return game.options.make(values)


def _learnt_size(game: Game, bots: Iterable[Bot]) -> int | None:
    """The first table size that the first trained bot knows, unless it knows the game's own."""
    for bot in bots:
        learnt = getattr(bot, "players", ())
        if learnt:
            return None if game.options.make({}).num_players in learnt else int(learnt[0])
    return None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # ValueError: also a number of thousands of digits
        return text


def check_writable(path: Path | None) -> None:
    """Fail now, not after a long run, where a file cannot be written. Raises InputError."""
    if path is None:
        return
    try:
        existed = path.exists()
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
