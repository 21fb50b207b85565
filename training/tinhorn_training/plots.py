"""Pictures of results, as PNG files."""

import io
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tinhorn.core.game import find_game
from tinhorn_training.cross_play import CrossPlay
from tinhorn_training.evaluate import UNDECIDED, Estimate, Evaluation

_COLOURS = {"above": "#2f7d4f", "below": "#b3392f", "at": "#5b6673", UNDECIDED: "#a08a3c"}


def png(figure: Figure) -> bytes:
    """A figure as the bytes of a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=144, bbox_inches="tight")
    return buffer.getvalue()


def evaluation_plot(results: Sequence[Evaluation]) -> Figure:
    """The headline of each evaluation with its interval, against the fair share."""
    first = results[0].headline
    figure = Figure(figsize=(7, 1.4 + 0.5 * len(results)))
    axes = figure.add_subplot()
    shares = [result.headline.fair for result in results]
    for place, result in enumerate(results):
        score = result.headline
        draw_interval(axes, place, score.mean, _COLOURS[score.verdict])
    places = np.arange(len(results))
    label = f"fair share {' or '.join(f'{share:.3g}' for share in dict.fromkeys(shares))}"
    axes.vlines(shares, places - 0.5, places + 0.5, color="black", linewidth=1, linestyle="--", label=label)
    axes.legend(fontsize=8, loc="lower left", bbox_to_anchor=(0, 1))
    axes.set_yticks(range(len(results)), [_line_up(result) for result in results])
    axes.invert_yaxis()
    axes.set_ylim(len(results) - 0.5, -0.5)
    axes.set_xlabel(f"{first.name} ({first.unit}), 95% interval")
    result = results[0]
    axes.set_title(f"{result.game}, {result.deals:,} deals", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _line_up(result: Evaluation) -> str:
    table = find_game(result.game).options.make(result.options).words
    return f"{result.bot} against {', '.join(result.against)}, {table}"


def draw_interval(axes: Axes, place: int, estimate: Estimate, colour: str) -> None:
    """A horizontal bar at ``place`` with the interval and the value in figures."""
    axes.barh(place, estimate.value, color=colour, alpha=0.35, height=0.55)
    axes.errorbar(estimate.value, place, xerr=estimate.width, fmt="o", color=colour, capsize=4)
    axes.annotate(
        f"{estimate.value:.3f}", (estimate.value, place), (0, 7), textcoords="offset points", ha="center", fontsize=8
    )


def cross_play_plot(result: CrossPlay) -> Figure:
    """The matrix of headlines, row against column; yellow is the fair share."""
    fair = next(score.fair for row in result.scores for score in row if score is not None)
    values = [[fair if score is None else score.mean.value for score in row] for row in result.scores]
    spread = max(abs(value - fair) for row in values for value in row) or 1.0
    figure = Figure(figsize=(3 + 1.1 * len(values), 2 + 0.8 * len(values)))
    axes = figure.add_subplot()
    axes.imshow(values, cmap="RdYlGn", vmin=fair - spread, vmax=fair + spread, aspect="auto")
    for row, scores in enumerate(result.scores):
        for column, score in enumerate(scores):
            axes.text(column, row, "fair" if score is None else f"{score.mean.value:.3f}", ha="center", va="center")
    axes.set_xticks(range(len(values)), result.bots, rotation=30, ha="right")
    axes.set_yticks(range(len(values)), result.bots)
    axes.set_title(f"{result.game}, {result.options['num_players']} players: row against column", fontsize=11)
    return figure
