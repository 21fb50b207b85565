"""Hand is not in the registry yet: it has no trained bot, configurations and page. Its tests make it known themselves."""

from tinhorn.core.game import add_game
from tinhorn.games.hand import GAME

add_game(GAME)
