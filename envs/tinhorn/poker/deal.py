"""The deal of five cards, in all poker games."""

import numpy as np

from tinhorn.core.bits import bits_set, lowest_bit
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, row
from tinhorn.poker.exchange import HAND
from tinhorn.poker.ranking import sort_hand
from tinhorn.poker.seats import clockwise


@kernel
def deal_hands(state, first):
    """Five cards to everyone in the hand, one at a time, seat ``first`` or the next one still in first (CH-1, FD-4).

    They come from the top of ``state.cards``; the hands are sorted, and everyone else's is empty.
    """
    seats, first = np.int64(state.num_seats), np.int64(first)
    left = bits(row(state.in_hand))
    players = bits_set(left)
    left = ((left | (left << seats)) >> first) & ((1 << seats) - 1)  # clockwise from the first seat
    state.hands[:, :] = -1
    for player in range(players):
        seat = clockwise(first, lowest_bit(left), seats)
        left &= left - 1
        for place in range(HAND):
            state.hands[seat, place] = state.cards[player + players * place]
        sort_hand(state.hands[seat])
    state.next_card = HAND * players
