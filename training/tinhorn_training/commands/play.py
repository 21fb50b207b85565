"""``tinhorn play``"""

from pathlib import Path
from typing import Annotated

import typer

from tinhorn_training.arguments import GameName, GameOptions, Players, check_writable, game_options, load_bots, names_of

INTERRUPTED = 130


def play(
    game: GameName = None,
    players: Players = None,
    opponents: Annotated[
        str, typer.Option(help="Bots from your left on, with commas; they repeat. tinhorn games lists them.")
    ] = "house",
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Deal this game.", show_default=False)] = None,
    option: GameOptions = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a record for tinhorn replay.")] = None,
) -> None:
    """Play against bots at the terminal.

    Example: tinhorn play --game cold_hand --players 3 --opponents house,house:bluffer
    """
    from rich.console import Console

    from tinhorn_training.files import write_atomically
    from tinhorn_training.play import TerminalGame, seat_bots

    check_writable(save)
    names = names_of(opponents)
    found, bots = load_bots(names, game)
    options = game_options(found, players or (len(names) + 1 if len(names) > 1 else None), option, bots)
    console = Console()
    table = TerminalGame(found, options, seat_bots(bots, options.num_players, seat), seat, seed=seed, console=console)
    code = 0
    try:
        if not table.run():
            console.print("You left the game.")
    except KeyboardInterrupt:
        console.print("\nYou left the game.")
        code = INTERRUPTED
    finally:
        if save is not None:
            write_atomically(save, table.replay.text().encode())
            console.print(f"wrote {save}", highlight=False)
    raise typer.Exit(code)
