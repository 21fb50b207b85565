"""Write the generated parts of README.md and docs/ anew: ``python tools/docs.py``; with ``--check`` only compare.

A generated part stands between ``<!-- begin NAME -->`` and ``<!-- end -->``; NAME is one of `PARTS`. The page of a game
is docs/GAME.md. A game without a page gets one with all its tables.
"""

import argparse
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel

from tinhorn.bots import SHIPPED
from tinhorn.core.game import Game, find_game
from tinhorn.registry import list_games
from tinhorn_training.cli import app
from tinhorn_training.config import TrainConfig

ROOT = Path(__file__).resolve().parent.parent
PART = re.compile(r"<!-- begin (\w+) -->\n.*?<!-- end -->", re.DOTALL)


class DocsError(Exception):
    """A page names a part that does not exist."""


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table."""
    lines = [list(columns)]
    lines += [["---"] * len(lines[0])] + [[_cell(value) for value in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _code(value: Any) -> str:
    return f"`{value}`"


def options(game: Game) -> str:
    """The options with their defaults and ranges."""
    rows = [
        (_code(entry["name"]), _code(entry["default"]), entry["range"], entry["meaning"])
        for entry in game.options.describe()
    ]
    return table(("option", "default", "range", "meaning"), rows)


def view(game: Game) -> str:
    """The fields of a view."""
    layout = game.layout
    rows = []
    for field in layout.describe():
        shape = " x ".join(map(str, field["shape"])) or "1"
        values = "card" if field["cards"] else f"{field['low']} to {field['high']}"
        none = f"{field['low'] - 1}: {field['none']}" if field["none"] else ""
        rows.append((_code(field["name"]), shape, values, none, field["features"], field["meaning"]))
    intro = f"{layout.size} integers, {layout.feature_size} features."
    return f"{intro}\n\n" + table(("field", "size", "values", "none", "features", "meaning"), rows)


def actions(game: Game) -> str:
    """The blocks of action ids."""
    rows, known = [], game.actions
    for block in known.blocks:
        start = known.start(block.name)
        ids = f"{start}" if block.size == 1 else f"{start} to {start + block.size - 1}"
        example = known.static[start + block.size - 1]
        rows.append((_code(block.name), ids, block.meaning, _code(json.dumps(example))))
    places = f" `places` count from 0, in the order of `{known.places_of}`." if known.places_of else ""
    return f"{known.count} ids.{places}\n\n" + table(("block", "ids", "meaning", "the last id as JSON"), rows)


def styles(game: Game) -> str:
    """The bot strings of the house."""
    default = next(iter(game.styles))
    rows = [
        (_code("house" if name == default else f"house:{name}"), ", ".join(f"{value:g}" for value in values))
        for name, values in game.styles.items()
    ]
    return table(("bot", "parameters"), rows)


def chance(game: Game) -> str:
    """What is drawn, and may be prescribed."""
    if not game.chances:
        return "Nothing is left to chance."
    rows = [(_code(kind.name), kind.size, kind.kind, kind.meaning) for kind in game.chances]
    return table(("name", "at most", "values", "meaning"), rows)


def position(game: Game) -> str:
    """What a hand-made position may contain: the words of the function that reads it."""
    if game.position is None:
        return "This game takes no hand-made positions."
    words = inspect.getdoc(game.position) or ""
    return words.replace("Raises ValueError.", "").replace("``", "`").strip()


def measures(game: Game) -> str:
    """By what players are compared; the fair share at every table size."""
    counts = game.options.player_counts
    rows = [
        (measure.name, measure.unit, ", ".join(f"{measure.fair(count):.4g} ({count})" for count in counts))
        for measure in game.measures
    ]
    return table(("figure", "unit", "among equals (players)"), rows)


def games() -> str:
    """The list of games."""
    rows = []
    for game in list_games():
        counts = game.options.player_counts
        players = f"{counts[0]}-{counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        page = f"[{game.title}](docs/{game.name}.md)"
        rows.append((page, _code(game.id), players, game.actions.count, game.layout.feature_size, game.summary))
    return table(("game", "name", "players", "actions", "features", "in short"), rows)


def bots() -> str:
    """The bots that come with the package, and what they reached, by their manifests."""
    rows = []
    for file in sorted(SHIPPED.glob("*/manifest.json")):
        for result in json.loads(file.read_text("utf-8"))["evaluation"]:
            score, options = result["scores"][0], find_game(result["game"]).options.make(result["options"])
            mean = score["mean"]
            reached = f"{mean['value']:.3f} ({mean['low']:.3f} to {mean['high']:.3f})"
            against = ", ".join(result["against"])
            name = _code(file.parent.name)
            rows.append(
                (name, options.words, against, f"{score['name']} ({score['unit']}): {reached}", f"{score['fair']:.3g}")
            )
    return table(("bot", "table", "against", "measured (95% interval)", "equals get"), rows)


def commands() -> str:
    """The command line."""
    rows = []
    group = typer.main.get_command(app)
    for name, command in sorted(group.commands.items()):  # type: ignore[attr-defined]
        arguments = [entry.name.upper() for entry in command.params if entry.param_type_name == "argument"]
        switches = [entry.opts[0] for entry in command.params if entry.param_type_name == "option"]
        shown = ", ".join(_code(switch) for switch in switches if switch not in ("--help", "-h"))
        help_line = (command.help or "").partition("\n\n")[0].replace("\n", " ")
        rows.append((_code(" ".join(["tinhorn", name, *arguments])), help_line, shown))
    return table(("command", "does", "options"), rows)


def config() -> str:
    """Every key of a training's configuration."""
    return table(("key", "default", "meaning"), _keys(TrainConfig))


def _keys(section: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _keys(kind, f"{prefix}{name}.")
        else:
            default = "required" if field.is_required() else _code(json.dumps(field.default))
            yield _code(prefix + name), default, field.description or ""


GAME_PARTS: dict[str, Callable[[Game], str]] = {
    "options": options,
    "view": view,
    "actions": actions,
    "styles": styles,
    "chance": chance,
    "position": position,
    "measures": measures,
}
PARTS: dict[str, Callable[[], str]] = {"games": games, "bots": bots, "commands": commands, "config": config}


def rewrite(text: str, game: Game | None) -> str:
    """A page with its generated parts anew. Raises DocsError."""

    def part(match: re.Match[str]) -> str:
        name = match[1]
        if name in PARTS:
            content = PARTS[name]()
        elif game is not None and name in GAME_PARTS:
            content = GAME_PARTS[name](game)
        else:
            known = [*PARTS, *(GAME_PARTS if game else ())]
            raise DocsError(f"there is no generated part {name!r} for this page; there are: {', '.join(known)}")
        return f"<!-- begin {name} -->\n{content}\n<!-- end -->"

    return PART.sub(part, text)


def new_page(game: Game) -> str:
    """The first draft of a game's page."""
    parts = "\n\n".join(f"## {name.title()}\n\n<!-- begin {name} -->\n<!-- end -->" for name in GAME_PARTS)
    return f"# {game.title}\n\n{game.summary}\n\n{parts}\n"


def pages(root: Path) -> dict[Path, str]:
    """Every page as it should be. Raises DocsError."""
    by_name = {game.name: game for game in list_games()}
    files = {root / "README.md", *(root / "docs").glob("*.md"), *(root / "docs" / f"{name}.md" for name in by_name)}
    fresh = {}
    for file in sorted(files):
        game = by_name.get(file.stem)
        text = file.read_text("utf-8") if file.exists() or game is None else new_page(game)
        try:
            fresh[file] = rewrite(text, game)
        except DocsError as error:
            raise DocsError(f"{file.relative_to(root)}: {error}") from None
    return fresh


def main() -> int:
    """Write or check; 0 when all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is out of date")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder with README.md and docs/")
    given = parser.parse_args()
    try:
        fresh = pages(given.root)
    except DocsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    stale = [file for file, text in fresh.items() if not file.exists() or file.read_text("utf-8") != text]
    for file in stale:
        print(f"{file.relative_to(given.root)}: {'out of date, run make docs' if given.check else 'written'}")
        if not given.check:
            file.write_text(fresh[file], "utf-8")
    return 1 if given.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
