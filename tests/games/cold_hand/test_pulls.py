"""The reward `pulls`: what the penalties of CH-11 to CH-14 cost on average, hand by hand."""

import numpy as np
import pytest

from tinhorn.core.batch import Batch
from tinhorn.core.table import Table
from tinhorn.games.cold_hand import GAME, ColdHandOptions
from tinhorn.games.cold_hand.actions import CALL, FOLD, RAISE


def play(bullets, actions):
    """The rewards, in sixths, of a hand of three in which seat 0 opens, all stand pat and then ``actions`` follow."""
    table = Table(GAME, ColdHandOptions(3, reward="pulls"))
    hands = {0: "2c 3d 4h 6s 9d", 1: "Kc Kd 9h 7s 3c", 2: "Ac Qd 9c 7d 5c"}
    deck = [hands[seat].split()[place] for place in range(5) for seat in range(3)]
    table.reset(1, chance={"opener": [0], "deck": deck, "bullets": bullets})
    for action in [0, 0, 0, *actions]:
        table.step(action)
    return np.round(table.state.rewards[:3] * 6, 12).tolist()


ALL_CALL = [RAISE, CALL, CALL, 0, 0, 0, CALL, CALL, CALL]  # at two pulls


@pytest.mark.parametrize("bullets", [[6, 6, 6], [1, 6, 6], [2, 1, 1]])
def test_the_weakest_pays_the_stakes_whatever_the_chamber(bullets):
    """Two pulls for seat 0, two halves of them for the others, shot or not (CH-11, CH-14)."""
    assert play(bullets, ALL_CALL) == [-2, 1, 1]


def test_folds_cost_the_house_minimum():
    """Seats 1 and 2 pay one pull each (CH-13): (0 + 1 + 1) / 2 - 0 and (1 + 0) / 2 - 1."""
    assert play([6, 6, 6], [RAISE, FOLD, FOLD]) == [1, -0.5, -0.5]


def test_a_dropped_penalty_counts_like_any_other():
    """All are shot but the last: its pull was due all the same (CH-14)."""
    assert play([6, 1, 1], [RAISE, FOLD, FOLD]) == [1, -0.5, -0.5]


@pytest.mark.parametrize("players", range(2, 7))
def test_rewards_sum_to_zero_in_every_hand(players):
    batch = Batch(GAME, 200, ColdHandOptions(players, reward="pulls"), seed=4)
    luck, some = np.random.default_rng(1), 0.0
    for _ in range(200):
        batch.step((luck.random(batch.masks.shape) * batch.masks).argmax(axis=1))
        assert np.abs(batch.rewards.sum(axis=1)).max() < 1e-12
        some += np.abs(batch.rewards).sum()
    assert some > 0
