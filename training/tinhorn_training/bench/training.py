"""A short self-play training, to see how fast the whole loop runs."""

import json
import tempfile
import time

import torch
from stable_baselines3.common.callbacks import BaseCallback

from tinhorn.registry import get_game
from tinhorn_training.bench.memory import peak_mb
from tinhorn_training.config import TrainConfig
from tinhorn_training.runs import RunFolder
from tinhorn_training.train import build


class _Clock(BaseCallback):
    """Times each rollout with its update, and stops after so many seconds or two of them, whichever is later."""

    def __init__(self, seconds: float, processor_time: bool) -> None:
        super().__init__()
        self.clock = time.process_time if processor_time else time.perf_counter
        self.seconds = seconds
        self.starts: list[tuple[float, int]] = []

    def _on_rollout_start(self) -> None:
        self.starts.append((self.clock(), self.num_timesteps))

    def _on_step(self) -> bool:
        return len(self.starts) < 4 or self.starts[-1][0] - self.starts[1][0] < self.seconds

    def rates(self) -> list[float]:
        """Decisions a second of each round but the first, which warms up."""
        rounds = zip(self.starts[1:-1], self.starts[2:], strict=True)
        return [(after - before) / (end - start) for (start, before), (end, after) in rounds]


def train(name: str, seconds: float, processor_time: bool = False) -> None:
    """Train with the usual settings for about so long; print rates (decisions/s) and peak memory (MB) as JSON."""
    game = get_game(name)
    config = TrainConfig(game=name, players=[game.options.player_counts[0]], decisions=1)
    torch.set_num_threads(config.threads)
    clock = _Clock(seconds, processor_time)
    with tempfile.TemporaryDirectory() as folder:
        build(config, RunFolder(folder, config)).learn(1 << 60, clock)
    print(json.dumps({"rates": clock.rates(), "mb": peak_mb()}))
