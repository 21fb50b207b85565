"""Linking, crediting and estimating against plain Python that follows one seat at a time."""

import numpy as np
import pytest

from tinhorn_training.sampling import best_legal, sample
from tinhorn_training.trajectories import END, UNKNOWN, Trajectories

TABLES, SEATS = 5, 3
GAMMA, GAE_LAMBDA = 0.97, 0.8


def plain_advantages(episode, finished):
    """Advantages of one seat's (value, reward) list by the book; None where the successor is unknown."""
    advantages = [None] * len(episode)
    for k in range(len(episode) if finished else len(episode) - 1):
        total, weight = 0.0, 1.0
        for j in range(k, len(episode)):
            if j == len(episode) - 1 and not finished:
                break
            value, reward = episode[j]
            after = episode[j + 1][0] if j + 1 < len(episode) else 0.0
            total += weight * (reward + GAMMA * after - value)
            weight *= GAMMA * GAE_LAMBDA
        advantages[k] = total
    return advantages


def play(random, store, steps, open_lists, closed):
    """Random actors, rewards and ends; keeps the plain record beside the store."""
    for _ in range(steps):
        seats = random.integers(0, SEATS, TABLES)
        tables = np.flatnonzero(random.random(TABLES) < 0.8)
        rows = store.add(len(tables), tables, seats[tables])
        store.values[rows] = random.normal(size=len(tables))
        for row, table in zip(range(rows.start, rows.stop), tables, strict=True):
            open_lists.setdefault((table, seats[table]), []).append([float(store.values[row]), 0.0])
        rewards = np.zeros((TABLES, 6))
        rewards[:, :SEATS] = random.normal(size=(TABLES, SEATS))
        finished = (random.random(TABLES) < 0.15).astype(np.uint8)
        truncated = (finished * (random.random(TABLES) < 0.3)).astype(np.uint8)
        store.credit(rewards, finished, truncated)
        for table, seat in list(open_lists):
            open_lists[table, seat][-1][1] += rewards[table, seat]
            if finished[table]:
                closed.append((open_lists.pop((table, seat)), not truncated[table]))


def test_advantages_equal_plain_python_over_several_rollouts():
    random = np.random.default_rng(4)
    store = Trajectories(400, 2, 2, TABLES)
    store.clear()
    open_lists, closed, learnt = {}, [], 0
    play(random, store, 80, open_lists, closed)
    rows, advantages = store.targets(GAMMA, GAE_LAMBDA)
    records = closed + [(episode, False) for episode in open_lists.values()]
    expected = sorted(a for episode, ended in records for a in plain_advantages(episode, ended) if a is not None)
    assert np.allclose(sorted(advantages[rows]), expected, atol=1e-4)
    learnt += len(rows)
    carried = len(open_lists)
    store.carry_over()
    assert store.size == store.carried == carried

    # The next rollout begins each running trajectory with the decision that was carried over.
    open_lists = {key: [episode[-1]] for key, episode in open_lists.items()}
    closed = []
    play(random, store, 60, open_lists, closed)
    rows, advantages = store.targets(GAMMA, GAE_LAMBDA)
    records = closed + [(episode, False) for episode in open_lists.values()]
    expected = sorted(a for episode, ended in records for a in plain_advantages(episode, ended) if a is not None)
    assert np.allclose(sorted(advantages[rows]), expected, atol=1e-4)


def test_a_reward_that_comes_in_after_others_moved_belongs_to_the_seats_last_decision():
    store = Trajectories(10, 1, 2, 1)
    table, nobody = np.array([0]), np.zeros(1, np.uint8)
    store.add(1, table, np.array([0]))
    store.credit(np.array([[1.0, 0, 0, 0, 0, 0]]), nobody, nobody)
    store.add(1, table, np.array([1]))
    store.credit(np.array([[2.0, 5.0, 0, 0, 0, 0]]), nobody, nobody)
    store.add(1, table, np.array([0]))
    store.credit(np.array([[4.0, 7.0, 9.0, 0, 0, 0]]), np.ones(1, np.uint8), nobody)
    assert store.rewards[:3].tolist() == [3.0, 12.0, 4.0]
    assert store.following[:3].tolist() == [2, END, END]


def test_a_truncated_episode_has_no_known_end():
    store = Trajectories(10, 1, 2, 1)
    store.add(1, np.array([0]), np.array([0]))
    store.credit(np.ones((1, 6)), np.ones(1, np.uint8), np.ones(1, np.uint8))
    assert store.following[0] == UNKNOWN
    assert len(store.targets(1.0, 1.0)[0]) == 0
    store.carry_over()
    assert store.size == 0


def test_sampling_follows_the_probabilities_and_only_the_rows_stream():
    logits = np.tile(np.array([1.0, -2.0, 0.5, 9.0], np.float32), (40_000, 1))
    masks = np.tile(np.array([1, 1, 1, 0], np.int8), (40_000, 1))
    streams = np.arange(80_000, dtype=np.uint64)
    before = streams.copy()
    tables = 2 * np.arange(40_000)
    actions, log_probs = np.zeros(40_000, np.int64), np.zeros(40_000, np.float32)
    sample(logits, masks, streams, tables, actions, log_probs)
    chances = np.exp(logits[0, :3]) / np.exp(logits[0, :3]).sum()
    assert np.bincount(actions, minlength=4)[:3] / 40_000 == pytest.approx(chances, abs=0.01)
    assert np.allclose(np.exp(log_probs), chances[actions], atol=1e-6)
    assert (streams[1::2] == before[1::2]).all()
    assert (streams[::2] != before[::2]).all()
    best_legal(logits, masks, actions)
    assert (actions == 0).all()
