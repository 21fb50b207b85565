"""What a bot is."""

from typing import Any, Protocol

import numpy as np


class BotError(ValueError):
    """A bot cannot be had: an unknown name, a broken or foreign file; the message names the cure."""


class Bot(Protocol):
    """Chooses actions for many decisions at once.

    ``name`` is the string by which the bot was asked for. ``needs_states`` says that `act` wants the state records
    (search does; it sees only what `Game.redeal` leaves in them).
    """

    name: str
    needs_states: bool

    def act(
        self, views: np.ndarray, masks: np.ndarray, streams: np.ndarray, states: np.recarray | None = None
    ) -> np.ndarray:
        """Legal actions, int64[K].

        Args:
            views: int32[K, V], each of the seat to act. masks: int8[K, A], at least one 1 a row.
            streams: uint64[K], a random stream a row, moved on in place; all the luck a bot may use.
            states: record array [K], for bots with ``needs_states``; never changed.
        """
        ...


def decide(bot: Bot, batch: Any, tables: np.ndarray, streams: np.ndarray) -> np.ndarray:
    """A bot's actions (int64[K]) at some tables (int[K]) of a batch; moves ``streams[tables]`` on."""
    own = streams[tables]
    states = batch.states[tables] if bot.needs_states else None
    actions = bot.act(batch.views[tables], batch.masks[tables], own, states)
    streams[tables] = own
    return actions
