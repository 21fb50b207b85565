"""SeatVectorEnv as Stable-Baselines3 wants it: for stock MaskablePPO, one seat learning against house bots."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from tinhorn.seat import SeatVectorEnv
from tinhorn_training.config import TrainConfig
from tinhorn_training.errors import InputError


class SeatVecEnv(VecEnv):
    """The tables of a configuration, each with one learning seat that sees the view (int32[V]).

    ``first_seed`` sets a resumed training apart from what it has already played.
    """

    def __init__(self, config: TrainConfig, first_seed: int = 0) -> None:
        if len(set(config.players)) > 1:
            raise InputError(f"trainer {config.trainer} trains one table size, not players={config.players}")
        styles = config.opponents.styles or list(config.the_game.styles)
        options = {**config.options, "num_players": config.players[0]}
        opponents = [f"house:{style}" for style in styles]
        self.seats = SeatVectorEnv(
            config.the_game, config.tables, opponents=opponents, observation="view", illegal="raise", **options
        )
        self._seed: int | None = config.seed + 7919 * first_seed
        spaces: Any = self.seats.single_observation_space
        super().__init__(config.tables, spaces["observation"], self.seats.single_action_space)
        self._actions = np.zeros(config.tables, np.int64)
        self._scale = np.float32(config.learning.reward_scale)

    def reset(self) -> np.ndarray:
        """New episodes at every table."""
        observations, _ = self.seats.reset(seed=self._seed)
        self._seed = None
        return observations["observation"]

    def step_async(self, actions: np.ndarray) -> None:
        """Note the actions."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Apply them. The last observation of an episode is in its info, as SB3 expects."""
        observations, rewards, terminated, truncated, found = self.seats.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = terminated | truncated
        for table in np.flatnonzero(done):
            infos[table] = {
                "terminal_observation": found["final_obs"][table]["observation"],
                "TimeLimit.truncated": bool(truncated[table]),
            }
        return observations["observation"], rewards.astype(np.float32) * self._scale, done, infos

    def action_masks(self) -> np.ndarray:
        """The masks of the learners, bool[N, A]."""
        return self.seats.action_masks()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **settings: Any) -> list[Any]:
        """``action_masks`` of some tables, by which sb3-contrib asks for masks."""
        rows = getattr(self, method_name)(*args, **settings)
        return [rows[table] for table in self._tables(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute; masking is found out this way."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for each table."""
        if attr_name == "render_mode":
            return [None] * self.num_envs
        return [getattr(self, attr_name) for _ in self._tables(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not for single tables. Raises NotImplementedError."""
        raise NotImplementedError("the tables share their attributes")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """None is wrapped."""
        return [False for _ in self._tables(indices)]

    def close(self) -> None:
        """Nothing to close."""

    def _tables(self, indices: int | Iterable[int] | None) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
