"""The house bot of Hand: opens by the exact solver, keeps what is close to a meld, watches what others could use.

It reads the view and nothing else, and puts its own hand and the table together again from it.
"""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.cards import JOKER
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import uniform
from tinhorn.games.hand.melds import NO_JOKER, count_melds, pack_run, pack_set
from tinhorn.games.hand.moves import ADD, ADD_WAYS, COUNT, DRAW_STOCK, LAY_RUN, TAKE_FIRE, TAKE_JOKER, THROW, apply_move
from tinhorn.games.hand.solver import (
    NO_ITEM,
    NO_LIMIT,
    NOBODY,
    SIZE,
    ZERO,
    best_choice,
    best_melds,
    collect_items,
    mark_first_moves,
    new_space,
)
from tinhorn.games.hand.state import KINDS, MELDS
from tinhorn.games.hand.view import HELD, LAYOUT
from tinhorn.games.hand.words import (
    POSITIONS,
    add_card,
    bit_of,
    card_at,
    count_of,
    hand_size,
    points_at,
    remove_card,
)

# Style parameters, see `house`.
PATIENCE, HOLD, CAUTION, DEARNESS, WHIM = range(5)
STYLES = {
    "house": (1.0, 6.0, 1.0, 1.0, 0.0),
    "safe": (0.0, 14.0, 2.5, 1.5, 0.0),
    "greedy": (0.0, 14.0, 0.0, 0.6, 0.0),
    "hand_hunter": (4.0, 4.0, 0.7, 0.6, 0.0),
}

_ME = np.int64(0)
_NEAR_OUT = 4  # cards of an opponent from which on nothing is held back
_PHASE = LAYOUT.at("phase")
_NUM_PLAYERS = LAYOUT.at("num_players")
_TEAMS = LAYOUT.at("teams")
_HAND = LAYOUT.at("hand")
_STAGED = LAYOUT.at("staged")
_LAID = LAYOUT.at("laid")
_FIRE_CARD = LAYOUT.at("fire_card")
_FIRE_TOP = LAYOUT.at("fire_top")
_FIRE = LAYOUT.at("fire")
_FITS = LAYOUT.at("fits")
_HAND_SIZE = LAYOUT.at("hand_size")
_OPENED = LAYOUT.at("opened")
_MELD_OWNER = LAYOUT.at("meld_owner")
_MELD_SUIT = LAYOUT.at("meld_suit")
_MELD_LOW = LAYOUT.at("meld_low")
_MELD_HIGH = LAYOUT.at("meld_high")
_MELD_SUITS = LAYOUT.at("meld_suits")
_MELD_JOKER = LAYOUT.at("meld_joker")


@kernel
def house(view, mask, style, stream):
    """The action of the scripted opponent, from its view (int32[V]) alone. ``style`` is float64[5], see `STYLES`:

    patience (waits with the opening while so many cards are between it and a Hand), hold (keeps cards that fit the
    table back until an opponent has so few), caution (against throwing what others can use), dearness (weight of
    a card's points when it chooses what to throw), whim (chance of not opening this time).
    """
    hand, melds = read_hand(view), read_melds(view)
    if mask[DRAW_STOCK] != 0:
        return choose_pile(view, mask, style, hand, melds)
    opened = view[_OPENED] != 0
    if view[_FIRE_CARD] >= 0:
        return lay_fire_card(view, mask, hand, melds)
    if not opened:
        if can_lay(mask) and (view[_STAGED] > 0 or opens_now(view, style, hand, uniform(stream))):
            return next_of_best(mask, hand, melds, True)
    else:
        action = move_when_opened(view, mask, style, hand, melds)
        if action >= 0:
            return action
    return THROW + worst_card(view, mask, style, hand)


@kernel
def read_hand(view):
    """The own cards, int64[3]."""
    hand = np.zeros(3, np.int64)
    for place in range(HELD):
        if view[_HAND + place] >= 0:
            add_card(hand, np.int64(view[_HAND + place]))
    return hand


@kernel
def read_melds(view):
    """The table, int64[16]; owners are relative seats, so that the own one is 0."""
    melds = np.zeros(MELDS, np.int64)
    for place in range(MELDS):
        owner, suit = np.int64(view[_MELD_OWNER + place]), np.int64(view[_MELD_SUIT + place])
        low, joker = np.int64(view[_MELD_LOW + place]), np.int64(view[_MELD_JOKER + place])
        if owner >= 0 and suit >= 0:
            melds[place] = pack_run(owner, suit, low, np.int64(view[_MELD_HIGH + place]), max(joker, NO_JOKER))
        elif owner >= 0:
            suits = np.int64(0)
            for other in range(4):
                suits |= np.int64(view[_MELD_SUITS + 4 * place + other]) << other
            melds[place] = pack_set(owner, low, suits, joker + 1)
    return melds


@kernel
def fewest_cards(view):
    """The cards of the opponent who has opened and is closest to going out; 15 if none has opened."""
    fewest = HELD
    for seat in range(1, view[_NUM_PLAYERS]):
        partner = view[_TEAMS] != 0 and seat == 2
        if not partner and view[_OPENED + seat] != 0:
            fewest = min(fewest, view[_HAND_SIZE + seat])
    return fewest


@kernel
def can_lay(mask):
    """Whether a new meld can be laid or a meld be added to."""
    for action in range(LAY_RUN, THROW):
        if mask[action] != 0:
            return True
    return False


@kernel
def choose_pile(view, mask, style, hand, melds):
    """The fire whenever it may be taken and the bot means to lay now, else the stock."""
    if mask[TAKE_FIRE] == 0:
        return DRAW_STOCK
    if view[_OPENED] != 0:
        return TAKE_FIRE
    with_card = hand.copy()
    add_card(with_card, np.int64(view[_FIRE_TOP]))
    return TAKE_FIRE if opens_now(view, style, with_card, 1.0) else DRAW_STOCK


@kernel
def opens_now(view, style, hand, luck):
    """Open now, or wait because a Hand is close and nobody is near out (HA-18)?"""
    left = cards_left(hand)
    if left <= 1 or fewest_cards(view) <= _NEAR_OUT + 3:
        return True
    return left > 1 + style[PATIENCE] and luck >= style[WHIM]


@kernel
def cards_left(hand):
    """Cards that would be left after the best melds, one kept to throw."""
    space = new_space()
    best_melds(hand, hand_size(hand) - 1, space)
    left = hand_size(hand)
    for k in range(1, space.chosen[0] + 1):
        left -= space.items[space.chosen[k], SIZE]
    return left


@kernel
def next_of_best(mask, hand, melds, extend):
    """A legal move that begins the best melds of the hand (with ``extend`` also of own melds); -1 if there is none."""
    space = new_space()
    limit = hand_size(hand) - 1
    collect_items(hand, melds, _ME if extend else NOBODY, limit, space)
    best_choice(hand, space, limit, ZERO, NO_LIMIT, NO_ITEM)
    wanted = np.zeros(COUNT, np.int8)
    mark_first_moves(space, melds, count_melds(melds), wanted)
    for action in range(LAY_RUN, THROW):
        if wanted[action] != 0 and mask[action] != 0:
            return action
    return first_lay(mask) if extend else -1


@kernel
def first_lay(mask):
    """The first legal move that lays something; -1 if there is none."""
    for action in range(LAY_RUN, THROW):
        if mask[action] != 0:
            return action
    return -1


@kernel
def lay_fire_card(view, mask, hand, melds):
    """A move that melds the card of the fire at once, else the first that leads to it."""
    card = np.int64(view[_FIRE_CARD])
    trial, table = hand.copy(), melds.copy()
    if view[_OPENED] == 0:
        return next_of_best(mask, hand, melds, True)
    for action in range(LAY_RUN, THROW):
        if mask[action] != 0:
            copy(hand, trial)
            copy(melds, table)
            apply_move(action, _ME, trial, table)
            if count_of(trial, card) < count_of(hand, card):
                return action
    return first_lay(mask)


@kernel
def move_when_opened(view, mask, style, hand, melds):
    """Lay new melds at once; add and take jokers when the time has come, or when it leads out. -1 to throw."""
    action = next_of_best(mask, hand, melds, False)
    if action >= 0:
        return action
    fewest = fewest_cards(view)
    size = hand_size(hand)
    fitting = 0
    for card in range(KINDS):
        fitting += view[_FITS + card] * count_of(hand, card)
    hurry = fewest <= style[HOLD] or fitting >= size - 2
    for place in range(count_melds(melds)):
        first = ADD + place * ADD_WAYS
        if mask[first + TAKE_JOKER] != 0 and joker_is_of_use(hand, melds, first + TAKE_JOKER, hurry):
            return first + TAKE_JOKER
        for way in range(TAKE_JOKER):
            joker = joker_way(melds[place], way)
            if mask[first + way] != 0 and hurry and (not joker or fewest <= _NEAR_OUT or fitting >= size - 2):
                return first + way
    return -1


@kernel
def joker_way(meld, way):
    """Whether that way of adding lays a joker."""
    return way == 2 or way == 3 if meld & 3 == 1 else way == 4


@kernel
def joker_is_of_use(hand, melds, action, hurry):
    """Whether a joker, once taken, makes a new meld; or a player in a hurry can add it again."""
    trial, table = hand.copy(), melds.copy()
    apply_move(action, _ME, trial, table)
    size = hand_size(trial)
    return cards_left(trial) < size or (hurry and size <= 3)


@kernel
def worst_card(view, mask, style, hand):
    """The card to throw: dear, far from any meld, of no use to others."""
    space = new_space()
    opened, fewest = view[_OPENED] != 0, fewest_cards(view)
    trial = hand.copy()
    full = best_melds(hand, hand_size(hand) - 1, space)
    worst, worst_value = JOKER, -1e9
    for card in range(JOKER):
        if mask[THROW + card] == 0:
            continue
        copy(hand, trial)
        remove_card(trial, card)
        points = points_at((bit_of(card) >> 2) + 1)
        lost = full - best_melds(trial, hand_size(trial), space)
        value = -3.0 * max(lost, 0) - 4.0 * closeness(view, trial, card)
        value += style[DEARNESS] * points * (1.0 if opened else 0.3)
        if view[_FITS + card] != 0:
            value -= style[CAUTION] * (8.0 if fewest < HELD else 3.0)
            value -= 6.0 if opened and fewest > _NEAR_OUT else 0.0
        if value > worst_value:
            worst, worst_value = card, value
    return worst


@kernel
def closeness(view, hand, card):
    """How close a card is to a meld: the unseen copies of the cards that complete one with another of the hand."""
    suit, position = bit_of(card) & 3, (bit_of(card) >> 2) + 1
    total = 0.0
    for other in range(4):
        if other != suit and count_of(hand, card_at(position, other)) > 0:
            for third in range(4):
                if third != suit and third != other:
                    total += 0.5 * unseen(view, hand, card_at(position, third))
    for side in range(2 if position == 1 else 1):
        at = position if side == 0 else POSITIONS
        for low in range(max(at - 2, 1), min(at, POSITIONS - 2) + 1):
            held, missing = 0, -1
            for place in range(low, low + 3):
                if place != at:
                    if count_of(hand, card_at(place, suit)) > 0:
                        held += 1
                    else:
                        missing = card_at(place, suit)
            if held == 1:
                total += unseen(view, hand, missing)
    return total


@kernel
def unseen(view, hand, card):
    """Copies of a card that are neither in the own hand nor in the fire."""
    return max(2 - count_of(hand, card) - view[_FIRE + card], 0)
