"""Progress on standard error: a bar or spinner at a terminal, elsewhere a line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_FIRST, _QUIET = 2.0, 30.0  # seconds before the first line where there is no bar, and between two lines


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar while the block runs; the block calls what it is given with the number done."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    due = time.monotonic() + _FIRST
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)

        def report(done: int) -> None:
            nonlocal due
            bar.update(task, completed=done)
            if not console.is_terminal and time.monotonic() > due:
                console.print(f"{what}: {done:,} of {total:,}", highlight=False, soft_wrap=True)
                due = time.monotonic() + _QUIET

        yield report


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """A spinner while the block runs, with the step that the block names last; elsewhere a line for each step."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda step: console.print(step, highlight=False, soft_wrap=True)
        return
    with console.status("") as status:
        yield status.update
