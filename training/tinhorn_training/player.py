"""A network as a bot: many decisions in one forward pass."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from tinhorn.bots.base import checked_uniform, legal_mask, move_at
from tinhorn.core.game import Game
from tinhorn.core.rng import new_stream
from tinhorn_training.policy import ILLEGAL, ViewPolicy
from tinhorn_training.sampling import best_legal, sample

_LUCK = 1 << 53  # so many evenly spaced numbers of 0 to 1 a double can hold


class NetworkBot:
    """Plays a `ViewPolicy` by its probabilities, or with ``greedy`` always the most likely legal action."""

    needs_states = False

    def __init__(self, policy: ViewPolicy, name: str, *, greedy: bool = False, game: Game | None = None) -> None:
        self.policy, self.name, self.greedy, self.game = policy, name, greedy, game
        self.players: list[int] = []  # table sizes it was trained for, where that is known
        policy.set_training_mode(False)

    def act(self, views: np.ndarray, masks: np.ndarray, streams: np.ndarray, states: Any = None) -> np.ndarray:
        """See `tinhorn.bots.Bot.act`."""
        actions, log_probs = np.zeros(len(masks), np.int64), np.zeros(len(masks), np.float32)
        with torch.inference_mode():
            logits = self.policy.logits_and_values(torch.from_numpy(views))[0].numpy()
        if self.greedy:
            best_legal(logits, masks, actions)
        else:
            sample(logits, masks, streams, np.arange(len(masks)), actions, log_probs)
        return actions

    def choose(
        self, table: Mapping[str, Any], legal: Sequence[int] | np.ndarray, uniform: float | None = None
    ) -> dict[str, Any]:
        """As `tinhorn.bots.exported.ExportedBot.choose`; a ``uniform`` may pick another action than it does there.

        Raises ViewError, and ValueError for a network whose game is not known.
        """
        if self.game is None:
            raise ValueError(f"{self.name} does not know its game: make it with game=")
        mask = legal_mask(self.game, legal).astype(np.int8)
        view = self.game.layout.from_json(table)
        luck = new_stream(None if uniform is None else int(checked_uniform(uniform) * _LUCK))
        action = int(self.act(view[None], mask[None], luck)[0])
        probabilities, values = self.predict(view[None], mask[None])
        return {
            "action": action,
            "move": move_at(self.game, action, view),
            "probabilities": probabilities[0].tolist(),
            "value": float(values[0]),
        }

    def predict(self, views: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities float32[K, A], 0 where illegal, and values float32[K]; as `ExportedBot.predict`."""
        with torch.inference_mode():
            logits, values = self.policy.logits_and_values(torch.from_numpy(views))
            chances = torch.softmax(torch.where(torch.from_numpy(masks) > 0, logits, ILLEGAL), dim=1)
        return chances.numpy(), values.numpy()

    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The probability of each action, float32[K, A], 0 where illegal."""
        return self.predict(views, masks)[0]


def tensor_bytes(tensors: Mapping[str, Any]) -> bytes:
    """Tensors by name as the bytes of a ``.pt`` file."""
    buffer = io.BytesIO()
    torch.save(dict(tensors), buffer)
    return buffer.getvalue()
