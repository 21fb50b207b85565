"""The flow of Cold Hand: deal, two draws, two rounds of raising, reveal. One loop-free step per decision."""

from tinhorn.core.arrays import copy
from tinhorn.core.chance import draw_number, end_draw, shuffle_cards
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import derive
from tinhorn.games.cold_hand.actions import CALL, FOLD, RAISE
from tinhorn.games.cold_hand.options import WIN
from tinhorn.games.cold_hand.penalty import house_minimum, load_cylinders, reveal, settle
from tinhorn.games.cold_hand.state import BET_1, BET_2, DRAW_1, DRAW_2, HAND, MOST_EXCHANGED, MOST_STAKES, OVER
from tinhorn.poker.deal import deal_hands
from tinhorn.poker.exchange import EXCHANGES
from tinhorn.poker.ranking import sort_hand
from tinhorn.poker.seats import clockwise, count_seats, first_seat, next_seat


@kernel
def new(state, seed):
    """Start a game; the first opening seat is drawn at random (CH-16)."""
    state.seed = seed
    state.shown[:, :] = -1
    for seat in range(state.alive.shape[0]):
        state.alive[seat] = seat < state.num_seats
    state.stream[0] = derive(seed, 0)
    state.opening_seat = draw_number(state.opener, state.stream, 0, 0, state.num_seats - 1)
    end_draw(state.opener, 1)
    begin_hand(state)


@kernel
def begin_hand(state):
    """Fresh cylinders, a shuffled deck, five cards to every survivor (CH-1, CH-14)."""
    state.stream[0] = derive(state.seed, 1 + state.hands_completed)
    load_cylinders(state)
    for card in range(52):
        state.cards[card] = card
    shuffle_cards(state.deck, state.stream, state.cards, 52, (HAND + MOST_EXCHANGED) * state.num_seats)
    state.deck_end = 52
    state.discards[:, :, :] = -1
    state.exchanged[:, :] = -1
    state.num_raises = 0
    state.raise_round[:] = -1
    state.raise_seat[:] = -1
    state.folded[:] = 0
    copy(state.alive, state.in_hand)
    state.house_minimum = house_minimum(state.num_seats, state.hands_completed)
    state.stakes = state.house_minimum
    deal_hands(state, clockwise(state.opening_seat, state.num_seats - 1, state.num_seats))
    begin_round(state, DRAW_1)


@kernel
def take_card(state):
    """The top card of the deck."""
    card = state.cards[state.next_card]
    state.next_card += 1
    return card


@kernel
def begin_round(state, phase):
    """Everyone still in decides, the opening seat or the next one still in first (CH-3, CH-8)."""
    state.phase = phase
    copy(state.in_hand, state.pending)
    state.actor = first_seat(state.in_hand, state.opening_seat, state.num_seats)


@kernel
def legal(state, mask):
    """The exact mask: exchanges in a draw round; call, raise below four pulls, fold in a betting round (CH-3, CH-7)."""
    drawing = state.phase == DRAW_1 or state.phase == DRAW_2
    betting = state.phase == BET_1 or state.phase == BET_2
    mask[:CALL] = drawing
    mask[CALL] = betting
    mask[RAISE] = betting and state.stakes < MOST_STAKES
    mask[FOLD] = betting


@kernel
def timeout_action(state):
    """Keep the five cards; call (CH-18)."""
    return 0 if state.phase == DRAW_1 or state.phase == DRAW_2 else CALL


@kernel
def step(state, action):
    """Apply a legal decision and run on to the next one or to the end."""
    seat = state.actor
    state.ply += 1
    state.pending[seat] = 0
    if action < CALL:
        exchange(state, seat, EXCHANGES[action])
    elif action == RAISE:
        raise_stakes(state, seat)
    elif action == FOLD:
        state.in_hand[seat] = 0
        state.folded[seat] = 1
    if count_seats(state.in_hand, state.num_seats) == 1:
        end_hand(state)
        return
    state.actor = next_seat(state.pending, seat, state.num_seats)
    if state.actor < 0:
        end_round(state)


@kernel
def exchange(state, seat, places):
    """Throw the cards at the set bits of ``places`` and draw as many from the deck (CH-3 to CH-5)."""
    draw_round = 0 if state.phase == DRAW_1 else 1
    count = 0
    for place in range(HAND):
        if places & (1 << place) != 0:
            state.discards[seat, draw_round, count] = state.hands[seat, place]
            state.hands[seat, place] = take_card(state)
            count += 1
    state.exchanged[draw_round, seat] = count
    if count > 0:
        sort_hand(state.hands[seat])


@kernel
def raise_stakes(state, seat):
    """One pull more; everyone else still in decides again (CH-7, CH-8)."""
    state.stakes += 1
    state.raise_round[state.num_raises] = 0 if state.phase == BET_1 else 1
    state.raise_seat[state.num_raises] = seat
    state.num_raises += 1
    copy(state.in_hand, state.pending)
    state.pending[seat] = 0


@kernel
def end_round(state):
    """On to the next round, or to the reveal (CH-2)."""
    if state.phase == DRAW_1:
        begin_round(state, BET_1)
    elif state.phase == BET_1:
        shuffle_discards_back(state)
        begin_round(state, DRAW_2)
    elif state.phase == DRAW_2:
        begin_round(state, BET_2)
    else:
        end_hand(state)


@kernel
def shuffle_discards_back(state):
    """All cards thrown in the first draw return to the deck; folded hands stay out (CH-4)."""
    count = 0
    for place in range(state.next_card, state.deck_end):
        state.cards[count] = state.cards[place]
        count += 1
    for seat in range(state.num_seats):
        for place in range(state.exchanged[0, seat]):
            state.cards[count] = state.discards[seat, 0, place]
            count += 1
    shuffle_cards(state.second_deck, state.stream, state.cards, count, MOST_EXCHANGED * state.num_seats)
    state.next_card = 0
    state.deck_end = count


@kernel
def end_hand(state):
    """Reveal unless one is left alone, settle, and deal the next hand or end the game (CH-10 to CH-17)."""
    state.shown[:, :] = -1
    state.penalty[:] = 0
    state.pulled[:] = 0
    state.shot[:] = 0
    if count_seats(state.in_hand, state.num_seats) > 1:
        reveal(state)
    settle(state)
    state.hands_completed += 1
    if count_seats(state.alive, state.num_seats) == 1:
        end_game(state)
    else:
        state.opening_seat = next_seat(state.alive, state.opening_seat, state.num_seats)
        begin_hand(state)


@kernel
def end_game(state):
    """The last survivor wins (CH-17)."""
    winner = first_seat(state.alive, 0, state.num_seats)
    if state.reward == WIN:
        state.rewards[winner] += 1.0
    state.phase = OVER
    state.finished = 1
    state.actor = -1
    state.pending[:] = 0
    state.out[:] = 1
