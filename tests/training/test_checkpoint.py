"""Checkpoints: opened by plain MaskablePPO, and refused in one line when they will not do."""

import json
import resource
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
import torch

from kuhn import GAME
from tinhorn import bots
from tinhorn.core.layout import Field, Layout
from tinhorn.registry import get_game
from tinhorn_training import checkpoint
from tinhorn_training.checkpoint import (
    CheckpointError,
    DamagedCheckpointError,
    load_bot,
    load_policy,
    note,
    read_note,
    save,
)
from tinhorn_training.config import Opponents
from tinhorn_training.files import SaveError, write_atomically
from tinhorn_training.league import League
from tinhorn_training.policy import ViewPolicy, policy_settings
from tinhorn_training.selfplay import SelfPlayPPO, Tables

VIEWS = np.array([[1, 2, -1, -1, -1], [0, 0, 1, -1, -1]], np.int32)
MASKS = np.ones((2, 2), np.int8)


def tables():
    return Tables(GAME, [GAME.options()], 32, League(GAME, Opponents(snapshots=0.0, house=0.0)))


@pytest.fixture(scope="module")
def model():
    settings = policy_settings(GAME, 16, [16], [16])
    made = SelfPlayPPO(
        ViewPolicy,
        tables(),
        n_steps=256,
        batch_size=128,
        n_epochs=2,
        learning_rate=0.01,
        seed=1,
        policy_kwargs=settings,
    )
    made.learn(1024, log_interval=None)
    return made


@pytest.fixture
def path(model, tmp_path):
    save(model, tmp_path / "bot.zip", note(GAME, 4, model.num_timesteps, {"seed": 1}, 0.25))
    return tmp_path / "bot.zip"


def test_plain_maskable_ppo_opens_it_in_a_process_that_imports_nothing_else(model, path):
    code = f"""
import numpy as np
from sb3_contrib import MaskablePPO
model = MaskablePPO.load({str(path)!r}, device="cpu")
actions, _ = model.predict(np.array({VIEWS.tolist()}, np.int32), action_masks=np.ones((2, 2)), deterministic=True)
masked, _ = model.predict(np.array({VIEWS.tolist()}, np.int32), action_masks=np.array([[1, 0], [1, 0]]))
print(type(model).__name__, *actions, *masked)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    likeliest = load_bot(path, greedy=True).act(VIEWS, MASKS, np.zeros(2, np.uint64))
    assert run.stdout.split() == ["MaskablePPO", *map(str, likeliest), "0", "0"]


def test_the_average_plays_and_the_learner_learns_on(model, path):
    played = load_policy(path)[0]
    resumed = checkpoint.resume(path, tables())
    for ours, theirs in [(played, model.average), (resumed.average, model.average), (resumed.policy, model.policy)]:
        assert all(torch.equal(a, b) for a, b in zip(ours.parameters(), theirs.parameters(), strict=True))
    assert not torch.equal(model.average.action_net.weight, model.policy.action_net.weight)
    moments = model.policy.optimizer.state_dict()["state"]
    assert all(
        torch.equal(resumed.policy.optimizer.state_dict()["state"][k]["exp_avg"], moments[k]["exp_avg"])
        for k in moments
    )
    assert (resumed.num_timesteps, resumed.rollouts) == (model.num_timesteps, model.rollouts)


def test_its_note(path):
    found = read_note(path)
    assert (found.game, found.game_version, found.updates, found.score) == ("kuhn", 0, 4, 0.25)
    assert found.config == {"seed": 1}
    assert found.decisions >= 1024


def test_it_is_a_bot_by_its_path(model, path):
    bot = bots.load(path, "kuhn")
    streams = np.arange(2, dtype=np.uint64)
    actions = bot.act(VIEWS, MASKS, streams)
    assert actions.dtype == np.int64
    assert (streams != np.arange(2)).all()
    assert bot.game is GAME
    assert (load_bot(path).act(VIEWS, MASKS, np.arange(2, dtype=np.uint64)) == actions).all()
    chances = bot.probabilities(VIEWS, MASKS)
    views, masks, streams = VIEWS.repeat(20_000, 0), MASKS.repeat(20_000, 0), np.arange(40_000, dtype=np.uint64)
    many = load_bot(path).act(views, masks, streams)
    assert many.reshape(2, -1).mean(axis=1) == pytest.approx(chances[:, 1], abs=0.015)
    greedy = load_bot(path, greedy=True).act(views, masks, streams)
    assert (greedy.reshape(2, -1) == chances.argmax(axis=1)[:, None]).all()


def test_loading_changes_no_random_state(path):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    load_policy(path)
    checkpoint.resume(path, tables())
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_half_written(path, share):
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(CheckpointError, match=r"bot\.zip: the checkpoint is damaged or only half written"):
        load_bot(path)


def test_a_flipped_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="damaged"):
        load_bot(path)


def test_missing_and_foreign_files(model, tmp_path):
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        load_bot(tmp_path / "nothing.zip")
    model.save(tmp_path / "stock.zip")
    with pytest.raises(CheckpointError, match="not a checkpoint of `tinhorn train`"):
        load_bot(tmp_path / "stock.zip")


def rewrite_note(path, **changes):
    with zipfile.ZipFile(path) as archive:
        written = json.loads(archive.read("tinhorn.json"))
    rewrite_member(path, "tinhorn.json", json.dumps(written | changes))


def rewrite_member(path, name, content):
    """Another content of a member; None leaves it out."""
    with zipfile.ZipFile(path) as archive:
        members = {member: archive.read(member) for member in archive.namelist()} | {name: content}
    with zipfile.ZipFile(path, "w") as archive:
        for member, bytes_ in members.items():
            if bytes_ is not None:
                archive.writestr(member, bytes_)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("tinhorn.json", b"5", "tinhorn.json"),
        ("tinhorn.json", b"[" * 200_000, "recursion"),
        ("policy.pth", None, "cannot be read"),
        ("policy.pth", b"", "cannot be read"),
        ("policy.pth", b"junk", "cannot be read"),
        ("data", b"{}", "cannot be read"),
        ("data", b"5", "cannot be read"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_members_of_another_content(path, name, content, words):
    rewrite_member(path, name, content)
    with pytest.raises(DamagedCheckpointError, match=r"bot\.zip: the checkpoint .*; take another") as caught:
        load_bot(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    if name != "tinhorn.json":
        with pytest.raises(DamagedCheckpointError, match=r"bot\.zip: the checkpoint cannot be read"):
            checkpoint.resume(path, tables())


@pytest.mark.parametrize("content", [None, b"", b"junk"])
def test_a_learner_of_another_content(path, content):
    rewrite_member(path, "learner.pt", content)
    with pytest.raises(DamagedCheckpointError, match=r"bot\.zip: the checkpoint cannot be read"):
        checkpoint.resume(path, tables())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"config": 5}, "config"),
        ({"config": None}, "config"),
        ({"config": {"players": 5}}, "players"),
        ({"config": {"players": ["2"]}}, "players"),
        ({"config": {"players": [9]}}, "no table of 9 players"),
        ({"config": {"variants": 5}}, "variants"),
        ({"config": {"validation": {"options": 5}}}, "validation.options"),
        ({"decisions": None}, "decisions"),
        ({"updates": -1}, "updates"),
        ({"updates": 1.5}, "updates"),
        ({"score": "good"}, "score"),
        ({"game": 5}, "game"),
    ],
)
def test_a_note_of_another_form(path, changes, words):
    rewrite_note(path, **changes)
    with pytest.raises(DamagedCheckpointError, match=rf"bot\.zip: the checkpoint is damaged \(tinhorn\.json.*{words}"):
        load_bot(path)


def test_another_game_or_version(path):
    with pytest.raises(CheckpointError, match="trained for kuhn, not for cold_hand"):
        load_bot(path, get_game("cold_hand"))
    rewrite_note(path, game_version=7, tinhorn="9.9")
    with pytest.raises(CheckpointError, match=r"kuhn_v7, this is kuhn_v0.*install tinhorn 9\.9"):
        load_bot(path)


def test_another_layout(path):
    changed = replace(GAME, layout=Layout(*GAME.layout.fields[:-1], Field("moves", "Moves.", 0, 1, (4,), "not yet")))
    assert checkpoint.table_hash(changed) != checkpoint.table_hash(GAME)
    with pytest.raises(CheckpointError, match="the view or the actions of kuhn_v0 are not those"):
        load_bot(path, changed)


@contextmanager
def full_disk(room):
    """No file can grow beyond ``room`` bytes: the kernel refuses the write as it does on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_checkpoint_before(model, path):
    before = path.read_bytes()
    with full_disk(1000), pytest.raises(SaveError, match=r"could not write .*bot\.zip: .*held before is intact"):
        save(model, path, note(GAME, 5, 9999, {}))
    assert path.read_bytes() == before
    assert load_bot(path).game is GAME
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(SaveError, match="No such file or directory"):
        write_atomically(tmp_path / "nowhere" / "bot.zip", b"")
