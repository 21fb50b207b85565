"""``tinhorn evaluate``"""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tinhorn_training.arguments import GameName, GameOptions, Players, check_writable, game_options, load_bots, names_of


def evaluate(
    bot: Annotated[str, typer.Argument(help="random, house, house:STYLE, search:N, a checkpoint or an exported bot.")],
    against: Annotated[str, typer.Option(help="Who has the other seats; several with commas.")] = "house",
    game: GameName = None,
    players: Players = None,
    deals: Annotated[int, typer.Option(help="Deals; each is played once from every seat.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals and result.")] = 0,
    option: GameOptions = None,
    style: Annotated[bool, typer.Option("--style", help="Also count how each bot plays.")] = False,
    seats: Annotated[bool, typer.Option("--seats", help="Also print the result of every seat.")] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - prints it.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture (PNG) of the result.")] = None,
) -> None:
    """Measure a bot on duplicate deals: every seat in turn, 95% intervals, against the fair share.

    Example: tinhorn evaluate house:tight --against house,house:loose --game cold_hand --players 4
    """
    from rich.console import Console

    from tinhorn_training import evaluate as evaluation
    from tinhorn_training.files import write_atomically
    from tinhorn_training.progress import counting
    from tinhorn_training.reports import print_evaluation

    to_screen = json_file == Path("-")
    for path in (None if to_screen else json_file, plot):
        check_writable(path)
    found, bots = load_bots([bot, *names_of(against)], game)
    options = game_options(found, players, option, bots)
    with counting("games", deals * options.num_players) as progress:
        result = evaluation.evaluate(
            found, bots[0], bots[1:], options, deals=deals, seed=seed, style=style, progress=progress
        )
    text = json.dumps(result.as_dict(), indent=2)
    if to_screen:
        print(text)
    else:
        print_evaluation(Console(), result, seats=seats)
    if json_file is not None and not to_screen:
        write_atomically(json_file, f"{text}\n".encode())
    if plot is not None:
        from tinhorn_training.plots import evaluation_plot, png

        write_atomically(plot, png(evaluation_plot([result])))
        print(f"wrote {plot}", file=sys.stderr)
