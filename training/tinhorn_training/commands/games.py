"""``tinhorn games``"""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from tinhorn.bots import shipped_folders
from tinhorn.bots.exported import MANIFEST
from tinhorn.core.game import Game, find_game
from tinhorn.registry import get_game, list_games


def games(
    names: Annotated[list[str] | None, typer.Argument(help="Only these.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games: versions, players, options, house bots, and the trained bots that come along."""
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
        "shipped_bots": [bot for bot in map(_shipped_facts, shipped_folders()) if bot["game"] == game.id],
        "actions": game.actions.count,
        "view_size": game.layout.size,
        "feature_size": game.layout.feature_size,
    }


def _shipped_facts(folder: Path) -> dict[str, Any]:
    """A bot that comes along: its game, table sizes, bytes, and what it reached, as its manifest says."""
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    return {
        "name": folder.name,
        "game": f"{manifest['game']['name']}_v{manifest['game']['version']}",
        "players": sorted(set(manifest["training"]["config"]["players"])),
        "bytes": sum(file.stat().st_size for file in folder.iterdir()),
        "reached": [_reached(result) for result in manifest["evaluation"]],
    }


def _reached(result: dict[str, Any]) -> dict[str, Any]:
    score = result["scores"][0]
    figures = {"measure": score["name"], "unit": score["unit"], "fair": score["fair"], **score["mean"]}
    options = find_game(result["game"]).options.make(result["options"])
    return {"table": options.words, "players": options.num_players, "against": result["against"]} | figures


def _print_shipped(console: Any, bot: dict[str, Any]) -> None:
    *others, last = map(str, bot["players"])
    sizes = f"{', '.join(others)} or {last}" if others else last
    console.print(f"  [bold]{bot['name']}[/]: a trained bot for {sizes} players, {bot['bytes'] / 1e6:.1f} MB")
    for result in bot["reached"]:
        interval = "" if result["low"] is None else f" (95%: {result['low']:.3f} to {result['high']:.3f})"
        console.print(
            f"    {result['table']} against {', '.join(result['against'])}: {result['measure']} "
            f"{result['value']:.3f}{interval}, fair {result['fair']:.3f}"
        )


def _print_game(console: Any, entry: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    least, most = entry["players"]["least"], entry["players"]["most"]
    console.print(f"[bold]{entry['id']}[/]  {escape(entry['summary'])}")
    console.print(f"  {least if least == most else f'{least} to {most}'} players, {entry['actions']} actions")
    console.print(f"  bots: random, search:N, {', '.join(entry['house_bots'])}")
    for bot in entry["shipped_bots"]:
        _print_shipped(console, bot)
    table = Table(box=None, padding=(0, 1, 0, 1))
    for column in ("option", "default", "range", "meaning"):
        table.add_column(column, header_style="dim", overflow="fold")
    for option in entry["options"]:
        table.add_row(*[escape(str(option[key])) for key in ("name", "default", "range", "meaning")])
    console.print(table)
    console.print()
