"""The tournament around the hands: stars, readout, who plays a seat, payout (CD-1, CD-7 to CD-14)."""

import numpy as np

from tinhorn.core.kernel import kernel
from tinhorn.games.cowboy_draw.actions import LEAVE, PASS, REBUY
from tinhorn.games.cowboy_draw.state import (
    ANTE,
    BUY_IN,
    CHIPS,
    HANDS,
    MOST_CLOCK_FOLDS,
    OVER,
    READOUT,
    READOUT_ALL,
    STACK,
    STARS,
)
from tinhorn.poker.seats import clockwise, count_seats, next_seat


@kernel
def buy_in(state):
    """Everyone pays the buy-in from a fresh account (CD-1)."""
    state.gone_stars = 0
    state.tournament_pot = 0
    state.house_seat[:] = 0
    state.streak[:] = 0
    state.rebuys[:] = 0
    state.payouts[:] = 0
    state.paid[:] = 0
    state.pending[:] = 0
    for seat in range(state.stars.shape[0]):
        there = seat < state.num_seats
        state.entitled[seat] = there
        state.out[seat] = not there
        state.stars[seat] = state.account if there else 0
        state.stacks[seat] = 0
        if there:
            pay_for_stack(state, np.int64(seat))


@kernel
def pay_for_stack(state, seat):
    """100 stars go into the pot, 1,000 chips to the seat (CD-1, CD-7)."""
    pay_stars(state, seat)
    state.stacks[seat] = STACK


@kernel
def pay_stars(state, seat):
    state.stars[seat] -= BUY_IN
    state.paid[seat] += BUY_IN
    state.tournament_pot += BUY_IN


@kernel
def may_rebuy(state, seat):
    """At 0 chips, while the account has the stars; house bots never (CD-7)."""
    return state.house_seat[seat] == 0 and state.stacks[seat] == 0 and state.stars[seat] >= BUY_IN


@kernel
def begin_readout(state):
    """Ask seats one after another from the button's left: all persons, or only those who may rebuy (CD-7).

    Leaves ``actor`` at -1 when there is nobody to ask.
    """
    state.phase = READOUT
    for seat in range(np.int64(state.num_seats)):
        asked = state.house_seat[seat] == 0 if state.readout == READOUT_ALL else may_rebuy(state, seat)
        state.pending[seat] = asked
    state.actor = next_seat(state.pending, state.button, state.num_seats)


@kernel
def legal_readout(state, mask):
    """Pass, rebuy, leave, for the seat to act (CD-7, CD-8)."""
    seat = np.int64(state.actor)
    mask[PASS] = 1
    mask[REBUY] = may_rebuy(state, seat)
    mask[LEAVE] = state.readout == READOUT_ALL and count_seats(state.entitled, state.num_seats) > 1


@kernel
def answer_readout(state, action):
    """Apply a decision in the readout; the next seat is asked, or ``actor`` is -1."""
    seat = np.int64(state.actor)
    state.pending[seat] = 0
    if action == REBUY:
        pay_for_stack(state, seat)
        state.rebuys[seat] += 1
    elif action == LEAVE:
        give_to_house(state, seat)
    state.actor = next_seat(state.pending, seat, state.num_seats)


@kernel
def give_to_house(state, seat):
    """From now on the house bot plays the seat, and there is no payout for it (CD-8, CD-14)."""
    state.house_seat[seat] = 1
    state.entitled[seat] = 0
    state.streak[seat] = 0
    state.pending[seat] = 0
    state.out[seat] = 1


@kernel
def release_seats(state):
    """At the deal: seats folded by the clock in three hands in a row go to the house (CD-14).

    The last entitled seat stays, as it cannot leave either (CD-8).
    """
    for step in range(1, state.num_seats + 1):
        seat = np.int64(clockwise(state.button, step, state.num_seats))
        if state.streak[seat] >= MOST_CLOCK_FOLDS and count_seats(state.entitled, state.num_seats) > 1:
            give_to_house(state, seat)


@kernel
def seats_with_chips(state):
    count = 0
    for seat in range(state.num_seats):
        count += state.stacks[seat] > 0
    return count


@kernel
def is_over(state):
    """After hand 6, or when after a readout just one seat has chips (CD-1, CD-10)."""
    return state.hands_played >= HANDS or seats_with_chips(state) == 1


@kernel
def end_tournament(state):
    """Pay the pot out and end the episode (CD-10 to CD-12)."""
    share_pot(state.stacks, state.entitled, state.tournament_pot, state.button, state.num_seats, state.payouts)
    for seat in range(state.num_seats):
        state.stars[seat] += state.payouts[seat]
        if state.reward == STARS:
            state.rewards[seat] += (state.payouts[seat] - state.paid[seat]) / BUY_IN
    state.tournament_pot = 0
    state.phase = OVER
    state.finished = 1
    state.actor = -1
    state.out[:] = 1


@kernel
def share_pot(stacks, entitled, pot, button, num_seats, payouts):
    """Write each seat's stars into ``payouts`` (int32[6]): 75% to the first, 25% to the second (CD-8, CD-10 to CD-12).

    The ranking is among the entitled seats. The only one of them with chips takes all; if none has chips they share.
    """
    payouts[:] = 0
    first = np.zeros(payouts.shape[0], np.uint8)
    second = np.zeros(payouts.shape[0], np.uint8)
    most = mark_best(stacks, entitled, num_seats, np.int64(1 << 40), first)
    next_most = mark_best(stacks, entitled, num_seats, most, second)
    if most == 0 or next_most <= 0 or count_seats(first, num_seats) > 1:
        share_stars(payouts, first, np.int64(pot), button, num_seats)
    else:
        share_stars(payouts, first, pot - pot // 4, button, num_seats)
        share_stars(payouts, second, pot // 4, button, num_seats)


@kernel
def mark_best(stacks, entitled, num_seats, below, best):
    """Flag the entitled seats with the most chips under ``below``; returns how many chips that is, -1 for no seat."""
    most = np.int64(-1)
    for seat in range(num_seats):
        if entitled[seat] != 0 and stacks[seat] < below:
            most = max(most, np.int64(stacks[seat]))
    for seat in range(num_seats):
        best[seat] = entitled[seat] != 0 and stacks[seat] == most
    return most


@kernel
def share_stars(payouts, winners, stars, button, num_seats):
    """Whole stars, equally; a remainder one each from the button's left (CD-12)."""
    share, odd = stars // count_seats(winners, num_seats), stars % count_seats(winners, num_seats)
    for step in range(1, num_seats + 1):
        seat = clockwise(button, step, num_seats)
        if winners[seat] != 0:
            payouts[seat] += share + (1 if odd > 0 else 0)
            odd -= 1


@kernel
def pay_chips(state):
    """The reward ``chips``: what each won or lost in this hand, in antes."""
    if state.reward == CHIPS:
        for seat in range(state.num_seats):
            state.rewards[seat] += (state.stacks[seat] - state.hand_stacks[seat]) / ANTE


@kernel
def take_seat(state, seat):
    """A person joins: a fresh account pays 100 stars for the seat and its chips, 1,000 if it has none (CD-9)."""
    state.gone_stars += state.stars[seat]
    state.stars[seat] = state.account
    pay_stars(state, seat)
    if state.stacks[seat] == 0:
        state.stacks[seat] = STACK
    state.house_seat[seat] = 0
    state.entitled[seat] = 1
    state.streak[seat] = 0
    state.out[seat] = 0
