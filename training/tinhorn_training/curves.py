"""The curves of a training as one picture."""

from collections.abc import Mapping
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

from tinhorn_training.files import write_atomically
from tinhorn_training.plots import png
from tinhorn_training.runs import DECISIONS, read_log

VALIDATION = "validation/"
_PANELS = {
    "against the house bot": f"{VALIDATION}house_",
    "against random play": f"{VALIDATION}random_",
    "entropy (nats)": "train/entropy_loss",
    "value loss": "train/value_loss",
    "explained variance": "train/explained_variance",
    "change of policy an update (KL)": "train/approx_kl",
}


def draw_curves(log: Path, picture: Path, title: str, fair: Mapping[str, float]) -> None:
    """Draw a run's progress.csv into a PNG file; ``fair``: the fair share of each validated game. Raises SaveError."""
    write_atomically(picture, png(curves(read_log(log), title, fair)))


def curves(rows: list[dict[str, str]], title: str, fair: Mapping[str, float]) -> Figure:
    """The panels, from the lines of a progress.csv."""
    figure = Figure(figsize=(12, 6), layout="constrained")
    figure.suptitle(title)
    for axes, (name, column) in zip(figure.subplots(2, 3).flat, _PANELS.items(), strict=True):
        _panel(axes, rows, name, column, fair if column.startswith(VALIDATION) else {})
    return figure


def _panel(axes: Axes, rows: list[dict[str, str]], name: str, column: str, fair: Mapping[str, float]) -> None:
    """All columns that begin so, over the decisions, and what equals would get."""
    for key in sorted({key for row in rows for key in row if key.startswith(column)}):
        points = [(int(row[DECISIONS]), float(row[key])) for row in rows if row.get(key)]
        sign = -1.0 if key.endswith("entropy_loss") else 1.0
        label = key.removeprefix(column).replace("_", " ")
        axes.plot([x for x, _ in points], [sign * y for _, y in points], marker="." if label else "", label=label)
    for share in sorted(set(fair.values())):
        axes.axhline(share, color="black", linewidth=1, linestyle="--", label=f"fair share {share:.3g}")
    axes.set_title(name, fontsize=10)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.set_xlabel("decisions", fontsize=9)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if column.endswith("_") and axes.lines:
        axes.legend(fontsize=8)
