"""A table's text as a picture, for ``render_mode="rgb_array"``: videos, notebooks, papers. Drawn with matplotlib."""

import re
from typing import Any

import numpy as np

WIDTH, HEIGHT = 1000, 560  # pixels, of every picture, as videos need
_COLUMNS, _ROWS = 100, 24  # characters that fit; longer texts are drawn smaller
_DOTS_PER_INCH = 100
_CHARACTER = 0.602  # its width in the monospaced font, in font sizes
_LINE = 1.45  # font sizes from line to line
_FELT, _TEXT, _TO_MOVE = "#14532d", "#e7e5e4", "#fde047"
_SUITS = {"c": ("♣", "black"), "d": ("♦", "#b91c1c"), "h": ("♥", "#b91c1c"), "s": ("♠", "black")}
_CARD = re.compile(r"\b(?:([2-9TJQKA])([cdhs])|Jo)\b")


def picture(text: str) -> np.ndarray:
    """The text on a green table, uint8[HEIGHT, WIDTH, 3]; cards are white, the line of the seat to move is yellow.

    Raises ImportError without matplotlib, which comes with the extra ``train``.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "render_mode='rgb_array' needs the train extra: in a clone of Tinhorn, pip install '.[train]' (or: 'ansi')"
        ) from error
    lines = text.split("\n")
    columns, rows = max(_COLUMNS, *map(len, lines)), max(_ROWS, len(lines))
    size = min(WIDTH / (columns + 2) / _CHARACTER, HEIGHT / (rows + 1) / _LINE)  # pixels
    figure = Figure((WIDTH / _DOTS_PER_INCH, HEIGHT / _DOTS_PER_INCH), dpi=_DOTS_PER_INCH, facecolor=_FELT)
    for row, line in enumerate(lines):
        colour = _TO_MOVE if line.startswith(">") else _TEXT
        for column, word, look in _words(line):
            place = ((column + 1) * size * _CHARACTER / WIDTH, 1 - (row + 1) * size * _LINE / HEIGHT)
            style = {"family": "monospace", "fontsize": size * 72 / _DOTS_PER_INCH, "color": colour}
            figure.text(*place, word, style | look, parse_math=False)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _words(line: str) -> list[tuple[int, str, dict[str, Any]]]:
    """The words of a line, each with its column and how it looks apart from the rest."""
    found: list[tuple[int, str, dict[str, Any]]] = []
    start = 0
    for card in [*_CARD.finditer(line), None]:
        stop = card.start() if card else len(line)
        found += [(start + part.start(), part.group(), {}) for part in re.finditer(r"\S+", line[start:stop])]
        if card:
            sign, colour = _SUITS[card[2]] if card[2] else (card.group(), "#7e22ce")
            paper = {"boxstyle": "round,pad=0.08", "facecolor": "white", "edgecolor": "none"}
            found.append((card.start(), (card[1] or "") + sign, {"color": colour, "bbox": paper}))
            start = card.end()
    return found
