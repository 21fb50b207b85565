"""How a bot plays: how often it makes each kind of move when it may."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tinhorn.core.game import Game


@dataclass(frozen=True)
class Habit:
    """A kind of move: how often it was made, of so many decisions in which it was legal."""

    move: str
    times: int
    chances: int

    @property
    def share(self) -> float:
        """Times by chances."""
        return self.times / self.chances if self.chances else 0.0


class StyleCounts:
    """Counts moves by kind: the type of the action, and how many cards or places it names."""

    def __init__(self, game: Game, num_bots: int) -> None:
        names = [_kind(entry) for entry in game.actions.static]
        self.kinds = list(dict.fromkeys(names))
        self._kind_of = np.array([self.kinds.index(name) for name in names])
        self._ids_of = np.zeros((len(names), len(self.kinds)), np.float32)
        self._ids_of[np.arange(len(names)), self._kind_of] = 1
        self._times = np.zeros((num_bots, len(self.kinds)), np.int64)
        self._chances = np.zeros_like(self._times)

    def add(self, bot: int, actions: np.ndarray, masks: np.ndarray) -> None:
        """Count decisions: action ids (int[K]) and the masks (int8[K, A]) they were chosen from."""
        self._times[bot] += np.bincount(self._kind_of[actions], minlength=len(self.kinds))
        self._chances[bot] += np.count_nonzero(masks.astype(np.float32) @ self._ids_of, axis=0)

    def of(self, bot: int) -> list[Habit]:
        """The habits of a bot."""
        rows = zip(self.kinds, self._times[bot].tolist(), self._chances[bot].tolist(), strict=True)
        return [Habit(*row) for row in rows]


def _kind(action: dict[str, Any]) -> str:
    sizes = [str(len(value)) for value in action.values() if isinstance(value, (list, tuple))]
    return " ".join([str(action["type"]), *sizes])
