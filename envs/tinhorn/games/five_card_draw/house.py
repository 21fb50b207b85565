"""The house bot of Five Card Draw."""

from tinhorn.core.kernel import kernel
from tinhorn.games.five_card_draw.actions import FIRST_BET
from tinhorn.poker.house import STYLES, house_action

__all__ = ["STYLES", "house"]


@kernel
def house(view, mask, style, stream):
    """The action of the scripted opponent, from its view (int32[V]) alone; ``style`` is one of `STYLES`."""
    return house_action(view, mask, style, stream, FIRST_BET)
