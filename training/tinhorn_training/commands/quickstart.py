"""``tinhorn quickstart``"""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def quickstart(
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="The game. [default: the first that `tinhorn games` lists]")
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="The run's folder. [default: runs/GAME-quickstart]", show_default=False)
    ] = None,
    deals: Annotated[int, typer.Option(help="Deals of each evaluation; each is played from every seat.")] = 5000,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; repeatable.")
    ] = None,
) -> None:
    """Train a first bot, evaluate it, export it, and play one game with the export.

    Needs configs/GAME/quickstart.yaml, as in a clone. Trains by self-play for as many decisions as it says, and keeps
    the best checkpoint by validation against the house bot. Plays --deals deals at every table size of the
    configuration, against the house bot and against random play. Writes the export with these results, curves.png,
    evaluation.png and a record of the game. What counts are the figures against the house bot: those against random
    play only show that something was learnt. A run that was stopped goes on where it was: give the same command.
    """
    from rich.console import Console

    from tinhorn.bots import load
    from tinhorn.registry import get_game, list_games
    from tinhorn_training import quickstart as steps
    from tinhorn_training.config import load_config
    from tinhorn_training.errors import InputError
    from tinhorn_training.screen import watching

    name = get_game(game).name if game else list_games()[0].name
    path = Path("configs") / name / "quickstart.yaml"
    if not path.exists():
        raise InputError(f"{path} is not here: run the quickstart in a clone of Tinhorn")
    config = load_config(path, changes or ())
    folder = run or Path("runs") / f"{name}-quickstart"
    console = Console(soft_wrap=True)
    console.rule("1 train")
    with watching(config.decisions) as report:
        from tinhorn_training.train import train

        trained = train(config, folder, report)
    if trained.stopped:
        console.print("stopped; everything is saved. To go on, give the same command")
        raise typer.Exit(130)
    console.print(f"{trained.decisions:,} decisions, {trained.seconds / 60:.1f} minutes: {trained.best}")
    console.rule("2 evaluate")
    results = steps.measure(load(trained.best), config.the_game, config.players, deals, folder, console)
    console.rule("3 export")
    bundle = steps.export(trained.best, folder / "bot", results)
    console.print(f"wrote {folder / 'bot'}")
    console.rule("4 play one game from the export")
    record = steps.play_one_game(load(bundle), config.the_game, config.players[0], console)
    record.save(folder / "game.json")
    console.rule()
    console.print(f"{folder}: curves.png, evaluation.png, bot/ (the export), game.json (tinhorn replay)")
    console.print(f"play against it: tinhorn play --opponents {shlex.quote(str(folder / 'bot'))}", markup=False)
