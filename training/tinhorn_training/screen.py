"""A training on the screen: a bar with decisions a second and the time left, and a line for each validation."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

if TYPE_CHECKING:
    from tinhorn_training.train import Progress

_QUIET = 30.0  # seconds between two lines where there is no bar


@contextmanager
def watching(total: int) -> Iterator[Callable[["Progress"], None]]:
    """While the block runs, show what it reports. Where standard error is no terminal, a line now and then."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[figures]}"))
    last = time.monotonic()
    with Bar(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("starting", total=total, figures="")

        def report(now: "Progress") -> None:
            nonlocal last
            figures = _figures(now, total)
            bar.update(task, completed=now.decisions, figures=figures, description="training")
            if now.news:
                console.print(now.news, highlight=False, soft_wrap=True)
            if not console.is_terminal and time.monotonic() - last > _QUIET:
                console.print(figures, highlight=False, soft_wrap=True)
                last = time.monotonic()

        yield report


def _figures(now: "Progress", total: int) -> str:
    text = f"{now.decisions:,} of {total:,} decisions"
    if now.rate > 0:
        left = timedelta(seconds=round(max(total - now.decisions, 0) / now.rate))
        text += f", {now.rate:,.0f}/s, {left} left"
    return text
