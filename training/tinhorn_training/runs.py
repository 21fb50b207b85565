"""The folder of a training run: configuration, log, checkpoints, snapshots, curves.

config.yaml      the configuration, defaults written out
progress.csv     one line an update; curves.png draws it; tensorboard/ holds the same
checkpoints/     the last ones, NNNNNN.zip by update; a killed run goes on from there
snapshots/       earlier states of the network, opponents in self-play
best.zip         the best checkpoint by validation
lock             held by the process that trains here; empty
"""

import csv
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import KVWriter, TensorBoardOutputFormat

from tinhorn_training import checkpoint
from tinhorn_training.checkpoint import CheckpointError, DamagedCheckpointError, Note
from tinhorn_training.config import ConfigError, TrainConfig, flat, load_config, to_yaml
from tinhorn_training.errors import InputError
from tinhorn_training.files import SaveError, lock, write_atomically

Opened = TypeVar("Opened")

KEPT = 3  # checkpoints: one may be damaged
MAY_CHANGE = ("decisions", "threads")  # in a run that is resumed

UPDATES, DECISIONS = "updates", "decisions"  # columns of progress.csv


@contextmanager
def one_training(folder: str | Path) -> Iterator[None]:
    """While the block runs, no other training gets into the folder; it is made where it is missing.

    Raises ConfigError: a training is running there, or the folder cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        held = lock(Path(folder) / "lock")
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be made a run's folder: {error.strerror or error}") from None
    if held is None:
        raise ConfigError(
            f"{folder}: another training runs in this folder: wait for its end or stop it, "
            "or name another folder with --run"
        )
    with held:
        yield


class RunFolder:
    """A run's files. Raises ConfigError when the folder holds a run with another configuration.

    ``begun``: a run was there before.
    """

    def __init__(self, path: str | Path, config: TrainConfig) -> None:
        self.path = Path(path)
        self.checkpoints, self.snapshots = self.path / "checkpoints", self.path / "snapshots"
        self.best, self.log, self.curves = self.path / "best.zip", self.path / "progress.csv", self.path / "curves.png"
        self.tensorboard = self.path / "tensorboard"
        written = self.path / "config.yaml"
        try:
            self.checkpoints.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{self.path}: cannot be made a run's folder: {error.strerror or error}") from None
        self.begun = written.exists()
        if self.begun:
            self._compare(_read_config(written), config)
        write_atomically(written, to_yaml(config).encode())

    def _compare(self, before: TrainConfig, now: TrainConfig) -> None:
        old, new = flat(before.model_dump()), flat(now.model_dump())
        for key in {**old, **new}:
            if key.split(".")[0] not in MAY_CHANGE and old.get(key) != new.get(key):
                raise ConfigError(
                    f"{self.path} holds a run with {key}={old.get(key)!r}, not {new.get(key)!r}: "
                    "to resume it give its own command again, without changes; else name another folder with --run"
                )

    def best_score(self) -> float | None:
        """What the best checkpoint so far reached in validation; None without one that can be read, which is said."""
        try:
            return checkpoint.read_note(self.best).score if self.best.exists() else None
        except DamagedCheckpointError as error:
            print(f"{error.damage}; the next validation writes it anew", file=sys.stderr)
            return None

    def tensorboard_writer(self) -> TensorBoardOutputFormat:
        """A writer of the TensorBoard log. Raises SaveError."""
        try:
            return TensorBoardOutputFormat(str(self.tensorboard))
        except OSError as error:
            raise SaveError(
                f"{self.tensorboard}: cannot be written ({error.strerror or error}): make it writable, or remove it"
            ) from None

    def save(self, model: MaskablePPO, written: Note) -> Path:
        """Write the checkpoint of an update and remove old ones. Raises SaveError."""
        path = self.checkpoints / f"{written.updates:06d}.zip"
        checkpoint.save(model, path, written)
        for old in sorted(self.checkpoints.glob("*.zip"))[:-KEPT]:
            old.unlink()
        return path

    def newest(self, opened: Callable[[Path], Opened]) -> tuple[Path, Opened] | None:
        """The newest checkpoint that is whole, as ``opened`` makes it; None in a run that has none yet.

        Those for which ``opened`` raises DamagedCheckpointError are named on standard error and passed over. Raises
        CheckpointError when all are damaged.
        """
        paths = sorted(self.checkpoints.glob("*.zip"), reverse=True)
        for path in paths:
            try:
                return path, opened(path)
            except DamagedCheckpointError as error:
                print(f"{error.damage}; trying the one before", file=sys.stderr)
        if paths:
            raise CheckpointError(
                f"{self.checkpoints}: no checkpoint can be read: remove the folder {self.path} to begin anew, or name "
                "another one with --run"
            )
        return None


def _read_config(path: Path) -> TrainConfig:
    try:
        return load_config(path)
    except ConfigError as error:
        raise ConfigError(
            f"{error}; this is the configuration that the run began with: remove the file to go on with the one given "
            "now, or name another folder with --run"
        ) from None


class CsvLog(KVWriter):
    """SB3's log as a CSV file that a resumed run continues: lines after its checkpoint are dropped."""

    def __init__(self, path: Path, updates: int) -> None:
        self.path = path
        self.rows: list[dict[str, Any]] = [row for row in read_log(path) if int(row[UPDATES]) <= updates]

    def write(self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0) -> None:
        """Add a line. Raises SaveError."""
        row = {UPDATES: key_values.get(UPDATES, 0), DECISIONS: step}
        row |= {key: f"{value:.6g}" for key, value in key_values.items() if isinstance(value, (int, float, np.number))}
        self.rows.append(row)
        columns = list(dict.fromkeys(key for row in self.rows for key in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        write_atomically(self.path, text.getvalue().encode())

    def close(self) -> None:
        """Every line is already written."""


def read_log(path: Path) -> list[dict[str, str]]:
    """The lines of a progress.csv; none when there is no such file. Raises InputError for one that is damaged."""
    if not path.exists():
        return []
    try:
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        if not all(row[UPDATES].isdecimal() for row in rows):
            raise ValueError(f"a line without a number of {UPDATES}")
    except (ValueError, KeyError, AttributeError, csv.Error) as error:
        raise InputError(f"{path}: the log is damaged ({error}): remove it, and a new one begins here") from None
    return rows
