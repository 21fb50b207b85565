"""``tinhorn export``"""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def export(
    checkpoint: Annotated[Path, typer.Argument(help="A checkpoint of tinhorn train.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the bot is written.")],
    evaluate: Annotated[
        int | None,
        typer.Option(metavar="DEALS", help="Measure it on so many deals against the house bot, at every table size."),
    ] = None,
    evaluation: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A result of tinhorn evaluate --json; repeatable.")
    ] = None,
    greedy: Annotated[
        bool, typer.Option("--greedy", help="The bot is to play its likeliest action: for games without bluffing.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an exported bot that is there.")] = False,
) -> None:
    """Write a bot that any frontend can load: an ONNX file, what it needs to know, and a model card.

    Example: tinhorn export runs/my_run/best.zip --out my_bot --evaluate 10000
    """
    from tinhorn_training.checkpoint import load_policy
    from tinhorn_training.export.bundle import check_target, export_bundle, measure, read_evaluation

    check_target(out, force)
    policy, game, note = load_policy(checkpoint)
    results = [read_evaluation(file, game) for file in evaluation or ()]
    if evaluate is not None:
        results += measure(policy, game, note.config, evaluate, greedy=greedy)
    folder = export_bundle(policy, game, out, training=note.origin, evaluations=results, greedy=greedy, force=force)
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"wrote {out} ({size / 1000:,.0f} kB); play against it: tinhorn play --opponents {shlex.quote(str(out))}")
