"""``tinhorn crossplay``"""

import json
from pathlib import Path
from typing import Annotated

import typer

from tinhorn_training.arguments import GameName, GameOptions, Players, check_writable, game_options, load_bots, names_of


def crossplay(
    bots: Annotated[str, typer.Argument(help="Two bots or more, with commas.")],
    game: GameName = None,
    players: Players = None,
    deals: Annotated[int, typer.Option(help="Deals for each pair; each is played once from every seat.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals and result.")] = 0,
    option: GameOptions = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - prints it.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture (PNG) of the matrix.")] = None,
) -> None:
    """Play every bot against every other one, and rate them.

    Example: tinhorn crossplay house,house:tight,random --game cold_hand
    """
    from rich.console import Console

    from tinhorn_training.cross_play import cross_play, matches_of
    from tinhorn_training.files import write_atomically
    from tinhorn_training.progress import counting
    from tinhorn_training.reports import print_cross_play

    to_screen = json_file == Path("-")
    for path in (None if to_screen else json_file, plot):
        check_writable(path)
    found, loaded = load_bots(names_of(bots), game)
    options = game_options(found, players, option, loaded)
    matches = len(matches_of(len(loaded), options.num_players))
    with counting("games", matches * deals * options.num_players) as progress:
        result = cross_play(found, loaded, options, deals=deals, seed=seed, progress=progress)
    text = json.dumps(result.as_dict(), indent=2)
    if to_screen:
        print(text)
    else:
        print_cross_play(Console(), result)
    if json_file is not None and not to_screen:
        write_atomically(json_file, f"{text}\n".encode())
    if plot is not None:
        from tinhorn_training.plots import cross_play_plot, png

        write_atomically(plot, png(cross_play_plot(result)))
