"""``tinhorn replay``"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from tinhorn.core.replay import Difference, Replay
from tinhorn.core.table import Table


def replay(
    file: Annotated[Path, typer.Argument(help="The record to play.", show_default=False)],
    check: Annotated[bool, typer.Option("--check", help="Print only the verdict.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print the table, as the seat to act sees it.")] = False,
    chance: Annotated[
        bool, typer.Option("--chance", help="Print the record with every outcome of chance by name.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Play a recorded game, and say where it differs from the record (then the exit code is 1)."""
    record = Replay.load(file)
    if chance:
        print(record.with_chance().text(), end="")
        return
    quiet = check or as_json
    if not quiet and "title" in record.words:
        print(record.words["title"])
    found = record.check(None if quiet else lambda *step: _print_step(*step, show=show))
    print(json.dumps(_verdict(record, found), indent=2) if as_json else _verdict_text(file, record, found))
    if found:
        raise typer.Exit(1)


def _print_step(number: int, step: Mapping[str, Any], table: Table, *, show: bool) -> None:
    if show and "expect" not in step:
        print(f"\n{table.game.text(table.state, table.actor if table.actor >= 0 else None)}")
    if step:
        print(f"{number:4}  {json.dumps(step)}")


def _verdict(record: Replay, found: list[Difference]) -> dict[str, Any]:
    return {
        "game": record.game.id,
        "same": not found,
        "steps": len(record.steps),
        "facts": sum(len(step.get("expect", ())) for step in record.steps),
        "differences": [asdict(difference) for difference in found],
    }


def _verdict_text(file: Path, record: Replay, found: list[Difference]) -> str:
    if found:
        return "\n".join(f"{file}: {difference}" for difference in found)
    verdict = _verdict(record, found)
    return f"{file}: {verdict['steps']} steps and {verdict['facts']} facts, all as recorded"
