"""``tinhorn games``."""

import json
import subprocess
import sys

from typer.testing import CliRunner

from tinhorn.bots import load, shipped_folders
from tinhorn.registry import list_games
from tinhorn_training.cli import app


def test_every_game_is_listed_with_its_options_and_bots():
    shown = CliRunner().invoke(app, ["games"]).output
    for game in list_games():
        assert game.id in shown
        for option in game.options.describe():
            assert option["name"] in shown


def test_json_for_programs():
    found = {entry["id"]: entry for entry in json.loads(CliRunner().invoke(app, ["games", "--json"]).output)}
    assert set(found) == {game.id for game in list_games()}
    cold_hand = found["cold_hand_v0"]
    assert cold_hand["players"] == {"least": 2, "most": 6}
    for name in cold_hand["house_bots"]:
        assert load(name, "cold_hand").name == name


def test_shipped_bots_are_listed_with_what_they_reached():
    entries = json.loads(CliRunner().invoke(app, ["games", "--json"]).output)
    listed = {bot["name"]: (entry, bot) for entry in entries for bot in entry["shipped_bots"]}
    assert set(listed) == {folder.name for folder in shipped_folders()}
    for name, (entry, bot) in listed.items():
        assert load(name).game.id == entry["id"] == bot["game"]
        assert bot["players"] == load(name).players
        shown = CliRunner().invoke(app, ["games", entry["name"]]).output
        assert f"{name}: a trained bot for {bot['players'][0]}" in shown
        for reached in bot["reached"]:
            assert f"{reached['measure']} {reached['value']:.3f}" in " ".join(shown.split())
            assert reached["low"] < reached["value"] < reached["high"]


def test_games_by_name():
    names = [game.name for game in list_games()]
    shown = json.loads(CliRunner().invoke(app, ["games", names[1], "--json"]).output)
    assert [entry["name"] for entry in shown] == [names[1]]
    assert "unknown game 'whist'" in str(CliRunner().invoke(app, ["games", "whist"]).exception)


def test_without_the_train_extra_the_command_says_so():
    """As where only exported bots are played: the script is installed, typer is not."""
    code = "import sys; sys.modules['typer'] = None; from tinhorn_training.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == (
        "the command `tinhorn` needs the train extra: in a clone of Tinhorn, pip install torch==2.13.0 '.[train]'; "
        "for `tinhorn serve` alone, pip install '.[serve]'\n"
    )
