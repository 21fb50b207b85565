"""The curves of a training as one picture."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, MaxNLocator

from tinhorn_training.files import write_atomically
from tinhorn_training.plots import png
from tinhorn_training.runs import DECISIONS, read_log

_PANELS = {
    "against the house bot": "validation/house_",
    "against random play": "validation/random_",
    "entropy (nats)": "train/entropy_loss",
    "value loss": "train/value_loss",
    "explained variance": "train/explained_variance",
    "change of policy an update (KL)": "train/approx_kl",
}


def draw_curves(log: Path, picture: Path, title: str) -> None:
    """Draw a run's progress.csv into a PNG file. Raises SaveError."""
    rows = read_log(log)
    figure = Figure(figsize=(12, 6), layout="constrained")
    figure.suptitle(title)
    for axes, (name, column) in zip(figure.subplots(2, 3).flat, _PANELS.items(), strict=True):
        _panel(axes, rows, name, column)
    write_atomically(picture, png(figure))


def _panel(axes: Axes, rows: list[dict[str, str]], name: str, column: str) -> None:
    """All columns that begin so, over the decisions."""
    for key in sorted({key for row in rows for key in row if key.startswith(column)}):
        points = [(int(row[DECISIONS]), float(row[key])) for row in rows if row.get(key)]
        sign = -1.0 if key.endswith("entropy_loss") else 1.0
        label = key.removeprefix(column).replace("_", " ")
        axes.plot([x for x, _ in points], [sign * y for _, y in points], marker="." if label else "", label=label)
    axes.set_title(name, fontsize=10)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.set_xlabel("decisions", fontsize=9)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if column.endswith("_") and axes.lines:
        axes.legend(fontsize=8)
