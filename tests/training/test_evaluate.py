"""Evaluation: duplicate deals are fair, results are reproducible, intervals are right, and the Kuhn value comes out."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from rich.console import Console
from typer.testing import CliRunner

import kuhn
from tinhorn.bots import Bot, BotError, RandomBot, load
from tinhorn.core.batch import Batch
from tinhorn.core.rng import derive
from tinhorn.games.cowboy_draw.state import READOUT
from tinhorn.registry import get_game, list_games
from tinhorn_training.arguments import game_options
from tinhorn_training.cli import app
from tinhorn_training.cross_play import cross_play, rate
from tinhorn_training.errors import InputError
from tinhorn_training.evaluate import Estimate, Score, _student, duplicate_seating, estimate, evaluate
from tinhorn_training.export.bundle import export_bundle
from tinhorn_training.matches import EVALUATION_DEALS, VALIDATION_DEALS, deal_seeds, play_games
from tinhorn_training.player import NetworkBot
from tinhorn_training.plots import cross_play_plot, evaluation_plot, png
from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of
from tinhorn_training.reports import print_evaluation
from tinhorn_training.style import OF_DECISIONS, OF_HANDS, StyleCounts

GAME = get_game("cold_hand_v0")


def bots(*names: str, game=GAME) -> list[Bot]:
    return [load(name, game) for name in names]


def measured(bot="house", against=("random",), players=4, deals=60, game=GAME, **settings):
    (one,) = bots(bot, game=game)
    options = game.options(num_players=players)
    return evaluate(game, one, bots(*against, game=game), options, deals=deals, **settings)


class OtherLuck(RandomBot):
    """Plays at random, but never as `RandomBot` does on the same stream."""

    def act(self, views, masks, streams, states=None):
        streams[:] = [derive(stream, 9) for stream in streams]
        return super().act(views, masks, streams, states)


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.id)
@pytest.mark.parametrize("name", ["random", "house"])
def test_a_bot_against_itself_has_exactly_the_fair_share(game, name):
    for players in game.options.player_counts:
        score = measured(name, (name,), players, 5, game).headline
        assert score.mean.value == pytest.approx(score.fair, abs=1e-9)
        assert score.mean.width == pytest.approx(0, abs=1e-9)
        assert score.verdict == "at"


def test_equal_bots_with_luck_of_their_own_are_fair_within_the_interval():
    result = evaluate(GAME, OtherLuck("other"), [RandomBot()], GAME.options(num_players=3), deals=1500)
    mean = result.headline.mean
    assert mean.width > 0.005
    assert mean.low < result.headline.fair < mean.high


@pytest.mark.parametrize(
    ("low", "high", "verdict", "deals"),
    [
        (0.51, 0.53, "above", None),
        (0.501, 0.503, "above", None),
        (0.47, 0.49, "below", None),
        (0.492, 0.508, "at", None),
        (0.48, 0.52, "undecided", 400),
        (0.49, 0.53, "undecided", 400),
        (0.46, 0.55, "undecided", 8100),
        (0.5, 0.5, "at", None),
    ],
)
def test_a_wide_interval_around_the_fair_share_decides_nothing(low, high, verdict, deals):
    """Fair is all of the interval within ``close``; else as many deals as would bring it there, or off the share."""
    mean = Estimate((low + high) / 2, low, high)
    score = Score("share", "of games", 0.5, mean, [], close=0.01)
    assert score.verdict == verdict
    assert score.deals_to_decide(100) == deals


def test_what_is_undecided_is_said_with_the_deals_that_would_decide():
    result = evaluate(GAME, OtherLuck("other"), [RandomBot()], GAME.options(num_players=3), deals=20)
    assert result.headline.verdict == "undecided"
    console = Console(record=True, width=200)
    print_evaluation(console, result)
    text = console.export_text()
    assert f"about {result.headline.deals_to_decide(20):,} deals would decide" in text
    assert "as fair" not in text
    assert result.as_dict()["scores"][0]["deals_to_decide"] > 20


@pytest.mark.parametrize(
    ("name", "option"), [("hand", {"num_players": 2, "max_turns": 1}), ("five_card_draw", {"max_hands": 1})]
)
def test_games_cut_off_name_the_option_that_did_it(name, option):
    game = get_game(name)
    result = evaluate(game, RandomBot(), [RandomBot()], game.options(**option), deals=2)
    words = f"{result.truncated} of {result.games} games were cut off by the option {list(option)[-1]}=1."
    assert words in result.notes


def test_house_beats_random():
    result = measured(players=4, deals=200)
    assert result.headline.verdict == "above"
    assert measured("random", ("house",), 4, 200).headline.verdict == "below"


def test_results_depend_on_the_seed_and_not_on_how_many_tables_play_at_once():
    first, second = measured(tables=7), measured(tables=1000)
    assert first.scores == second.scores
    assert first.decisions == second.decisions
    assert measured(seed=1).scores != first.scores


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("opponents", [1, 2, 3])
def test_duplicate_seating(players, opponents):
    deals = 6
    seating = duplicate_seating(deals, GAME.options(players), opponents).reshape(deals, players, players)
    for deal in range(deals):
        for rotation in range(players):
            row = seating[deal, rotation]
            assert row[rotation] == 0
            assert (np.delete(row, rotation) > 0).all()
            assert (np.roll(seating[deal, 0], rotation) == row).all()  # only turned, all places kept
    after = seating[:, 0, 1:]
    for place in range(players - 1):  # over the deals every opponent has every place as often
        assert (np.bincount(after[:, place], minlength=opponents + 1)[1:] == deals // opponents).all()


def test_in_teams_the_bot_plays_for_its_partner_too():
    options = get_game("hand").options(num_players=4, teams=True)
    seating = duplicate_seating(4, options, 2).reshape(4, 4, 4)
    assert seating[0].tolist() == [[0, 1, 0, 2], [2, 0, 1, 0], [0, 2, 0, 1], [1, 0, 2, 0]]
    assert seating[1, 0].tolist() == [0, 2, 0, 1]


def test_luck_is_shared_by_whoever_sits_there():
    """The same deal with another bot in seat 0: until that bot acts, everything is the same."""
    seeds = deal_seeds(EVALUATION_DEALS, 0, 50)
    options = GAME.options(num_players=2)
    seating = np.zeros((50, 2), int)
    mixed = seating.copy()
    mixed[:, 0] = 1
    players = [RandomBot(), RandomBot("twin")]
    same = [play_games(GAME, options, players, who, seeds).values for who in (seating, mixed)]
    assert (same[0] == same[1]).all()


def test_deals_of_evaluation_validation_and_training_differ():
    evaluation = deal_seeds(EVALUATION_DEALS, 0, 500)
    validation = deal_seeds(VALIDATION_DEALS, 0, 500)
    training = [derive(np.uint64(derive(np.uint64(0), table)), episode) for table in range(64) for episode in range(32)]
    seen = [*evaluation.tolist(), *validation.tolist(), *map(int, training)]
    assert len(set(seen)) == len(seen)
    assert (deal_seeds(EVALUATION_DEALS, 0, 10) == evaluation[:10]).all()


def test_the_interval_is_clustered_by_deal():
    result = measured(deals=40)
    (one,), others = bots("house"), bots("random")
    seeds = np.repeat(deal_seeds(EVALUATION_DEALS, 0, 40), 4)
    played = play_games(
        GAME, GAME.options(num_players=4), [one, *others], duplicate_seating(40, GAME.options(4), 1), seeds
    )
    own = played.values.reshape(40, 4, 4)[:, range(4), range(4)]
    deviation = own.mean(axis=1).std(ddof=1) / np.sqrt(40)
    assert result.headline.mean.value == pytest.approx(own.mean())
    assert result.headline.mean.width == pytest.approx(2.0227 * deviation, rel=1e-3)
    assert [seat.value for seat in result.headline.seats] == pytest.approx(own.mean(axis=0).tolist())


@pytest.mark.parametrize(
    ("freedom", "exact"),
    [(1, 12.7062), (2, 4.3027), (6, 2.4469), (7, 2.3646), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_student(freedom, exact):
    assert _student(freedom) == pytest.approx(exact, abs=1e-3)


def test_the_interval_covers_as_often_as_it_says():
    chooser = np.random.default_rng(0)
    covered = [
        found.low <= 0.3 <= found.high
        for found in (estimate((chooser.random(60) < 0.3).astype(float)) for _ in range(1500))
    ]
    assert 0.92 < np.mean(covered) < 0.97


def test_a_share_lies_between_0_and_1():
    found = estimate(np.array([1.0, 1.0, 0.0]), (0, 1))
    assert (found.low, found.high) == (0, 1)
    assert found.width == pytest.approx(2 / 3)
    assert all(
        measure.limits == (0, 1) for game in list_games() for measure in game.measures if "share" in measure.name
    )


def test_one_deal_has_no_interval():
    result = measured(deals=1)
    assert result.headline.mean.low is None
    assert result.headline.verdict == "undecided"


@pytest.mark.parametrize(
    ("bot", "against", "words"),
    [("house", ("random",), "Random play is the only opponent"), ("house", ("house",), "plays against itself")],
)
def test_notes(bot, against, words):
    assert any(words in note for note in measured(bot, against, 2, 2).notes)
    assert not any(words in note for note in measured("house:tight", ("random", "house"), 3, 2).notes)


def test_kuhn_equilibrium_loses_an_eighteenth_in_seat_0():
    (house,) = bots("house", game=kuhn.GAME)
    result = evaluate(kuhn.GAME, house, [house], kuhn.GAME.options(), deals=30_000)
    first = result.headline.seats[0]
    assert first.low <= -1 / 18 <= first.high
    assert first.width < 0.02
    (honest,) = bots("house:honest", game=kuhn.GAME)  # any equilibrium does as well against another
    result = evaluate(kuhn.GAME, honest, [house], kuhn.GAME.options(), deals=20_000)
    assert result.headline.mean.low <= 0 <= result.headline.mean.high


def test_an_illegal_choice_is_caught():
    class Broken(RandomBot):
        def act(self, views, masks, streams, states=None):
            return masks.argmin(axis=1)

    with pytest.raises(BotError, match="broken chose an illegal action"):
        evaluate(GAME, Broken("broken"), bots("house"), GAME.options(), deals=1)


def test_nothing_to_do_is_refused():
    with pytest.raises(InputError, match="deals=0"):
        measured(deals=0)
    with pytest.raises(InputError, match="nobody to play against"):
        measured(against=())


def test_style_counts_what_was_played():
    result = measured("house:caller", ("random",), 3, 30, style=True)
    caller = {habit.move: habit for habit in result.style["house:caller"] if habit.of == OF_DECISIONS}
    assert set(caller) == {"exchange 0", "exchange 1", "exchange 2", "exchange 3", "call", "raise", "fold"}
    assert caller["raise"].times == 0 < caller["raise"].chances
    draws = [caller[f"exchange {count}"] for count in range(4)]
    assert sum(habit.times for habit in draws) == draws[0].chances
    assert caller["call"].times + caller["fold"].times == caller["call"].chances
    every = [habit for habits in result.style.values() for habit in habits if habit.of == OF_DECISIONS]
    assert sum(habit.times for habit in every) == result.decisions
    played, raised, shown = (habit for habit in result.style["house:caller"] if habit.of == OF_HANDS)
    assert raised.times == 0 < shown.times <= played.times <= played.chances


@pytest.mark.parametrize("name", ["cold_hand", "five_card_draw", "cowboy_draw"])
def test_hands_are_counted_as_one_by_one(name):
    """Against a count table by table in which every seat is its own bot, from moves and what lies open."""
    game = get_game(name)
    players, tables = game.options().num_players, 8
    batch, luck = Batch(game, tables, seed=4, autoreset=False), np.random.default_rng(4)
    counts, everyone = StyleCounts(game, players, tables), np.tile(np.arange(players), (tables, 1))
    every = np.arange(tables)
    counts.begin(every, batch.states)
    one_by_one = [[0, 0, 0, 0] for _ in range(players)]
    hands = [_new_hand(batch, table) for table in every]
    while (batch.actors >= 0).any():
        actions = (luck.random(batch.masks.shape) * (batch.masks + 1e-9)).argmax(axis=1)
        for table in np.flatnonzero(batch.actors >= 0):
            seat = int(batch.actors[table])
            hands[table]["dealt"] |= _in_hand(batch.states[table])
            counts.add(seat, np.array([table]), np.array([seat]), actions[[table]], batch.masks[[table]])
            hands[table]["types"][seat].add(game.actions.static[actions[table]]["type"])
        batch.step(actions)
        counts.settle(every, batch.states, everyone)
        for table in every:
            if game.ended(batch.states[table]) != hands[table]["name"]:
                for seat in hands[table]["dealt"]:
                    made, shown = hands[table]["types"][seat], batch.states[table]["shown"][seat, 0] >= 0
                    found = [True, made & {"call", "bet", "raise", "all_in"}, made & {"bet", "raise", "all_in"}, shown]
                    one_by_one[seat] = [a + bool(b) for a, b in zip(one_by_one[seat], found, strict=True)]
                hands[table] = _new_hand(batch, table)
    for seat, (dealt, *times) in enumerate(one_by_one):
        found = [habit for habit in counts.of(seat) if habit.of == OF_HANDS]
        assert [habit.times for habit in found] == times
        assert {habit.chances for habit in found} == {dealt}
        assert dealt >= times[0] >= times[1]
    totals = np.sum(one_by_one, axis=0)
    assert totals[0] > totals[3] > 0


def _new_hand(batch, table):
    return {"name": batch.game.ended(batch.states[table]), "dealt": set(), "types": [set() for _ in range(6)]}


def _in_hand(state):
    between = "readout" in state.dtype.names and state["phase"] == READOUT
    return set() if between else set(np.flatnonzero(state["in_hand"]).tolist())


def test_style_of_known_decisions():
    counts = StyleCounts(kuhn.GAME, 2, 3)
    masks = np.array([[1, 0], [1, 1], [1, 1]], np.int8)
    counts.add(1, np.arange(3), np.zeros(3, np.int64), np.array([0, 1, 1]), masks)
    assert [(habit.move, habit.times, habit.chances) for habit in counts.of(1)] == [("pass", 1, 3), ("bet", 2, 2)]
    assert [habit.share for habit in counts.of(0)] == [0, 0]


def test_cross_play():
    result = cross_play(GAME, bots("house", "random", "house:tight"), GAME.options(num_players=3), deals=60)
    assert result.scores[0][0] is None
    assert result.scores[0][1].verdict == "above"
    assert result.scores[1][2].verdict == "below"
    assert min(result.ratings, key=lambda rating: rating.ordinal) == result.ratings[1]
    assert result.games == 6 * 60 * 3
    json.dumps(result.as_dict())


def test_cross_play_of_two_measures_both_from_the_same_games():
    result = cross_play(GAME, bots("house", "random"), GAME.options(num_players=2), deals=50)
    assert result.games == 100
    assert result.scores[0][1].mean.value + result.scores[1][0].mean.value == pytest.approx(1)
    assert result.scores[0][1].mean == measured(players=2, deals=50).headline.mean


@pytest.mark.parametrize("names", [("house",), ("house", "house")])
def test_cross_play_needs_two_bots(names):
    with pytest.raises(InputError, match="at least two bots"):
        cross_play(GAME, bots(*names), GAME.options(), deals=5)


def test_equal_bots_are_rated_alike_however_many_seats_they_have():
    chooser = np.random.default_rng(1)
    seating = np.where(chooser.permuted(np.tile([0, 1, 1, 1], (1500, 1)), axis=1), 1, 0)
    values = chooser.permuted(np.tile([1.0, 0, 0, 0], (1500, 1)), axis=1)
    one, three = rate(seating, values, 2)
    assert abs(one.mu - three.mu) < 3


def test_pictures_are_png():
    result = measured(deals=5)
    crossed = cross_play(GAME, bots("house", "random"), GAME.options(num_players=2), deals=5)
    for figure in (evaluation_plot([result, measured(deals=1)]), cross_play_plot(crossed)):
        assert png(figure).startswith(b"\x89PNG")


def test_the_picture_marks_the_fair_share_of_every_table():
    (axes,) = evaluation_plot([measured(players=2, deals=5), measured(players=4, deals=5)]).axes
    (marks,) = [part for part in axes.collections if part.get_label() == "fair share 0.5 or 0.25"]
    assert [line[:, 0].tolist() for line in marks.get_segments()] == [[0.5, 0.5], [0.25, 0.25]]
    assert axes.get_legend() is not None


def network(game):
    """An untrained network."""
    torch.manual_seed(1)
    return ViewPolicy(
        *spaces_of(game.layout, game.actions.count), lambda _: 1e-3, **policy_settings(game, 16, [16], [16])
    )


def test_a_network_plays_the_same_however_many_tables_play_at_once():
    bot, options = NetworkBot(network(GAME), "network"), GAME.options(num_players=3)
    few, many = (evaluate(GAME, bot, bots("house"), options, deals=20, tables=tables) for tables in (3, 500))
    assert few.scores == many.scores


def test_an_exported_bot_says_which_game_it_plays(tmp_path):
    export_bundle(network(kuhn.GAME), kuhn.GAME, tmp_path / "bot", training={}, evaluations=[])
    done = run("evaluate", tmp_path / "bot", "--against", "house", "--deals", 20, "--json", "-")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["game"] == "kuhn_v0"


def run(*arguments: str):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_writes_json_and_a_picture(tmp_path):
    result, picture = tmp_path / "result.json", tmp_path / "result.png"
    done = run(
        "evaluate", "house", "--against", "random,house:tight", "--game", "cold_hand", "--players", 3,
        "--deals", 20, "--style", "--seats", "--json", result, "--plot", picture,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "survival share" in done.output
    assert "in seat 2" in done.output
    found = json.loads(result.read_text())
    assert found["game"] == "cold_hand_v0"
    assert found["against"] == ["random", "house:tight"]
    assert found["games"] == 60
    assert set(found["style"]) == {"house", "random", "house:tight"}
    assert picture.read_bytes().startswith(b"\x89PNG")
    again = run(
        "evaluate", "house", "--against", "random,house:tight", "-g", "cold_hand", "-n", 3, "--deals", 20, "--json", "-"
    )
    assert json.loads(again.stdout)["scores"] == found["scores"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate", "nobody", "--game", "cold_hand"), "unknown bot 'nobody'"),
        (("evaluate", "x" * 5000, "--game", "cold_hand"), "unknown bot 'xxx"),
        (("evaluate", "x" * 5000 + ".zip", "--game", "cold_hand"), "there is no such checkpoint"),
        (("evaluate", "greedy:" * 2000 + "x", "--game", "cold_hand"), "stands once before a name"),
        (("evaluate", "search:²", "--game", "cold_hand"), "search:²: give the number of sampled worlds"),
        (("evaluate", "search:٣", "--game", "cold_hand"), "search:٣: give the number of sampled worlds"),
        (("evaluate", "search:0", "--game", "cold_hand"), "give the number of sampled worlds, 1 to 1000000"),
        (("evaluate", "search:1000001", "--game", "cold_hand"), "give the number of sampled worlds, 1 to 1000000"),
        (("evaluate", "search:" + "9" * 20, "--game", "cold_hand"), "give the number of sampled worlds, 1 to 1000000"),
        (("evaluate", "house", "--game", "cold_hand", "--json", "x" * 5000), "cannot be written"),
        (
            ("evaluate", "house", "--game", "cold_hand", "--option", "reward=" + "9" * 5000),
            "choose from 'win', 'pulls'",
        ),
        (("evaluate", "house", "--game", "bridge"), "unknown game 'bridge'"),
        (("evaluate", "house"), "which game? Add --game"),
        (("evaluate", "house", "--game", "cold_hand", "--players", 7), "this game seats 2 to 6"),
        (("evaluate", "house", "--game", "cold_hand", "--deals", 0), "deals=0: at least one"),
        (("evaluate", "house", "--game", "cold_hand", "--against", ","), "names no bot"),
        (("evaluate", "house", "--game", "cold_hand", "--option", "x=1"), "unknown option 'x'"),
        (("evaluate", "house", "--game", "cold_hand", "--option", "x"), "write NAME=VALUE"),
        (("evaluate", "house", "--game", "cold_hand", "--json", "/no/such/place.json"), "cannot be written"),
        (("evaluate", "house", "--game", "cold_hand", "--plot", "/"), "cannot be written"),
        (("crossplay", "house", "--game", "cold_hand"), "at least two bots"),
        (("crossplay", "house,random", "--game", "cold_hand", "--deals", -1), "deals=-1: at least one"),
    ],
)
def test_wrong_input_is_one_clear_line(monkeypatch, capsys, arguments, words):
    from tinhorn_training.cli import main

    monkeypatch.setattr("sys.argv", ["tinhorn", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def command(*arguments, stdout=subprocess.PIPE, **settings):
    run = [sys.executable, "-m", "tinhorn_training.cli", *arguments]
    return subprocess.run(run, stdout=stdout, stderr=subprocess.PIPE, env=os.environ | settings)


def test_a_terminal_that_lacks_signs_shows_others():
    for errors in ("strict", "surrogateescape"):
        done = command(
            "evaluate", "house", "--game", "cold_hand", "--deals", "5", "--style", "--seats",
            PYTHONIOENCODING=f"ascii:{errors}", COLUMNS="40",
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"house against house" in done.stdout
        assert b"?" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize(
    "arguments", [["evaluate", "house", "--game", "cold_hand", "--deals", "2"], ["games", "--json"]]
)
def test_a_full_disk_is_one_clear_line(arguments):
    with open("/dev/full", "wb") as full:
        done = command(*arguments, stdout=full)
    assert done.returncode == 1
    why = "No space left on device; make room, or write elsewhere"
    assert done.stderr.decode() == f"error: the output cannot be written: {why}\n"


def test_a_json_file_that_was_there_survives_a_refused_run(tmp_path):
    kept = tmp_path / "kept.json"
    kept.write_text("old")
    assert run("evaluate", "nobody", "--game", "cold_hand", "--json", kept).exit_code != 0
    assert kept.read_text() == "old"
    fresh = tmp_path / "fresh.json"
    assert run("evaluate", "nobody", "--game", "cold_hand", "--json", fresh).exit_code != 0
    assert not fresh.exists()


def test_commands_play_the_table_size_that_a_bot_has_learnt():
    game = get_game("cold_hand")
    strong, duel = load("cold_hand-strong", game), RandomBot()
    assert strong.players == [2, 3, 4, 6]
    assert game_options(game, None, None, [strong]).num_players == 4
    duel.players = [2]
    assert game_options(game, None, None, [RandomBot(), duel]).num_players == 2
    assert game_options(game, 3, None, [duel]).num_players == 3
    assert game_options(game, None, ["num_players=5"], [duel]).num_players == 5
    assert game_options(game, None, None, [RandomBot()]).num_players == game.options().num_players
    many = get_game("five_card_draw")
    assert game_options(many, None, None, [load("five_card_draw-strong", many)]).num_players == 4
