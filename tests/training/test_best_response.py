"""Best response: it finds what can be won from a weak bot, and nothing against the equilibrium."""

import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

import kuhn
from tinhorn.bots import load
from tinhorn_training.best_response import BestResponse, best_response
from tinhorn_training.cli import app
from tinhorn_training.config import Learning, Network
from tinhorn_training.errors import InputError
from tinhorn_training.evaluate import Estimate, Evaluation, Score
from tinhorn_training.reports import print_best_response

LEARNING = Learning(rollout=2048, minibatch=512, learning_rate=[5e-3, 0.0], entropy=[0.02, 0.0])
UNIFORM = 11 / 24  # chips a game that a best response wins from uniform play, seats in turn


def respond(name, **settings):
    small = Network(width=32, policy=[32], value=[32])
    bot = load(name, kuhn.GAME)
    return best_response(kuhn.GAME, bot, kuhn.GAME.options(), learning=LEARNING, network=small, **settings)


def test_almost_all_is_won_from_random_play_and_never_more_than_can_be():
    told = []
    result = respond("random", decisions=50_000, deals=5000, progress=told.append)
    mean = result.evaluation.headline.mean
    assert result.gain > 0.85 * UNIFORM
    assert mean.low <= UNIFORM
    assert result.decisions >= 50_000
    assert told[-1] == result.decisions
    assert result.evaluation.against == ["random"]
    json.dumps(result.as_dict())


def test_nothing_is_won_from_the_equilibrium():
    result = respond("house", decisions=20_000, deals=5000)
    assert result.gain < 3 * result.evaluation.headline.mean.width


def test_the_same_seed_trains_the_same_response():
    first, second = (respond("random", decisions=5000, deals=200, seed=3) for _ in range(2))
    assert first.evaluation.scores == second.evaluation.scores


@pytest.mark.parametrize("settings", [{"decisions": 0}, {"decisions": 10, "deals": 0}])
def test_nothing_to_do_is_refused(settings):
    with pytest.raises(InputError, match="at least one"):
        respond("random", **settings)


def test_the_command():
    done = CliRunner().invoke(
        app, ["best-response", "random", "--game", "kuhn", "--decisions", "3000", "--deals", "200"]
    )
    assert done.exit_code == 0, done.output
    assert "found no gain against random" in done.output.replace("\n", " ")


@pytest.mark.parametrize(
    ("mean", "bound", "words"),
    [
        (
            Estimate(-0.02, -0.05, 0.01),
            0,
            "found no gain against weak: the trained network is at -0.0200 ±0.0300 chips",
        ),
        (Estimate(0.02, -0.01, 0.05), 0, "found no gain against weak"),
        (Estimate(0.3, None, None), 0, "found no gain against weak"),
        (Estimate(0.3, 0.25, 0.35), 0.25, "gains +0.3000 ±0.0500 chips over the fair share, at least 0.2500"),
    ],
)
def test_a_bound_is_claimed_only_where_a_gain_is_found(mean, bound, words):
    score = Score("chips", "a game", 0.0, mean, [], 0.01)
    found = Evaluation("kuhn_v0", {"num_players": 2}, "best response", ["weak"], 10, 20, 0, [score], 1, 1.0, 0, [])
    result = BestResponse("weak", 100, 1.0, found)
    assert result.lower_bound == result.as_dict()["lower_bound"] == bound
    console = Console(record=True, width=300)
    print_best_response(console, result)
    assert words in console.export_text()
