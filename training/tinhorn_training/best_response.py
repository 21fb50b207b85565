"""How much a bot can be made to lose: a network trained against it and nothing else.

The bot is frozen and has every seat but one. What the trained network gains over the fair share is a lower bound on
how exploitable the bot is: a better opponent may gain more. The network is chosen on deals of its own and measured on
others, so the choice does not flatter it.
"""

import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any

import torch
from stable_baselines3.common.callbacks import BaseCallback

from tinhorn.bots import Bot
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn_training.config import Learning, Network, Opponents
from tinhorn_training.errors import InputError
from tinhorn_training.evaluate import Evaluation, evaluate
from tinhorn_training.league import League
from tinhorn_training.matches import EVALUATION_DEALS, VALIDATION_DEALS
from tinhorn_training.player import NetworkBot
from tinhorn_training.policy import ViewPolicy, policy_settings
from tinhorn_training.selfplay import SelfPlayPPO, Tables

DECISIONS = 2_000_000
LEARNING = Learning(rollout=16384, minibatch=2048, learning_rate=[1e-3, 0.0], entropy=[0.02, 0.0])
NETWORK = Network(width=128, policy=[128], value=[128])
_TABLES = 512
_VALIDATION_DEALS = 1000
_VALIDATIONS = 10  # in a training


@dataclass(frozen=True)
class BestResponse:
    """``evaluation`` is that of the trained network against the bot; ``gain`` is over the fair share."""

    bot: str
    decisions: int
    seconds: float
    evaluation: Evaluation

    @property
    def gain(self) -> float:
        """What the network gets over the fair share, in the game's headline; below 0 when it found nothing."""
        return self.evaluation.headline.mean.value - self.evaluation.headline.fair

    @property
    def lower_bound(self) -> float:
        """What the bot loses at least to its best opponent: the lower end of the interval of the gain, 0 below that."""
        low, fair = self.evaluation.headline.mean.low, self.evaluation.headline.fair
        return 0.0 if low is None else max(low - fair, 0.0)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {
            **asdict(self),
            "gain": self.gain,
            "lower_bound": self.lower_bound,
            "evaluation": self.evaluation.as_dict(),
        }


class _Target(League):
    """A league of the one bot, which has every seat but the learner's."""

    def __init__(self, game: Game, bot: Bot) -> None:
        super().__init__(game, Opponents(snapshots=0.0, house=1.0))
        self.bots, self._house = [bot], 1


class _KeepBest(BaseCallback):
    """Measures the network now and then on deals of its own, and keeps the best."""

    def __init__(self, measure: Callable[[NetworkBot], float], every: int, report: Callable[[int], None]) -> None:
        super().__init__()
        self.measure, self.every, self.report = measure, every, report
        self.best, self.due = float("-inf"), every
        self.kept: NetworkBot | None = None

    def _on_rollout_end(self) -> None:
        self.report(self.num_timesteps)
        if self.num_timesteps >= self.due:
            self.due += self.every
            self.look()

    def look(self) -> None:
        """Measure the network as it is now, by its probabilities and by its likeliest action."""
        for greedy in (False, True):
            bot = NetworkBot(self.model.policy, "best response", greedy=greedy)  # type: ignore[arg-type]
            value = self.measure(bot)
            if value > self.best:
                policy = bot.policy.twin()
                policy.load_state_dict(deepcopy(bot.policy.state_dict()))
                self.best, self.kept = value, NetworkBot(policy, bot.name, greedy=greedy)

    def _on_step(self) -> bool:
        return True


def best_response(
    game: Game,
    bot: Bot,
    options: Options,
    *,
    decisions: int = DECISIONS,
    deals: int = 10_000,
    seed: int = 0,
    learning: Learning = LEARNING,
    network: Network = NETWORK,
    progress: Callable[[int], None] | None = None,
) -> BestResponse:
    """Train against a frozen bot, and measure what comes out on other deals.

    Args:
        decisions: of the network, to learn from. deals: of the final evaluation.
        progress: called with the number of decisions so far.

    Raises:
        InputError: no decisions or no deals.
    """
    if decisions < 1:
        raise InputError(f"decisions={decisions}: at least one")
    if deals < 1:
        raise InputError(f"deals={deals}: at least one")
    began = time.perf_counter()
    torch.set_num_threads(1)

    def value(response: NetworkBot) -> float:
        found = evaluate(game, response, [bot], options, deals=_VALIDATION_DEALS, seed=seed, purpose=VALIDATION_DEALS)
        return found.headline.mean.value

    rollout = min(learning.rollout, decisions)
    model = SelfPlayPPO(
        ViewPolicy,
        Tables(game, [options], min(_TABLES, rollout), _Target(game, bot), seed=seed),
        n_steps=rollout,
        batch_size=min(learning.minibatch, rollout),
        n_epochs=learning.epochs,
        learning_rate=_line(learning.learning_rate),
        clip_range=_line(learning.clip_range),
        entropy=_line(learning.entropy),
        gamma=learning.gamma,
        gae_lambda=learning.gae_lambda,
        vf_coef=learning.value_weight,
        max_grad_norm=learning.max_grad_norm,
        seed=seed,
        policy_kwargs=policy_settings(game, network.width, network.policy, network.value),
    )
    keep = _KeepBest(value, max(decisions // _VALIDATIONS, 1), progress or (lambda done: None))
    model.learn(decisions, callback=keep)
    keep.look()
    assert keep.kept is not None
    result = evaluate(game, keep.kept, [bot], options, deals=deals, seed=seed, purpose=EVALUATION_DEALS)
    return BestResponse(bot.name, model.num_timesteps, round(time.perf_counter() - began, 3), result)


def _line(ends: list[float]) -> Callable[[float], float]:
    """From the first number to the second as the remaining progress goes from 1 to 0."""
    first, last = ends
    return lambda remaining: last + (first - last) * remaining
