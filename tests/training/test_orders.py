"""Hands have one order for exported bots: another is refused, and answers name cards beside places."""

import hashlib
import json
import re
import shutil

import onnx
import pytest

from tinhorn.bots import SHIPPED, load
from tinhorn.bots.exported import MANIFEST, POLICY
from tinhorn.core.layout import ViewError
from tinhorn.core.table import Table

BOT = next(folder for folder in sorted(SHIPPED.iterdir()) if folder.is_dir())


@pytest.fixture
def asked():
    """A bot, what the first seat to act sees, and its legal ids."""
    bot = load(BOT)
    table = Table(bot.game)
    table.reset(3)
    return bot, bot.game.layout.to_json(table.view), table.legal_ids()


def test_a_hand_out_of_order_is_refused_with_the_right_order(asked):
    """Places of exchanges would mean other cards, and the network has seen no other order."""
    bot, shown, legal = asked
    for hand in (shown["hand"][::-1], shown["hand"][1:] + shown["hand"][:1]):
        with pytest.raises(ViewError, match=re.escape(json.dumps(shown["hand"]))):
            bot.choose(shown | {"hand": hand}, legal)


def test_an_exchange_is_answered_with_its_cards(asked):
    bot, shown, legal = asked
    static = bot.game.actions.static
    for action in (action for action in legal if "places" in static[action]):
        move = bot.choose(shown, [action])["move"]
        assert move == static[action] | {"cards": [shown["hand"][place] for place in static[action]["places"]]}


def test_a_bundle_that_names_no_order_yet_still_loads_and_is_held_to_it(asked, tmp_path):
    _, shown, legal = asked
    copy = shutil.copytree(BOT, tmp_path / "old")
    manifest = json.loads((copy / MANIFEST).read_text("utf-8"))
    del manifest["actions"]["places_of"]
    for field in manifest["fields"]:
        del field["order"]
    model = onnx.load(copy / POLICY)
    model.metadata_props[0].value = json.dumps({key: manifest[key] for key in manifest if key != "files"})
    onnx.save(model, copy / POLICY)
    manifest["files"][POLICY] = hashlib.sha256((copy / POLICY).read_bytes()).hexdigest()
    (copy / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(ViewError, match="takes its cards in this order"):
        load(copy).choose(shown | {"hand": shown["hand"][::-1]}, legal)
