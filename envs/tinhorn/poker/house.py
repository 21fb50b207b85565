"""The house bot of draw poker: draws by the book, reads the others' draws and bets, weighs chance against price.

It sees the `TABLE` fields of its view and nothing else.
"""

import numpy as np

from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import below, uniform
from tinhorn.poker.advice import HIGH_CARD, PAIR, STRAIGHT, THREE, flush_draw, open_straight_draw, places_to_throw
from tinhorn.poker.betting import ALL_IN, BET, CALL, CALLED, CHECK, FOLD, MOST_SIZES, RAISED
from tinhorn.poker.exchange import EXCHANGES, HAND
from tinhorn.poker.ranking import hand_class, hand_strength
from tinhorn.poker.view import TABLE

# Measured on hands dealt by chance and drawn to by the book (places_to_throw); a test measures them again.
# Hands worth playing are four flushes, open-ended straights, and a pair of nines or better; strong ones a pair of jacks
# or better.
# The strengths that 5%, 10% .. 95% stay below after the draw: of hands worth playing that drew 0, 1, 2 and 3 cards, of
# all that are worth playing, of strong ones, and of all hands.
WORTH_PLAYING, STRONG, ANY = range(4, 7)
# fmt: off
AFTER_DRAW = np.array([
    [5853, 5854, 5855, 5856, 5857, 5858, 5859, 5860, 5861, 5862, 6027, 6273, 6522, 6767, 7010, 7159, 7200, 7241, 7282],
    [117, 255, 459, 762, 957, 1404, 2396, 3340, 4178, 4277, 4376, 4474, 4574, 4673, 4772, 4871, 4970, 5861, 6934],
    [5042, 5090, 5139, 5187, 5234, 5282, 5330, 5377, 5425, 5473, 5521, 5568, 5617, 5664, 5713, 5761, 5808, 7148, 7276],
    [2909, 3002, 3095, 3187, 3280, 3372, 3464, 3557, 3649, 3741, 3834, 3926, 4019, 4112, 4539, 4737, 4935, 5550, 5724],
    [508, 1937, 2917, 3066, 3210, 3358, 3505, 3651, 3801, 3949, 4100, 4374, 4549, 4716, 4866, 5107, 5564, 5772, 6190],
    [3355, 3452, 3549, 3647, 3745, 3842, 3940, 4038, 4137, 4341, 4539, 4654, 4764, 4869, 4977, 5358, 5655, 5787, 6708],
    [451, 741, 992, 1160, 1263, 1580, 1947, 2325, 2665, 2966, 3228, 3462, 3683, 3898, 4111, 4430, 4759, 5098, 5688],
])
# The strengths at 5%, 15% .. 95% after the draw of each kind of hand, see `kind_of_hand`.
OUTCOMES = np.array([
    [286, 522, 688, 776, 1195, 2043, 2968, 3398, 3754, 4727],
    [926, 1042, 1116, 1192, 1246, 1928, 3249, 3878, 4066, 4936],
    [17, 117, 243, 451, 777, 908, 2160, 2900, 5854, 5859],
    [118, 351, 586, 818, 1049, 1285, 2407, 3524, 6147, 6815],
    [1292, 1323, 1354, 1384, 1415, 1446, 1477, 4179, 4745, 5039],
    [1512, 1543, 1574, 1605, 1636, 1667, 1698, 4190, 4756, 5105],
    [1732, 1763, 1794, 1824, 1855, 1886, 1917, 4201, 4767, 5171],
    [1952, 1983, 2013, 2044, 2075, 2106, 2137, 4201, 4778, 5237],
    [2172, 2203, 2234, 2265, 2296, 2327, 2358, 4234, 4789, 5303],
    [2392, 2422, 2453, 2484, 2515, 2546, 2577, 4277, 4799, 5369],
    [2612, 2643, 2673, 2704, 2735, 2766, 2797, 4331, 4810, 5435],
    [2832, 2863, 2894, 2925, 2956, 2986, 3017, 4399, 4823, 5502],
    [3052, 3083, 3114, 3145, 3176, 3206, 3237, 4476, 4833, 5567],
    [3272, 3303, 3334, 3365, 3395, 3426, 3457, 4562, 4843, 5633],
    [3492, 3523, 3554, 3585, 3615, 3646, 3677, 4661, 4854, 5699],
    [3712, 3742, 3773, 3804, 3835, 3866, 3897, 4771, 4854, 5765],
    [3932, 3963, 3994, 4025, 4055, 4086, 4117, 4893, 4976, 5831],
    [4137, 4138, 4139, 4141, 4142, 4143, 4144, 4146, 4147, 7140],
    [4149, 4151, 4153, 4156, 4158, 4161, 4163, 4166, 4168, 7153],
    [4171, 4175, 4178, 4182, 4186, 4189, 4193, 4197, 4200, 7166],
    [4205, 4210, 4214, 4219, 4224, 4229, 4234, 4239, 4243, 7179],
    [4249, 4256, 4262, 4268, 4274, 4280, 4286, 4292, 4298, 7192],
    [4305, 4313, 4320, 4327, 4334, 4341, 4348, 4356, 4363, 7205],
    [4372, 4380, 4389, 4397, 4405, 4414, 4422, 4431, 4439, 7206],
    [4449, 4459, 4469, 4478, 4488, 4497, 4507, 4517, 4527, 7219],
    [4538, 4549, 4559, 4570, 4581, 4592, 4603, 4613, 4624, 7232],
    [4638, 4650, 4662, 4674, 4686, 4698, 4710, 4722, 4734, 7245],
    [4748, 4761, 4775, 4788, 4801, 4814, 4827, 4841, 4854, 7258],
    [4870, 4884, 4898, 4913, 4927, 4942, 4956, 4971, 4985, 7259],
    [5042, 5139, 5234, 5330, 5425, 5521, 5617, 5713, 5808, 7276],
    [5853, 5854, 5855, 5856, 5857, 5858, 5859, 5860, 5861, 5862],
    [5926, 6060, 6190, 6312, 6444, 6571, 6697, 6826, 6951, 7076],
    [7149, 7167, 7186, 7204, 7222, 7240, 7259, 7277, 7295, 7404],
])
# fmt: on

# Style parameters.
CAUTION, OPEN_FIRST, OPEN_SECOND, RAISE, BLUFF, RESPECT, TRICK = range(7)
STYLES = {
    "house": (0.8, 0.5, 0.8, 1.7, 0.35, 0.68, 0.05),
    "tight": (1.3, 1.3, 1.0, 1.9, 0.05, 1.0, 0.05),
    "loose": (0.6, 0.4, 0.8, 1.6, 0.2, 0.45, 0.1),
    "aggressive": (0.95, 0.6, 0.5, 1.2, 0.5, 0.45, 0.12),
    "caller": (0.6, 9.0, 9.0, 9.0, 0.0, 0.3, 0.0),
    "bluffer": (1.0, 1.0, 0.9, 1.6, 0.8, 0.6, 0.2),
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

    ``style`` is float64[7], see `STYLES`: caution (calls when the chance to win is this many times the price),
    open_first,
    open_second and raise (bets before and after the draw, and raises, when it is this many times an equal share), bluff
    (how often it bets with nothing), respect (how far bets and raises are believed), trick (how often it draws so as to
    hide its hand).
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
    opens = style[OPEN_SECOND] if view[_DRAWN] >= 0 else style[OPEN_FIRST]
    threshold = opens if call == 0 else style[RAISE]
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
    if view[_DRAWN] >= 0:
        return chance_with(view, hand_strength(hand), respect)
    kind, chance = kind_of_hand(hand), 0.0
    for k in range(OUTCOMES.shape[1]):
        chance += chance_with(view, OUTCOMES[kind, k], respect)
    return chance / OUTCOMES.shape[1]


@kernel
def chance_with(view, strength, respect):
    """The chance that a hand of this strength after the draw beats all opponents."""
    chance = 1.0
    for seat in range(1, MAX_SEATS):
        if view[_IN_HAND + seat] != 0:
            if view[_DRAWN] >= 0:
                chance *= beats_drawn(view, np.int64(strength), seat, respect)
            else:
                chance *= beats_undrawn(view, np.int64(strength), seat, respect)
    return chance


@kernel
def share_weaker(row, strength):
    """The share of a group of `AFTER_DRAW` that is weaker."""
    low, steps = 0, AFTER_DRAW.shape[1]
    while low < steps and AFTER_DRAW[row, low] < strength:
        low += 1
    high = low
    while high < steps and AFTER_DRAW[row, high] == strength:
        high += 1
    return (low + high + 1.0) / (2.0 * (steps + 1))


@kernel
def beats_undrawn(view, strength, seat, respect):
    """The chance to beat one opponent that has not drawn yet, from what it has done."""
    move = view[_MOVES + seat]
    if move != RAISED and move != CALLED:
        return share_weaker(ANY, strength)
    believed = min(respect, 1.0)
    known = share_weaker(STRONG if move == RAISED else WORTH_PLAYING, strength)
    return believed * known + (1.0 - believed) * share_weaker(ANY, strength)


@kernel
def beats_drawn(view, strength, seat, respect):
    """The chance to beat one opponent after the draw, from how many cards it drew and what it has done."""
    drawn, before, now = view[_DRAWN + seat], view[_MOVES + seat], view[_MOVES + MAX_SEATS + seat]
    played = before in (RAISED, CALLED)
    weaker = share_weaker(drawn if drawn == 0 or (played and 0 < drawn <= 3) else ANY, strength)
    doubt = min(0.5 * respect if now == RAISED else 0.2 * respect if now == CALLED else 0.0, 0.8)
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
