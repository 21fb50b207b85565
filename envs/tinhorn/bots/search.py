"""Search by sampling: deal what is hidden anew, play each legal move out with house bots, take the best.

The bot sees the state only through `Game.redeal`, which replaces all that its seat may not know, luck to come included.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tinhorn.bots.base import BotError, checked
from tinhorn.core.game import Game, find_game
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import derive, next_bits

MOST_WORLDS = 1_000_000  # a decision would take days
WORLDS_WANTED = f"the number of sampled worlds, 1 to {MOST_WORLDS}, as in search:200"


@cache
def _search_all(name: str) -> Callable[..., None]:
    game = find_game(name)
    legal, step, view, house, redeal = game.legal, game.step, game.view, game.house, game.redeal

    @kernel(sources=game.sources)
    def playout(state, seat, style, stream, mask, out):
        """What ``seat`` gets when house bots play on to the end."""
        while state.finished == 0:
            legal(state, mask)
            view(state, state.actor, out)
            step(state, house(out, mask, style, stream))
        return state.rewards[seat]

    @kernel(sources=game.sources)
    def search_all(states, masks, worlds, style, streams, scratch, mask, out, actions):
        for row in range(masks.shape[0]):
            seat = states[row].actor
            totals = np.zeros(masks.shape[1])
            stream = streams[row : row + 1]
            for _ in range(worlds):
                scratch[0] = states[row]
                redeal(scratch[0], seat, stream)
                luck = next_bits(stream)  # the same for every move: they differ by the move alone
                for action in range(masks.shape[1]):
                    if masks[row, action] != 0:
                        scratch[1] = scratch[0]
                        world = scratch[1]
                        world.rewards[:] = 0
                        own = np.zeros(1, np.uint64)
                        own[0] = derive(luck, 0)
                        step(world, action)
                        totals[action] += playout(world, seat, style, own, mask, out)
            best = -1
            for action in range(masks.shape[1]):
                if masks[row, action] != 0 and (best < 0 or totals[action] > totals[best]):
                    best = action
            actions[row] = best

    return search_all


class SearchBot:
    """Samples ``worlds`` worlds for each decision. Strong and slow; a yardstick."""

    needs_states = True

    def __init__(self, game: Game, worlds: int) -> None:
        if not 1 <= worlds <= MOST_WORLDS:
            raise BotError(f"search:{worlds}: give {WORLDS_WANTED}")
        self.name = f"search:{worlds}"
        self.worlds = worlds
        self.game = game
        self._style = np.array(next(iter(game.styles.values())), np.float64)
        self._act = _search_all(game.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return SearchBot, (self.game, self.worlds)

    def act(
        self, views: np.ndarray, masks: np.ndarray, streams: np.ndarray, states: np.recarray | None = None
    ) -> np.ndarray:
        """See `Bot.act`. Raises BotError without ``states``: search cannot play from a view alone."""
        if states is None:
            raise BotError(f"{self.name} needs the states of the tables, a view is not enough")
        checked(self.game, views, masks, streams)
        if len(states) != len(masks):
            raise ValueError(f"{len(states)} states for {len(masks)} masks")
        actions = np.zeros(len(masks), np.int64)
        scratch: Any = np.zeros(2, self.game.state).view(np.recarray)
        mask, out = np.zeros(masks.shape[1], np.int8), np.zeros(views.shape[1], np.int32)
        self._act(states, masks, self.worlds, self._style, streams, scratch, mask, out, actions)
        return actions
