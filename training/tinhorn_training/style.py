"""How a bot plays: how often it makes each kind of move when it may, and what it does with the hands it is dealt."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.game import MAX_SEATS, Game

OF_DECISIONS, OF_HANDS = "decisions", "hands"
_PER_HAND = ("plays the hand", "raises in it", "goes to showdown")


@dataclass(frozen=True)
class Habit:
    """What a player does: how often, of so many ``chances``: decisions in which the move was legal, or hands dealt."""

    move: str
    times: int
    chances: int
    of: str = OF_DECISIONS

    @property
    def share(self) -> float:
        """Times by chances."""
        return self.times / self.chances if self.chances else 0.0


class StyleCounts:
    """Counts moves by kind (the type of the action, and how many cards or places it names), and hands.

    Args:
        game: the game. num_bots: whose play is counted. tables: at which it is played.
    """

    def __init__(self, game: Game, num_bots: int, tables: int) -> None:
        names = [_kind(entry) for entry in game.actions.static]
        self.kinds = list(dict.fromkeys(names))
        self._kind_of = np.array([self.kinds.index(name) for name in names])
        self._ids_of = np.zeros((len(names), len(self.kinds)), np.float32)
        self._ids_of[np.arange(len(names)), self._kind_of] = 1
        self._times = np.zeros((num_bots, len(self.kinds)), np.int64)
        self._chances = np.zeros_like(self._times)
        self.hands = None if game.hands is None else _HandCounts(game, num_bots, tables)

    def add(self, bot: int, tables: np.ndarray, seats: np.ndarray, actions: np.ndarray, masks: np.ndarray) -> None:
        """Count decisions: action ids (int[K]) of ``seats`` at ``tables``, and the masks (int8[K, A]) they are from."""
        self._times[bot] += np.bincount(self._kind_of[actions], minlength=len(self.kinds))
        self._chances[bot] += np.count_nonzero(masks.astype(np.float32) @ self._ids_of, axis=0)
        if self.hands is not None:
            self.hands.note(tables, seats, actions)

    def begin(self, tables: np.ndarray, states: Any) -> None:
        """New games at ``tables`` (int[K]); ``states`` are those of all tables."""
        if self.hands is not None:
            self.hands.begin(tables, states)

    def settle(self, tables: np.ndarray, states: Any, who: np.ndarray) -> None:
        """Count the hands that are over at ``tables``; ``who`` (int[K, players]) has which seat."""
        if self.hands is not None:
            self.hands.settle(tables, states, who)

    def of(self, bot: int) -> list[Habit]:
        """The habits of a bot."""
        rows = zip(self.kinds, self._times[bot].tolist(), self._chances[bot].tolist(), strict=True)
        return [*(Habit(*row) for row in rows), *(self.hands.of(bot) if self.hands is not None else [])]


class _HandCounts:
    """What each bot did with the hands that it was dealt. Hands in which nobody decides are not seen."""

    def __init__(self, game: Game, num_bots: int, tables: int) -> None:
        assert game.hands is not None
        self._rules = game.hands
        types = [entry["type"] for entry in game.actions.static]
        self._plays, self._raises = (np.isin(types, list(of)) for of in (game.hands.plays, game.hands.raises))
        self._over = np.zeros(tables, np.int64)
        self._dealt = np.zeros((tables, MAX_SEATS), bool)
        self._played, self._raised = np.zeros_like(self._dealt), np.zeros_like(self._dealt)
        self._times = np.zeros((num_bots, len(_PER_HAND)), np.int64)
        self._chances = np.zeros(num_bots, np.int64)

    def begin(self, tables: np.ndarray, states: Any) -> None:
        self._over[tables] = self._rules.over(states)[tables]
        self._dealt[tables] = self._rules.dealt(states)[tables]  # who folds later has been there
        self._played[tables] = self._raised[tables] = False

    def note(self, tables: np.ndarray, seats: np.ndarray, actions: np.ndarray) -> None:
        self._played[tables, seats] |= self._plays[actions]
        self._raised[tables, seats] |= self._raises[actions]

    def settle(self, tables: np.ndarray, states: Any, who: np.ndarray) -> None:
        over = self._rules.over(states)[tables] > self._over[tables]
        ended, players = tables[over], who.shape[1]
        bots, dealt = who[over], self._dealt[ended, :players]
        did = (self._played[ended], self._raised[ended], self._rules.shown(states)[ended])
        np.add.at(self._chances, bots[dealt], 1)
        for column, of_seat in enumerate(did):
            np.add.at(self._times[:, column], bots[dealt & of_seat[:, :players]], 1)
        self.begin(ended, states)
        self._dealt[tables] |= self._rules.dealt(states)[tables]

    def of(self, bot: int) -> list[Habit]:
        chances = int(self._chances[bot])
        return [Habit(*row, chances, OF_HANDS) for row in zip(_PER_HAND, self._times[bot].tolist(), strict=True)]


def _kind(action: dict[str, Any]) -> str:
    sizes = [str(len(value)) for value in action.values() if isinstance(value, (list, tuple))]
    return " ".join([str(action["type"]), *sizes])
