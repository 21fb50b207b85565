"""Which card to throw when nobody chooses: the dearest loose one (HA-23)."""

from tinhorn.core.arrays import copy
from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel
from tinhorn.games.hand.solver import best_melds, new_space
from tinhorn.games.hand.words import ONE, bit_of, hand_size, points_at, remove_card


@kernel
def card_to_throw(hand):
    """The card whose loss costs the best melds least; among equals the dearest, then the first; a joker last."""
    space = new_space()
    trial = hand.copy()
    best_card, best_value = JOKER, -1
    for card in range(JOKER):
        if (hand[ONE] >> bit_of(card)) & 1:
            copy(hand, trial)
            remove_card(trial, card)
            kept = best_melds(trial, hand_size(trial), space)
            value = 16 * kept + points_at((bit_of(card) >> 2) + 1)
            if value > best_value:
                best_card, best_value = card, value
    return best_card
