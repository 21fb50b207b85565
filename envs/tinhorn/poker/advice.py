"""Well-known draw strategy: what to throw from five cards. For house bots."""

from tinhorn.core.kernel import kernel
from tinhorn.poker.ranking import hand_class, hand_strength

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT = range(5)


@kernel
def flush_draw(hand):
    """The places of four cards of one suit as a bit mask; 0 if there are no four."""
    for suit in range(4):
        places, count = 0, 0
        for place in range(5):
            if hand[place] & 3 == suit:
                places |= 1 << place
                count += 1
        if count == 4:
            return places
    return 0


@kernel
def open_straight_draw(hand):
    """The places of four consecutive ranks open at both ends, as a bit mask; 0 if there are none.

    For hands of five different ranks or a pair: of paired ranks the first place counts.
    """
    for low in range(9):  # 2-3-4-5 to T-J-Q-K
        places, ranks = 0, 0
        for place in range(5):
            step = (hand[place] >> 2) - low
            if 0 <= step < 4 and ranks & (1 << step) == 0:
                ranks |= 1 << step
                places |= 1 << place
        if ranks == 15:
            return places
    return 0


@kernel
def places_to_throw(hand):
    """What good players throw from a hand in grouped order (int[5]), as a bit mask of places.

    Made hands stand pat, three of a kind draw two, two pair draw one, a pair draws three (before any flush or straight
    draw), four-flush and open-ended straight draw one, else the two highest cards stay.
    """
    held = hand_class(hand_strength(hand))
    if held >= STRAIGHT:
        return 0
    if held == THREE:
        return 0b11000
    if held == TWO_PAIR:
        return 0b10000
    if held == PAIR:
        return 0b11100
    draw = flush_draw(hand)
    if draw == 0:
        draw = open_straight_draw(hand)
    return 0b11111 & ~draw if draw != 0 else 0b11100
