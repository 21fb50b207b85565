"""Bots that need no training: uniformly random play, and each game's house bot with its styles."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tinhorn.bots.base import BotError, checked
from tinhorn.core.game import Game, find_game
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import choose


@kernel
def _choose_all(masks, streams, actions):
    for row in range(masks.shape[0]):
        actions[row] = choose(streams[row : row + 1], masks[row])


@cache
def _house_all(name: str) -> Callable[..., None]:
    game = find_game(name)
    house = game.house

    @kernel(sources=game.sources)
    def house_all(views, masks, style, streams, actions):
        for row in range(views.shape[0]):
            actions[row] = house(views[row], masks[row], style, streams[row : row + 1])

    return house_all


class RandomBot:
    """Any legal action, each as likely."""

    needs_states = False

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def act(self, views: np.ndarray, masks: np.ndarray, streams: np.ndarray, states: Any = None) -> np.ndarray:
        """See `Bot.act`. Raises ValueError for arrays that do not fit."""
        checked(None, views, masks, streams)
        actions = np.zeros(len(masks), np.int64)
        _choose_all(masks, streams, actions)
        return actions


class HouseBot:
    """The game's scripted opponent in one of its styles. Raises BotError for an unknown style."""

    needs_states = False

    def __init__(self, game: Game, style: str = "") -> None:
        styles = dict(game.styles)
        chosen = style or next(iter(styles))
        if chosen not in styles:
            raise BotError(f"{game.title} has no house style {chosen!r}; the styles are: {', '.join(styles)}")
        self.name = f"house:{style}" if style else "house"
        self.game = game
        self.style = np.array(styles[chosen], np.float64)
        self._act = _house_all(game.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return HouseBot, (self.game, self.name.partition(":")[2])

    def act(self, views: np.ndarray, masks: np.ndarray, streams: np.ndarray, states: Any = None) -> np.ndarray:
        """See `Bot.act`. Raises ValueError for arrays that are none of its game."""
        checked(self.game, views, masks, streams)
        actions = np.zeros(len(masks), np.int64)
        self._act(views, masks, self.style, streams, actions)
        return actions
