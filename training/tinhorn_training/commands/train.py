"""``tinhorn train``"""

import shlex
from pathlib import Path
from typing import Annotated

import typer

INTERRUPTED = 130


def train(
    config: Annotated[Path, typer.Argument(help="A YAML file, for example one in configs/.")],
    run: Annotated[
        Path | None, typer.Option(help="The run's folder. [default: runs/GAME-CONFIG]", show_default=False)
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; repeatable.")
    ] = None,
) -> None:
    """Train a bot by self-play. A run that was stopped or killed goes on where it was: give the same command.

    Example: tinhorn train configs/cold_hand/quickstart.yaml --set learning.epochs=4
    """
    from tinhorn_training.config import load_config
    from tinhorn_training.screen import watching

    settings = load_config(config, changes or ())
    folder = run or Path("runs") / f"{settings.game}-{config.stem}"
    with watching(settings.decisions) as report:
        from tinhorn_training.train import train as start

        result = start(settings, folder, report)
    minutes = f"{result.seconds / 60:.1f} minutes"
    if result.stopped:
        sets = [part for change in changes or () for part in ("--set", change)]
        again = shlex.join(["tinhorn", "train", str(config), "--run", str(folder), *sets])
        print(f"stopped after {result.decisions:,} decisions; everything is saved. To go on: {again}")
        raise typer.Exit(INTERRUPTED)
    print(f"{folder}: {result.decisions:,} decisions, {minutes}; curves.png shows the course, best.zip is the bot")
    best = str(result.best)
    print(f"next: {shlex.join(['tinhorn', 'evaluate', best, '--against', 'house'])}")
    print(f"      {shlex.join(['tinhorn', 'export', best, '--out', f'bots/{folder.name}'])}")
