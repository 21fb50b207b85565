"""What a bot is."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from tinhorn.core.cards import card_text
from tinhorn.core.game import Game
from tinhorn.core.layout import ViewError


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


def checked(game: Game | None, views: np.ndarray, masks: np.ndarray, streams: np.ndarray) -> None:
    """What a compiled bot takes for granted. Raises ValueError: shapes that do not fit, nothing legal, an odd view."""
    rows = len(masks)
    if masks.ndim != 2 or streams.shape != (rows,) or views.shape[:1] != (rows,) or streams.dtype != np.uint64:
        raise ValueError(
            f"a bot takes views int32[K, V], masks int8[K, A] and streams uint64[K], not shapes {views.shape}, "
            f"{masks.shape} and {streams.dtype}{streams.shape}"
        )
    if not (masks != 0).any(axis=1).all():
        raise ValueError("a bot is asked only where something is legal: there is a mask of zeros")
    if game is None:
        return
    layout = game.layout
    if views.shape[1:] != (layout.size,) or masks.shape[1] != game.actions.count:
        raise ValueError(f"views and masks of shapes {views.shape} and {masks.shape} are not those of {game.title}")
    if ((views < layout.lows) | (views > layout.highs)).any():
        raise ValueError(f"a view of {game.title} is out of range: take views of the engine, or of Layout.from_json")


def decide(bot: Bot, batch: Any, tables: np.ndarray, streams: np.ndarray) -> np.ndarray:
    """A bot's actions (int64[K]) at some tables (int[K]) of a batch; moves ``streams[tables]`` on."""
    own = streams[tables]
    states = batch.states[tables] if bot.needs_states else None
    actions = bot.act(batch.views[tables], batch.masks[tables], own, states)
    streams[tables] = own
    return actions


def legal_mask(game: Game, legal: Sequence[int] | np.ndarray) -> np.ndarray:
    """The mask, uint8[A], of legal ids, or of a mask: A booleans, or int8[A]. Raises ViewError."""
    count = game.actions.count
    try:
        given = np.asarray(legal)
    except ValueError:  # rows of different lengths
        given = np.array([legal], object)
    mask = np.zeros(count, np.uint8)
    if given.dtype in (np.bool_, np.int8, np.uint8) and given.shape == (count,):
        mask[:] = given != 0
    elif _are_ids(given, count):
        mask[given] = 1
    elif given.size:
        raise ViewError(f"legal takes ids of 0 to {count - 1}, each once, or {count} booleans, not {legal!r}")
    if not mask.any():
        raise ViewError("legal names no action: a bot is asked only when its seat is to act")
    return mask


def checked_uniform(uniform: float) -> float:
    """The number of 0 to 1 that picks an action. Raises ViewError."""
    if isinstance(uniform, bool) or not isinstance(uniform, (int, float, np.number)) or not 0 <= uniform <= 1:
        raise ViewError(f"uniform takes a number of 0 to 1, not {uniform!r}")
    return float(uniform)


def _are_ids(given: np.ndarray, count: int) -> bool:
    """Whether an array is a list of action ids, each once: a mask written as integers is not."""
    if given.ndim != 1 or given.dtype.kind not in "iu" or len(np.unique(given)) < len(given):
        return False
    return bool(((given >= 0) & (given < count)).all())


def move_at(game: Game, action: int, view: np.ndarray) -> dict[str, Any]:
    """What an id means; for places in a hand also the cards that lie there in a view (int32[V])."""
    move = dict(game.actions.static[action])
    if game.actions.places_of and "places" in move:
        start = game.layout.at(game.actions.places_of)
        move["cards"] = [card_text(int(view[start + place])) for place in move["places"]]
    return move
