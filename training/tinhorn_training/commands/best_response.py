"""``tinhorn best-response``"""

import json
from pathlib import Path
from typing import Annotated

import typer

from tinhorn_training.arguments import GameName, GameOptions, Players, check_writable, game_options, load_bots


def best_response(
    bot: Annotated[str, typer.Argument(help="random, house, house:STYLE, search:N, a checkpoint or an exported bot.")],
    game: GameName = None,
    players: Players = None,
    decisions: Annotated[int, typer.Option(help="Decisions to learn from.")] = 2_000_000,
    deals: Annotated[int, typer.Option(help="Deals of the final evaluation.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the training and the deals.")] = 0,
    option: GameOptions = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - prints it.")
    ] = None,
) -> None:
    """Train against one frozen bot: a lower bound on how exploitable it is.

    Example: tinhorn best-response house --game cold_hand --players 2
    """
    from rich.console import Console

    from tinhorn_training import best_response as module
    from tinhorn_training.files import write_atomically
    from tinhorn_training.progress import counting
    from tinhorn_training.reports import print_best_response

    to_screen = json_file == Path("-")
    check_writable(None if to_screen else json_file)
    found, (target,) = load_bots([bot], game)
    options = game_options(found, players, option, [target])
    with counting("decisions", decisions) as progress:
        result = module.best_response(
            found, target, options, decisions=decisions, deals=deals, seed=seed, progress=progress
        )
    text = json.dumps(result.as_dict(), indent=2)
    if to_screen:
        print(text)
    else:
        print_best_response(Console(), result)
    if json_file is not None and not to_screen:
        write_atomically(json_file, f"{text}\n".encode())
