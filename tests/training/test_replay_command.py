"""``tinhorn replay``: verdicts, exit codes, and what a user sees."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tinhorn.core.replay import Replay
from tinhorn_training.cli import app, main

FOLDER = Path(__file__).parent.parent / "games/cold_hand/replays"
CASE = FOLDER / "ch_01.replay"


def run(*arguments):
    return CliRunner().invoke(app, ["replay", *map(str, arguments)])


@pytest.fixture
def wrong(tmp_path):
    """A record with a wrong fact."""
    path = tmp_path / "wrong.replay"
    path.write_text(CASE.read_text().replace('"opening_seat": 1', '"opening_seat": 2'))
    return path


def test_a_record_that_plays_as_written():
    done = run(CASE, "--check")
    assert (done.exit_code, done.output.count("\n")) == (0, 1)
    assert "all as recorded" in done.output
    shown = run(CASE, "--show").output
    assert "CH-01 A fold costs the house minimum" in shown
    assert ">*seat 0" in shown
    assert '{"seat": 2, "action": {"type": "fold"}}' in shown


def test_a_difference_has_exit_code_1_and_says_where(wrong):
    done = run(wrong, "--check")
    assert done.exit_code == 1
    assert done.output == f"{wrong}: step 15: opening_seat: expected 2, found 1\n"


def test_json_for_programs(wrong):
    good, bad = run(CASE, "--json"), run(wrong, "--json")
    assert (good.exit_code, bad.exit_code) == (0, 1)
    assert json.loads(good.output)["same"] is True
    (difference,) = json.loads(bad.output)["differences"]
    assert difference == {"step": 15, "seat": None, "field": "opening_seat", "expected": 2, "found": 1}


def test_chance_by_name(tmp_path):
    named = tmp_path / "named.replay"
    named.write_text(run(FOLDER / "game_of_six.replay", "--chance").output)
    assert len(Replay.load(named).chance[0]["deck"]) == 52
    assert run(named, "--check").exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No such file"),
        ("{", "line 1, column 2"),
        ('{"game": "bridge_v0"}', "unknown game 'bridge'"),
        ('{"game": "cold_hand_v9"}', "this replay is of cold_hand_v9; the game here is cold_hand_v0"),
        ('{"game": "cold_hand_v0", "seed": ' + "5" * 5000 + "}", "a number in it has too many digits"),
        ('{"game": "hand_v0", "position": {"turn": true}}', "position turn=True: a whole number of 0 to 3"),
        ('{"game": "cold_hand_v0", "chance": [{"opener": [5]}]}', "5 at place 0 cannot be"),
    ],
)
def test_what_cannot_be_played_is_one_line_and_exit_code_2(tmp_path, monkeypatch, capsys, text, words):
    path = tmp_path / "broken.replay"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr("sys.argv", ["tinhorn", "replay", str(path)])
    with pytest.raises(SystemExit) as left:
        main()
    error = capsys.readouterr().err
    assert left.value.code == 2
    assert words in error
    assert error.count("\n") == 1
