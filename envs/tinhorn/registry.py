"""The one list of games, and where PettingZoo and Gymnasium learn of them."""

from importlib import import_module

import gymnasium
import pettingzoo

from tinhorn.core.game import Game, add_game, find_game, known_games

_MODULES = ("cold_hand", "five_card_draw", "cowboy_draw", "hand")


def list_games() -> list[Game]:
    """All games, built in or added with `register`."""
    return known_games()


def get_game(name: str) -> Game:
    """The game of that name, with or without ``_v0``. Raises UnknownGameError that lists the known ones."""
    return find_game(name)


def register(game: Game) -> Game:
    """Add a game: everything that takes a game's name takes it from now on.

    It is also registered with PettingZoo (``pettingzoo.make("aec", "tinhorn/cold_hand-v0")``) and Gymnasium
    (``gymnasium.make("tinhorn/ColdHand-v0")``, ``gymnasium.make_vec``).
    """
    add_game(game)
    aec_id = f"tinhorn/{game.name}-v{game.version}"
    pettingzoo.register("aec", aec_id, "tinhorn.aec:TableEnv", kwargs={"game": game.name})
    camel = "".join(part.capitalize() for part in game.name.split("_"))
    gymnasium.register(
        f"tinhorn/{camel}-v{game.version}",
        entry_point="tinhorn.seat:SeatEnv",
        vector_entry_point="tinhorn.seat:SeatVectorEnv",
        kwargs={"game": game.name},
    )
    return game


for _name in _MODULES:
    register(import_module(f"tinhorn.games.{_name}").GAME)
