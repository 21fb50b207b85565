"""The house bot of draw poker: draws by the book, reads the others' draws and bets, weighs chance against price.

It sees the `TABLE` fields of its view and nothing else.
"""

import numpy as np

from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import below, uniform
from tinhorn.poker.advice import HIGH_CARD, PAIR, STRAIGHT, THREE, flush_draw, open_straight_draw, places_to_throw
from tinhorn.poker.betting import ALL_IN, BET, CALL, CALLED, CHECK, FOLD, MOST_SIZES, RAISED
from tinhorn.poker.draw import EXCHANGES, HAND
from tinhorn.poker.ranking import hand_class, hand_strength
from tinhorn.poker.view import TABLE

# Measured on hands dealt by chance and drawn to by the book (places_to_throw); a test measures them again.
# Hands worth playing are four flushes, open-ended straights, and a pair of nines or better; strong ones a pair of jacks
# or better.
# The strengths that 5%, 10% .. 95% stay below after the draw: of hands worth playing that drew 0, 1, 2 and 3 cards,
# and of all hands.
AFTER_DRAW = np.array(
    [
        [5853, 5854, 5855, 5856, 5857, 5858, 5859, 5860, 5861, 5862]
        + [6040, 6283, 6516, 6773, 7021, 7159, 7200, 7241, 7282],
        [117, 255, 459, 757, 951, 1375, 2396, 3340, 4175, 4274]
        + [4373, 4472, 4571, 4670, 4768, 4868, 4968, 5861, 6925],
        [5042, 5090, 5138, 5187, 5235, 5283, 5331, 5379, 5427, 5474]
        + [5523, 5570, 5618, 5665, 5712, 5760, 5808, 7148, 7276],
        [2908, 3001, 3094, 3186, 3279, 3371, 3464, 3556, 3648, 3741]
        + [3835, 3927, 4020, 4112, 4538, 4737, 4936, 5551, 5725],
        [450, 740, 992, 1160, 1263, 1580, 1947, 2323, 2664, 2966]
        + [3227, 3462, 3683, 3897, 4110, 4429, 4756, 5096, 5688],
    ]
)
# How often in 1000 a hand of each kind (`kind_of_hand`) wins after the draw: against any hand, one worth playing, and a
# strong one.
ANY, WORTH_PLAYING, STRONG = range(3)
WINS = np.array(
    [
        [344, 412, 303, 363, 437, 461, 481, 503, 526, 550, 575, 601, 633, 666, 702, 742, 783]
        + [780, 783, 786, 791, 796, 805, 814, 825, 837, 851, 869, 888, 934, 971, 982, 993],
        [201, 252, 219, 271, 268, 273, 275, 278, 283, 287, 291, 320, 379, 437, 495, 555, 615]
        + [597, 601, 604, 609, 616, 626, 641, 663, 688, 716, 750, 788, 853, 932, 956, 982],
        [95, 142, 163, 203, 183, 186, 186, 187, 190, 193, 194, 195, 200, 244, 332, 423, 514]
        + [492, 498, 504, 512, 523, 538, 555, 574, 603, 644, 694, 749, 835, 934, 949, 975],
    ]
)
_TWENTIETHS = AFTER_DRAW.shape[1]

# Style parameters.
CAUTION, OPEN, RAISE, BLUFF, RESPECT, TRICK = range(6)
STYLES = {
    "house": (1.05, 1.2, 1.55, 0.12, 1.0, 0.1),
    "tight": (1.3, 1.45, 1.8, 0.04, 1.2, 0.05),
    "loose": (0.8, 1.05, 1.5, 0.12, 0.7, 0.1),
    "aggressive": (0.95, 1.0, 1.2, 0.3, 0.6, 0.15),
    "caller": (0.6, 3.0, 4.0, 0.0, 0.3, 0.0),
    "bluffer": (1.0, 1.15, 1.5, 0.5, 0.8, 0.25),
}

_HAND = TABLE.at("hand")
_IN_HAND = TABLE.at("in_hand")
_DRAWN = TABLE.at("drawn")
_OWN_STACK = TABLE.at("own_stack")
_POT = TABLE.at("pot")
_TO_CALL = TABLE.at("to_call")
_CONTESTED = TABLE.at("contested")
_RAISES = TABLE.at("raises")
_MOVES = TABLE.at("moves")


@kernel
def house_action(view, mask, style, stream, first):
    """The action in a draw or a betting round; ``first`` is the id of the first betting action.

    ``style`` is float64[6], see `STYLES`: caution (calls when the chance to win is this many times the price), open and
    raise (bets, and raises, when it is this many times an equal share), bluff (how often it bets with nothing), respect
    (how far bets and raises are believed), trick (how often it draws so as to hide its hand).
    """
    hand = view[_HAND : _HAND + HAND]
    if mask[0] != 0:
        return exchange_action(cards_to_throw(view, hand, style, stream))
    opponents = 0
    for seat in range(1, MAX_SEATS):
        opponents += view[_IN_HAND + seat]
    chance = chance_to_win(view, hand, style[RESPECT])
    shares = chance * (opponents + 1)
    call, bluffs = view[_TO_CALL], False
    threshold = style[OPEN] if call == 0 else style[RAISE]
    if call == 0 and shares < threshold:
        bluffs = uniform(stream) < bluff_rate(view, hand, opponents, style[BLUFF])
    if shares >= threshold or bluffs:
        size = bet_size(view, shares, stream)
        action = bet_action(view, mask, first, size)
        if action >= 0:
            return action
    if call == 0:
        return first + CHECK
    price = style[CAUTION] * call / view[_CONTESTED]
    if 2 * call >= view[_OWN_STACK]:
        price += 0.06 * style[CAUTION]  # never broke on a curiosity call
    return first + CALL if chance > price else first + FOLD


@kernel
def exchange_action(places):
    """The id of the exchange that throws these places (bit mask)."""
    for action in range(EXCHANGES.shape[0]):
        if EXCHANGES[action] == places:
            return action
    return 0


@kernel
def cards_to_throw(view, hand, style, stream):
    """The book, but for three tricks: a kicker kept to a pair, one card drawn to three of a kind, none to nothing."""
    held = hand_class(hand_strength(hand))
    tricky = uniform(stream) < style[TRICK]
    if held == PAIR and tricky and hand[2] >> 2 >= 11:  # an ace or a king
        return 0b11000
    if held == THREE and tricky:
        return 0b10000
    places = places_to_throw(hand)
    raised = view[_RAISES] > 0
    if held == HIGH_CARD and places == 0b11100 and raised and uniform(stream) < 4.0 * style[BLUFF]:
        return 0  # a pat-hand bluff
    return places


@kernel
def kind_of_hand(hand):
    """What a hand is before the draw.

    0 nothing, 1 ace high, 2 open-ended straight, 3 four flush, 4-16 a pair of twos to aces, 17-28 two pair, threes up
    to aces up, 29 three of a kind, 30 straight, 31 flush, 32 anything better.
    """
    held = hand_class(hand_strength(hand))
    if held == HIGH_CARD:
        if flush_draw(hand) != 0:
            return 3
        if open_straight_draw(hand) != 0:
            return 2
        return 1 if hand[0] >> 2 == 12 else 0
    if held < THREE:
        return (4 if held == PAIR else 16) + (hand[0] >> 2)
    return min(29 + held - THREE, 32)


@kernel
def chance_to_win(view, hand, respect):
    """The chance that all opponents in the hand turn out weaker."""
    second = view[_DRAWN] >= 0
    kind = kind_of_hand(hand)
    strength = hand_strength(hand)
    chance = 1.0
    for seat in range(1, MAX_SEATS):
        if view[_IN_HAND + seat] != 0:
            if second:
                chance *= beats_drawn(view, strength, seat, respect)
            else:
                chance *= beats_undrawn(view, kind, seat, respect)
    return chance


@kernel
def beats_undrawn(view, kind, seat, respect):
    """The chance to beat one opponent before the draw, from what it has done."""
    move = view[_MOVES + seat]
    known = STRONG if move == RAISED else WORTH_PLAYING if move == CALLED else ANY
    believed = min(respect, 1.0)
    return (believed * WINS[known, kind] + (1.0 - believed) * WINS[ANY, kind]) / 1000.0


@kernel
def beats_drawn(view, strength, seat, respect):
    """The chance to beat one opponent after the draw, from how many cards it drew and what it has done."""
    drawn = view[_DRAWN + seat]
    row = drawn if 0 <= drawn <= 3 and view[_MOVES + seat] > 0 else AFTER_DRAW.shape[0] - 1
    if drawn == 0:
        row = 0
    low = 0
    while low < _TWENTIETHS and AFTER_DRAW[row, low] < strength:
        low += 1
    high = low
    while high < _TWENTIETHS and AFTER_DRAW[row, high] == strength:
        high += 1
    weaker = (low + high + 1.0) / (2.0 * (_TWENTIETHS + 1))
    move = view[_MOVES + MAX_SEATS + seat]
    doubt = 0.5 * respect if move == RAISED else 0.2 * respect if move == CALLED else 0.0
    doubt = min(doubt, 0.8)
    return max((weaker - doubt) / (1.0 - doubt), 0.08 * weaker)


@kernel
def bluff_rate(view, hand, opponents, rate):
    """How often to bet with a hand that does not deserve it: more often after a missed draw or a pat-hand bluff."""
    if opponents > 2:
        return 0.0
    if view[_DRAWN] < 0:
        return 0.3 * rate
    held = hand_class(hand_strength(hand))
    if view[_DRAWN] == 0 and held < STRAIGHT:
        return 0.8
    if view[_DRAWN] == 1 and held <= PAIR:
        return rate
    return 0.4 * rate


@kernel
def bet_size(view, shares, stream):
    """Which bet of the action table: more for better hands, never quite the same; all-in with a short stack."""
    if view[_OWN_STACK] <= view[_POT]:
        return MOST_SIZES
    return min(np.int64(1.0 + 1.5 * max(shares - 1.0, 0.0)) + below(stream, 3), MOST_SIZES - 1)


@kernel
def bet_action(view, mask, first, size):
    """The legal bet closest below a size; all-in for `MOST_SIZES`, or where the stack is short. -1 if there is none."""
    while size >= 0 and mask[first + BET + size] == 0:
        size -= 1
    if size >= 0:
        return first + BET + size
    short = 2 * view[_OWN_STACK] <= 3 * view[_POT]
    return first + ALL_IN if short and mask[first + ALL_IN] != 0 else -1
