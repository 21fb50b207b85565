"""``tinhorn games``"""

import json
from typing import Annotated, Any

import typer

from tinhorn.registry import list_games


def games(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the games, their player counts and options."""
    entries: list[dict[str, Any]] = [
        {"id": game.id, "title": game.title, "summary": game.summary, "options": game.options.describe()}
        for game in list_games()
    ]
    if as_json:
        print(json.dumps(entries, indent=2))
        return
    for entry in entries:
        print(f"{entry['id']}  {entry['title']}. {entry['summary']}")
        for option in entry["options"]:
            print(f"    {option['name']} = {option['default']}  ({option['range']})  {option['meaning']}")
