"""A configuration is checked in full; what is wrong is said in one line that names file, key and cure."""

import subprocess
import sys
from pathlib import Path

import pytest

from tinhorn_training.config import ConfigError, TrainConfig, flat, load_config, parse_config, to_yaml

BASE = "game: kuhn\ndecisions: 1000\n"
CONFIGS = sorted((Path(__file__).parents[2] / "configs").rglob("*.yaml"))


def refusal(text, changes=()):
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "my.yaml", changes)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_shipped_configurations_are_valid(path):
    config = load_config(path)
    assert config.the_game.name == path.parent.name
    assert parse_config(to_yaml(config), "again") == config


def test_defaults_come_from_the_models():
    config = parse_config(BASE, "my.yaml")
    assert config == TrainConfig(game="kuhn", decisions=1000)
    assert [options.num_players for options in config.table_sizes] == [2]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("lerning: 3", ["my.yaml", "'lerning'", "did you mean 'learning'"]),
        ("learning: {epoch: 3}", ["'learning.epoch'", "did you mean 'epochs'"]),
        ("learning: {epochs: x}", ["learning.epochs", "a whole number", "'x'"]),
        ("learning: {epochs: 2.5}", ["learning.epochs", "a whole number", "2.5"]),
        ("learning: {epochs: true}", ["learning.epochs", "a whole number", "True"]),
        ("learning: {epochs: 0}", ["learning.epochs", "at least 1"]),
        ("learning: {gamma: 1.5}", ["learning.gamma", "at most 1"]),
        ("learning: {learning_rate: [1, 2, 3]}", ["learning.learning_rate"]),
        ("learning: {entropy: .nan}", ["learning.entropy"]),
        ("opponents: {house: 0.7, snapshots: 0.5}", ["opponents", "more than 1 together"]),
        ("learning: 3", ["learning", "a section"]),
        ("players: 3", ["players", "a list"]),
        ("players: [7]", ["num_players=7", "exactly 2"]),
        ("options: {antes: 3}", ["'antes'", "num_players"]),
        ("opponents: {styles: [honst]}", ["opponents.styles", "did you mean 'honest'"]),
        ("trainer: ppo", ["trainer", "maskable_ppo"]),
        ("tables: 3\ntables: 4", ["line 4", "'tables'", "twice"]),
        ("tables: [", ["my.yaml, line"]),
    ],
)
def test_what_is_wrong_is_named(line, parts):
    message = refusal(BASE + line + "\n")
    assert all(part in message for part in parts), message


def test_what_is_missing_is_named():
    assert "'decisions' is missing" in refusal("game: kuhn\n")
    assert "kuhn_v0" in refusal("game: kuhm\ndecisions: 5\n")
    assert "key: value" in refusal("- kuhn\n")
    with pytest.raises(ConfigError, match=r"nowhere.yaml: No such file"):
        load_config("nowhere.yaml")


def test_numbers_may_be_written_as_people_write_them():
    config = parse_config(BASE + "learning: {learning_rate: 3e-4, entropy: [5.0e-2, 0]}\n", "my.yaml")
    assert config.learning.learning_rate == [3e-4, 3e-4]
    assert config.learning.entropy == [0.05, 0.0]


def test_variants_are_further_tables():
    text = "game: cold_hand\ndecisions: 5\nplayers: [2]\noptions: {reward: pulls}\n"
    text += "variants: [{num_players: 4}, {num_players: 3, reward: win}]\n"
    config = parse_config(text, "my.yaml")
    assert [(size.num_players, size.reward) for size in config.table_sizes] == [(2, "pulls"), (4, "pulls"), (3, "win")]
    assert list(config.validated_games) == ["2_players", "4_players", "3_players_reward_win"]
    assert all(size.reward == "win" for size in config.validated_games.values())
    assert "num_players" in refusal(text + "seed: 1\n", ["variants=[{num_players: 7}]"])


def test_changes_on_the_command_line():
    config = parse_config(
        BASE, "my.yaml", ["learning.epochs=5", "seed=7", "opponents.styles=[honest]", "learning.clip_range=1e-1"]
    )
    assert (config.learning.epochs, config.seed) == (5, 7)
    assert (config.opponents.styles, config.learning.clip_range) == (["honest"], [0.1, 0.1])
    assert "did you mean 'epochs'" in refusal(BASE, ["learning.epohs=5"])
    assert "key=value" in refusal(BASE, ["learning.epochs"])
    assert "has no parts" in refusal(BASE, ["game.x=5"])
    assert "--set seed=[" in refusal(BASE, ["seed=["])


def test_flat_names_every_setting():
    assert flat({"a": 1, "b": {"c": {"d": 2}, "e": [3]}}) == {"a": 1, "b.c.d": 2, "b.e": [3]}


def test_the_command_says_it_in_one_line_and_leaves_nothing_behind(tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("game: cold_hand\ndecisions: 1000\nlerning: {}\n")
    command = [sys.executable, "-m", "tinhorn_training.cli", "train", str(bad), "--run", str(tmp_path / "run")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.splitlines() == [f"error: {bad}: unknown key 'lerning'; did you mean 'learning'?"]
    assert not (tmp_path / "run").exists()
