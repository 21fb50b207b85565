"""The house bot of Cold Hand: draws by the book, weighs the risk of being weakest against the price of folding."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import uniform
from tinhorn.games.cold_hand.actions import CALL, EXCHANGES, FOLD, RAISE
from tinhorn.games.cold_hand.state import DRAW_1, DRAW_2, HAND, MOST_STAKES
from tinhorn.games.cold_hand.view import LAYOUT
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.ranking import hand_strength

# The strengths that 5%, 10% .. 95% of hands dealt by chance and drawn to by the book (places_to_throw) stay below, after
# one draw and after two. A test measures them again.
WEAKER_AFTER = np.array(
    [
        [450, 741, 992, 1160, 1263, 1581, 1949, 2328, 2669, 2969]
        + [3230, 3464, 3685, 3899, 4111, 4432, 4759, 5099, 5689],
        [781, 1183, 1401, 1862, 2310, 2713, 3055, 3344, 3590, 3803]
        + [3991, 4172, 4423, 4636, 4830, 4991, 5381, 5700, 6302],
    ]
)

# Style parameters.
CAUTION, RAISE_AT, BLUFF, RESPECT = range(4)
STYLES = {
    "house": (1.0, 0.55, 0.03, 1.0),
    "tight": (1.5, 0.4, 0.01, 1.2),
    "loose": (0.6, 0.6, 0.05, 0.7),
    "aggressive": (0.9, 0.95, 0.12, 0.6),
    "caller": (0.15, 0.0, 0.0, 0.3),
    "bluffer": (0.9, 0.6, 0.3, 0.8),
}

_PHASE = LAYOUT.at("phase")
_HAND = LAYOUT.at("hand")
_STAKES = LAYOUT.at("stakes")
_HOUSE_MINIMUM = LAYOUT.at("house_minimum")
_NUM_PLAYERS = LAYOUT.at("num_players")
_ALIVE = LAYOUT.at("alive")
_IN_HAND = LAYOUT.at("in_hand")
_EXCHANGED = np.array([LAYOUT.at("exchanged_first"), LAYOUT.at("exchanged_second")])
_RAISE_SEAT = LAYOUT.at("raise_seat")


@kernel
def house(view, mask, style, stream):
    """The action of the scripted opponent, from its view (int32[V]) alone. ``style`` is float64[4], see `STYLES`:

    caution (1 plays the odds; more folds more), raise_at (raises when the risk of being weakest is below this part of
    an equal share), bluff (chance of a raise whatever the hand), respect (how far raises and pat hands are believed).
    """
    hand = view[_HAND : _HAND + HAND]
    if view[_PHASE] == DRAW_1 or view[_PHASE] == DRAW_2:
        return exchange_action(places_to_throw(hand))
    risk = risk_of_weakest(view, hand, style)
    opponents = count_flags(view, _IN_HAND) - 1
    alive = count_flags(view, _ALIVE)
    may_raise = view[_STAKES] < MOST_STAKES and mask[RAISE] != 0
    if may_raise and (risk * (opponents + 1) < style[RAISE_AT] or uniform(stream) < style[BLUFF]):
        return RAISE
    stakes, price = np.float64(view[_STAKES]), np.float64(view[_HOUSE_MINIMUM])
    # An opponent's pull is worth 1/(alive - 1) of an own one; after the last but one fold nobody pays the stakes.
    others = 1.0 / (alive - 1)
    call = -risk * stakes + (1.0 - risk) * stakes * others
    fold = -price + (stakes * others if opponents > 1 else 0.0)
    return CALL if call >= fold + (style[CAUTION] - 1.0) * 0.5 else FOLD


@kernel
def exchange_action(places):
    """The id of the exchange that throws these places (bit mask, at most three)."""
    for action in range(CALL):
        if EXCHANGES[action] == places:
            return action
    return 0


@kernel
def risk_of_weakest(view, hand, style):
    """The chance that every opponent still in shows a stronger hand."""
    second = 1 if view[_PHASE] > DRAW_2 else 0
    weaker = share_weaker(hand_strength(hand), second)
    if second == 0:
        weaker = 0.5 + 0.7 * (weaker - 0.5)  # another draw follows
    risk = 1.0
    for seat in range(1, view[_NUM_PLAYERS]):
        if view[_IN_HAND + seat] != 0:
            drawn = view[_EXCHANGED[second] + seat]
            belief = 1.0
            if drawn == 0:
                belief -= 0.45 * style[RESPECT]
            elif drawn == 1:
                belief -= 0.2 * style[RESPECT]
            for k in range(3):
                if view[_RAISE_SEAT + k] == seat:
                    belief -= 0.2 * style[RESPECT]
            risk *= 1.0 - weaker * max(belief, 0.15)
    return risk


@kernel
def share_weaker(strength, draws):
    """The share, 0 to 1, of hands drawn to by the book that are weaker than ``strength`` after 1 + ``draws`` draws."""
    steps = WEAKER_AFTER.shape[1]
    below = 0
    while below < steps and WEAKER_AFTER[draws, below] < strength:
        below += 1
    return (below + 0.5) / (steps + 1)


@kernel
def count_flags(view, place):
    """How many of the six flags at ``place`` are set."""
    count = 0
    for seat in range(6):
        count += view[place + seat]
    return count
