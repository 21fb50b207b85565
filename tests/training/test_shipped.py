"""The bots that come with the package: whole, for the games as they are, and as strong as their cards say."""

import json

import pytest

from tinhorn import bots
from tinhorn.bots import SHIPPED
from tinhorn.bots.exported import table_facts
from tinhorn.core.game import find_game
from tinhorn_training.evaluate import evaluate

NAMES = sorted(folder.name for folder in SHIPPED.iterdir() if folder.is_dir())


def test_there_is_one():
    assert NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_the_game_says(name):
    """So the JavaScript loader, which has nothing else, knows orders and places; tools/restamp.py puts it right."""
    manifest = json.loads((SHIPPED / name / "manifest.json").read_text("utf-8"))
    facts = table_facts(find_game(manifest["game"]["name"]))
    assert {key: manifest[key] for key in facts} == facts


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_as_its_manifest_says(name):
    """Loading checks hashes, version, fields and actions; a short evaluation falls into the measured interval."""
    manifest = json.loads((SHIPPED / name / "manifest.json").read_text("utf-8"))
    bot = bots.load(name)
    game = find_game(manifest["game"]["name"])
    for measured in manifest["evaluation"]:
        headline = measured["scores"][0]
        assert headline["verdict"] == "above"
        options = game.options.make(measured["options"])
        against = [bots.load(other, game) for other in measured["against"]]
        found = evaluate(game, bot, against, options, deals=400, seed=5).headline.mean
        slack = 1.5 * (found.width or 0) + headline["mean"]["high"] - headline["mean"]["low"]
        assert abs(found.value - headline["mean"]["value"]) < slack
