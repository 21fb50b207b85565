"""The flow of Hand: deal, draw, lay, throw, score; five deals. No kernel calls itself through another."""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.cards import JOKER, NO_CARD
from tinhorn.core.chance import draw_number, end_draw, shuffle_cards
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import derive
from tinhorn.games.hand.legality import offer_moves, remove_dead_ends
from tinhorn.games.hand.melds import owner_of, write_fits
from tinhorn.games.hand.moves import (
    COUNT,
    DRAW_STOCK,
    PUT_BACK,
    TAKE_FIRE,
    THROW,
    apply_move,
    target_of,
)
from tinhorn.games.hand.scoring import close_match, end_match, score_deal
from tinhorn.games.hand.solver import JOKER as ITEM_JOKER
from tinhorn.games.hand.solver import WORD, best_melds, new_space
from tinhorn.games.hand.state import CARDS, DEALS, DEALT, DRAW, OPENING, PLAY
from tinhorn.games.hand.throwing import card_to_throw
from tinhorn.games.hand.words import (
    JOKERS,
    ONE,
    add_card,
    add_word,
    count_of,
    given_away,
    hand_points,
    hand_size,
    meldable,
    remove_card,
    remove_word,
)

NO_SEAT = -1
_DEALS_AGAIN = 8  # random streams of a deal dealt again lie so far apart


@kernel
def new(state, seed):
    """Start a match; the first player is drawn at random (HA-3)."""
    state.seed = seed
    state.last_out = NO_SEAT
    state.stream[0] = derive(seed, 0)
    state.starter = draw_number(state.first_player, state.stream, 0, 0, state.num_seats - 1)
    end_draw(state.first_player, 1)
    begin_deal(state)
    for seat in range(state.num_seats):
        appraise(state, np.int64(seat))


@kernel
def begin_deal(state):
    """Shuffle and deal; the starter, who has a card more, does not draw in its first turn (HA-1 to HA-3)."""
    state.stream[0] = derive(state.seed, 1 + state.deal + _DEALS_AGAIN * state.cancelled)
    for card in range(CARDS):
        state.stock_cards[card] = card // 2
    shuffle_cards(state.deck, state.stream, state.stock_cards, CARDS)
    state.next_card = 0
    state.stock_end = CARDS
    state.fire[:] = NO_CARD
    state.fire_size = 0
    state.fire_kinds[:] = 0
    state.table_kinds[:] = 0
    state.melds[:] = 0
    state.fits[:] = 0
    state.opened[:] = 0
    state.known_jokers[:] = 0
    state.took[:] = NO_CARD
    state.threw[:] = NO_CARD
    state.hands[:, :] = 0
    state.turns = 0
    for place in range(DEALT * state.num_seats + 1):
        add_card(state.hands[(state.starter + place) % state.num_seats], np.int64(top_of_stock(state)))
    begin_turn(state, state.starter, PLAY)


@kernel
def begin_turn(state, seat, phase):
    """Nothing laid, nothing taken."""
    state.actor = seat
    state.phase = phase
    state.opened_before = state.opened[seat]
    state.staged = 0
    state.laid = 0
    state.elsewhere = 0
    state.fire_card = NO_CARD


@kernel
def top_of_stock(state):
    """Take the top card of the stock."""
    card = state.stock_cards[state.next_card]
    state.next_card += 1
    return card


@kernel
def appraise(state, seat):
    """The best melds of a hand, what they are worth and what they leave; one card is kept in the seat's own turn."""
    hand = state.hands[seat]
    limit = hand_size(hand) - (1 if state.phase == PLAY and seat == state.actor else 0)
    best = np.int64(0)
    if hand[JOKERS] != 0 or meldable(hand[ONE]) != 0:
        space = new_space()
        best = best_melds(hand, limit, space)
        hand = hand.copy()
        for k in range(1, space.chosen[0] + 1):
            item = space.items[space.chosen[k]]
            remove_word(hand, item[WORD])
            hand[JOKERS] -= item[ITEM_JOKER]
    state.best[seat], state.deadwood[seat], state.loose[seat] = best, hand_points(hand), hand[ONE]


@kernel
def legal(state, mask):
    """The exact mask: no move leads into a dead end, no legal turn is missing (HA-4 to HA-14, HA-21)."""
    mask[:] = 0
    if state.finished == 0 and offer_moves(state, mask):
        remove_dead_ends(state, mask)


@kernel
def step(state, action):
    """Apply a legal decision and run on to the next one or to the end."""
    state.ply += 1
    seat, deals = np.int64(state.actor), False
    if action == DRAW_STOCK:
        draw(state)
    elif action == TAKE_FIRE:
        take_fire(state)
    elif action == PUT_BACK:
        put_back(state)
    elif action < THROW:
        lay_down(state, action)
    else:
        deals = throw(state, action - THROW)
    first, end = seat, seat + 1
    if deals:
        begin_deal(state)
        first, end = np.int64(0), np.int64(state.num_seats)
    for other in range(first, end):
        appraise(state, other)


@kernel
def draw(state):
    """The top card of the stock (HA-4)."""
    add_card(state.hands[state.actor], np.int64(top_of_stock(state)))
    state.phase = PLAY


@kernel
def take_fire(state):
    """The top card of the fire, which must be melded or put back (HA-5)."""
    state.fire_size -= 1
    card = np.int64(state.fire[state.fire_size])
    state.fire[state.fire_size] = NO_CARD
    remove_card(state.fire_kinds, card)
    add_card(state.hands[state.actor], card)
    state.fire_card = card
    state.phase = PLAY


@kernel
def put_back(state):
    """Return the card of the fire, and draw from the stock (HA-5)."""
    remove_card(state.hands[state.actor], np.int64(state.fire_card))
    push_fire(state, state.fire_card)
    state.fire_card = NO_CARD
    draw(state)


@kernel
def push_fire(state, card):
    """A card on top of the fire."""
    state.fire[state.fire_size] = card
    state.fire_size += 1
    add_card(state.fire_kinds, np.int64(card))


@kernel
def lay_down(state, action):
    """Lay a meld, add a card or take a joker (HA-6, HA-11 to HA-14)."""
    seat, pending = np.int64(state.actor), np.int64(state.fire_card)
    hand, melds = state.hands[seat].copy(), state.melds.copy()
    place = target_of(action)
    own = place < 0 or owner_of(melds[place]) == seat
    jokers = hand[JOKERS]
    before = count_of(hand, pending) if pending >= 0 else np.int64(0)
    points = apply_move(np.int64(action), seat, hand, melds)
    add_word(state.table_kinds, given_away(state.hands[seat], hand))
    copy(hand, state.hands[seat])
    copy(melds, state.melds)
    state.laid += 1
    if not own:
        state.elsewhere = 1
    if pending >= 0 and count_of(hand, pending) < before and (own or state.opened_before):
        state.fire_card = NO_CARD
        state.took[seat] = pending
    if hand[JOKERS] > jokers:
        state.known_jokers[seat] += 1
    elif hand[JOKERS] < jokers:
        state.known_jokers[seat] = max(state.known_jokers[seat] - 1, 0)
    if state.opened[seat] == 0:
        state.staged += points
        if state.staged >= OPENING:
            state.opened[seat] = 1
            state.staged = 0
    write_fits(melds, state.fits)


@kernel
def throw(state, card):
    """A card onto the fire: the end of the turn, with the last card the end of the deal (HA-6, HA-16).

    Returns whether cards must be dealt now.
    """
    seat = state.actor
    hand = state.hands[seat]
    remove_card(hand, np.int64(card))
    push_fire(state, card)
    state.threw[seat] = card
    if card == JOKER:
        state.known_jokers[seat] = max(state.known_jokers[seat] - 1, 0)
    state.turns += 1
    if hand_size(hand) == 0:
        return end_deal(state)
    if state.turns >= state.max_turns:
        close_match(state)  # truncated (HA-22)
        return False
    return next_turn(state, (seat + 1) % state.num_seats)


@kernel
def next_turn(state, seat):
    """The next player draws; with the stock empty the fire is turned over, or the deal cancelled (HA-7).

    Returns whether it was cancelled.
    """
    if state.next_card == state.stock_end:
        if state.fire_size < 2:
            state.cancelled += 1
            return True
        turn_fire_over(state)
    begin_turn(state, seat, DRAW)
    return False


@kernel
def turn_fire_over(state):
    """The fire without its top card becomes the stock, shuffled (HA-7)."""
    count = state.fire_size - 1
    top = state.fire[count]
    for place in range(count):
        state.stock_cards[place] = state.fire[place]
    shuffle_cards(state.new_stock, state.stream, state.stock_cards, count)
    state.next_card = 0
    state.stock_end = count
    state.fire[:] = NO_CARD
    state.fire_kinds[:] = 0
    state.fire_size = 0
    push_fire(state, top)


@kernel
def end_deal(state):
    """Score; the next starter, or the end of the match (HA-3, HA-16 to HA-20). Returns whether another deal follows."""
    score_deal(state, state.actor)
    state.deal += 1
    if state.deal == DEALS:
        end_match(state)
        return False
    state.cancelled = 0
    state.starter = (state.starter + 1) % state.num_seats
    return True


@kernel
def timeout_action(state):
    """What the rules play when the clock runs out (HA-23): draw, put back, finish what must be finished, throw."""
    if state.phase == DRAW:
        return DRAW_STOCK
    if state.fire_card >= 0 and state.laid == 0:
        return PUT_BACK
    if state.fire_card < 0 and state.staged == 0:
        return THROW + card_to_throw(state.hands[state.actor].copy())
    mask = np.zeros(COUNT, np.int8)
    legal(state, mask)
    return mask.argmax()
