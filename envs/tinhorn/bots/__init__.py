"""Opponents, named by one string everywhere: ``random``, ``house``, ``house:loose``, ``search:200``, or a path."""

import os.path
import re
from importlib.metadata import entry_points
from pathlib import Path

from tinhorn.bots.base import Bot, BotError, decide
from tinhorn.bots.scripted import HouseBot, RandomBot
from tinhorn.bots.search import WORLDS_WANTED, SearchBot
from tinhorn.core.game import Game

__all__ = ["Bot", "BotError", "HouseBot", "RandomBot", "SearchBot", "decide", "load"]

BY_RULE = ("random", "house", "search")  # kinds that need no file, and play any game
SHIPPED = Path(__file__).parent / "shipped"
_LONGEST = 200  # letters of a name in an error message
_NEEDS_TRAIN = "checkpoints need the train extra: in a clone of tinhorn, pip install '.[train]'"


def load(name: str | Path, game: Game | str | None = None) -> Bot:
    """The bot of that name.

    Args:
        name: ``random``, ``house``, ``house:STYLE``, ``search:WORLDS``, the path of an exported bundle (a folder), the
            name of a shipped one, or the path of a checkpoint (a ``.zip`` file; needs the ``train`` extra).
            ``greedy:`` before one of these three makes it play its likeliest action.
        game: the game to play; may be left out for a bundle or a checkpoint, which know theirs.

    Raises:
        BotError: unknown name, missing or broken file, another game or version.
    """
    if isinstance(game, str):
        from tinhorn.registry import get_game

        game = get_game(game)
    text = str(name)
    kind, _, argument = text.partition(":")
    if kind in BY_RULE:
        if game is None:
            raise BotError(f"{text}: say which game it is to play")
        return _by_rule(kind, argument, game)
    if kind == "greedy":
        if argument.startswith("greedy:"):
            raise BotError(f"{_brief(text)}: greedy: stands once before a name")
        return _greedy(text, load(argument, game))
    path = Path(text)
    if not os.path.exists(path) and os.path.isdir(SHIPPED / text):
        path = SHIPPED / text
    if os.path.isdir(path):  # unlike Path's, it answers for any text: one too long for a file names none
        from tinhorn.bots.exported import load_bundle

        return load_bundle(path, game, text)
    if path.suffix == ".zip":
        return _by_plugin(path, game)
    shipped = [folder.name for folder in shipped_folders()]
    raise BotError(
        f"unknown bot {_brief(text)!r}: give random, house, house:STYLE, search:WORLDS, the folder of an exported bot "
        "or a checkpoint (.zip), greedy: before one of these two for its likeliest action"
        + (f", or a shipped bot: {', '.join(shipped)}" if shipped else "")
    )


def shipped_folders() -> list[Path]:
    """The exported bots that come with the package; the name of a folder is that of its bot."""
    return sorted(SHIPPED.iterdir()) if SHIPPED.is_dir() else []


def _brief(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _greedy(name: str, bot: Bot) -> Bot:
    if not hasattr(bot, "greedy"):
        raise BotError(f"{name}: only networks have a likeliest action: name a checkpoint or an exported bot")
    bot.greedy, bot.name = True, name
    return bot


def _by_rule(kind: str, argument: str, game: Game) -> Bot:
    if kind == "house":
        return HouseBot(game, argument)
    if kind == "random":
        return RandomBot()
    if re.fullmatch("[0-9]{1,9}", argument) is None:
        raise BotError(f"search:{_brief(argument)}: give {WORLDS_WANTED}")
    return SearchBot(game, int(argument))


def _by_plugin(path: Path, game: Game | None) -> Bot:
    """A checkpoint: whoever trains registers its loader as the entry point ``checkpoint`` of ``tinhorn.bots``."""
    if not os.path.isfile(path):
        raise BotError(f"{_brief(str(path))}: there is no such checkpoint")
    for point in entry_points(group="tinhorn.bots", name="checkpoint"):
        try:
            loader = point.load()
        except ImportError as error:
            raise BotError(f"{path}: {_NEEDS_TRAIN} ({error})") from error
        bot: Bot = loader(path, game)
        return bot
    raise BotError(f"{path}: {_NEEDS_TRAIN}")
