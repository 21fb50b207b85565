"""Plays one seeded game and prints a hash of everything that was seen: for comparing processes.

``python -m contract.digest GAME SEED`` with the tests' folder on the path.
"""

import hashlib
import sys

import numpy as np

import kuhn  # noqa: F401 - registers itself
from tinhorn.core.table import Table
from tinhorn.registry import get_game


def digest(name, seed, most=300):
    """The hash of a random game of the largest table."""
    game = get_game(name)
    table = Table(game, game.options(num_players=game.options.player_counts[-1]))
    table.reset(seed)
    rng, found = np.random.default_rng(seed), hashlib.sha256()
    for _ in range(most):
        parts = (table.states, table.view, table.mask, table.features)
        found.update(b"".join(part.tobytes() for part in parts))
        if table.finished:
            break
        table.step(int(rng.choice(table.legal_ids())))
    return found.hexdigest()


if __name__ == "__main__":
    print(digest(sys.argv[1], int(sys.argv[2])))
