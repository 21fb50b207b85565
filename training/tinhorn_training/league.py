"""Who sits in the seats that the learning network does not play: house styles, and its own past."""

import sys
from pathlib import Path

import numpy as np
import torch

from tinhorn.bots import HouseBot
from tinhorn.bots.base import Bot
from tinhorn.core.game import MAX_SEATS, Game
from tinhorn_training.config import Opponents
from tinhorn_training.errors import first_line
from tinhorn_training.files import write_atomically
from tinhorn_training.player import NetworkBot, tensor_bytes
from tinhorn_training.policy import ViewPolicy

LEARNER = 0  # in a table's seats; other numbers are 1 + the place in `League.bots`
SNAPSHOTS_AT_ONCE = 2  # each one is a forward pass of its own


class League:
    """The opponents of one training.

    Args:
        game: the game. settings: shares and styles. folder: where snapshots lie, ``NNNNNN.pt`` by update; None keeps
            none, so that snapshots are never drawn.
    """

    def __init__(self, game: Game, settings: Opponents, folder: Path | None = None) -> None:
        self.settings, self.folder = settings, folder
        styles = settings.styles or list(game.styles)
        self.bots: list[Bot] = [HouseBot(game, style) for style in styles]
        self._house = len(styles)

    def snapshot(self, policy: ViewPolicy, updates: int) -> None:
        """Keep the network as it is now, when it is time for it."""
        if self.folder is not None and updates % self.settings.snapshot_every == 0:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.folder / f"{updates:06d}.pt", tensor_bytes(policy.state_dict()))

    def choose_snapshots(self, policy: ViewPolicy, updates: int, random: np.random.Generator) -> None:
        """Draw the snapshots for one rollout from those made before ``updates``."""
        del self.bots[self._house :]
        files = sorted(self.folder.glob("*.pt")) if self.folder and self.settings.snapshots > 0 else []
        files = [file for file in files if int(file.stem) < updates]
        for number in random.choice(len(files), min(len(files), SNAPSHOTS_AT_ONCE), replace=False):
            past = policy.twin()
            try:
                past.load_state_dict(torch.load(files[number], weights_only=True))
            except Exception as error:  # torch and pickle say in many ways that they cannot read a file
                why = first_line(error)
                print(f"{files[number]}: playing without this snapshot, it cannot be read ({why})", file=sys.stderr)
                continue
            self.bots.append(NetworkBot(past, files[number].stem))

    def seat(self, num_seats: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Who plays where in new episodes with so many seats (int[K]): int8[K, 6], see `LEARNER`."""
        seats = np.zeros((len(num_seats), MAX_SEATS), np.int8)
        kind = random.random(len(num_seats))
        house = kind < self.settings.house
        past = ~house & (kind < self.settings.house + self.settings.snapshots)
        if house.any():
            seats[house] = random.integers(1, self._house + 1, (int(house.sum()), MAX_SEATS))
        if past.any() and len(self.bots) > self._house:
            seats[past] = random.integers(self._house + 1, len(self.bots) + 1, (int(past.sum()), MAX_SEATS))
        seats[np.arange(len(seats)), random.integers(0, num_seats)] = LEARNER
        return seats
