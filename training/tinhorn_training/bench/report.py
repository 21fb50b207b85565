"""The figures of `tinhorn bench` as tables for people."""

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tinhorn_training.bench.figures import Figure, Report


def wide_console() -> Console:
    """The terminal; in a file or pipe lines of 120."""
    return Console() if Console().is_terminal else Console(width=120)


def show_facts(facts: dict[str, Any], console: Console, *, processor_time: bool = False) -> None:
    """One paragraph on machine and versions, with a warning when other work disturbs the figures."""
    machine = facts["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    console.print(f"{machine['processor']}, {machine['cores']} cores, {machine['system']}", highlight=False)
    console.print(versions, highlight=False)
    if processor_time:
        console.print("seconds are seconds of processor time", highlight=False)
    elif machine["load"] and machine["load"] > 0.5:
        busy = f"the machine is busy (load {machine['load']} of {machine['cores']} cores): figures will be low"
        console.print(f"[yellow]{busy}; --processor-time counts no waiting[/yellow]", highlight=False)


def show(report: Report, console: Console) -> None:
    """A table: figure, median, range, target, how it compares."""
    table = Table(title=report.title, title_justify="left")
    table.add_column("figure")
    for column in ("measured", "lowest to highest", "target", "reached"):
        table.add_column(column, justify="right")
    for figure in report.figures:
        low, high = min(figure.samples), max(figure.samples)
        spread = f"{number(low)} to {number(high)}" if len(figure.samples) > 1 else ""
        table.add_row(figure.name, f"{number(figure.median)} {figure.unit}", spread, *_against_target(figure))
    console.print(table)
    for note in report.notes:
        console.print(escape(note), highlight=False)


def _against_target(figure: Figure) -> tuple[str, str]:
    if figure.target is None:
        return "", ""
    sign = ">=" if figure.more_is_better else "<="
    verdict = "[green]met[/]" if figure.reached else "[yellow]not met[/]"
    return f"{sign} {number(figure.target)}", f"{verdict}, {number(figure.median / figure.target)} x target"


def number(value: float) -> str:
    """Three significant digits: ``6.21 M``, ``13.4 k``, ``0.25``."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{float(f'{value / size:.3g}'):g}{letter}"
    return f"{float(f'{value:.3g}'):g}"
