"""Tinhorn: card games with hidden hands as reinforcement-learning environments.

>>> import tinhorn
>>> env = tinhorn.make("cold_hand_v0", num_players=4)
>>> env.reset(seed=1)
"""

from tinhorn.registry import get_game, list_games, make, register

__all__ = ["get_game", "list_games", "make", "register"]
__version__ = "0.1.0"
