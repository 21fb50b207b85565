"""Choosing actions from logits: one fused pass, with the caller's random streams and no one else's."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import uniform


@kernel
def sample(logits, masks, streams, tables, actions, log_probs):
    """A legal action by its probability for each row, and the logarithm of that.

    ``logits`` float32[K, A], ``masks`` int8[K, A] with at least one 1 a row, ``streams`` uint64[N], of which row k
    moves ``streams[tables[k]]`` on; writes ``actions`` int64[K] and ``log_probs`` float32[K].
    """
    chances = np.zeros(masks.shape[1])
    for row in range(masks.shape[0]):
        best = -np.inf
        for action in range(masks.shape[1]):
            if masks[row, action] != 0:
                best = max(best, logits[row, action])
        total = 0.0
        for action in range(masks.shape[1]):
            chances[action] = np.exp(np.float64(logits[row, action]) - best) if masks[row, action] != 0 else 0.0
            total += chances[action]
        left = uniform(streams[tables[row] : tables[row] + 1]) * total
        chosen = -1
        for action in range(masks.shape[1]):
            if masks[row, action] != 0 and chances[action] > 0 and (chosen < 0 or left >= 0):
                chosen = action
                left -= chances[action]
        actions[row] = chosen
        log_probs[row] = np.log(chances[chosen] / total)


@kernel
def best_legal(logits, masks, actions):
    """The legal action with the highest logit for each row, the first of equals."""
    for row in range(masks.shape[0]):
        chosen = -1
        for action in range(masks.shape[1]):
            if masks[row, action] != 0 and (chosen < 0 or logits[row, action] > logits[row, chosen]):
                chosen = action
        actions[row] = chosen
