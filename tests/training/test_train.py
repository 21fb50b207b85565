"""A run in its folder: what it writes, that a stopped or killed one goes on as if nothing had happened."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tinhorn_training.checkpoint import CheckpointError, load_policy, read_note
from tinhorn_training.config import ConfigError, parse_config
from tinhorn_training.curves import curves
from tinhorn_training.errors import InputError
from tinhorn_training.files import SaveError
from tinhorn_training.runs import RunFolder, read_log
from tinhorn_training.train import build, train

TESTS = Path(__file__).parents[1]
TEXT = """
game: kuhn
decisions: 4000
tables: 64
checkpoint_every: 2
network: {width: 16, policy: [16], value: [16]}
learning: {rollout: 500, minibatch: 250, epochs: 2, average_over: 5}
opponents: {snapshots: 0.2, house: 0.2, snapshot_every: 2}
validation: {every: 4, deals: 50}
"""


def config(*changes):
    return parse_config(TEXT, "test.yaml", changes)


def weights(path):
    return b"".join(tensor.numpy().tobytes() for tensor in load_policy(path)[0].state_dict().values())


def newest(folder):
    return read_note(max((folder / "checkpoints").iterdir()))


def deterministic(folder):
    """The log without what a clock says."""
    return [{k: v for k, v in row.items() if not k.startswith("time/")} for row in read_log(folder / "progress.csv")]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run from beginning to end, and what it reported."""
    folder, reports = tmp_path_factory.mktemp("run") / "whole", []
    return train(config(), folder, reports.append), reports


def test_a_run_is_a_folder(whole):
    result, reports = whole
    folder = result.folder
    assert not result.stopped
    assert 4000 <= result.decisions < 4600
    assert {path.name for path in folder.iterdir()} == {
        "config.yaml", "progress.csv", "curves.png", "checkpoints", "snapshots", "best.zip", "tensorboard", "lock"
    }  # fmt: skip
    assert parse_config((folder / "config.yaml").read_text(), "again") == config()
    updates = [int(row["updates"]) for row in read_log(folder / "progress.csv")]
    assert updates == list(range(1, len(updates) + 1))
    assert len(list((folder / "checkpoints").iterdir())) == 3
    assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert list((folder / "tensorboard").glob("events.*"))
    assert any("chips" in report.news and "against house" in report.news for report in reports)
    assert reports[-1].rate > 0


def test_the_best_checkpoint_has_the_best_validation(whole):
    folder = whole[0].folder
    margins = [float(row["validation/margin"]) for row in read_log(folder / "progress.csv") if row["validation/margin"]]
    assert len(margins) >= 2
    assert read_note(folder / "best.zip").score == pytest.approx(max(margins), abs=1e-4)
    assert read_note(folder / "best.zip").config == config().model_dump(mode="json")


def test_a_finished_run_stays_as_it_is(whole):
    folder = whole[0].folder
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.zip")}
    assert train(config(), folder).decisions == whole[0].decisions
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.zip")} == before


def test_a_run_that_was_killed_before_its_first_checkpoint_says_that_it_starts_anew(tmp_path):
    RunFolder(tmp_path / "run", config())
    reports = []
    train(config(), tmp_path / "run", reports.append)
    assert "stopped before its first checkpoint: it starts anew" in reports[0].news


def test_a_new_run_says_nothing_of_another(whole):
    assert not any("anew" in report.news for report in whole[1])


def test_curves_show_what_equals_would_get():
    rows = [{"decisions": "100", "validation/house_2_players": "0.4", "train/value_loss": "1"}]
    house, random, entropy, *_ = curves(rows, "a game", {"2 players": 0.5, "4 players": 0.25}).axes
    for axes in (house, random):
        shares = {line.get_label(): line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == "--"}
        assert shares == {"fair share 0.5": 0.5, "fair share 0.25": 0.25}
        assert axes.get_legend() is not None
    assert not entropy.lines


def launch(folder, text_file, *changes):
    code = "import kuhn; from tinhorn_training.cli import main; main()"
    command = [sys.executable, "-c", code, "train", str(text_file), "--run", str(folder)]
    command += [part for change in changes for part in ("--set", change)]
    paths = os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        command, env=os.environ | {"PYTHONPATH": paths}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(path, process):
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def test_a_killed_run_goes_on_as_if_nothing_had_happened(whole, tmp_path):
    text_file = tmp_path / "test.yaml"
    text_file.write_text(TEXT)
    process = launch(tmp_path / "run", text_file)
    wait_for(tmp_path / "run" / "checkpoints" / "000002.zip", process)
    process.kill()
    process.communicate()
    survivors = sorted((tmp_path / "run" / "checkpoints").glob("*.zip"))
    for later in survivors[1:]:  # killed late: back to a place before the end
        later.unlink()
    resumed = train(config(), tmp_path / "run")
    names = [path.name for path in sorted((whole[0].folder / "checkpoints").iterdir())]
    assert [path.name for path in sorted((tmp_path / "run" / "checkpoints").iterdir())] == names
    for name in names:
        assert weights(resumed.folder / "checkpoints" / name) == weights(whole[0].folder / "checkpoints" / name)
    assert deterministic(resumed.folder) == deterministic(whole[0].folder)


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path):
    text_file = tmp_path / "test.yaml"
    text_file.write_text(TEXT)
    process = launch(tmp_path / "run", text_file, "decisions=100000000", "checkpoint_every=1000")
    wait_for(tmp_path / "run" / "progress.csv", process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "stopping; the run is saved first (Ctrl-C again: stop at once)" in err
    saved = list((tmp_path / "run" / "checkpoints").iterdir())
    assert len(saved) == 1
    done = read_note(saved[0]).decisions
    assert f"stopped after {done:,} decisions" in out
    assert re.search(r"tinhorn train \S+test.yaml --run \S+run --set decisions=100000000", out)


def test_damaged_checkpoints(whole, tmp_path, capsys):
    run = RunFolder(tmp_path / "run", config())
    assert run.newest(read_note) is None
    source = sorted((whole[0].folder / "checkpoints").iterdir())[0].read_bytes()
    (run.checkpoints / "000002.zip").write_bytes(source)
    (run.checkpoints / "000004.zip").write_bytes(source[:1000])
    assert run.newest(read_note)[0].name == "000002.zip"
    assert "000004.zip: the checkpoint is damaged" in capsys.readouterr().err
    (run.checkpoints / "000002.zip").write_bytes(source[:-100])
    with pytest.raises(CheckpointError, match=r"no checkpoint can be read: remove the folder \S+run to begin"):
        train(config(), tmp_path / "run")
    assert "000002.zip: the checkpoint is damaged" in capsys.readouterr().err


@pytest.fixture
def unfinished(whole, tmp_path):
    """A run that goes on when it is trained: the newest checkpoint is missing."""
    shutil.copytree(whole[0].folder, tmp_path / "run")
    sorted((tmp_path / "run" / "checkpoints").iterdir())[-1].unlink()
    return tmp_path / "run"


def test_a_damaged_best_checkpoint_is_named_and_written_anew(unfinished, capsys):
    best = unfinished / "best.zip"
    best.write_bytes(best.read_bytes()[:1000])
    train(config(), unfinished)
    assert re.search(
        r"best\.zip: the checkpoint is damaged .*; the next validation writes it anew", capsys.readouterr().err
    )
    assert read_note(best).score is not None


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"foo,bar\n1,2\n", b"updates,decisions\nseven,9\n"])
def test_a_damaged_log_is_refused_with_its_cure(unfinished, content):
    (unfinished / "progress.csv").write_bytes(content)
    with pytest.raises(InputError, match=r"progress\.csv: the log is damaged .*: remove it, and a new one begins here"):
        train(config(), unfinished)
    (unfinished / "progress.csv").unlink()
    train(config(), unfinished)
    assert (unfinished / "progress.csv").read_text().startswith("updates,")


def test_a_damaged_configuration_is_refused_with_its_cure(unfinished):
    (unfinished / "config.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"remove the file to go on with the one given now, or name another folder"):
        train(config(), unfinished)
    (unfinished / "config.yaml").unlink()
    train(config(), unfinished)


def test_a_tensorboard_log_that_cannot_be_written_is_refused(unfinished):
    shutil.rmtree(unfinished / "tensorboard")
    (unfinished / "tensorboard").write_text("in the way")
    with pytest.raises(SaveError, match=r"tensorboard: cannot be written .*: make it writable, or remove it"):
        train(config(), unfinished)


def test_a_run_goes_on_from_the_checkpoint_before_one_that_opens_but_cannot_be_loaded(whole, tmp_path, capsys):
    shutil.copytree(whole[0].folder, tmp_path / "run")
    *_, before, last = sorted((tmp_path / "run" / "checkpoints").iterdir())
    expected = weights(last)
    with zipfile.ZipFile(last) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name != "learner.pt"}
    with zipfile.ZipFile(last, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    reports = []
    train(config(), tmp_path / "run", reports.append)
    error = capsys.readouterr().err
    assert re.search(rf"{last.name}: the checkpoint cannot be read .*learner\.pt.*; trying the one before", error)
    assert reports[0].news == f"resuming from {before}"
    assert weights(last) == expected


def test_one_training_at_a_time_in_a_folder(tmp_path):
    text_file = tmp_path / "test.yaml"
    text_file.write_text(TEXT)
    process = launch(tmp_path / "run", text_file, "decisions=100000000", "checkpoint_every=1000")
    try:
        wait_for(tmp_path / "run" / "progress.csv", process)
        before = (tmp_path / "run" / "config.yaml").read_bytes()
        with pytest.raises(ConfigError, match=r"run: another training runs in this folder: .*--run"):
            train(config("checkpoint_every=1000"), tmp_path / "run")
        assert (tmp_path / "run" / "config.yaml").read_bytes() == before
        assert read_log(tmp_path / "run" / "progress.csv")
    finally:
        process.kill()
        process.communicate()
    assert train(config("checkpoint_every=1000", "decisions=500"), tmp_path / "run").decisions >= 500


def test_printed_commands_can_be_pasted(tmp_path):
    text_file = tmp_path / "my test.yaml"
    text_file.write_text(TEXT)
    process = launch(tmp_path / "rün 1", text_file, "decisions=500", "options={}")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    commands = [shlex.split(line.removeprefix("next:")) for line in out.splitlines()[-2:]]
    best = str(tmp_path / "rün 1" / "best.zip")
    assert commands[0] == ["tinhorn", "evaluate", best, "--against", "house"]
    assert commands[1] == ["tinhorn", "export", best, "--out", "bots/rün 1"]


def test_another_configuration_in_the_same_folder(whole):
    with pytest.raises(ConfigError, match=r"learning\.epochs=2, not 3"):
        train(config("learning.epochs=3"), whole[0].folder)


def test_a_run_may_be_lengthened(tmp_path):
    short = train(config("decisions=1000"), tmp_path / "run")
    longer = train(config("decisions=2000"), tmp_path / "run")
    assert short.decisions < 2000 <= longer.decisions


def test_stock_maskable_ppo_on_the_seat_environment(tmp_path):
    changes = ["trainer=maskable_ppo", "learning.epochs=4", "decisions=3000"]
    result = train(config(*changes), tmp_path / "run")
    assert result.decisions >= 3000
    assert read_note(result.best).score is not None
    before = newest(result.folder).updates
    longer = train(config(*changes, "decisions=4500"), tmp_path / "run")
    assert longer.decisions >= 4500
    assert newest(result.folder).updates > before


def test_a_run_can_start_as_the_network_of_another(whole, tmp_path):
    start = whole[0].best
    model = build(config(f"start={start}"), RunFolder(tmp_path / "run", config()))
    assert b"".join(tensor.numpy().tobytes() for tensor in model.policy.state_dict().values()) == weights(start)
    assert model.num_timesteps == 0
    with pytest.raises(ConfigError, match="another shape; set `network`"):
        build(config(f"start={start}", "network.width=24"), RunFolder(tmp_path / "other", config()))
    with pytest.raises(CheckpointError, match="there is no such checkpoint"):
        build(config("start=nowhere.zip"), RunFolder(tmp_path / "third", config()))
