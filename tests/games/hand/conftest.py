"""Hand is not in the registry yet: no trained bot, configurations and page. Its tests make it known themselves."""

import pytest

from tinhorn.core import game
from tinhorn.games.hand import GAME


@pytest.fixture(autouse=True, scope="module")
def _known():
    game.add_game(GAME)
    yield
    del game._games[GAME.name]
