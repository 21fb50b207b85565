"""What `tinhorn bench` measures and says. How fast anything is, no test asks."""

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from kuhn import GAME as KUHN
from tinhorn.aec import TableEnv
from tinhorn.registry import list_games
from tinhorn_training import progress
from tinhorn_training.bench import figures as measuring
from tinhorn_training.bench import peers
from tinhorn_training.bench.figures import Effort, Figure, GameBench, in_turns, rate, shared_report, targets
from tinhorn_training.bench.report import number, show, show_facts
from tinhorn_training.cli import app

BRIEF = Effort(0.01, 2, 1.0, masks=2000)


def test_measures_take_turns_and_the_first_round_does_not_count():
    calls = []
    measures = {name: lambda name=name: calls.append(name) or len(calls) for name in "AB"}
    assert in_turns(measures, 2) == {"A": (3, 5), "B": (4, 6)}
    assert calls == list("ABABAB")


def test_a_rate_is_decisions_by_seconds():
    now = [0.0]

    def play(decisions):
        now[0] += decisions / 1000
        return decisions

    assert rate(play, 0.5, lambda: now[0]) == pytest.approx(1000)
    assert 0.5 <= now[0] < 0.6


@pytest.mark.parametrize(
    ("unit", "samples", "target", "reached"),
    [
        ("decisions/s", (1, 3, 2), 2, True),
        ("decisions/s", (1, 3, 2), 2.5, False),
        ("s", (1, 3, 2), 2, True),
        ("MB", (1, 3, 2), 1.5, False),
        ("x", (2,), None, None),
    ],
)
def test_targets_of_rates_are_lower_bounds_those_of_times_upper_bounds(unit, samples, target, reached):
    figure = Figure("speed", unit, samples, target)
    assert figure.reached is reached
    assert figure.to_json()["median"] == sorted(samples)[len(samples) // 2]


@pytest.fixture
def peers_stand_in(monkeypatch):
    """Every peer needs a millisecond however much it plays; fresh processes answer at once."""
    monkeypatch.setattr(measuring, "load_peer", lambda make: lambda decisions: time.sleep(0.001) or decisions)
    monkeypatch.setattr(measuring, "fresh", lambda *_, **__: (1.0, {"mb": 2.0, "rates": [3.0]}))


def test_a_report_holds_every_figure_that_has_a_target(peers_stand_in):
    said = []
    report = GameBench(KUHN, BRIEF, peers=True).report(said.append)
    names = {figure.name for figure in report.figures}
    wanted = set().union(*(targets(game) for game in list_games()))
    assert wanted <= names
    assert {figure.name for figure in shared_report(BRIEF).figures} == set(targets())
    assert said[0] == "Kuhn poker: engine"
    assert all(sample > 0 for figure in report.figures for sample in figure.samples)


def test_ratios_compare_samples_of_the_same_turn(peers_stand_in):
    measured = GameBench(KUHN, BRIEF)
    measured._ratio("ours / theirs", (4.0, 9.0), (2.0, 3.0))
    assert measured.figures[0].samples == (2.0, 3.0)


def test_a_missing_peer_costs_one_line(monkeypatch):
    def missing():
        raise ModuleNotFoundError("No module named 'nowhere'", name="nowhere")

    monkeypatch.setattr(measuring, "BATCH_PEERS", {"Nowhere": missing})
    measured = GameBench(KUHN, BRIEF, peers=True)
    measured.engine()
    assert measured.notes == ['Nowhere: nowhere is not installed: pip install "tinhorn[peers]"']
    assert [figure.name for figure in measured.figures][-1] == "batch, two threads / one"


def test_a_game_that_a_peer_does_not_have_costs_one_line():
    with pytest.raises(peers.PeerMissingError, match=r"PettingZoo \S+ has no poker_of_mars_v1"):
        peers._pettingzoo("poker_of_mars_v1", raw=True)


@pytest.mark.parametrize("dress", [lambda env: env, peers.wrapped], ids=["raw", "wrapped"])
def test_the_loop_counts_decisions_over_many_games(dress):
    env = TableEnv(KUHN)
    plies = []
    step = env.step
    env.step = lambda action: plies.append(action) or step(action)
    assert peers.aec_player(dress(env))(100) == 100
    assert len(plies) == 100
    assert set(plies) == {0, 1}


def test_the_untrained_bot_of_the_usual_size_plays(tmp_path):
    measured = GameBench(KUHN, BRIEF)
    measured.exported_bot()
    decision, size = measured.figures
    assert (decision.unit, size.unit) == ("ms", "MB")
    assert 0 < size.median < 10


def test_only_a_step_that_took_longer_can_hold_a_slower_mask(monkeypatch):
    measured = GameBench(KUHN, BRIEF)
    now = iter(range(1000))  # every reading of the clock is a second later
    monkeypatch.setattr(Effort, "clock", property(lambda effort: lambda: next(now)))
    asked = []
    monkeypatch.setattr(measured, "_mask_seconds", lambda batch, table: asked.append(table) or 1.0)
    measured.masks()
    (figure,) = measured.figures
    assert (figure.name, figure.unit, figure.samples) == ("slowest single mask", "ms", (1000.0,))
    assert asked[: measuring._FEW_TABLES] == list(range(measuring._FEW_TABLES)), "the first step"
    steps = int(measured.notes[0].split(" of ")[1].split()[0]) / measuring._FEW_TABLES
    assert steps > 3
    assert len(asked) < measuring._FEW_TABLES * steps, "others were no slower; only tables that began anew"


def test_memory_of_many_tables_is_at_least_that_of_their_arrays():
    game = list_games()[0]
    measured = GameBench(game, BRIEF)
    measured.memory()
    bytes_a_table = game.state.itemsize + 4 * game.layout.size + 4 * game.layout.feature_size + game.actions.count
    assert measured.figures[0].median > 0.8 * measuring.MANY_TABLES * bytes_a_table / 1e6


def test_a_failing_process_says_why():
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        measuring.fresh("1 / 0")
    seconds, out = measuring.fresh("print('{\"mb\": 1}')")
    assert seconds > 0
    assert out == {"mb": 1}


def test_processor_time_leaves_out_waiting_and_what_needs_two_threads():
    seconds, _ = measuring.fresh("import time; time.sleep(1)", processor_time=True)
    assert seconds < 1
    measured = GameBench(KUHN, replace(BRIEF, processor_time=True))
    measured.engine()
    assert [figure.name for figure in measured.figures] == ["batch, one thread", "batch with features, one thread"]


def test_facts_name_machine_and_versions():
    found = measuring.facts()
    assert found["machine"]["cores"] >= 1
    assert {"tinhorn", "numpy", "numba", "torch"} <= set(found["versions"])
    json.dumps(found)


def test_the_table_shows_figures_beside_their_targets():
    figures = [Figure("speed", "decisions/s", (1e6, 3e6), 4e6), Figure("start", "s", (1.25,), 2.5)]
    console = Console(record=True, width=120)
    show(measuring.Report("Kuhn poker", figures, ["no peers"]), console)
    text = console.export_text()
    for part in (
        "2 M decisions/s",
        "1 M to 3 M",
        ">= 4 M",
        "not met, 0.5 x target",
        "1.25 s",
        "<= 2.5",
        "  met, 0.5 x target",
        "no peers",
    ):
        assert part in text


def test_the_command_says_what_it_measures_and_shows_each_table_when_it_is_done(monkeypatch):
    def report(_, tell=None):
        tell("Kuhn poker: engine")
        return measuring.Report("Kuhn poker", [Figure("speed", "s", (1.0,))], [])

    monkeypatch.setattr(measuring, "shared_report", report)
    monkeypatch.setattr(GameBench, "report", report)
    done = CliRunner().invoke(app, ["bench", "--game", "kuhn", "--quick"])
    assert done.exit_code == 0
    assert done.stderr.count("Kuhn poker: engine") == 2
    assert done.stdout.count("1 s") == 2


def test_where_there_is_no_terminal_a_long_count_is_a_line_now_and_then(capsys, monkeypatch):
    for wait, lines in ((100.0, 0), (0.0, 1)):
        monkeypatch.setattr(progress, "_FIRST", wait)
        with progress.counting("games", 5000) as report:
            for done in (1000, 2000):
                report(done)
        assert capsys.readouterr().err == "games: 1,000 of 5,000\n" * lines


@pytest.mark.parametrize(
    ("load", "processor_time", "words"),
    [(3.0, False, "the machine is busy (load 3.0 of 2 cores)"), (3.0, True, "processor time"), (0.1, False, "")],
)
def test_a_busy_machine_is_named(load, processor_time, words):
    console = Console(record=True, width=200)
    machine = {"processor": "Abacus", "cores": 2, "system": "Wood", "load": load}
    show_facts({"machine": machine, "versions": {"tinhorn": "1"}}, console, processor_time=processor_time)
    text = console.export_text()
    assert words in text
    assert ("busy" in text) == ("busy" in words)


@pytest.mark.parametrize(("value", "text"), [(6_213_000, "6.21 M"), (13_400, "13.4 k"), (0.2512, "0.251"), (0, "0")])
def test_numbers_have_three_digits(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "whist"], "unknown game 'whist'"),
        (["--json", "no/such/folder/file.json"], "cannot be written: No such file or directory"),
        (["--bot", "somewhere", "--game", "cold_hand", "--game", "cold_hand"], "--bot plays one game"),
        (["--bot", "somewhere", "--game", "cold_hand"], "somewhere is no exported bot"),
    ],
)
def test_wrong_input_is_one_line_before_anything_is_measured(arguments, words):
    command = [sys.executable, "-m", "tinhorn_training.cli", "bench", *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 2
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
