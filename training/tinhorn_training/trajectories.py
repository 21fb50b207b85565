"""What a network experienced: its decisions in order, linked for each seat, and their targets.

The decision that follows another one is the same seat's next; rewards that arrive in between are added up. A seat's
last decision of a rollout, whose successor is not known yet, lends its value to the one before and is carried over to
the next rollout: left out for good, long games would be missing more often than short ones.
"""

import numpy as np

from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel

UNKNOWN, END = -1, -2  # instead of the number of the following decision


class Trajectories:
    """Storage for at least ``decisions`` new decisions a rollout at ``tables`` tables.

    Attributes (the first ``size`` rows count, ``carried`` of them from the rollout before): features float32[C, D],
    masks int8[C, A], actions int64[C], log_probs, values, rewards float32[C], following int64[C] (`UNKNOWN`, `END` or
    the seat's next decision).
    """

    def __init__(self, decisions: int, feature_size: int, num_actions: int, tables: int) -> None:
        capacity = decisions + tables * (MAX_SEATS + 1)  # carried over, and the last step's surplus
        self.features = np.zeros((capacity, feature_size), np.float32)
        self.masks = np.zeros((capacity, num_actions), np.int8)
        self.actions = np.zeros(capacity, np.int64)
        self.log_probs = np.zeros(capacity, np.float32)
        self.values = np.zeros(capacity, np.float32)
        self.rewards = np.zeros(capacity, np.float32)
        self.following = np.zeros(capacity, np.int64)
        self._last = np.zeros((tables, MAX_SEATS), np.int64)
        self.carried = 0
        self.clear()

    def clear(self) -> None:
        """Forget everything, as all tables start anew."""
        self.size = self.carried = 0
        self._last[:] = -1

    def carry_over(self) -> None:
        """Forget all but each seat's last decision of a running episode, which moves to the front."""
        waiting = np.sort(self._last[self._last >= 0])
        for column in (self.features, self.masks, self.actions, self.log_probs, self.values, self.rewards):
            column[: len(waiting)] = column[waiting]
        self.following[: len(waiting)] = UNKNOWN
        self._last[self._last >= 0] = np.searchsorted(waiting, self._last[self._last >= 0])
        self.size = self.carried = len(waiting)

    def add(self, count: int, tables: np.ndarray, seats: np.ndarray) -> slice:
        """Make room for ``count`` decisions, of one seat (int[K]) at each of some tables (int[K]); returns the rows."""
        rows = slice(self.size, self.size + count)
        self.rewards[rows] = 0
        self.following[rows] = UNKNOWN
        link(self._last, tables, seats, self.size, self.following)
        self.size += count
        return rows

    def credit(self, rewards: np.ndarray, finished: np.ndarray, truncated: np.ndarray) -> None:
        """Rewards (float64[N, 6]) of a step to each seat's last decision, and the ends of episodes (uint8[N])."""
        credit(self._last, rewards, finished, truncated, self.rewards, self.following)

    def targets(self, gamma: float, gae_lambda: float) -> tuple[np.ndarray, np.ndarray]:
        """Rows with a known successor (int64[K]), and the advantage of every row (float32[size])."""
        advantages = np.zeros(self.size, np.float32)
        estimate(self.rewards, self.values, self.following, gamma, gae_lambda, advantages)
        return np.flatnonzero(self.following[: self.size] != UNKNOWN), advantages


@kernel
def link(last, tables, seats, first, following):
    """Number the decisions from ``first`` on, each the successor of its seat's last one."""
    for k in range(tables.shape[0]):
        before = last[tables[k], seats[k]]
        if before >= 0:
            following[before] = first + k
        last[tables[k], seats[k]] = first + k


@kernel
def credit(last, step_rewards, finished, truncated, rewards, following):
    """Add rewards to last decisions. A rule's end closes a trajectory, a truncation leaves its end unknown."""
    for table in range(last.shape[0]):
        for seat in range(last.shape[1]):
            decision = last[table, seat]
            if decision >= 0:
                rewards[decision] += step_rewards[table, seat]
                if finished[table] != 0:
                    following[decision] = UNKNOWN if truncated[table] != 0 else END
            if finished[table] != 0:
                last[table, seat] = -1


@kernel
def estimate(rewards, values, following, gamma, gae_lambda, advantages):
    """Generalised advantage estimation (Schulman 2016) along each trajectory; 0 where the successor is unknown."""
    for decision in range(advantages.shape[0] - 1, -1, -1):
        after = following[decision]
        if after == END:
            advantages[decision] = rewards[decision] - values[decision]
        elif after != UNKNOWN:
            error = rewards[decision] + gamma * values[after] - values[decision]
            advantages[decision] = error + gamma * gae_lambda * advantages[after]
