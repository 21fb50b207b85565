"""What the environments share: observation spaces from a layout, and choices that are checked."""

from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces

from tinhorn.core.game import Game
from tinhorn.core.options import OptionError

OBSERVATIONS = ("features", "view")
ILLEGAL = ("raise", "lose")
RENDER_MODES = ("ansi", "rgb_array")  # the table as text, or as a picture (needs matplotlib)

Value = TypeVar("Value")


def choose(name: str, value: Value, choices: tuple[Any, ...]) -> Value:
    """The value, if it is one of the choices. Raises OptionError."""
    if value not in choices:
        raise OptionError(f"{name}={value!r}: choose from {', '.join(map(repr, choices))}")
    return value


def observation_space(game: Game, kind: str) -> spaces.Box:
    """The space of ``features`` (float32[D]) or of a ``view`` (int32[V]), with the bounds that the layout declares."""
    layout = game.layout
    if kind == "view":
        return spaces.Box(layout.lows, layout.highs, dtype=np.int32)
    return spaces.Box(layout.feature_lows, layout.feature_highs, dtype=np.float32)
