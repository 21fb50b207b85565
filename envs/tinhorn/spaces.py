"""What the environments share: observation spaces from a layout, and choices that are checked."""

from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces

from tinhorn.core.game import Game
from tinhorn.core.options import OptionError

OBSERVATIONS = ("features", "view")
ILLEGAL = ("raise", "lose")

Value = TypeVar("Value")


class RenderModeError(OptionError, TypeError):
    """A render mode that there is not: after a TypeError SB3's `make_vec_env` tries again without one."""


def choose(name: str, value: Value, choices: tuple[Any, ...], error: type[OptionError] = OptionError) -> Value:
    """The value, if it is one of the choices. Raises OptionError, or the ``error`` given."""
    if value not in choices:
        raise error(f"{name}={value!r}: choose from {', '.join(map(repr, choices))}")
    return value


def observation_space(game: Game, kind: str) -> spaces.Box:
    """The space of ``features`` (float32[D]) or of a ``view`` (int32[V]), with the bounds that the layout declares."""
    layout = game.layout
    if kind == "view":
        return spaces.Box(layout.lows, layout.highs, dtype=np.int32)
    return spaces.Box(layout.feature_lows, layout.feature_highs, dtype=np.float32)
