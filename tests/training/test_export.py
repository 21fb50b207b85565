"""Exported bots: equal to the policy, self-contained, checked before they play."""

import hashlib
import json
import re
import resource
import shutil
import subprocess
import sys

import numpy as np
import onnx
import pytest
import torch

from exports import EVALUATION, tiny_policy
from kuhn import GAME as KUHN
from tinhorn.bots import BotError, load
from tinhorn.bots.exported import CARD, GOLDEN, MANIFEST, POLICY, load_bundle
from tinhorn.core.batch import Batch
from tinhorn.core.encoding import FLAG, CardSlots, Logarithm, OneHot, Ratio, Scaled
from tinhorn.core.layout import Field, Layout, ViewError
from tinhorn.core.rng import derive
from tinhorn.core.table import Table
from tinhorn.poker.features import FIVE_CARD_PATTERN
from tinhorn.registry import list_games
from tinhorn_training.export.bundle import ExportError, export_bundle
from tinhorn_training.export.golden import PARITY, ParityError, check_parity
from tinhorn_training.export.graph import OUTPUTS, FirstLayer, feed
from tinhorn_training.policy import Inputs, ViewExtractor, spaces_of

GAMES = {game.name: game for game in [KUHN, *list_games()]}
CARDS = next(game for game in list_games() if any(field.cards for field in game.layout.encoded))
TRAINING = {"decisions": 1000, "seed": 3}


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """A folder for each game, exported when it is asked for."""
    root, made = tmp_path_factory.mktemp("bundles"), {}

    def bundle(name):
        if name not in made:
            game = GAMES[name]
            made[name] = export_bundle(
                tiny_policy(game), game, root / name, training=TRAINING, evaluations=[EVALUATION]
            )
        return made[name]

    return bundle


@pytest.fixture
def copy(bundles, tmp_path):
    """A copy of the smallest bundle, to be damaged."""
    return shutil.copytree(bundles("kuhn"), tmp_path / "bot")


def rewrite(folder, change):
    """Change the manifest."""
    manifest = json.loads((folder / MANIFEST).read_text())
    change(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize("name", GAMES)
def test_golden_rows_come_from_every_player_count_and_the_bot_reproduces_them(bundles, name):
    game, bot = GAMES[name], load(bundles(name))
    golden = json.loads((bundles(name) / GOLDEN).read_text())
    assert len(golden["rows"]) >= 200
    if "num_players" in [field.name for field in game.layout.fields]:
        assert {row["table"]["num_players"] for row in golden["rows"]} == set(game.options.player_counts)
    for greedy, choice in ((False, "sampled"), (True, "greedy")):
        bot.greedy = greedy
        for row in golden["rows"]:
            answer = bot.choose(row["table"], row["legal"], row["uniform"])
            assert np.allclose([answer["probabilities"][k] for k in row["legal"]], row["probabilities"], atol=PARITY)
            assert sum(answer["probabilities"]) == pytest.approx(sum(row["probabilities"]), abs=PARITY)
            assert answer["value"] == pytest.approx(row["value"], abs=PARITY)
            assert row[choice] in (None, answer["action"])
            move = dict(game.actions.static[answer["action"]])
            if "places" in move:
                hand = row["table"][game.actions.places_of]
                move["cards"] = [hand[place] for place in move["places"]]
            assert answer["move"] == move
    assert sum(row["greedy"] is not None for row in golden["rows"]) > 100


@pytest.mark.parametrize("name", GAMES)
def test_parity_with_torch_on_other_games_than_the_golden_ones(bundles, name):
    game, policy, bot = GAMES[name], tiny_policy(GAMES[name]), load(bundles(name))
    batch = Batch(game, 64, seed=99)
    streams = np.array([derive(np.uint64(5), table) for table in range(64)], np.uint64)
    for _ in range(20):
        with torch.no_grad():
            logits, values = policy.logits_and_values(torch.from_numpy(batch.views))
            hidden = torch.where(torch.from_numpy(batch.masks) > 0, logits, -torch.inf)
            expected = torch.softmax(hidden, dim=1).numpy()
        probabilities, found = bot.predict(batch.views, batch.masks)
        assert np.abs(probabilities - expected).max() <= PARITY
        assert np.abs(found - values.numpy()).max() <= PARITY
        assert (probabilities[batch.masks == 0] == 0).all()
        actions = bot.act(batch.views, batch.masks, streams)
        assert (batch.masks[np.arange(64), actions] == 1).all()
        batch.step(actions)


def test_the_first_layer_of_the_graph_knows_every_encoding():
    layout = Layout(
        Field("for_people", "Not encoded.", 0, 9, (3,)),
        Field("flag", "A flag.", 0, 1, (2,), encode=FLAG),
        Field("late_flag", "A flag that may be none.", 0, 1, none="none", encode=FLAG),
        Field("also_for_people", "Not encoded.", 0, 9),
        Field("chips", "Chips.", 0, 100_000, none="not in", encode=(Scaled(50.0), Logarithm(100_000.0))),
        Field("bet", "Against the chips.", 0, 100_000, (2,), "none", Ratio(4.0, to="chips")),
        Field("below", "Values below zero.", -5, 5, none="none", encode=(OneHot(), Scaled(5.0))),
        Field("hand", "Cards.", 0, 51, (5,), "none", (CardSlots(), FIVE_CARD_PATTERN), cards=True),
    )
    random = np.random.default_rng(0)
    views = random.integers(layout.lows, layout.highs + 1, (400, layout.size)).astype(np.int32)
    views[:50] = layout.lows
    for row in views[50:]:
        row[layout.at("hand") :][:5] = random.permutation(52)[:5]
    torch.manual_seed(1)
    extractor = ViewExtractor(spaces_of(layout, 2)[0], Inputs.of(layout)._asdict(), 32)
    columns = [views[:, layout.at(field.name) :][:, : field.size] for field in layout.encoded]
    with torch.no_grad():
        found = FirstLayer(extractor, layout)(torch.from_numpy(np.concatenate(columns, axis=1)))
        assert torch.allclose(found, extractor(torch.from_numpy(views)), atol=1e-5)


@pytest.mark.parametrize("name", GAMES)
def test_the_graph_is_what_old_and_javascript_runtimes_load(bundles, name):
    model, game = onnx.load(bundles(name) / POLICY, load_external_data=False), GAMES[name]
    assert model.ir_version == 8
    assert [(opset.domain, opset.version) for opset in model.opset_import] == [("", 18)]
    assert not any(tensor.external_data for tensor in model.graph.initializer)
    types = {part.name: part.type.tensor_type for part in (*model.graph.input, *model.graph.output)}
    int32, uint8, float32 = onnx.TensorProto.INT32, onnx.TensorProto.UINT8, onnx.TensorProto.FLOAT
    inputs = {field.name: int32 for field in game.layout.encoded} | {"legal": uint8, "uniform": float32}
    outputs = dict(zip(OUTPUTS, (float32, float32, int32, int32), strict=True))
    assert {name: kind.elem_type for name, kind in types.items()} == inputs | outputs
    assert {kind.shape.dim[0].dim_param for kind in types.values()} == {"batch"}
    assert sum(file.stat().st_size for file in bundles(name).iterdir()) < 1_000_000


def test_a_graph_of_full_size_fits_into_a_megabyte():
    for game in list_games():
        extractor = 256 * (game.layout.feature_size + 1)
        towers = 2 * 256 * 257 + 257 * (game.actions.count + 1)
        assert 4 * (extractor + towers) < 1_000_000 * (3 if game.layout.feature_size > 500 else 1)


def test_exported_twice_it_is_the_same_to_the_byte_and_names_no_path(bundles, tmp_path):
    again = tmp_path / "kuhn"
    export_bundle(tiny_policy(KUHN), KUHN, again, training=TRAINING, evaluations=[EVALUATION])
    for file in sorted(again.iterdir()):
        assert file.read_bytes() == (bundles("kuhn") / file.name).read_bytes(), file.name
    for name in GAMES:
        for file in bundles(name).iterdir():
            content = file.read_bytes()
            # a path, a source file, a trace; weights are random bytes, so only whole words count
            assert not re.search(
                rb"/(home|root|usr|tmp|work|var|mnt|opt)/|\w{3}\.py\b|Traceback|site-packages", content
            )
            assert str(tmp_path.parent).encode() not in content


def test_the_manifest_says_everything(bundles):
    for name, game in GAMES.items():
        manifest = json.loads((bundles(name) / MANIFEST).read_text())
        assert (manifest["game"]["name"], manifest["game"]["version"]) == (game.name, game.version)
        assert manifest["training"] == TRAINING
        (evaluation,) = manifest["evaluation"]
        assert evaluation["against"] == ["house", "other.zip"]
        assert (evaluation["bot"], evaluation["scores"]) == (name, EVALUATION["scores"])
        assert [field["name"] for field in manifest["fields"]] == [field.name for field in game.layout.fields]
        assert [field["order"] for field in manifest["fields"]] == [field.order or None for field in game.layout.fields]
        assert manifest["actions"]["table"] == list(game.actions.static)
        assert manifest["actions"]["places_of"] == (game.actions.places_of or None)
        assert 0 < manifest["parity"] <= PARITY
        embedded = {prop.key: prop.value for prop in onnx.load(bundles(name) / POLICY).metadata_props}
        del manifest["files"]
        assert json.loads(embedded["tinhorn"]) == manifest
        card = (bundles(name) / CARD).read_text()
        assert "0.0211 to 0.0813" in card
        assert f"tinhorn evaluate {name} --against house,other.zip --players 2 --deals 500 --seed 1" in card


def test_any_batch_size(bundles):
    bot, table = load(bundles("kuhn")), Table(KUHN)
    table.reset(1)
    one, _ = bot.predict(table.view[None], table.mask[None])
    for rows in (1, 2, 7, 300):
        many, values = bot.predict(np.repeat(table.view[None], rows, 0), np.repeat(table.mask[None], rows, 0))
        assert many.shape == (rows, KUHN.actions.count)
        assert values.shape == (rows,)
        assert np.allclose(many, one, atol=1e-6)


def test_sampled_actions_follow_the_probabilities(bundles):
    bot, table, rows = load(bundles(CARDS.name)), Table(CARDS), 40_000
    table.reset(3)
    legal = table.mask.copy()
    legal[::2] = 0  # any set of legal actions will do
    probabilities, _ = bot.predict(table.view[None], legal[None])
    streams = np.array([derive(np.uint64(11), row) for row in range(rows)], np.uint64)
    before = streams.copy()
    actions = bot.act(np.repeat(table.view[None], rows, 0), np.repeat(legal[None], rows, 0), streams)
    assert (streams != before).all()
    counts = np.bincount(actions, minlength=len(legal))
    expected = rows * probabilities[0]
    assert (counts[legal == 0] == 0).all()
    assert (np.abs(counts - expected) <= 5 * np.sqrt(expected) + 1).all()
    assert np.array_equal(
        actions, bot.act(np.repeat(table.view[None], rows, 0), np.repeat(legal[None], rows, 0), before)
    )


def test_the_ends_of_the_uniform_number_pick_legal_actions(bundles):
    bot, table = load(bundles(CARDS.name)), Table(CARDS)
    table.reset(3)
    ids = table.legal_ids()[2:-2]
    shown = CARDS.layout.to_json(table.view)
    for uniform in (0, 1e-12, 0.5, 1 - 1e-9, float(np.nextafter(1, 0)), 1):
        assert bot.choose(shown, ids, uniform)["action"] in ids
    assert bot.choose(shown, ids[:1])["action"] == ids[0]


def test_legal_is_ids_or_a_mask(bundles):
    bot, table = load(bundles(CARDS.name)), Table(CARDS)
    table.reset(3)
    shown, count = CARDS.layout.to_json(table.view), CARDS.actions.count
    by_ids = bot.choose(shown, table.legal_ids(), 0.5)
    assert by_ids == bot.choose(shown, table.mask, 0.5)
    assert by_ids == bot.choose(shown, [bool(bit) for bit in table.mask], 0.5)
    wrong = ([], [count], [-1], [0, 0], [0.5], "all", [False] * count, [True], table.mask.tolist(), table.mask * 0)
    for legal in wrong:
        with pytest.raises(ViewError, match="legal"):
            bot.choose(shown, legal)
    with pytest.raises(ViewError, match="uniform"):
        bot.choose(shown, table.mask, 1.5)
    for uniform in ("x", float("nan"), True, [0.5]):
        with pytest.raises(ViewError, match="uniform takes a number of 0 to 1"):
            bot.choose(shown, table.mask, uniform)


def test_a_wrong_table_names_the_field(bundles):
    bot, table = load(bundles(CARDS.name)), Table(CARDS)
    table.reset(3)
    shown = CARDS.layout.to_json(table.view)
    field = CARDS.layout.encoded[0]
    with pytest.raises(ViewError, match=field.name):
        bot.choose({key: value for key, value in shown.items() if key != field.name}, table.mask)
    with pytest.raises(ViewError, match=f"{field.name}.*{field.high}"):
        bot.choose(shown | {field.name: field.high + 1}, table.mask)
    with pytest.raises(ViewError, match="no_such_field"):
        bot.choose(shown | {"no_such_field": 1}, table.mask)
    with pytest.raises(ViewError, match="unknown field 5"):
        bot.choose(shown | {5: 1, "no_such_field": 1}, table.mask)
    for other in (None, 5, "table", [shown]):
        with pytest.raises(ViewError, match="a table is a mapping of fields"):
            bot.choose(other, table.mask)


def test_a_row_without_a_legal_action_is_refused(bundles):
    bot, table = load(bundles("kuhn")), Table(KUHN)
    table.reset(1)
    masks = np.stack([table.mask, table.mask * 0])
    with pytest.raises(ValueError, match="no legal action"):
        bot.act(np.stack([table.view] * 2), masks, np.zeros(2, np.uint64))


@pytest.mark.parametrize("file", [POLICY, MANIFEST, GOLDEN, CARD])
def test_a_missing_file_is_named(copy, file):
    (copy / file).unlink()
    with pytest.raises(BotError, match=re.escape(file)):
        load(copy)


@pytest.mark.parametrize("file", [POLICY, MANIFEST, GOLDEN, CARD])
def test_a_damaged_file_is_named(copy, file):
    content = (copy / file).read_bytes()
    for damaged in (content[: len(content) // 2], b"", content.replace(b"a", b"e"), b"\xff" + content):
        (copy / file).write_bytes(damaged)
        with pytest.raises(BotError, match=rf"{re.escape(file)}.* is damaged") as caught:
            load(copy)
        assert "\n" not in str(caught.value)
    (copy / file).write_bytes(content)
    load(copy)


def test_a_policy_that_cannot_be_read_is_named_although_its_hash_is_right(copy):
    content = (copy / POLICY).read_bytes()
    for damaged in (b"", b"junk", content[: len(content) // 2]):
        (copy / POLICY).write_bytes(damaged)
        hashes = json.loads((copy / MANIFEST).read_text())["files"] | {POLICY: hashlib.sha256(damaged).hexdigest()}
        rewrite(copy, lambda manifest, hashes=hashes: manifest.update(files=hashes))
        with pytest.raises(BotError, match=f"{POLICY} is damaged; copy the whole folder again"):
            load(copy)


def test_a_manifest_of_brackets_is_damaged(copy):
    (copy / MANIFEST).write_text("[" * 200_000)
    with pytest.raises(BotError, match=f"{MANIFEST} is damaged"):
        load(copy)


CHANGES = {
    "another format": (lambda m: m.update(format="zip"), "no exported bot"),
    "a later format": (lambda m: m.update(format_version=2), "format version 2.*export the bot again"),
    "another version of the game": (lambda m: m["game"].update(version=7), "kuhn_v7.*kuhn_v0.*train and export"),
    "an unknown game": (lambda m: m["game"].update(name="tiddlywinks"), "tiddlywinks.*register"),
    "a field of another range": (lambda m: m["fields"][1].update(high=9), "'card'.*export"),
    "a field less": (lambda m: m["fields"].pop(), "other fields"),
    "other actions": (lambda m: m["actions"]["table"].reverse(), "action table"),
    "a rewritten result": (lambda m: m.update(parity=0.0), f"{MANIFEST} is damaged"),
    "no hash of a file": (lambda m: m["files"].pop(CARD), f"{MANIFEST} is damaged"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_bundle_that_does_not_fit_is_refused(copy, change):
    edit, message = CHANGES[change]
    rewrite(copy, edit)
    with pytest.raises(BotError, match=message):
        load(copy)


def test_a_bundle_of_another_game_is_refused(copy):
    with pytest.raises(BotError, match=f"plays kuhn, not {CARDS.name}"):
        load(copy, CARDS)


def test_it_plays_without_torch_and_says_how_to_get_onnxruntime(bundles):
    code = """
import sys
sys.modules["torch"] = sys.modules["stable_baselines3"] = None
if {blocked}: sys.modules["onnxruntime"] = None
from tinhorn.bots import BotError, load
try:
    bot = load({path!r})
except BotError as error:
    print(error)
else:
    import json
    row = json.load(open({path!r} + "/golden.json"))["rows"][0]
    print(bot.choose(row["table"], row["legal"], row["uniform"])["action"] == row["sampled"])
"""
    for blocked, expected in ((False, "True"), (True, "pip install onnxruntime")):
        source = code.format(blocked=blocked, path=str(bundles(CARDS.name)))
        run = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
        assert expected in run.stdout, run.stdout


def test_an_existing_folder_is_kept_unless_forced(copy, tmp_path):
    policy = tiny_policy(KUHN)
    with pytest.raises(ExportError, match="--force"):
        export_bundle(policy, KUHN, copy)
    assert export_bundle(policy, KUHN, copy, force=True) == copy
    assert load(copy).manifest["training"] is None
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "chapter.txt").write_text("years of work")
    with pytest.raises(ExportError, match="no exported bot"):
        export_bundle(policy, KUHN, other, force=True)
    assert [file.name for file in other.iterdir()] == ["chapter.txt"]


def test_a_full_disk_leaves_the_old_bundle_and_nothing_else(copy):
    before = {file.name: file.read_bytes() for file in copy.iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))  # a write beyond 4 KiB fails, as on a full disk
    try:
        with pytest.raises(ExportError, match="cannot be written"):
            export_bundle(tiny_policy(KUHN), KUHN, copy, force=True)
        with pytest.raises(ExportError, match="cannot be written"):
            export_bundle(tiny_policy(KUHN), KUHN, copy.parent / "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [entry.name for entry in copy.parent.iterdir()] == ["bot"]
    assert {file.name: file.read_bytes() for file in copy.iterdir()} == before


def test_parity_is_checked(bundles):
    rows = json.loads((bundles("kuhn") / GOLDEN).read_text())["rows"]
    model = (bundles("kuhn") / POLICY).read_bytes()
    check_parity(model, KUHN, rows)
    rows[17]["value"] += 2 * PARITY
    with pytest.raises(ParityError, match=r"differs from the policy by 2\.0e-05"):
        check_parity(model, KUHN, rows)
    rows[17]["value"] -= 2 * PARITY
    rows[18]["sampled"] = 1 - rows[18]["sampled"]
    with pytest.raises(ParityError, match="1 choices"):
        check_parity(model, KUHN, rows)


def test_the_inputs_are_the_named_fields(bundles):
    table = Table(CARDS)
    table.reset(3)
    inputs = feed(CARDS.layout, table.view[None], table.mask[None], np.zeros(1, np.float32))
    named = CARDS.layout.named(table.view)
    for field in CARDS.layout.encoded:
        assert inputs[field.name][0].tolist() == named[field.name]


def test_load_bundle_takes_name_and_greed(bundles):
    bot = load_bundle(bundles("kuhn"), KUHN, "sharp", greedy=True)
    assert (bot.name, bot.greedy, bot.needs_states) == ("sharp", True, False)
    table = Table(KUHN)
    table.reset(2)
    probabilities, _ = bot.predict(table.view[None], table.mask[None])
    streams = np.arange(50, dtype=np.uint64)
    actions = bot.act(np.repeat(table.view[None], 50, 0), np.repeat(table.mask[None], 50, 0), streams)
    assert (actions == probabilities.argmax()).all()
