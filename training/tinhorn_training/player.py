"""A network as a bot: many decisions in one forward pass."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from tinhorn.core.game import Game
from tinhorn_training.policy import ILLEGAL, ViewPolicy
from tinhorn_training.sampling import best_legal, sample


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

    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The probability of each action, float32[K, A], 0 where illegal."""
        with torch.inference_mode():
            logits, _ = self.policy.logits_and_values(torch.from_numpy(views))
            chances = torch.softmax(torch.where(torch.from_numpy(masks) > 0, logits, ILLEGAL), dim=1).numpy()
        return np.asarray(chances)


def tensor_bytes(tensors: Mapping[str, Any]) -> bytes:
    """Tensors by name as the bytes of a ``.pt`` file."""
    buffer = io.BytesIO()
    torch.save(dict(tensors), buffer)
    return buffer.getvalue()
