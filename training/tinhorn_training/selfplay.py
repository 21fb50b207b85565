"""Self-play for MaskablePPO: only the way experience is collected is ours.

Loss, optimiser, logger, callbacks and the format of checkpoints are Stable-Baselines3's: plain
`MaskablePPO.load` opens what this trains.
"""

from collections.abc import Generator, Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import FloatSchedule
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from tinhorn.bots import HouseBot, decide
from tinhorn.core.batch import Batch
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn.core.rng import as_seed, derive
from tinhorn_training.errors import InputError
from tinhorn_training.league import LEARNER, League
from tinhorn_training.policy import TAUGHT, ViewPolicy, spaces_of
from tinhorn_training.sampling import sample
from tinhorn_training.trajectories import Trajectories


class DivergedError(InputError):
    """The weights are no longer numbers."""

    exit_code = 1


class _Seat(gymnasium.Env):
    """Tells SB3 the spaces; the play itself is in `Tables`."""

    def __init__(self, game: Game) -> None:
        self.observation_space, self.action_space = spaces_of(game.layout, game.actions.count)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        space: Any = self.observation_space
        return space.low, {}

    def step(self, action: Any) -> Any:
        raise NotImplementedError("tables of self-play are stepped by SelfPlayPPO")


class Tables(DummyVecEnv):
    """The tables at which a network plays itself and its league.

    Args:
        game: the game. sizes: options that the tables take in turn.
        num_tables: tables played at once. league: opponents. seed: all luck of the play comes from it.
        restart_every: every so many rollouts all tables start anew, as they do when a training is resumed: a
            training resumed there goes on as if it had never stopped. 0 stands for never.
        reward_scale: rewards are learnt as so many times what they are.
    """

    def __init__(
        self,
        game: Game,
        sizes: Sequence[Options],
        num_tables: int,
        league: League,
        *,
        seed: int = 0,
        restart_every: int = 0,
        reward_scale: float = 1.0,
    ) -> None:
        super().__init__([lambda: _Seat(game)])
        self.reward_scale = reward_scale
        self.game, self.league, self.restart_every = game, league, restart_every
        self.base_seed = as_seed(seed)
        self.batch = Batch(game, num_tables, sizes, features=True, skip_forced=True, autoreset=False, seed=0)
        self.experience: Trajectories | None = None
        self.episodes = 0
        self._teacher = HouseBot(game)
        self._all = np.arange(num_tables)
        self._seats = np.zeros((num_tables, 0), np.int8)

    def random(self, rollout: int) -> np.random.Generator:
        """A random generator for one rollout, the same whenever it is asked for."""
        return np.random.default_rng([int(self.base_seed), rollout])

    def play(
        self, policy: ViewPolicy, decisions: int, rollout: int, on_step: Any, *, teach: bool = False
    ) -> Trajectories | None:
        """Play until the network has taken at least so many decisions; None when ``on_step(count)`` says stop.

        With ``teach`` what the house bot would have done is marked in the masks, see `TAUGHT`.
        """
        random = self.random(rollout)
        self.league.choose_snapshots(policy, rollout, random)
        kept = self._prepare(decisions, rollout, random)
        actions, truncated = np.zeros(len(self._all), np.int64), np.zeros(len(self._all), np.uint8)
        batch = self.batch
        while kept.size - kept.carried < decisions:
            before = kept.size
            players = self._seats[self._all, batch.actors]
            self._learner_acts(policy, kept, np.flatnonzero((players == LEARNER) & (batch.actors >= 0)), actions, teach)
            for number, bot in enumerate(self.league.bots, 1):
                tables = np.flatnonzero((players == number) & (batch.actors >= 0))
                if len(tables):
                    actions[tables] = decide(bot, batch, tables, self._streams)
            batch.step(actions)
            np.copyto(truncated, batch.states.truncated)
            kept.credit(batch.rewards * self.reward_scale, batch.finished, truncated)
            ended = np.flatnonzero(batch.finished)
            if len(ended):
                self.episodes += len(ended)
                batch.restart(ended)
                self._seats[ended] = self.league.seat(batch.states.num_seats[ended], random)
            if not on_step(kept.size - before):
                return None
        return kept

    def _prepare(self, decisions: int, rollout: int, random: np.random.Generator) -> Trajectories:
        """Storage for a rollout; new tables when it is time for them."""
        fresh = self.experience is None
        if self.experience is None:
            game, tables = self.game, len(self._all)
            self.experience = Trajectories(decisions, game.layout.feature_size, game.actions.count, tables)
        if fresh or (self.restart_every and rollout % self.restart_every == 0):
            seed = np.uint64(derive(self.base_seed, rollout))
            self.batch.reset(int(seed))
            self._streams = np.array([derive(seed, table) for table in self._all], np.uint64)
            self._teacher_streams = np.array([derive(seed, len(self._all) + table) for table in self._all], np.uint64)
            self._seats = self.league.seat(self.batch.states.num_seats, random)
            self.experience.clear()
        else:
            self.experience.carry_over()
        self._seats[self._seats > len(self.league.bots)] = LEARNER  # a snapshot that is not there any more
        return self.experience

    def _learner_acts(
        self, policy: ViewPolicy, kept: Trajectories, tables: np.ndarray, actions: np.ndarray, teach: bool
    ) -> None:
        batch = self.batch
        rows = kept.add(len(tables), tables, batch.actors[tables])
        features, masks = kept.features[rows], kept.masks[rows]
        np.take(batch.features, tables, axis=0, out=features)
        np.take(batch.masks, tables, axis=0, out=masks)
        with torch.inference_mode():
            logits, values = policy.logits_and_values(torch.from_numpy(features))
        sample(logits.numpy(), masks, self._streams, tables, kept.actions[rows], kept.log_probs[rows])
        kept.values[rows] = values.numpy()
        actions[tables] = kept.actions[rows]
        if teach and len(tables):
            taught = decide(self._teacher, batch, tables, self._teacher_streams)
            masks[np.arange(len(tables)), taught] = TAUGHT


class FlatRolloutBuffer(MaskableRolloutBuffer):
    """MaskableRolloutBuffer for any number of decisions in one list, already with their targets.

    It holds the engine's features of each view, so that no epoch computes them again.
    """

    def reset(self) -> None:
        """Nothing is allocated here; `fill` brings the arrays."""
        self.values = self.returns = np.zeros(0, np.float32)

    def fill(self, kept: Trajectories, gamma: float, gae_lambda: float, random: np.random.Generator) -> None:
        """Take the decisions with a known successor; ``random`` shuffles them in `get`."""
        rows, advantages = kept.targets(gamma, gae_lambda)
        self._kept, self._rows, self._random = kept, rows, random
        self._returns = advantages + kept.values[: kept.size]
        self._advantages = advantages
        self.values, self.returns = kept.values[rows], self._returns[rows]
        self.full = True

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """Minibatches of about ``batch_size`` decisions, of equal size, in a new order at every call."""
        kept = self._kept
        parts = max(round(len(self._rows) / (batch_size or len(self._rows))), 1)
        for rows in np.array_split(self._random.permutation(self._rows), parts):
            columns = (
                kept.features, kept.actions, kept.values, kept.log_probs, self._advantages, self._returns, kept.masks,
            )  # fmt: skip
            yield MaskableRolloutBufferSamples(*(torch.from_numpy(column[rows]) for column in columns))


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that learns from every decision of its network at the tables of `Tables`.

    ``entropy`` is the entropy coefficient, or a schedule of it by the remaining progress (1 to 0); ``imitation``
    likewise the weight of agreeing with the house bot. ``average_over`` is
    the number of updates over which `average`, a second network, averages the weights: in self-play the last network
    goes in circles around a good one. The global random states of Python, numpy and torch are left as they were.
    """

    env: Any
    policy: ViewPolicy
    average: ViewPolicy

    def __init__(
        self,
        policy: Any,
        env: Any,
        *,
        entropy: Any = 0.0,
        imitation: Any = 0.0,
        average_over: int = 20,
        seed: int | None = None,
        _init_setup_model: bool = True,
        **settings: Any,
    ) -> None:
        settings = {"device": "cpu"} | settings
        super().__init__(policy, env, _init_setup_model=False, **settings)
        self.entropy, self.imitation = FloatSchedule(entropy), FloatSchedule(imitation)
        self.average_over = average_over
        self.weights_seed = seed
        self.rollouts = 0  # collected so far; each is followed by one update
        if _init_setup_model:
            self._setup_model()

    def _setup_model(self) -> None:
        self.rollout_buffer_class = FlatRolloutBuffer
        with torch.random.fork_rng(devices=[]):
            if self.weights_seed is not None:
                torch.manual_seed(self.weights_seed)
            super()._setup_model()
        self.average = self.policy.twin()
        self.average.load_state_dict(self.policy.state_dict())

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "rollout_buffer_class", "average"]

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play until there are ``n_rollout_steps`` decisions; see `MaskablePPO.collect_rollouts`."""
        tables = self.env
        self.policy.set_training_mode(False)
        callback.on_rollout_start()

        def on_step(decisions: int) -> bool:
            self.num_timesteps += decisions
            return callback.on_step()

        callback.update_locals(locals())
        teach = self.imitation(self._current_progress_remaining) > 0
        kept = tables.play(self.policy, n_rollout_steps, self.rollouts, on_step, teach=teach)
        if kept is None:
            return False
        rollout_buffer.fill(kept, self.gamma, self.gae_lambda, tables.random(self.rollouts).spawn(1)[0])
        self.rollouts += 1
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """One update. Raises DivergedError when a weight is no longer a number."""
        self.ent_coef = self.entropy(self._current_progress_remaining)
        self.policy.imitation = self.imitation(self._current_progress_remaining) / max(self.ent_coef, 1e-9)
        super().train()
        self.policy.imitation = 0.0
        self.logger.record("train/entropy_loss", -self.policy.last_entropy)  # without what imitation adds to it
        self.logger.record("train/entropy_coefficient", self.ent_coef)
        if not all(torch.isfinite(weight).all() for weight in self.policy.parameters()):
            raise DivergedError("the training diverged: lower learning.learning_rate and resume from a checkpoint")
        self._follow(1 / min(self.rollouts, self.average_over))

    @torch.no_grad()
    def _follow(self, step: float) -> None:
        """Move the average towards the network."""
        for mean, weight in zip(self.average.parameters(), self.policy.parameters(), strict=True):
            mean.lerp_(weight, step)
