"""Results of evaluations as tables on the screen."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tinhorn.core.game import find_game
from tinhorn_training.cross_play import CrossPlay
from tinhorn_training.evaluate import UNDECIDED, Estimate, Evaluation, Score
from tinhorn_training.style import OF_DECISIONS, OF_HANDS, Habit

if TYPE_CHECKING:  # it imports torch
    from tinhorn_training.best_response import BestResponse

_VERDICTS = {"above": "[green]above[/]", "below": "[red]below[/]", "at": "as fair", UNDECIDED: UNDECIDED}


def print_evaluation(console: Console, result: Evaluation, *, seats: bool = False) -> None:
    """The scores of one evaluation, its notes and habits."""
    table = Table(title=escape(f"{result.bot} against {', '.join(result.against)}"), caption=_played(result))
    for column in ("measure", "value", "95% interval", "fair share", ""):
        table.add_column(column, justify="left" if column == "measure" else "right", no_wrap=column != "measure")
    for score in result.scores:
        cells = [f"{score.name} ({score.unit})", *estimate_cells(score.mean), f"{score.fair:.4g}"]
        table.add_row(*cells, _VERDICTS[score.verdict])
        if seats:
            _add_seats(table, score)
    console.print(table)
    for note in [*result.notes, *_undecided(result)]:
        console.print(f"[yellow]note:[/] {note}", highlight=False)
    if result.style:
        for table in style_tables(result.style):
            console.print(table)


def _undecided(result: Evaluation) -> list[str]:
    """What is not known yet, and how many deals would tell."""
    needed = {score.name: score.deals_to_decide(result.deals) for score in result.scores}
    open_ = [f"{name} (about {deals:,} deals would decide)" for name, deals in needed.items() if deals]
    if not open_:
        return []
    return [f"Undecided, as the interval is wide and holds the fair share: {', '.join(open_)}, if the value stays."]


def estimate_cells(estimate: Estimate) -> tuple[str, str]:
    """A value and its interval."""
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.4f}", "-"
    return f"{estimate.value:.4f}", f"{estimate.low:.4f} .. {estimate.high:.4f}"


def _add_seats(table: Table, score: Score) -> None:
    for seat, estimate in enumerate(score.seats):
        table.add_row(f"  in seat {seat}", *estimate_cells(estimate), "", "", style="dim")


def _played(result: Evaluation) -> str:
    rate = result.decisions / result.seconds if result.seconds else 0.0
    return (
        f"{result.game}, {_words(result)}; {result.deals:,} deals, {result.games:,} games, "
        f"seed {result.seed}; {result.seconds:.1f} s, {rate:,.0f} decisions/s"
    )


def _words(result: Evaluation | CrossPlay) -> str:
    return find_game(result.game).options.make(result.options).words


def style_tables(styles: dict[str, list[Habit]]) -> list[Table]:
    """How often each bot makes each kind of move when it may, and what it does with the hands that it is dealt."""
    titles = {OF_DECISIONS: "% of the decisions in which the move was legal", OF_HANDS: "% of the hands dealt"}
    tables = []
    for of, title in titles.items():
        rows = [row for row in zip(*styles.values(), strict=True) if row[0].of == of and any(x.chances for x in row)]
        if rows:
            table = Table(title=f"playing style: {title}")
            table.add_column("move" if of == OF_DECISIONS else "hand")
            for name in styles:
                table.add_column(escape(name), justify="right")
            for row in rows:
                table.add_row(row[0].move, *[f"{100 * x.share:.1f}" if x.chances else "-" for x in row])
            tables.append(table)
    return tables


def print_cross_play(console: Console, result: CrossPlay) -> None:
    """The matrix, row against column, with intervals and ratings."""
    first = next(score for row in result.scores for score in row if score is not None)
    table = Table(
        title=f"{first.name} ({first.unit}) of the row when the column has the other seats; fair: {first.fair:.4g}",
        caption=f"{result.game}, {_words(result)}; {result.deals:,} deals a match, "
        f"{result.games:,} games, seed {result.seed}; {result.seconds:.1f} s; ±: half the 95% interval",
    )
    table.add_column("bot", overflow="fold")
    for name in [*result.bots, "OpenSkill"]:
        table.add_column(escape(name), justify="right", overflow="fold")
    for name, row, rating in zip(result.bots, result.scores, result.ratings, strict=True):
        table.add_row(escape(name), *map(_cross_cell, row), f"{rating.mu:.1f} ±{rating.sigma:.1f}")
    console.print(table)


def _cross_cell(score: Score | None) -> str:
    if score is None:
        return "[dim]fair[/]"
    width = "" if score.mean.width is None else f" ±{score.mean.width:.3f}"
    colour = {"above": "green", "below": "red"}.get(score.verdict, "default")
    return f"[{colour}]{score.mean.value:.3f}{width}[/]"


def print_best_response(console: Console, result: "BestResponse") -> None:
    """What a bot was made to lose."""
    print_evaluation(console, result.evaluation)
    console.print(_found(result), highlight=False, markup=False)
    console.print(f"({result.decisions:,} decisions of training, {result.seconds:.0f} s)", highlight=False)


def _found(result: "BestResponse") -> str:
    score = result.evaluation.headline
    width = "" if score.mean.width is None else f" ±{score.mean.width:.4f}"
    gain = f"{result.gain:+.4f}{width} {score.name}"
    if result.lower_bound > 0:
        return (
            f"{result.bot} can be made to lose: the trained network gains {gain} over the fair share, "
            f"at least {result.lower_bound:.4f} with 95% confidence. A better opponent may gain more."
        )
    return (
        f"found no gain against {result.bot}: the trained network is at {gain} from the fair share. That bounds "
        "nothing: a longer training or another opponent may still find what this one did not."
    )
