"""The house bot of draw poker: draws by the book, weighs the chance to win against the price (first version)."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.betting import ALL_IN, BET, CALL, CHECK, FOLD
from tinhorn.poker.draw import EXCHANGES, HAND
from tinhorn.poker.ranking import hand_strength
from tinhorn.poker.view import TABLE

STYLES = {"house": (1.0,)}
_HAND = TABLE.at("hand")


@kernel
def exchange_action(places):
    """The id of the exchange that throws these places (bit mask)."""
    for action in range(EXCHANGES.shape[0]):
        if EXCHANGES[action] == places:
            return action
    return 0


@kernel
def house_action(view, mask, style, stream, first):
    """The action in a draw or a betting round; ``first`` is the id of the first betting action."""
    hand = view[_HAND : _HAND + HAND]
    if mask[0] != 0:
        return exchange_action(places_to_throw(hand))
    strength = np.int64(hand_strength(hand))
    if strength > 4000 and mask[first + BET] != 0:
        return first + BET
    if strength > 4000 and mask[first + ALL_IN] != 0:
        return first + ALL_IN
    if mask[first + CHECK] != 0:
        return first + CHECK
    return first + CALL if strength > 2000 else first + FOLD
