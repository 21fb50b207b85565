"""The house bot of Cold Hand: draws by the book, weighs the risk of being weakest against the price of folding."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import uniform
from tinhorn.games.cold_hand.actions import CALL, FOLD, RAISE
from tinhorn.games.cold_hand.state import BET_1, DRAW_1, DRAW_2, HAND
from tinhorn.games.cold_hand.view import LAYOUT
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.exchange import EXCHANGES
from tinhorn.poker.ranking import hand_strength

# Measured on hands dealt by chance and drawn to by the book (places_to_throw); a test measures them again.
# The strengths that 5%, 10% .. 95% of them stay below, after one draw and after two.
WEAKER_AFTER = np.array(
    [
        [450, 741, 992, 1160, 1263, 1581, 1949, 2328, 2669, 2969]
        + [3230, 3464, 3685, 3899, 4111, 4432, 4759, 5099, 5689],
        [781, 1183, 1401, 1862, 2310, 2713, 3055, 3344, 3590, 3803]
        + [3991, 4172, 4423, 4636, 4830, 4991, 5381, 5700, 6302],
    ]
)
# How often in 1000 a hand of each twentieth after one draw is the weakest after two, against 0 to 5 such hands.
WEAKEST_LATER = np.array(
    [
        [1000, 760, 657, 592, 546, 513],
        [1000, 738, 616, 541, 490, 451],
        [1000, 725, 599, 520, 464, 422],
        [1000, 706, 564, 476, 414, 368],
        [1000, 693, 543, 451, 386, 337],
        [1000, 683, 535, 441, 371, 315],
        [1000, 656, 495, 391, 314, 254],
        [1000, 622, 444, 331, 252, 192],
        [1000, 589, 398, 281, 202, 146],
        [1000, 557, 355, 237, 160, 110],
        [1000, 525, 315, 198, 126, 81],
        [1000, 491, 275, 161, 95, 57],
        [1000, 451, 233, 125, 68, 38],
        [1000, 410, 192, 94, 47, 23],
        [1000, 365, 153, 67, 30, 14],
        [1000, 350, 134, 53, 21, 8],
        [1000, 284, 88, 27, 9, 3],
        [1000, 208, 47, 11, 3, 1],
        [1000, 132, 19, 3, 0, 0],
        [1000, 54, 4, 0, 0, 0],
    ]
)

# Style parameters.
CAUTION, RAISE_FIRST, RAISE_SECOND, BLUFF, RESPECT = range(5)
STYLES = {
    "house": (0.15, 1.7, 0.5, 0.03, 1.2),
    "tight": (0.35, 0.8, 0.25, 0.01, 1.3),
    "loose": (0.05, 1.1, 0.5, 0.05, 0.6),
    "aggressive": (0.05, 3.0, 1.8, 0.2, 0.4),
    "caller": (-0.4, 0.0, 0.0, 0.0, 0.3),
    "bluffer": (0.15, 1.0, 0.4, 0.3, 0.8),
}

_PHASE = LAYOUT.at("phase")
_HAND = LAYOUT.at("hand")
_STAKES = LAYOUT.at("stakes")
_HOUSE_MINIMUM = LAYOUT.at("house_minimum")
_NUM_PLAYERS = LAYOUT.at("num_players")
_ALIVE = LAYOUT.at("alive")
_IN_HAND = LAYOUT.at("in_hand")
_EXCHANGED = np.array([LAYOUT.at("exchanged_first"), LAYOUT.at("exchanged_second")])


@kernel
def house(view, mask, style, stream):
    """The action of the scripted opponent, from its view (int32[V]) alone. ``style`` is float64[5], see `STYLES`:

    caution (0 plays the odds; more folds more the higher the stakes), raise_first and raise_second (raises in that
    betting round when the risk of being weakest is below this part of an equal share), bluff (chance of a raise
    whatever the hand), respect (how far opponents who exchange nothing are believed).
    """
    hand = view[_HAND : _HAND + HAND]
    if view[_PHASE] == DRAW_1 or view[_PHASE] == DRAW_2:
        return exchange_action(places_to_throw(hand))
    second = 0 if view[_PHASE] == BET_1 else 1
    risk = risk_of_weakest(view, hand, second, style[RESPECT])
    opponents = count_flags(view, _IN_HAND) - 1
    alive = count_flags(view, _ALIVE)
    raise_below = style[RAISE_FIRST + second] / (opponents + 1)
    if mask[RAISE] != 0 and (risk < raise_below or uniform(stream) < style[BLUFF]):
        return RAISE
    stakes, price = np.float64(view[_STAKES]), np.float64(view[_HOUSE_MINIMUM])
    # An opponent's pull is worth 1/(alive - 1) of an own one; after the last but one fold nobody pays the stakes.
    others = 1.0 / (alive - 1)
    call = -risk * stakes + (1.0 - risk) * stakes * others
    fold = -price + (stakes * others if opponents > 1 else 0.0)
    return CALL if call >= fold + style[CAUTION] * (1 + second) * (stakes - 1.0) else FOLD


@kernel
def exchange_action(places):
    """The id of the exchange that throws these places (bit mask, at most three)."""
    for action in range(CALL):
        if EXCHANGES[action] == places:
            return action
    return 0


@kernel
def risk_of_weakest(view, hand, second, respect):
    """The chance that every opponent still in shows a stronger hand, in the first or the ``second`` betting round.

    Opponents draw by the book. One who has exchanged nothing counts as a part of one: it is seldom weaker.
    """
    opponents = 0.0
    for seat in range(1, view[_NUM_PLAYERS]):
        if view[_IN_HAND + seat] != 0:
            stands_pat = view[_EXCHANGED[second] + seat] == 0
            opponents += max(1.0 - 0.45 * respect, 0.4) if stands_pat else 1.0
    twentieth = twentieths_below(hand_strength(hand), second)
    if second == 1:
        return (1.0 - (twentieth + 0.5) / 20.0) ** opponents
    fewer = np.int64(opponents)
    more = min(fewer + 1, WEAKEST_LATER.shape[1] - 1)
    low, high = WEAKEST_LATER[twentieth, fewer] / 1000.0, WEAKEST_LATER[twentieth, more] / 1000.0
    return low + (high - low) * (opponents - fewer)


@kernel
def twentieths_below(strength, second):
    """How many of `WEAKER_AFTER` a strength is above: 0 to 19."""
    below = 0
    while below < WEAKER_AFTER.shape[1] and WEAKER_AFTER[second, below] < strength:
        below += 1
    return below


@kernel
def count_flags(view, place):
    """How many of the six flags at ``place`` are set."""
    count = 0
    for seat in range(6):
        count += view[place + seat]
    return count
