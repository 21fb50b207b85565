"""The house bot of Cowboy Draw: that of draw poker, which never rebuys (CD-7)."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.games.cowboy_draw.actions import FIRST_BET, PASS
from tinhorn.poker.house import STYLES, house_action

__all__ = ["HOUSE_STYLE", "STYLES", "house"]

HOUSE_STYLE = np.array(STYLES["house"], np.float64)


@kernel
def house(view, mask, style, stream):
    """The action of the scripted opponent, from its view (int32[V]) alone; ``style`` is one of `STYLES`."""
    if mask[PASS] != 0:
        return PASS
    return house_action(view, mask, style, stream, FIRST_BET)
