"""A training run from configuration to best checkpoint: begun, watched, stopped and resumed."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import LinearSchedule

from tinhorn.bots import HouseBot, RandomBot
from tinhorn_training import checkpoint
from tinhorn_training.config import ConfigError, TrainConfig
from tinhorn_training.curves import draw_curves
from tinhorn_training.evaluate import Score, evaluate
from tinhorn_training.league import League
from tinhorn_training.matches import VALIDATION_DEALS
from tinhorn_training.player import NetworkBot
from tinhorn_training.policy import ViewPolicy, policy_settings
from tinhorn_training.runs import UPDATES, CsvLog, RunFolder, one_training
from tinhorn_training.sb3_env import SeatVecEnv
from tinhorn_training.selfplay import SelfPlayPPO, Tables

SELF_PLAY = "self_play"
_STOPPING = b"\nstopping; the run is saved first (Ctrl-C again: stop at once)\n"


@dataclass(frozen=True)
class Progress:
    """Where a training stands; ``news`` is a line when there is something to say."""

    decisions: int
    rate: float  # decisions a second since the start or the resumption
    news: str = ""


@dataclass(frozen=True)
class Trained:
    """How a training ended. ``stopped``: before its last decision, on request."""

    folder: Path
    best: Path
    decisions: int
    seconds: float
    stopped: bool


def train(config: TrainConfig, folder: str | Path, report: Callable[[Progress], None] = lambda now: None) -> Trained:
    """Train in a run's folder, from where it stands. Ctrl-C saves and stops; a second one stops at once.

    Raises:
        ConfigError: the folder holds another run, or one that is running.
        CheckpointError: its checkpoints are damaged or of another version.
        InputError: its log is damaged.
        SaveError: a file could not be written. DivergedError: the weights are no longer numbers.
    """
    with one_training(folder):
        return _train(config, RunFolder(folder, config), report)


def _train(config: TrainConfig, run: RunFolder, report: Callable[[Progress], None]) -> Trained:
    began = time.perf_counter()
    torch.set_num_threads(config.threads)
    model, updates = _begin(config, run, report)
    stopped = False
    if model.num_timesteps < config.decisions:
        writers = [CsvLog(run.log, updates), run.tensorboard_writer()]
        model.set_logger(Logger(str(run.path), writers))
        with _requests_to_stop() as asked:
            keeper = _Keeper(config, run, updates, report, asked)
            left = config.decisions - model.num_timesteps
            model.learn(left, keeper, log_interval=None, reset_num_timesteps=False)  # type: ignore[arg-type]
        stopped = keeper.stopped
        model.logger.close()
    return Trained(run.path, run.best, model.num_timesteps, time.perf_counter() - began, stopped)


def _begin(config: TrainConfig, run: RunFolder, report: Callable[[Progress], None]) -> tuple[MaskablePPO, int]:
    """The model to train on and its updates so far: of the newest checkpoint that can be read, or new."""

    def resumed(path: Path) -> tuple[MaskablePPO, checkpoint.Note]:
        found = checkpoint.read_note(path)
        checkpoint.check(found, path, config.the_game)
        return build(config, run, path), found

    newest = run.newest(resumed)
    if newest is not None:
        path, (model, found) = newest
        report(Progress(found.decisions, 0.0, f"resuming from {path}"))
        return model, found.updates
    if run.begun:
        report(Progress(0, 0.0, f"{run.path} holds a run that was stopped before its first checkpoint: it starts anew"))
    return build(config, run), 0


def build(config: TrainConfig, run: RunFolder, path: Path | None = None) -> MaskablePPO:
    """The model of a run: a new one, or that of the checkpoint ``path``."""
    game, learning, network = config.the_game, config.learning, config.network
    env: Any
    settings: dict[str, Any] = {
        "n_steps": learning.rollout,
        "batch_size": learning.minibatch,
        "n_epochs": learning.epochs,
        "learning_rate": _line(learning.learning_rate),
        "clip_range": _line(learning.clip_range),
        "gamma": learning.gamma,
        "gae_lambda": learning.gae_lambda,
        "vf_coef": learning.value_weight,
        "max_grad_norm": learning.max_grad_norm,
        "policy_kwargs": policy_settings(game, network.width, network.policy, network.value),
        "device": "cpu",
    }
    if config.trainer == SELF_PLAY:
        league = League(game, config.opponents, run.snapshots)
        env = Tables(
            game,
            config.table_sizes,
            config.tables,
            league,
            seed=config.seed,
            restart_every=config.checkpoint_every,
            reward_scale=config.learning.reward_scale,
        )
        if path is not None:
            return checkpoint.resume(path, env)
        imitation = LinearSchedule(learning.imitation.weight, 0.0, end_fraction=learning.imitation.until)
        settings |= {
            "entropy": _line(learning.entropy),
            "average_over": learning.average_over,
            "imitation": imitation,
        }
        return _started(config, SelfPlayPPO(ViewPolicy, env, seed=config.seed, **settings))
    env = SeatVecEnv(config, first_seed=0 if path is None else checkpoint.read_note(path).updates)
    if path is not None:
        return checkpoint.resume(path, env, MaskablePPO)
    settings |= {"n_steps": max(learning.rollout // config.tables, 1), "ent_coef": learning.entropy[0]}
    return _started(config, MaskablePPO(ViewPolicy, env, **settings))


def _started(config: TrainConfig, model: Any) -> Any:
    """The model, with the network of the checkpoint that the configuration names."""
    if config.start is not None:
        weights = checkpoint.load_policy(config.start, config.the_game)[0].state_dict()
        for policy in (model.policy, getattr(model, "average", model.policy)):
            try:
                policy.load_state_dict(weights)
            except RuntimeError:
                raise ConfigError(
                    f"start: the network of {config.start} has another shape; set `network` as it was"
                ) from None
    return model


def _line(ends: list[float]) -> LinearSchedule:
    return LinearSchedule(ends[0], ends[1], end_fraction=1.0)


class _Keeper(BaseCallback):
    """After every update: validation, log, snapshot, checkpoint, each when it is time for it."""

    def __init__(
        self,
        config: TrainConfig,
        run: RunFolder,
        updates: int,
        report: Callable[[Progress], None],
        asked: Callable[[], bool],
    ) -> None:
        super().__init__()
        self.config, self.run, self.updates, self.report, self.asked = config, run, updates, report, asked
        self.stopped = False
        self.score: float | None = None  # of the network as it is now
        self.best = run.best_score()
        self._saved = self._seen = updates
        self._clock, self._from = time.perf_counter(), 0

    def _on_training_start(self) -> None:
        self._from = self.model.num_timesteps

    def _on_rollout_start(self) -> None:
        if self.updates > self._seen:
            self._after_update(last=False)
        self._settled = self.model.num_timesteps

    def _on_step(self) -> bool:
        if self.asked():
            self.model.num_timesteps = self._settled  # the rollout is given up
            self.stopped = True
            return False
        return True

    def _on_rollout_end(self) -> None:
        self.updates += 1
        self.report(Progress(self.model.num_timesteps, self.rate))

    def _on_training_end(self) -> None:
        if self.updates > self._seen:
            self._after_update(last=not self.stopped)  # who stops a run does not wait for a validation
        if self.updates > self._saved:
            self._save()

    @property
    def rate(self) -> float:
        """Decisions a second since the start or the resumption."""
        return (self.model.num_timesteps - self._from) / (time.perf_counter() - self._clock)

    def _after_update(self, last: bool) -> None:
        config = self.config
        self._seen, self.score = self.updates, None
        self.logger.record(UPDATES, self.updates)
        self.logger.record("time/decisions_per_second", self.rate)
        validated = last or self.updates % config.validation.every == 0
        if validated:
            self._validate()
        if config.trainer == SELF_PLAY:
            self.model.env.league.snapshot(self.model.policy, self.updates)  # type: ignore[union-attr]
        self.logger.dump(self.model.num_timesteps)
        if validated:
            fair = config.the_game.measures[0].fair
            shares = {name: fair(options.num_players) for name, options in config.validated_games.items()}
            draw_curves(self.run.log, self.run.curves, config.game, shares)
        if last or self.updates % config.checkpoint_every == 0:
            self._save()

    def _save(self) -> None:
        self.run.save(self._model, self._note())
        self._saved = self.updates

    def _note(self) -> checkpoint.Note:
        config = self.config
        return checkpoint.note(
            config.the_game, self.updates, self.model.num_timesteps, config.model_dump(mode="json"), self.score
        )

    @property
    def _model(self) -> MaskablePPO:
        assert isinstance(self.model, MaskablePPO)
        return self.model

    def _validate(self) -> None:
        """Play the house bot and random play at every table size; keep the best checkpoint by the margin over house."""
        margins = []
        for name, options in self.config.validated_games.items():
            for opponent in ("random", "house"):
                score = self._score_against(opponent, options)
                self.logger.record(f"validation/{opponent}_{name}", score.mean.value)
            margins.append(score.mean.value - score.fair)  # house is the last one
            news = (
                f"{name.replace('_', ' ')}: {score.name} {score.mean.value:.3f} ± {score.mean.width or 0:.3f} "
                f"against house (fair {score.fair:.3g})"
            )
            self.report(Progress(self.model.num_timesteps, self.rate, news))
        self.score = sum(margins) / len(margins)
        self.logger.record("validation/margin", self.score)
        if self.best is None or self.score > self.best:
            self.best = self.score
            checkpoint.save(self._model, self.run.best, self._note())

    def _score_against(self, opponent: str, options: Any) -> Score:
        game, settings = self.config.the_game, self.config.validation
        playing: Any = self.model.average if isinstance(self.model, SelfPlayPPO) else self.model.policy
        other = HouseBot(game) if opponent == "house" else RandomBot()
        deals = settings.deals if opponent == "house" else max(settings.deals // 4, 1)
        bot = NetworkBot(playing, "network")
        result = evaluate(game, bot, [other], options, deals=deals, seed=settings.seed, purpose=VALIDATION_DEALS)
        return result.headline


@contextmanager
def _requests_to_stop() -> Iterator[Callable[[], bool]]:
    """While the block runs, the first Ctrl-C (or SIGTERM) is noted, and answered; the next one works as ever."""
    asked: list[int] = []
    before: dict[int, Any] = {}

    def note(number: int, frame: Any) -> None:
        asked.append(number)
        with suppress(OSError):
            os.write(2, _STOPPING)  # print could be in the middle of another line
        signal.signal(number, before[number])

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, note)
    except ValueError:  # not the main thread: nobody presses keys here
        pass
    try:
        yield lambda: bool(asked)
    finally:
        for changed, handler in before.items():
            signal.signal(changed, handler)
