"""Checkpoints: SB3's zip, which plain ``MaskablePPO.load`` opens, with a note of what it was trained for.

The network inside is the one to play with: the average of self-play. The one that learns on lies beside it for
resuming. Open only checkpoints that you trust: SB3 keeps settings as pickles.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import torch
from pydantic import Field, TypeAdapter, ValidationError
from sb3_contrib import MaskablePPO
from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.vec_env import VecEnv

from tinhorn.bots import BotError
from tinhorn.bots.exported import field_form
from tinhorn.core.game import Game, find_game
from tinhorn_training.config import TrainedOn, plain_error
from tinhorn_training.errors import InputError, first_line
from tinhorn_training.files import write_atomically
from tinhorn_training.player import NetworkBot, tensor_bytes
from tinhorn_training.policy import Inputs, ViewPolicy
from tinhorn_training.provenance import source_commit
from tinhorn_training.selfplay import SelfPlayPPO

_commit = source_commit()  # of the code that is loaded now, whatever is checked out later
NOTE, LEARNER = "tinhorn.json", "learner.pt"  # members of the zip that SB3 passes over


class CheckpointError(InputError, BotError):
    """A checkpoint cannot be used; the message names the file and the reason."""


class DamagedCheckpointError(CheckpointError):
    """The file is none that `save` wrote, or no longer; an earlier one of the run may do. ``damage`` names no cure."""

    def __init__(self, message: str) -> None:
        self.damage = message
        super().__init__(f"{message}; take another checkpoint of its run, or copy it again")


Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class Note:
    """What a checkpoint was trained for, and how far.

    ``table`` is a hash of the game's view and actions. ``score`` is the validation of this very network: the mean
    margin over the fair share against the house bot, None before the first validation.
    """

    game: str
    game_version: int
    table: str
    updates: Count
    decisions: Count
    score: float | None
    config: dict[str, Any]
    tinhorn: str
    commit: str | None

    @property
    def origin(self) -> dict[str, Any]:
        """How the network came about, for the manifest of an exported bot."""
        return {key: value for key, value in asdict(self).items() if key not in ("game", "game_version", "table")}


_NOTE = TypeAdapter(Note)


def note(game: Game, updates: int, decisions: int, config: dict[str, Any], score: float | None = None) -> Note:
    """The note of a checkpoint that is made now."""
    return Note(
        game.name, game.version, table_hash(game), updates, decisions, score, config, version("tinhorn"), _commit
    )


def table_hash(game: Game) -> str:
    """A hash of all that a network must find as it was: fields, their features, action ids. Words may change."""
    fields_, actions = [field_form(field) for field in game.layout.describe()], list(game.actions.static)
    facts = json.dumps([fields_, actions, Inputs.of(game.layout)._asdict()], sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:16]


def save(model: MaskablePPO, path: str | Path, written: Note) -> None:
    """Write a checkpoint: all of it or nothing. Raises SaveError; what the path held before is then intact."""
    buffer = io.BytesIO()
    with _playing_network(model) as learner:
        model.save(buffer)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(NOTE, json.dumps(asdict(written), indent=1))
        if learner is not None:
            archive.writestr(LEARNER, tensor_bytes(learner))
    write_atomically(Path(path), buffer.getvalue())


@contextmanager
def _playing_network(model: MaskablePPO) -> Iterator[dict[str, torch.Tensor] | None]:
    """While the block runs the model's policy is the average; the block gets the weights of the one that learns."""
    if not isinstance(model, SelfPlayPPO):
        yield None
        return
    learner = {name: tensor.clone() for name, tensor in model.policy.state_dict().items()}
    model.policy.load_state_dict(model.average.state_dict())
    try:
        yield learner
    finally:
        model.policy.load_state_dict(learner)


def read_note(path: str | Path) -> Note:
    """What a checkpoint says about itself; every byte of the file is checked. Raises CheckpointError."""
    values = _note_values(path)
    missing = [field.name for field in fields(Note) if field.name not in values]
    if missing:
        raise CheckpointError(
            f"{path} comes from another version of tinhorn ({missing[0]!r} is missing): train it anew"
        )
    try:
        found = _NOTE.validate_json(json.dumps(values), strict=True)
        TrainedOn.model_validate(found.config)
    except ValidationError as error:
        raise DamagedCheckpointError(f"{path}: the checkpoint is damaged ({NOTE}: {plain_error(error)})") from None
    return found


def _note_values(path: str | Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            if broken is not None:
                raise DamagedCheckpointError(f"{path}: the checkpoint is damaged ({broken})")
            if NOTE not in archive.namelist():
                if "data" not in archive.namelist():  # cut off, it reads like the zip of the weights inside it
                    raise zipfile.BadZipFile("its list of contents is missing")
                raise CheckpointError(
                    f"{path}: not a checkpoint of `tinhorn train` ({NOTE} is missing); a model that "
                    "Stable-Baselines3 saved is loaded and played with its own load() and predict()"
                )
            values = json.loads(archive.read(NOTE))
            if not isinstance(values, dict):
                raise ValueError(f"{NOTE} is no mapping")
            return values
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such checkpoint") from None
    except CheckpointError:
        raise
    except Exception as error:  # zipfile, zlib and json have many ways to say it
        raise DamagedCheckpointError(f"{path}: the checkpoint is damaged or only half written ({error})") from None


def check(found: Note, path: str | Path, game: Game | None = None) -> Game:
    """The game of a checkpoint, if it can be played with today's code. Raises CheckpointError, UnknownGameError."""
    if game is not None and game.name != found.game:
        raise CheckpointError(f"{path} was trained for {found.game}, not for {game.name}")
    game = game or find_game(found.game)
    if game.version != found.game_version:
        raise CheckpointError(
            f"{path} was trained for {found.game}_v{found.game_version}, this is {game.id}: train it anew, or install "
            f"tinhorn {found.tinhorn}"
        )
    if table_hash(game) != found.table:
        raise CheckpointError(
            f"{path}: the view or the actions of {game.id} are not those it was trained with: train it anew, or "
            f"install tinhorn {found.tinhorn}"
        )
    seats = game.options.player_counts
    for players in found.config.get("players", ()):
        if players not in seats:
            raise DamagedCheckpointError(
                f"{path}: the checkpoint is damaged ({NOTE}: {game.id} has no table of {players} players)"
            )
    return game


def load_policy(path: str | Path, game: Game | None = None) -> tuple[ViewPolicy, Game, Note]:
    """The network of a checkpoint, its game and its note. No random state changes.

    Raises CheckpointError: missing, damaged, another game or version.
    """
    found = read_note(path)
    game = check(found, path, game)
    with _readable(path), torch.random.fork_rng(devices=[]):
        data, weights, _ = load_from_zip_file(path, device="cpu")
        assert data is not None
        policy = data["policy_class"](
            data["observation_space"], data["action_space"], lambda _: 0.0, **data["policy_kwargs"]
        )
        policy.load_state_dict(weights["policy"])
        policy.set_training_mode(False)
    return policy, game, found


def load_bot(path: str | Path, game: Game | None = None, *, greedy: bool = False) -> NetworkBot:
    """A checkpoint as a bot: it plays by its probabilities, or with ``greedy`` always what it holds most likely.

    In games with hidden hands mixing is part of the strategy. Raises CheckpointError.
    """
    policy, game, found = load_policy(path, game)
    bot = NetworkBot(policy, str(path), greedy=greedy, game=game)
    bot.players = sorted(set(found.config.get("players") or ()))
    return bot


def resume(path: str | Path, env: VecEnv, trainer: type[MaskablePPO] = SelfPlayPPO) -> MaskablePPO:
    """The model of a checkpoint with its optimiser, to train on in ``env``. Raises CheckpointError."""
    with _readable(path):
        model: MaskablePPO = trainer.load(path, env=env, device="cpu")
        if isinstance(model, SelfPlayPPO):
            model.average.load_state_dict(model.policy.state_dict())
            with zipfile.ZipFile(path) as archive:
                learner = torch.load(io.BytesIO(archive.read(LEARNER)), weights_only=True)
            model.policy.load_state_dict(learner)
    return model


@contextmanager
def _readable(path: str | Path) -> Iterator[None]:
    """SB3, torch and pickle say in many ways that they cannot read a file: each becomes DamagedCheckpointError."""
    try:
        yield
    except Exception as error:
        raise DamagedCheckpointError(f"{path}: the checkpoint cannot be read ({first_line(error)})") from error
