"""A state is its bytes: copies go on alike, and the same seed and actions give the same game everywhere."""

import copy
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from contract.digest import digest
from contract.play import (
    assert_same_future,
    begin,
    every_game,
    every_table,
    positions,
    smallest_and_largest,
    walk,
)
from tinhorn.bots import HouseBot, RandomBot, SearchBot
from tinhorn.core.batch import Batch
from tinhorn.core.rng import new_stream
from tinhorn.core.table import Table

COPIES = {
    "clone": lambda table: table.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda table: pickle.loads(pickle.dumps(table)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@every_table
def test_a_copy_has_the_same_bytes_and_future(game, options, make):
    for table, rng in positions(game, options, count=6, games=2):
        before = table.states.tobytes()
        twin, other = make(table), make(table)
        assert twin.states.tobytes() == before
        assert (twin.game, twin.options) == (game, options)
        assert_same_future(twin, other, rng, most=60)
        assert twin.states.tobytes() == other.states.tobytes()
        assert table.states.tobytes() == before, "the copy went on, the table did not"


@every_table
def test_equal_games_have_equal_bytes(game, options):
    """Whatever the memory held before, seed and actions decide every byte."""
    used = begin(game, options, 99)
    for table, rng in walk(game, options, 99):
        used.step(int(rng.choice(table.legal_ids())))
        break
    used.reset(5)
    for table, rng in walk(game, options, 5, most=120):
        assert used.states.tobytes() == table.states.tobytes()
        used.step(int(copy.deepcopy(rng).choice(table.legal_ids())))


@every_table
def test_seeds_differ_and_none_is_random(game, options):
    table, bytes_seen = begin(game, options, 0), set()
    for seed in (0, 1, 2, -1, 2**63, 2**64 - 2):
        table.reset(seed)
        bytes_seen.add(table.states.tobytes())
    assert len(bytes_seen) == 6
    table.reset(None)
    first = int(table.state.seed)
    table.reset()
    assert int(table.state.seed) != first


@pytest.mark.parametrize("skip_forced", [False, True])
@every_table
def test_a_batch_plays_the_same_games_as_a_table(game, options, skip_forced):
    """With one thread and with two, through the end of episodes and on."""
    batches = [
        Batch(game, 5, options, seed=3, features=True, skip_forced=skip_forced, threads=threads) for threads in (1, 2)
    ]
    one = batches[0]
    tables = [Table(game, options, skip_forced=skip_forced) for _ in range(5)]
    for table, seed in zip(tables, one.seeds.tolist(), strict=True):
        table.reset(seed)
    rng = np.random.default_rng(1)
    episodes = 0
    for _ in range(150):
        actions = (rng.random(one.masks.shape) * one.masks).argmax(axis=1)
        for batch in batches:
            batch.step(actions)
        for name in ("states", "views", "masks", "features", "actors", "rewards", "finished", "seeds"):
            first, second = (getattr(batch, name) for batch in batches)
            assert first.tobytes() == second.tobytes(), name
        for i, table in enumerate(tables):
            table.step(int(actions[i]))
            assert table.state.rewards.tolist() == one.rewards[i].tolist()
            assert table.finished == one.finished[i]
            if table.finished:
                episodes += 1
                table.reset(int(one.seeds[i]))
            assert table.states.tobytes() == one.states[i].tobytes()
            assert table.view.tobytes() == one.views[i].tobytes()
            assert table.mask.tobytes() == one.masks[i].tobytes()
            assert table.features.tobytes() == one.features[i].tobytes()
            assert table.actor == one.actors[i]
    assert episodes or game.name not in ("cold_hand", "kuhn"), "the short games end and start again"


@every_game
def test_another_process_plays_the_same_game(game):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-m", "contract.digest", game.name, "17"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert result.stdout.strip() == digest(game.name, 17)


@smallest_and_largest
def test_global_random_states_are_neither_read_nor_moved(game, options):
    bots = [RandomBot(), HouseBot(game), SearchBot(game, 1)]
    games = []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)
        before = random.getstate(), np.random.get_state()[1].tobytes()
        table, luck, played = begin(game, options, 4), new_stream(8), []
        while not table.finished and len(played) < 60:
            bot = bots[len(played) % 3]
            played += bot.act(table.view[None], table.mask[None], luck, table.states).tolist()
            table.step(played[-1])
        games.append(played)
        assert (random.getstate(), np.random.get_state()[1].tobytes()) == before
    assert games[0] == games[1]
