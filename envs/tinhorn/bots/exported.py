"""Exported bots: a folder that plays through onnxruntime, without torch.

A bundle holds ``policy.onnx``, ``manifest.json`` (also inside the policy's metadata), ``golden.json`` and
``README.md``. ``tinhorn export`` writes it; `load_bundle` checks all of it before it plays a move.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tinhorn.bots.base import BotError, checked_uniform, legal_mask, move_at
from tinhorn.core.game import Game, UnknownGameError
from tinhorn.core.kernel import kernel
from tinhorn.core.layout import Field, Layout
from tinhorn.core.rng import new_stream, uniform
from tinhorn.registry import get_game

FORMAT = "tinhorn-bot"
FORMAT_VERSION = 1
MANIFEST, POLICY, GOLDEN, CARD = "manifest.json", "policy.onnx", "golden.json", "README.md"
GREEDY, SAMPLED = "greedy", "sampled"  # which output is the action to play
METADATA_KEY = "tinhorn"  # of the manifest inside the policy, where it lacks "files"


def table_facts(game: Game) -> dict[str, Any]:
    """What a bundle says of a game's view and actions; ``input`` marks the fields that the policy takes."""
    encoded = {field.name for field in game.layout.encoded}
    return {
        "fields": [field | {"input": field["name"] in encoded} for field in game.layout.describe()],
        "actions": {
            "count": game.actions.count,
            "blocks": [
                {
                    "name": block.name,
                    "start": game.actions.start(block.name),
                    "size": block.size,
                    "meaning": block.meaning,
                }
                for block in game.actions.blocks
            ],
            "table": list(game.actions.static),
            "places_of": game.actions.places_of or None,
        },
    }


def load_bundle(
    path: str | Path, game: Game | None = None, name: str | None = None, *, greedy: bool | None = None
) -> "ExportedBot":
    """The bot in a folder that ``tinhorn export`` wrote.

    Args:
        path: the folder. game: the game it is to play; None takes the bundle's own.
        name: what the bot is called, by default the path. greedy: play the likeliest action, not a sample; None does
            what the bundle was exported for.

    Raises:
        BotError: a file is missing or damaged, the bundle is for another game, version or format, or
            onnxruntime is not installed; the message names the cure.
    """
    folder = Path(path)
    manifest = _read_manifest(folder)
    try:
        _check_files(folder, manifest["files"])
        fitting = _check_game(folder, manifest, game)
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise _damaged(folder, MANIFEST) from None
    session = _open(folder, manifest)
    likeliest = manifest.get("plays") == GREEDY if greedy is None else greedy
    return ExportedBot(fitting, session, manifest, name or str(path), likeliest, folder.absolute())


def _reload(folder: Path, game: Game, name: str, greedy: bool) -> "ExportedBot":
    return load_bundle(folder, game, name, greedy=greedy)


class ExportedBot:
    """A policy that plays through onnxruntime, one thread. Made by `load_bundle`.

    Attributes: ``game``; ``manifest``, the bundle's as plain data; ``greedy``: it plays the likeliest action. Pickled,
    it is the ``folder`` that it came from.
    """

    needs_states = False

    def __init__(
        self, game: Game, session: Any, manifest: dict[str, Any], name: str, greedy: bool, folder: Path
    ) -> None:
        self.game, self.manifest, self.name, self.greedy, self.folder = game, manifest, name, greedy, folder
        self._session = session
        layout = game.layout
        self._inputs = [
            (field.name, _columns(layout, field), field.shape[1:] and field.shape) for field in layout.encoded
        ]
        self._stream = new_stream(None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reload, (self.folder, self.game, self.name, self.greedy)

    def act(self, views: np.ndarray, masks: np.ndarray, streams: np.ndarray, states: Any = None) -> np.ndarray:
        """See `Bot.act`. Moves every stream on by one number. Raises ValueError where nothing is legal."""
        uniforms = np.zeros(len(views), np.float32)
        _uniforms(streams, uniforms)
        (actions,) = self._run(views, masks, uniforms, [self._choice])
        return np.asarray(actions, np.int64)

    def predict(self, views: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities float32[K, A] and values float32[K] for views int32[K, V] and masks int8[K, A]."""
        probabilities, values = self._run(views, masks, np.zeros(len(views), np.float32), ["probabilities", "value"])
        return probabilities, values

    def choose(
        self, table: Mapping[str, Any], legal: Sequence[int] | np.ndarray, uniform: float | None = None
    ) -> dict[str, Any]:
        """One move at one table: what a server calls.

        Args:
            table: what the seat to act sees, by name: as `Layout.to_json` writes it, cards as text or codes, in the
                order that the field names.
            legal: the ids of the legal actions, or a mask: A booleans, or the engine's int8[A].
            uniform: a number in [0, 1) that picks the action; the same number picks the same. None draws one.

        Returns:
            ``action``, its id; ``move``, what that means, with the ``cards`` at its ``places``, which count from 0;
            ``probabilities``, A floats; ``value``, a float.

        Raises:
            ViewError: ``table``, ``legal`` or ``uniform`` does not fit; the message names the field and what it takes.
        """
        mask = legal_mask(self.game, legal)
        if uniform is None:
            luck = np.zeros(1, np.float32)
            _uniforms(self._stream, luck)
        else:
            luck = np.array([checked_uniform(uniform)], np.float32)
        view = self.game.layout.from_json(table)
        actions, probabilities, values = self._run(
            view[None], mask[None], luck, [self._choice, "probabilities", "value"]
        )
        action = int(actions[0])
        return {
            "action": action,
            "move": move_at(self.game, action, view),
            "probabilities": probabilities[0].tolist(),
            "value": float(values[0]),
        }

    @property
    def players(self) -> list[int]:
        """The table sizes it was trained for; empty where the bundle does not say."""
        return sorted(set(((self.manifest.get("training") or {}).get("config") or {}).get("players") or ()))

    @property
    def _choice(self) -> str:
        return GREEDY if self.greedy else SAMPLED

    def _run(self, views: np.ndarray, masks: np.ndarray, uniforms: np.ndarray, outputs: list[str]) -> list[np.ndarray]:
        views, legal = np.asarray(views, np.int32), np.asarray(masks, np.uint8)
        if not legal.any(axis=1).all():
            raise ValueError(f"{self.name}: there is no legal action to choose from")
        feed = {}
        for name, columns, shape in self._inputs:
            part = views[:, columns]
            feed[name] = part.reshape(len(views), *shape) if shape else part
        outcome: list[np.ndarray] = self._session.run(outputs, feed | {"legal": legal, "uniform": uniforms})
        return outcome


def _columns(layout: Layout, field: Field) -> int | slice:
    """Where a field lies in views [K, V]: a column, or a range of columns."""
    start = layout.at(field.name)
    return slice(start, start + field.size) if field.shape else start


@kernel
def _uniforms(streams, uniforms):
    for row in range(streams.shape[0]):
        uniforms[row] = uniform(streams[row : row + 1])


def _damaged(folder: Path, file: str) -> BotError:
    return BotError(f"{folder}: {file} is damaged; copy the whole folder again, or export the bot again")


def _read_manifest(folder: Path) -> dict[str, Any]:
    file = folder / MANIFEST
    if not file.is_file():
        raise BotError(f"{folder} is no exported bot: it has no {MANIFEST}; give a folder that `tinhorn export` wrote")
    try:
        manifest = json.loads(file.read_text("utf-8"))
        known, version = manifest["format"] == FORMAT, manifest["format_version"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise _damaged(folder, MANIFEST) from None
    if not known:
        raise BotError(f"{folder} is no exported bot of tinhorn: its format is {manifest['format']!r}, not {FORMAT!r}")
    if version != FORMAT_VERSION:
        raise BotError(
            f"{folder}: format version {version!r}, this tinhorn reads {FORMAT_VERSION}; "
            f"export the bot again with this tinhorn, or install the tinhorn that wrote it"
        )
    return dict(manifest)


def _check_files(folder: Path, hashes: Mapping[str, str]) -> None:
    for file in (POLICY, GOLDEN, CARD):
        try:
            found = hashlib.sha256((folder / file).read_bytes()).hexdigest()
        except OSError as error:
            raise BotError(
                f"{folder}: {file} cannot be read ({error.strerror}); copy the whole folder again, "
                f"or export the bot again"
            ) from None
        if found != hashes[file]:
            raise _damaged(folder, f"{file} (or its hash in {MANIFEST})")


def _check_game(folder: Path, manifest: Mapping[str, Any], game: Game | None) -> Game:
    name, version = manifest["game"]["name"], manifest["game"]["version"]
    if game is None:
        try:
            game = get_game(name)
        except UnknownGameError as error:
            raise BotError(f"{folder} plays {name}: {error}; register it first") from None
    if game.name != name:
        raise BotError(f"{folder} plays {name}, not {game.name}: give a bot that was exported for {game.name}")
    cure = "train and export the bot again with this tinhorn, or install the one that wrote it "
    cure += f"(tinhorn=={manifest['tinhorn']})"
    if game.version != version:
        raise BotError(f"{folder} plays {name}_v{version}, this is {game.id}: {cure}")
    facts = table_facts(game)
    for field, expected in zip(manifest["fields"], facts["fields"], strict=False):
        if field_form(field) != field_form(expected):
            raise BotError(f"{folder}: field {field['name']!r} of its view is not that of {game.id} here: {cure}")
    if len(manifest["fields"]) != len(facts["fields"]):
        raise BotError(f"{folder}: its view has other fields than that of {game.id} here: {cure}")
    if manifest["actions"]["table"] != facts["actions"]["table"]:
        raise BotError(f"{folder}: its action table is not that of {game.id} here: {cure}")
    return game


def field_form(field: Mapping[str, Any]) -> dict[str, Any]:
    """What of a field must agree: its meaning may be reworded, and older bundles and checkpoints name no order."""
    return {key: value for key, value in field.items() if key not in ("meaning", "none", "order")} | {
        "none": bool(field["none"])
    }


def _open(folder: Path, manifest: Mapping[str, Any]) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise BotError(f"{folder}: exported bots need onnxruntime: pip install onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(folder / POLICY, options, providers=["CPUExecutionProvider"])
        embedded = json.loads(session.get_modelmeta().custom_metadata_map.get(METADATA_KEY, "null"))
    except Exception as error:  # onnxruntime says in many ways that it cannot read a file
        raise _damaged(folder, POLICY) from error
    if embedded != {key: value for key, value in manifest.items() if key != "files"}:
        raise _damaged(folder, MANIFEST)
    return session
