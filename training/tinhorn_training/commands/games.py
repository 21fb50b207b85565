"""``tinhorn games``"""

import json
from typing import Annotated, Any

import typer

from tinhorn.core.game import Game
from tinhorn.registry import get_game, list_games


def games(
    names: Annotated[list[str] | None, typer.Argument(help="Only these.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games: versions, players, options, house bots."""
    entries = [_facts(game) for game in (map(get_game, names) if names else list_games())]
    if as_json:
        print(json.dumps(entries, indent=2))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for entry in entries:
        _print_game(console, entry)


def _facts(game: Game) -> dict[str, Any]:
    counts = game.options.player_counts
    return {
        "id": game.id,
        "name": game.name,
        "version": game.version,
        "title": game.title,
        "summary": game.summary,
        "players": {"least": counts[0], "most": counts[-1]},
        "options": game.options.describe(),
        "measures": [{"name": measure.name, "unit": measure.unit} for measure in game.measures],
        "house_bots": ["house", *(f"house:{style}" for style in list(game.styles)[1:])],
        "actions": game.actions.count,
        "view_size": game.layout.size,
        "feature_size": game.layout.feature_size,
    }


def _print_game(console: Any, entry: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    least, most = entry["players"]["least"], entry["players"]["most"]
    console.print(f"[bold]{entry['id']}[/]  {escape(entry['summary'])}")
    console.print(f"  {least if least == most else f'{least} to {most}'} players, {entry['actions']} actions")
    console.print(f"  bots: random, search:N, {', '.join(entry['house_bots'])}")
    table = Table(box=None, padding=(0, 1, 0, 1))
    for column in ("option", "default", "range", "meaning"):
        table.add_column(column, header_style="dim", overflow="fold")
    for option in entry["options"]:
        table.add_row(*[escape(str(option[key])) for key in ("name", "default", "range", "meaning")])
    console.print(table)
    console.print()
