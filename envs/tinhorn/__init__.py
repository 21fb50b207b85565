"""Tinhorn: card games with hidden hands as reinforcement-learning environments.

>>> import tinhorn
>>> env = tinhorn.make("cold_hand_v0", num_players=4)
>>> env.reset(seed=1)
"""

from typing import Any

from tinhorn.aec import TableEnv
from tinhorn.registry import get_game, list_games, register

__all__ = ["get_game", "list_games", "make", "register"]
__version__ = "0.1.0"


def make(name: str, **settings: Any) -> TableEnv:
    """The AEC environment of a game, ``make("cold_hand_v0", num_players=4)``.

    Takes the settings of `TableEnv` and the game's own options. Raises UnknownGameError, OptionError.
    """
    return TableEnv(get_game(name), **settings)
