"""``tinhorn bench``"""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tinhorn_training.arguments import check_writable
from tinhorn_training.bench import TABLES
from tinhorn_training.errors import InputError
from tinhorn_training.files import write_atomically


def bench(
    game: Annotated[
        list[str] | None, typer.Option("--game", "-g", help="Measure this game; repeatable. [default: all]")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write machine, versions and all samples as JSON.")
    ] = None,
    against_peers: Annotated[bool, typer.Option("--against-peers", help="Play other libraries too.")] = False,
    bot: Annotated[Path | None, typer.Option(help="Measure this exported bot instead of an untrained one.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short samples: rough figures.")] = False,
    processor_time: Annotated[
        bool, typer.Option("--processor-time", help="Count processor seconds instead: for a busy machine.")
    ] = False,
    tables: Annotated[int, typer.Option(min=1, help="Tables in a batch whose speed is measured.")] = TABLES,
) -> None:
    """Measure speed, start, memory, training and bot on this machine, beside the targets."""
    from tinhorn.registry import get_game, list_games
    from tinhorn_training.bench.figures import FULL, QUICK, GameBench, Report, facts, load_average, shared_report
    from tinhorn_training.bench.report import show, show_facts, wide_console
    from tinhorn_training.progress import telling

    games = [get_game(name) for name in game] if game else list_games()
    if bot and len(games) != 1:
        raise InputError("--bot plays one game: name it with --game")
    check_writable(json_file)
    effort = replace(QUICK if quick else FULL, processor_time=processor_time, tables=tables)
    console = wide_console()
    measured = facts()
    benches = [GameBench(each, effort, bot, against_peers) for each in games]
    show_facts(measured, console, processor_time=processor_time)
    reports: list[Report] = []
    measures: list[Callable[[Callable[[str], None]], Report]] = [
        partial(shared_report, effort),
        *(each.report for each in benches),
    ]
    for measure in measures:
        with telling() as tell:
            reports.append(measure(tell))
        show(reports[-1], console)
    measured["machine"]["load_after"] = load_average()
    if json_file:
        content = measured | {"effort": asdict(effort), "reports": [report.to_json() for report in reports]}
        write_atomically(json_file, f"{json.dumps(content, indent=1)}\n".encode())
