"""Export of a policy as a bundle that plays without torch: in Python, in JavaScript, wherever ONNX runs."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import onnx

from tinhorn.bots import load
from tinhorn.bots.exported import (
    CARD,
    FORMAT,
    FORMAT_VERSION,
    GOLDEN,
    GREEDY,
    MANIFEST,
    METADATA_KEY,
    POLICY,
    SAMPLED,
    table_facts,
)
from tinhorn.core.game import Game
from tinhorn_training.errors import InputError
from tinhorn_training.evaluate import evaluate
from tinhorn_training.export.card import model_card
from tinhorn_training.export.golden import PARITY, check_parity, golden_rows
from tinhorn_training.export.graph import OUTPUTS, make_model
from tinhorn_training.player import NetworkBot
from tinhorn_training.policy import ViewExtractor, ViewPolicy
from tinhorn_training.progress import counting


class ExportError(InputError):
    """A policy cannot be exported; the message names the cure."""


def export_bundle(
    policy: ViewPolicy,
    game: Game,
    out: str | Path,
    *,
    training: Mapping[str, Any] | None = None,
    evaluations: Sequence[Mapping[str, Any]] = (),
    greedy: bool = False,
    force: bool = False,
) -> Path:
    """Write the bundle of a policy into the folder ``out``: all of it, or nothing.

    Args:
        policy: over the views of ``game``.
        training: how it was trained, as plain data; ``evaluations``: how strong it is, as from ``tinhorn
            evaluate --json``.
        greedy: whoever loads it plays the likeliest action unless told otherwise, not a sample.
        force: replace an exported bot that is there.

    Raises:
        ExportError: ``out`` exists or cannot be written. ParityError: the graph does not play like the policy.
    """
    target = Path(out).absolute()
    check_target(target, force)
    if not isinstance(policy.features_extractor, ViewExtractor):
        raise ExportError("only networks that read the view can be exported: train with `tinhorn train`")
    model = make_model(policy, game)
    rows = golden_rows(policy, game)
    manifest = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tinhorn": version("tinhorn"),
        "game": {"name": game.name, "version": game.version, "title": game.title, "summary": game.summary}
        | {"players": [game.options.player_counts[0], game.options.player_counts[-1]]},
        **table_facts(game),
        "outputs": list(OUTPUTS),
        "plays": GREEDY if greedy else SAMPLED,
        "training": training,
        "evaluation": [_public(result, target.name) for result in evaluations],
        "parity": check_parity(model.SerializeToString(), game, rows),
        "licence": "MIT",
    }
    golden = _json({"game": game.id, "tolerance": PARITY, "rows": rows}, indent=None)
    _write(target, sealed(model, manifest, golden, target.name), force)
    return target


def sealed(model: onnx.ModelProto, manifest: Mapping[str, Any], golden: bytes, name: str) -> dict[str, bytes]:
    """The files of a bundle that say ``manifest``, which is without hashes; ``name`` is what the card calls the bot."""
    del model.metadata_props[:]
    model.metadata_props.add(key=METADATA_KEY, value=json.dumps(manifest, sort_keys=True))
    files = {
        POLICY: model.SerializeToString(deterministic=True),
        GOLDEN: golden,
        CARD: model_card(manifest, name).encode(),
    }
    hashes = {file: hashlib.sha256(content).hexdigest() for file, content in files.items()}
    return files | {MANIFEST: _json({**manifest, "files": hashes}, indent=1)}


def _public(result: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An evaluation without what differs from run to run, and with bots' names in place of local paths."""
    kept = {key: value for key, value in result.items() if key not in ("seconds", "style")}
    return kept | {"bot": name, "against": [Path(other).name for other in result["against"]]}


def measure(
    policy: ViewPolicy, game: Game, config: Mapping[str, Any], deals: int, *, greedy: bool = False
) -> list[dict[str, Any]]:
    """Results against the house bot at every table of a training's configuration."""
    players = config.get("players") or [game.options.make({}).num_players]
    tables = [{"num_players": count} for count in dict.fromkeys(players)] + list(config.get("variants", ()))
    judged = config.get("validation", {}).get("options", {})
    bot, house = NetworkBot(policy, "bot", greedy=greedy), load("house", game)
    results = []
    for table in tables:
        options = game.options.make({**judged, **table})
        with counting(f"evaluation, {options.words}", deals * options.num_players) as progress:
            results.append(evaluate(game, bot, [house], options, deals=deals, progress=progress).as_dict())
    return results


def read_evaluation(path: Path, game: Game) -> dict[str, Any]:
    """A result that ``tinhorn evaluate --json`` wrote. Raises ExportError: it is none, or of another game."""
    try:
        result: dict[str, Any] = json.loads(path.read_text("utf-8"))
        of_game = result["game"]
        _ = result["options"]["num_players"], result["against"], result["deals"], result["seed"]
        _ = result["scores"][0]["mean"]["value"]
    except OSError as error:
        raise ExportError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise ExportError(f"{path}: not a result that `tinhorn evaluate --json` wrote") from None
    if of_game != game.id:
        raise ExportError(f"{path} is a result of {of_game}, the bot plays {game.id}")
    return result


def check_target(target: Path, force: bool) -> None:
    """Raises ExportError when a bundle may not be written there."""
    try:
        if not target.exists():
            return
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror}") from None
    if not force:
        raise ExportError(f"{target} exists already: name another folder, or replace it with --force")
    if not target.is_dir() or (any(target.iterdir()) and not (target / MANIFEST).is_file()):
        raise ExportError(f"{target} is no exported bot, so --force does not replace it: name another folder")


def _write(target: Path, files: Mapping[str, bytes], force: bool) -> None:
    """Write all files beside the target, then rename: nobody ever sees half a bundle."""
    draft: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        draft.chmod(0o755)
        for name, content in files.items():
            with (draft / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        _put_in_place(draft, target, force)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror}; nothing was changed") from None
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def _put_in_place(draft: Path, target: Path, force: bool) -> None:
    if not (force and target.exists()):
        draft.rename(target)
        return
    old = draft.with_name(f"{draft.name}.old")
    target.rename(old)
    try:
        draft.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old)


def _json(value: Any, indent: int | None) -> bytes:
    return (json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False) + "\n").encode()
