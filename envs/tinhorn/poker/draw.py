"""The cards of a hand: deal, one draw, the muck reshuffled in the middle of it (FD-3, FD-4, FD-12, FD-13)."""

import numpy as np

from tinhorn.core.arrays import copy
from tinhorn.core.chance import Chance, draw_number, end_draw, shuffle_cards
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, row
from tinhorn.core.rng import derive
from tinhorn.poker.betting import post_antes, return_unmatched
from tinhorn.poker.deal import deal_hands
from tinhorn.poker.exchange import HAND
from tinhorn.poker.ranking import sort_hand
from tinhorn.poker.seats import first_seat, next_among

_SEATS = (MAX_SEATS,)

DRAW_CHANCES = (
    Chance("deck", 52, "cards", "The deck's order before the deal, from the top."),
    Chance("reshuffle", 52, "cards", "The muck's order when the deck has run out in the middle of the draw (FD-13)."),
    Chance("first_button", 1, "numbers", "The seat of the first button (FD-3)."),
)

DRAW_FIELDS = (
    ("button", "i1"),
    ("hands", "i1", (MAX_SEATS, HAND)),  # cards in grouped order, -1 when not dealt in
    ("cards", "i1", (52,)),  # the deck, from the top: places next_card .. deck_end - 1 are left
    ("next_card", "i1"),
    ("deck_end", "i1"),
    ("thrown", "i1", (MAX_SEATS, HAND)),  # discards, -1 for none
    ("drawn", "i1", _SEATS),  # cards drawn, -1 before
    ("reshuffled", "u1"),  # the deck is the reshuffled muck
    ("thrown_back", "u1", _SEATS),  # this seat's discards have been shuffled into the deck
)


@kernel
def draw_button(state):
    """The first button is drawn at random (FD-3)."""
    seat = draw_number(state.first_button, state.stream, 0, 0, state.num_seats - 1)
    end_draw(state.first_button, 1)
    state.button = first_seat(state.in_hand, seat, state.num_seats)


@kernel
def open_hand(state, shuffled, most_thrown):
    """Antes, a shuffled deck (or the order of the last shuffle), five cards each (FD-1 to FD-4); see `deal`."""
    if not shuffled:
        state.stream[0] = derive(state.seed, 1 + state.hands_played)
    copy(state.stacks, state.hand_stacks)
    post_antes(state, state.ante)
    deal(state, shuffled, most_thrown)


@kernel
def open_draw(state):
    """The first betting is over: its bets are closed, everyone still in draws, all-in players too (FD-12)."""
    return_unmatched(state)
    state.bets[:] = 0
    state.highest_bet = 0


@kernel
def deal(state, shuffled, most_thrown):
    """Five cards to everyone in the hand, one at a time from the button's left (FD-4).

    Without ``shuffled`` the deck is shuffled first, as far as exchanges of ``most_thrown`` cards can reach; with it the
    order of the last shuffle stands.
    """
    if shuffled:
        for place in range(52):
            state.cards[place] = state.deck.values[place]
    else:
        for card in range(52):
            state.cards[card] = card
        shuffle_cards(state.deck, state.stream, state.cards, 52, (HAND + most_thrown) * state.num_seats)
    state.deck_end = 52
    state.thrown[:, :] = -1
    state.drawn[:] = -1
    state.reshuffled = 0
    state.thrown_back[:] = 0
    deal_hands(state, state.button)


@kernel
def exchange(state, seat, places):
    """Throw the cards at the set bits of ``places``, then draw as many (FD-12, FD-13)."""
    count = 0
    for place in range(HAND):
        if places & (1 << place) != 0:
            state.thrown[seat, count] = state.hands[seat, place]
            count += 1
    state.drawn[seat] = count
    if count == 0:
        return
    for place in range(HAND):
        if places & (1 << place) != 0:
            if state.next_card == state.deck_end:
                reshuffle_muck(state)
            state.hands[seat, place] = state.cards[state.next_card]
            state.next_card += 1
    sort_hand(state.hands[seat])


@kernel
def reshuffle_muck(state):
    """All discards of this hand so far become the deck; folded hands stay out (FD-13)."""
    count = np.int64(0)
    for seat in range(state.num_seats):
        if state.thrown_back[seat] == 0:
            for place in range(max(state.drawn[seat], 0)):
                state.thrown_back[seat] = 1
                state.cards[count] = state.thrown[seat, place]
                count += 1
    shuffle_cards(state.reshuffle, state.stream, state.cards, count)
    state.next_card = 0
    state.deck_end = count
    state.reshuffled = 1


@kernel
def next_to_draw(state, choices, seat):
    """The first seat after ``seat`` that is in and whose choice (int[6]) is -1 yet; -1 if all have chosen (FD-12)."""
    return next_among(bits(row(state.in_hand) & (row(choices) < 0)), seat, np.int64(state.num_seats))
