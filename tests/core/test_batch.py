"""Many tables at once: seeds, new episodes, parts of a batch, wrong arguments."""

import numpy as np
import pytest

from tinhorn.core.batch import Batch
from tinhorn.core.rng import derive
from tinhorn.core.table import Table
from tinhorn.games.cold_hand import GAME, ColdHandOptions

TWO = ColdHandOptions(2)


def random_actions(batch, rng):
    """One legal id a table, 0 where finished."""
    return (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)


def test_seeds_are_derived_by_table_and_episode():
    batch, rng = Batch(GAME, 6, TWO, seed=11), np.random.default_rng(0)
    seen = [[int(seed)] for seed in batch.seeds]
    while min(map(len, seen)) < 3:
        batch.step(random_actions(batch, rng))
        for table in np.flatnonzero(batch.finished):
            seen[table].append(int(batch.seeds[table]))
    for table in range(6):
        own = np.uint64(derive(np.uint64(11), table))
        assert seen[table][:3] == [int(derive(own, episode)) for episode in range(3)]


def test_any_episode_can_be_played_again_at_a_table():
    batch, rng = Batch(GAME, 4, TWO, seed=2), np.random.default_rng(1)
    episodes = []
    current = [(int(seed), [], 0) for seed in batch.seeds]
    while len(episodes) < 12:
        actions = random_actions(batch, rng)
        batch.step(actions)
        for table in range(4):
            current[table][1].append(int(actions[table]))
            if batch.finished[table]:
                episodes.append((*current[table][:2], batch.rewards[table].copy()))
                current[table] = int(batch.seeds[table]), [], 0
    for seed, actions, rewards in episodes:
        table = Table(GAME, TWO)
        table.reset(seed)
        for action in actions:
            assert not table.finished
            table.step(action)
        assert table.finished
        assert table.state.rewards.tolist() == rewards.tolist()


def test_autoreset_shows_the_next_episode_at_once():
    batch, rng = Batch(GAME, 8, TWO, seed=3, features=True), np.random.default_rng(1)
    for _ in range(300):
        batch.step(random_actions(batch, rng))
        assert (batch.actors >= 0).all()
        assert batch.masks.any(axis=1).all()
        ended = batch.finished != 0
        assert (batch.states.ply[ended] == 0).all()
        assert (np.abs(batch.rewards[ended]).sum(axis=1) > 0).all()


def test_without_autoreset_finished_tables_stay():
    batch, rng = Batch(GAME, 8, TWO, seed=3, autoreset=False), np.random.default_rng(1)
    while not batch.finished.all():
        batch.step(random_actions(batch, rng))
    before = batch.states.copy()
    batch.step(np.zeros(8, np.int64))
    assert not batch.rewards.any()
    before.rewards = 0
    assert batch.states.tobytes() == before.tobytes()
    batch.restart(np.array([2, 5]))
    assert np.flatnonzero(batch.actors >= 0).tolist() == [2, 5]
    batch.restart(np.array([0]), np.array([77], np.uint64))
    assert batch.seeds[0] == 77


@pytest.mark.parametrize("threads", [1, 2])
def test_some_tables_can_be_stepped(threads):
    batch = Batch(GAME, 6, TWO, seed=3, threads=threads)
    before = batch.states.copy()
    which = np.array([1, 4, 5])
    batch.step(np.zeros(3, np.int64), which)
    moved = [k for k in range(6) if batch.states[k].tobytes() != before[k].tobytes()]
    assert moved == which.tolist()


def test_given_seeds_and_the_reset():
    batch = Batch(GAME, 3, TWO, seed=1)
    first = batch.states.tobytes()
    batch.step(random_actions(batch, np.random.default_rng(1)))
    batch.reset(1)
    assert batch.states.tobytes() == first
    batch.reset(seeds=[5, 5, 2**64 - 1])
    assert batch.seeds.tolist() == [5, 5, 2**64 - 1]
    assert batch.states[0].tobytes() == batch.states[1].tobytes()
    assert batch.views.shape == (3, GAME.layout.size)
    assert batch.features.shape == (3, 0)
    assert not np.array_equal(Batch(GAME, 3).seeds, Batch(GAME, 3).seeds)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="num_tables=0"):
        Batch(GAME, 0)
    with pytest.raises(ValueError, match="threads=0"):
        Batch(GAME, 1, threads=0)
    batch = Batch(GAME, 4)
    with pytest.raises(ValueError, match="shape"):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="shape"):
        batch.step(np.zeros(4, np.int64), np.array([1]))


def test_more_threads_than_tables_do_no_harm():
    batch = Batch(GAME, 2, TWO, seed=1, threads=9)
    batch.step(np.zeros(2, np.int64))
    assert batch.states.ply.tolist() == [1, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_random_play_for_measuring_counts_its_decisions(threads):
    batch = Batch(GAME, 8, TWO, seed=1, threads=threads, features=True)
    done = batch.random_decisions(2000, seed=4)
    assert 2000 <= done <= 2000 + 16
    assert ((batch.actors >= 0) | True).all()
    assert batch.masks.any(axis=1).sum() == np.count_nonzero(batch.states.finished == 0)


def test_tables_take_several_options_in_turn():
    """Also after their episodes have ended and begun anew."""
    batch, rng = Batch(GAME, 6, [TWO, ColdHandOptions(5)], seed=3), np.random.default_rng(2)
    ended = np.zeros(6, bool)
    while not ended.all():
        assert batch.states.num_seats.tolist() == [2, 5] * 3
        batch.step(random_actions(batch, rng))
        ended |= batch.finished != 0
    batch.random_decisions(2000)
    assert batch.states.num_seats.tolist() == [2, 5] * 3
