"""The exact mask: what the cards allow, less what would lead into a dead end (HA-21)."""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.cards import NO_CARD
from tinhorn.core.kernel import kernel
from tinhorn.games.hand.lookahead import can_open, can_place, finishable, may_open
from tinhorn.games.hand.melds import NOTHING, count_melds, joker_of, joker_price, owner_of
from tinhorn.games.hand.moves import (
    COUNT,
    DRAW_STOCK,
    LAY_RUN,
    PUT_BACK,
    TAKE_FIRE,
    THROW,
    apply_move,
    target_of,
    write_adds,
    write_lays,
    write_take,
    write_throws,
)
from tinhorn.games.hand.solver import mark_first_moves, new_space
from tinhorn.games.hand.state import DRAW, OPENING, PLAY
from tinhorn.games.hand.words import add_card, count_of, hand_size

ANYWHERE = np.bool_(False)  # where the card of the fire may go


@kernel
def offer_moves(state, mask):
    """Allow (``mask`` is zero before) what the cards allow; returns whether some of it may lead into a dead end."""
    if state.phase == DRAW:
        mask[DRAW_STOCK] = 1
        return state.fire_size > 0 and offer_fire(state, mask)
    seat = np.int64(state.actor)
    hand = state.hands[seat]
    size = hand_size(hand)
    opened = state.opened[seat] != 0
    free = state.fire_card < 0
    if free and state.staged == 0:
        write_throws(hand, mask)
    if not free and state.laid == 0:
        mask[PUT_BACK] = 1
    if free and not opened and state.staged == 0 and state.best[seat] < OPENING:
        return False
    if size >= 4:
        write_lays(hand, mask)
    if opened or state.staged > 0:
        for place in range(count_melds(state.melds)):
            meld = state.melds[place]
            if size >= 2 and (opened or owner_of(meld) == seat):
                write_adds(hand, meld, place, mask)
            if opened:
                write_take(hand, meld, place, mask)
    return not (free and opened)


@kernel
def offer_fire(state, mask):
    """Allow to take the fire unless its card is plainly of no use (HA-5); returns whether that is in doubt."""
    seat = np.int64(state.actor)
    card = np.int64(state.fire[state.fire_size - 1])
    hand = state.hands[seat].copy()
    add_card(hand, card)
    if state.opened[seat] == 0:
        mask[TAKE_FIRE] = may_open(hand)
        return mask[TAKE_FIRE] != 0
    melds = state.melds
    placed = can_place(seat, hand, melds, card, ANYWHERE)
    doubt = not placed and may_take_joker(hand, melds)  # it may make room for the card when it is taken
    mask[TAKE_FIRE] = placed or doubt
    return doubt


@kernel
def may_take_joker(hand, melds):
    """Whether the hand holds the price of a joker on the table, or one lies in a set that lacks two suits."""
    for place in range(count_melds(melds)):
        price = joker_price(melds[place])
        if joker_of(melds[place]) != 0 and (price == NOTHING or count_of(hand, price) > 0):
            return True
    return False


@kernel
def remove_dead_ends(state, mask):
    """Clear every move after which the turn cannot be finished. One way to finish proves all moves that begin it."""
    seat, card, laid_before = np.int64(state.actor), np.int64(state.fire_card), np.int64(state.staged)
    hand, melds = state.hands[seat].copy(), state.melds.copy()
    opened, own = state.opened[seat] != 0, state.opened_before == 0
    space = new_space()
    proven = np.zeros(COUNT, np.int8)
    trial, table = hand.copy(), melds.copy()
    num_melds = count_melds(melds)
    if state.phase == PLAY and card < 0 and can_open(seat, hand, melds, laid_before, space):
        mark_first_moves(space, melds, num_melds, proven)
    first, end = (LAY_RUN, THROW) if state.phase == PLAY else (TAKE_FIRE, TAKE_FIRE + 1)
    for action in range(first, end):
        if mask[action] == 0 or proven[action] != 0:
            continue
        copy(hand, trial)
        copy(melds, table)
        pending, points = card, np.int64(0)
        if action == TAKE_FIRE:  # it must be possible to use the card (HA-5)
            pending = np.int64(state.fire[state.fire_size - 1])
            add_card(trial, pending)
        else:
            points = apply_move(action, seat, trial, table)
        if card >= 0 and count_of(trial, card) < count_of(hand, card):
            place = target_of(action)
            if not own or place < 0 or owner_of(melds[place]) == seat:
                pending = np.int64(NO_CARD)
        staged = np.int64(0) if opened else laid_before + points
        now_open = opened or staged >= OPENING
        if finishable(seat, trial, table, staged, now_open, pending, own, space):
            mark_first_moves(space, melds, num_melds, proven)
        else:
            mask[action] = 0
