"""`tinhorn export`, and what a bundle says of where it came from."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from exports import EVALUATION, tiny_policy
from kuhn import GAME as KUHN
from tinhorn.bots import BotError, load
from tinhorn.bots.exported import CARD
from tinhorn.core.batch import Batch
from tinhorn_training.checkpoint import note, read_note, save
from tinhorn_training.export.bundle import ExportError, export_bundle, read_evaluation
from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of
from tinhorn_training.provenance import source_commit


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A checkpoint as training writes it, of an untrained network."""

    class Still(gymnasium.Env):
        observation_space, action_space = spaces_of(KUHN.layout, KUHN.actions.count)

    path = tmp_path_factory.mktemp("run") / "best.zip"
    model = MaskablePPO(ViewPolicy, Still(), policy_kwargs=policy_settings(KUHN, 16, [16], [16]), seed=1)
    save(model, path, note(KUHN, updates=3, decisions=1000, config={"players": [2]}, score=0.125))
    return path


def command(*arguments):
    run = [sys.executable, "-c", "import kuhn; from tinhorn_training.cli import main; main()", *map(str, arguments)]
    return subprocess.run(run, capture_output=True, text=True, cwd=Path(__file__).parent.parent)


def test_the_command_exports_a_checkpoint_with_its_measured_strength(checkpoint, tmp_path):
    out, result = tmp_path / "bot", tmp_path / "result.json"
    result.write_text(json.dumps(EVALUATION))
    done = command("export", checkpoint, "--out", out, "--evaluate", 50, "--evaluation", result)
    assert done.returncode == 0, done.stderr
    assert "tinhorn play --opponents" in done.stdout
    manifest = load(out).manifest
    assert manifest["training"]["config"] == {"players": [2]}
    assert (manifest["training"]["decisions"], manifest["training"]["score"]) == (1000, 0.125)
    assert manifest["training"]["commit"] == read_note(checkpoint).commit
    given, measured = manifest["evaluation"]
    assert given["scores"] == EVALUATION["scores"]
    assert (measured["bot"], measured["against"], measured["deals"]) == ("bot", ["house"], 50)
    mean = measured["scores"][0]["mean"]
    assert mean["low"] < mean["value"] < mean["high"]
    assert f"{mean['low']:.4f} to {mean['high']:.4f}" in (out / CARD).read_text()
    again = command("export", checkpoint, "--out", out)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr.count("\n") == 1
    assert "--force" in again.stderr


def test_a_checkpoint_with_a_wrong_configuration_is_not_exported(checkpoint, tmp_path):
    with zipfile.ZipFile(checkpoint) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    wrong = json.loads(members["tinhorn.json"]) | {"config": {"players": 5}}
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        for name, content in (members | {"tinhorn.json": json.dumps(wrong).encode()}).items():
            archive.writestr(name, content)
    done = command("export", tmp_path / "bot.zip", "--out", tmp_path / "bot")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "bot.zip: the checkpoint is damaged (tinhorn.json: players" in done.stderr
    assert not (tmp_path / "bot").exists()


def test_the_commit_of_the_sources(tmp_path):
    def git(*arguments):
        who = ["-c", "user.name=x", "-c", "user.email=x@x"]
        run = ["git", "-C", str(tmp_path), *who, *arguments]
        return subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()

    source = tmp_path / "source.py"
    source.write_text("")
    assert source_commit(source) is None
    git("init")
    assert source_commit(source) is None
    git("add", "source.py")
    git("commit", "--message", "first")
    git("tag", "v1")
    assert source_commit(source) == git("rev-parse", "HEAD")
    source.write_text("changed")
    assert source_commit(source) == git("rev-parse", "HEAD") + "-dirty"


def test_what_is_no_result_of_an_evaluation_is_refused(tmp_path):
    result = tmp_path / "result.json"
    other = json.dumps(EVALUATION | {"game": "other_v0"})
    for text, message in (
        ("{}", "not a result"),
        ("[", "not a result"),
        (other, "of other_v0"),
        (None, "No such file"),
    ):
        result.unlink(missing_ok=True)
        if text is not None:
            result.write_text(text)
        with pytest.raises(ExportError, match=message):
            read_evaluation(result, KUHN)


def test_a_policy_that_does_not_read_views_is_refused(tmp_path):
    policy = MaskableActorCriticPolicy(*spaces_of(KUHN.layout, 2), lambda _: 1e-3)
    with pytest.raises(ExportError, match="tinhorn train"):
        export_bundle(policy, KUHN, tmp_path / "bot")
    assert not (tmp_path / "bot").exists()


def test_a_bot_exported_to_play_its_likeliest_action_does_so(tmp_path):
    policy = tiny_policy(KUHN)
    bundle = export_bundle(policy, KUHN, tmp_path / "likeliest", greedy=True)
    assert json.loads((bundle / "manifest.json").read_text())["plays"] == "greedy"
    assert "`greedy` is the action to play" in (bundle / "README.md").read_text()
    batch = Batch(KUHN, 50, seed=1)
    luck = np.arange(1, 51, dtype=np.uint64)
    likeliest = load(bundle).predict(batch.views, batch.masks)[0].argmax(axis=1)
    assert (load(bundle).act(batch.views, batch.masks, luck.copy()) == likeliest).all()
    sampled = export_bundle(policy, KUHN, tmp_path / "sampled")
    assert (load(sampled).act(batch.views, batch.masks, luck.copy()) != likeliest).any()
    named = load(f"greedy:{sampled}")
    assert named.name == f"greedy:{sampled}"
    assert (named.act(batch.views, batch.masks, luck.copy()) == likeliest).all()
    with pytest.raises(BotError, match="only networks have a likeliest action"):
        load("greedy:house", KUHN)
