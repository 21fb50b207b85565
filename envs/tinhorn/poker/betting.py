"""One no-limit betting round with antes (FD-2, FD-5 to FD-11, FD-18), on a state that holds `BETTING_FIELDS`.

Amounts are whole chips. A bet is always named by its total: what the seat will have put in during this round.
Seats and counters handed to another kernel are int64 (``np.int64(0)``): Numba compiles a callee once more for every
other integer type, a literal 0 included.
"""

import numpy as np

from tinhorn.core.bits import bits_set, lowest_bit
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, largest, row, total, where
from tinhorn.poker.seats import next_among

ROUNDS = 2  # betting rounds in a hand
MOST_CHIPS = 1_000_000  # in one stack
MOST_SIZES = 6  # bets in the action table: the smallest one and up to five shares of the pot
MOST_COUNTED = 9  # raises of one seat in one round, in what players see

# Places in the block of betting actions.
CHECK, FOLD, CALL, BET = range(4)
ALL_IN = BET + MOST_SIZES
BETTING_ACTIONS = ALL_IN + 1

CHECKED, CALLED, RAISED, FOLDED = range(4)
MOVES = ("check", "call", "raise", "fold")

_SEATS = (MAX_SEATS,)
BETTING_FIELDS = (
    ("smallest_bet", "i4"),  # chips: the smallest opening bet, and the smallest first raise
    ("fold_for_free", "u1"),  # fold is offered when there is nothing to call, too
    ("size_shares", "f8", (MOST_SIZES,)),  # shares of the pot, rising from place 1 on; 0 for no size
    ("stacks", "i4", _SEATS),  # chips behind
    ("put_in", "i4", _SEATS),  # chips in this hand, ante included
    ("bets", "i4", _SEATS),  # chips in this round
    ("in_hand", "u1", _SEATS),  # dealt in and not folded
    ("highest_bet", "i4"),  # chips, in this round
    ("full_raise", "i4"),  # chips: the size of the last full bet or raise of this round
    ("answered", "i4", _SEATS),  # the highest bet when this seat last acted in this round, -1 if it has not
    ("betting_round", "i1"),  # 0 or 1
    ("opener", "i1", (ROUNDS,)),  # who bet first in each round, -1 for nobody
    ("last_raiser", "i1", (ROUNDS,)),  # who bet or raised last in each round, -1 for nobody
    ("raises", "i1", (ROUNDS, MAX_SEATS)),  # bets and raises, counted up to MOST_COUNTED
    ("moves", "i1", (ROUNDS, MAX_SEATS)),  # the last move, CHECKED .. FOLDED, -1 for none
)


@kernel
def post_antes(state, ante):
    """A new hand: every seat with chips is in and posts the ante, or what it has left (FD-1, FD-2)."""
    state.bets[:] = 0
    state.opener[:] = -1
    state.last_raiser[:] = -1
    state.raises[:, :] = 0
    state.moves[:, :] = -1
    for seat in range(MAX_SEATS):
        state.in_hand[seat] = state.stacks[seat] > 0
        state.put_in[seat] = min(state.stacks[seat], ante)
        state.stacks[seat] -= state.put_in[seat]


@kernel
def begin_betting(state, betting_round):
    """Start a round; returns the first seat to act from the button's left, -1 if there is no betting (FD-3, FD-11)."""
    state.betting_round = betting_round
    state.bets[:] = 0
    state.highest_bet = 0
    state.full_raise = state.smallest_bet
    state.answered[:] = -1
    with_chips = bits(row(state.in_hand) & (row(state.stacks) > 0))
    return next_to_act(state, np.int64(state.button)) if bits_set(with_chips) > 1 else np.int64(-1)


@kernel(inline=True)
def asked(in_hand, stacks, bets, answered, highest_bet):
    """1 for each seat that still has to decide in this round (FD-9), of lanes in any order."""
    return in_hand & (stacks > 0) & ((bets < highest_bet) | (answered < 0))


@kernel
def still_asked(state):
    """The seats that still have to decide in this round, as bits (FD-9)."""
    in_hand, stacks, bets = row(state.in_hand), row(state.stacks), row(state.bets)
    return bits(asked(in_hand, stacks, bets, row(state.answered), state.highest_bet))


@kernel
def must_act(state, seat):
    """Whether this seat still has to decide in this round (FD-9)."""
    return still_asked(state) & (1 << seat) != 0


@kernel
def next_to_act(state, seat):
    """The first seat clockwise after ``seat`` that still has to decide; -1 if the round is over (FD-9, FD-10)."""
    if bits_set(bits(row(state.in_hand))) < 2:
        return np.int64(-1)
    return next_among(still_asked(state), seat, np.int64(state.num_seats))


@kernel
def to_call(state, seat):
    """Chips that a call costs: what is missing to the highest bet, or the whole stack if that is less (FD-7)."""
    return min(state.highest_bet - state.bets[seat], state.stacks[seat])


@kernel
def pot_size(state):
    """All chips put in during this hand, the bets of this round included."""
    return total(row(state.put_in))


@kernel
def may_raise(state, seat):
    """Whether betting or raising is open to this seat (FD-7, FD-8)."""
    if state.bets[seat] + state.stacks[seat] <= state.highest_bet:
        return False
    answered = state.answered[seat]
    if answered >= 0 and state.highest_bet - answered < state.full_raise:
        return False
    richer = bits(row(state.in_hand) & (row(state.bets) + row(state.stacks) > state.highest_bet))
    return richer & ~(1 << seat) != 0


@kernel
def largest_bet(state, seat):
    """The total of this round with the whole stack in (FD-6)."""
    return state.bets[seat] + state.stacks[seat]


@kernel
def smallest_raise(state, seat):
    """The smallest legal bet or raise, a total; all-in if that is less (FD-6 to FD-8). Only where `may_raise`."""
    return min(state.highest_bet + state.full_raise, largest_bet(state, seat))


@kernel
def bet_limits(state, seat):
    """The smallest and the largest legal bet or raise of a seat that is to act, totals; 0 and 0 if there is none."""
    if not may_raise(state, seat):
        return np.int64(0), np.int64(0)
    return np.int64(smallest_raise(state, seat)), np.int64(largest_bet(state, seat))


@kernel
def share_of(pot, share):
    """``floor(share x pot)``, exact for fractions with denominators of up to 100."""
    return np.int64(pot * share + 0.005)


@kernel
def size_amount(state, seat, size):
    """The total of bet size ``size``: 0 is the smallest legal one, the others are shares of the pot (FD-18)."""
    if size == 0:
        return np.int64(smallest_raise(state, seat))
    return state.highest_bet + share_of(pot_size(state) + to_call(state, seat), state.size_shares[size])


@kernel(inline=True)
def legal_bets(state, mask, first):
    """Write the betting actions of the seat to act into ``mask[first : first + BETTING_ACTIONS]`` (FD-5, FD-18)."""
    seat = np.int64(state.actor)
    call = to_call(state, seat)
    mask[first + CHECK] = call == 0
    mask[first + FOLD] = call > 0 or state.fold_for_free != 0
    mask[first + CALL] = call > 0
    smallest, largest = bet_limits(state, seat)
    mask[first + BET] = smallest < largest
    mask[first + ALL_IN] = largest > 0
    pot, highest, before = pot_size(state) + call, np.int64(state.highest_bet), np.int64(0)
    for size in range(1, MOST_SIZES):
        amount = highest + share_of(pot, state.size_shares[size])
        mask[first + BET + size] = (amount > smallest) & (amount < largest) & (amount != before)
        before = amount


@kernel
def is_legal_bet(state, amount):
    """Whether the seat to act may make its total of this round ``amount``, by betting, raising or going all-in."""
    seat = np.int64(state.actor)
    return may_raise(state, seat) and smallest_raise(state, seat) <= amount <= largest_bet(state, seat)


@kernel(inline=True)
def bet(state, action, amount):
    """Apply a betting action, CHECK .. ALL_IN, of the seat to act; ``amount`` >= 0 overrules it: bet to that total."""
    seat = np.int64(state.actor)
    if amount < 0 and action <= CALL:
        if action == FOLD:
            state.in_hand[seat] = 0
            state.moves[state.betting_round, seat] = FOLDED
        elif action == CALL:
            put_in(state, seat, to_call(state, seat))
            state.moves[state.betting_round, seat] = CALLED
        else:
            state.moves[state.betting_round, seat] = CHECKED
        state.answered[seat] = state.highest_bet
        return
    if amount < 0:
        amount = largest_bet(state, seat) if action == ALL_IN else size_amount(state, seat, action - BET)
    raise_to(state, seat, amount)


@kernel
def raise_to(state, seat, amount):
    """Bet or raise to a total. One of less than a full raise leaves the size of the next one as it was (FD-8)."""
    r = state.betting_round
    put_in(state, seat, amount - state.bets[seat])
    state.full_raise = max(state.full_raise, amount - state.highest_bet)
    state.highest_bet = amount
    state.answered[seat] = amount
    state.moves[r, seat] = RAISED
    state.raises[r, seat] = min(state.raises[r, seat] + 1, MOST_COUNTED)
    state.last_raiser[r] = seat
    if state.opener[r] < 0:
        state.opener[r] = seat


@kernel
def put_in(state, seat, chips):
    """Move chips from the stack into the pot."""
    state.stacks[seat] -= chips
    state.bets[seat] += chips
    state.put_in[seat] += chips


@kernel
def return_unmatched(state):
    """Give back what nobody could match, an unmatched part of an ante too (FD-15). Closes a betting round."""
    put_in = row(state.put_in)
    most = largest(put_in)
    alone = bits(put_in == most)
    seat = lowest_bit(alone)
    if bits_set(alone) == 1 and state.in_hand[seat] != 0:
        second = largest(where(put_in < most, put_in, 0))
        state.stacks[seat] += most - second
        state.put_in[seat] = second


@kernel
def clock_bet(state):
    """What the clock plays: check if that is free, else fold (FD-21, CD-13)."""
    return CHECK if to_call(state, np.int64(state.actor)) == 0 else FOLD
