"""The one list of games."""

from importlib import import_module

from tinhorn.core.game import Game, add_game, find_game, known_games

_MODULES = ("cold_hand",)

for _name in _MODULES:
    add_game(import_module(f"tinhorn.games.{_name}").GAME)


def list_games() -> list[Game]:
    """All games, built in or added with `register`."""
    return known_games()


def get_game(name: str) -> Game:
    """The game of that name, with or without ``_v0``. Raises UnknownGameError that lists the known ones."""
    return find_game(name)


def register(game: Game) -> Game:
    """Add a game of your own: everything that takes a game's name then takes it too."""
    return add_game(game)
