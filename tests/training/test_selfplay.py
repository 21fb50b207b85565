"""Self-play: what it learns from, that it is reproducible, and how near it comes to the equilibrium of Kuhn poker."""

import random

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import LinearSchedule

from kuhn import BET, GAME, PASS, bet_chance
from tinhorn.bots import HouseBot
from tinhorn_training.config import Opponents
from tinhorn_training.evaluate import evaluate
from tinhorn_training.league import LEARNER, League
from tinhorn_training.matches import play_games
from tinhorn_training.player import NetworkBot, tensor_bytes
from tinhorn_training.policy import TAUGHT, ViewPolicy, policy_settings
from tinhorn_training.selfplay import DivergedError, SelfPlayPPO, Tables

NOBODY = Opponents(snapshots=0.0, house=0.0)
ROLLOUT = 8192


def learner(seed=0, opponents=NOBODY, folder=None, tables=256, **settings):
    league = League(GAME, opponents, folder)
    settings = {"n_steps": ROLLOUT, "batch_size": 2048, "n_epochs": 4, "average_over": 15} | settings
    return SelfPlayPPO(
        ViewPolicy,
        Tables(GAME, [GAME.options()], tables, league, seed=seed),
        seed=seed,
        entropy=LinearSchedule(0.2, 0.04, 1.0),
        learning_rate=LinearSchedule(2e-3, 1e-3, 1.0),
        clip_range=0.1,
        gamma=1.0,
        policy_kwargs=policy_settings(GAME, 64, [64], [64]),
        **settings,
    )


class Strategy:
    """How often each of the 12 information sets of Kuhn poker bets or calls: ``[first, card, facing a bet]``."""

    def __init__(self, bets):
        self.bets = bets

    @classmethod
    def of(cls, policy):
        bot = NetworkBot(policy, "network")
        moves = {(1, 0): (-1, -1, -1), (1, 1): (PASS, BET, -1), (0, 0): (PASS, -1, -1), (0, 1): (BET, -1, -1)}
        places = [(first, card, facing) for first in (0, 1) for card in range(3) for facing in (0, 1)]
        views = np.array([[first, card, *moves[first, facing]] for first, card, facing in places], np.int32)
        chances = bot.probabilities(views, np.ones((12, 2), np.int8))[:, BET]
        return cls(dict(zip(places, chances.tolist(), strict=True)))

    @classmethod
    def equilibrium(cls, alpha):
        return cls(
            {
                (first, card, facing): bet_chance(bool(first), card, bool(facing), alpha)
                for first in (0, 1)
                for card in range(3)
                for facing in (0, 1)
            }
        )

    def best_reply(self, seat):
        """What the best reply to this strategy wins from ``seat``, exactly: 6 deals, the tree by hand."""
        total = 0.0
        for card in range(3):
            others = [(other, 1 if card > other else -1) for other in range(3) if other != card]
            bet = self.bets
            if seat == 0:
                bets = sum(bet[0, o, 1] * 2 * win + (1 - bet[0, o, 1]) for o, win in others)
                checked = sum((1 - bet[0, o, 0]) * win for o, win in others)
                calls = sum(bet[0, o, 0] * 2 * win for o, win in others)
                folds = -sum(bet[0, o, 0] for o, win in others)
                total += max(bets, checked + max(calls, folds))
            else:
                calls = sum(bet[1, o, 0] * 2 * win for o, win in others)
                folds = -sum(bet[1, o, 0] for o, win in others)
                checks = sum((1 - bet[1, o, 0]) * win for o, win in others)
                bets = sum((1 - bet[1, o, 0]) * (bet[1, o, 1] * 2 * win + 1 - bet[1, o, 1]) for o, win in others)
                total += max(calls, folds) + max(checks, bets)
        return total / 6

    @property
    def exploitability(self):
        """What a best reply wins a game, seats in turn; 0 for an equilibrium."""
        return (self.best_reply(0) + self.best_reply(1)) / 2


UNIFORM = Strategy(dict.fromkeys(Strategy.equilibrium(0.0).bets, 0.5)).exploitability


def test_exact_exploitability():
    assert pytest.approx(11 / 24) == UNIFORM
    for alpha in (0.0, 0.2, 1 / 3):
        assert Strategy.equilibrium(alpha).exploitability == pytest.approx(0.0, abs=1e-12)
        assert Strategy.equilibrium(alpha).best_reply(0) == pytest.approx(-1 / 18)
    assert Strategy.equilibrium(0.5).exploitability > 0.01


def test_the_equilibrium_is_worth_a_chip_in_eighteen_to_the_second_player():
    deals = 40_000
    bots = [HouseBot(GAME, "house")]
    played = play_games(GAME, GAME.options(), bots, np.zeros((deals, 2), np.int64), np.arange(deals, dtype=np.uint64))
    first = played.values[:, 0, 0]
    assert first.mean() == pytest.approx(-1 / 18, abs=4 * first.std() / deals**0.5)
    against_itself = evaluate(GAME, bots[0], [HouseBot(GAME, "bold")], GAME.options(), deals=10_000)
    low, high = against_itself.headline.mean.low, against_itself.headline.mean.high
    assert low <= 0 <= high


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_self_play_ends_far_below_the_exploitability_of_uniform_play(seed):
    model = learner(seed)
    model.learn(600_000, log_interval=None)
    assert Strategy.of(model.average).exploitability < 0.1 * UNIFORM


def test_every_decision_of_the_network_is_learnt_from_once():
    model = learner(n_steps=1000, batch_size=250, n_epochs=1, tables=16)
    learnt, seen = 0, []
    for _ in range(5):
        model.learn(1000, log_interval=None, reset_num_timesteps=False)
        buffer = model.rollout_buffer
        batches = list(buffer.get(250))
        learnt += sum(len(batch.actions) for batch in batches)
        seen += [batch.returns.numpy() for batch in batches]
        assert len({len(batch.actions) for batch in batches}) <= 2
    waiting = model.env.experience.size - len(buffer._rows)
    assert learnt + waiting == model.num_timesteps
    assert np.isfinite(np.concatenate(seen)).all()


def test_a_training_is_reproducible_and_leaves_global_random_states_alone():
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    before = random.getstate(), np.random.get_state()[1].copy(), torch.get_rng_state()
    weights = []
    for _ in range(2):
        model = learner(seed=3, opponents=Opponents(snapshots=0.0, house=0.3))
        model.learn(2 * ROLLOUT, log_interval=None)
        weights.append(torch.cat([weight.flatten() for weight in model.policy.parameters()]))
    assert torch.equal(*weights)
    assert random.getstate() == before[0]
    assert (np.random.get_state()[1] == before[1]).all()
    assert torch.equal(torch.get_rng_state(), before[2])


@pytest.mark.parametrize("broken", [b"", b"half a file", None], ids=["empty", "damaged", "another network's"])
def test_a_snapshot_that_cannot_be_read_is_passed_over(tmp_path, capsys, broken):
    league, policy = League(GAME, Opponents(snapshots=0.5, house=0.0, snapshot_every=1), tmp_path), learner().policy
    for updates in range(2):
        league.snapshot(policy, updates)
    other = tensor_bytes({"weight": torch.zeros(3)})
    (tmp_path / "000000.pt").write_bytes(other if broken is None else broken)
    league.choose_snapshots(policy, 2, np.random.default_rng(0))
    assert [bot.name for bot in league.bots if bot.name.isdigit()] == ["000001"]
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{tmp_path / '000000.pt'}: playing without this snapshot, it cannot be read (" in said


def test_the_league_seats_one_learner_and_its_opponents(tmp_path):
    settings = Opponents(snapshots=0.3, house=0.2, snapshot_every=2)
    league = League(GAME, settings, tmp_path / "snapshots")
    policy = learner().policy
    generator = np.random.default_rng(0)
    for updates in range(6):
        league.snapshot(policy, updates)
    assert sorted(path.stem for path in (tmp_path / "snapshots").iterdir()) == ["000000", "000002", "000004"]
    league.choose_snapshots(policy, 4, generator)
    assert [bot.name for bot in league.bots[:3]] == ["house:house", "house:honest", "house:bold"]
    assert {bot.name for bot in league.bots[3:]} == {"000000", "000002"}
    seats = league.seat(np.full(20_000, 2), generator)[:, :2]
    others = seats[(seats != LEARNER).any(axis=1)]
    assert len(others) / len(seats) == pytest.approx(0.5, abs=0.02)
    assert ((others == LEARNER).sum(axis=1) == 1).all()
    assert (others > 3).any(axis=1).mean() == pytest.approx(0.6, abs=0.03)
    past = league.bots[3]
    views, masks = np.zeros((4, 5), np.int32), np.ones((4, 2), np.int8)
    assert np.allclose(past.probabilities(views, masks), NetworkBot(policy, "").probabilities(views, masks))


def test_only_the_learners_decisions_are_collected():
    model = learner(opponents=Opponents(snapshots=0.0, house=1.0, styles=["bold"]), n_steps=4000, n_epochs=1)
    model.learn(4000, log_interval=None)
    kept = model.env.experience
    moves = kept.features[: kept.size, GAME.layout.features_at("moves") :]
    first_moves = (moves.sum(axis=1) == 0).sum()
    assert 0.3 < first_moves / kept.size < 0.7  # of both seats, a decision or two a game
    assert model.num_timesteps == kept.size - kept.carried
    assert model.env.episodes == pytest.approx(kept.size * 0.88, rel=0.15)


def test_imitation_draws_the_network_to_the_house_bot_and_then_lets_go():
    imitation = LinearSchedule(20.0, 0.0, 0.5)
    model = learner(opponents=NOBODY, imitation=imitation)
    model.learn(12 * ROLLOUT, log_interval=None)
    assert Strategy.of(model.average).exploitability < 0.3 * UNIFORM
    assert model.env.experience.masks.max() == 1, "nothing is taught in the second half"
    assert model.policy.imitation == 0.0
    taught = learner(imitation=20.0)
    taught.learn(ROLLOUT, log_interval=None)
    kept = taught.env.experience
    assert ((kept.masks[: kept.size] == TAUGHT).sum(axis=1) == 1).all(), "one action a decision"
    assert 0 < -taught.logger.name_to_value["train/entropy_loss"] <= np.log(2)


class Spoil(BaseCallback):
    """Makes the targets of the next update no numbers."""

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        self.model.rollout_buffer._advantages[:] = np.nan


def test_weights_that_are_no_numbers_stop_the_training():
    with pytest.raises(DivergedError, match="learning_rate"):
        learner().learn(ROLLOUT, Spoil(), log_interval=None)
