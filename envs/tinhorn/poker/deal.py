"""The deal of five cards, in all poker games."""

import numpy as np

from tinhorn.core.bits import bits_set
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, row
from tinhorn.poker.exchange import HAND
from tinhorn.poker.ranking import sort_hand
from tinhorn.poker.seats import next_among


@kernel
def deal_hands(state, before):
    """Five cards to everyone in the hand, one at a time, the first one in after seat ``before`` first (CH-1, FD-4).

    They come from the top of ``state.cards``; the hands are sorted, and everyone else's is empty.
    """
    left, seat = bits(row(state.in_hand)), np.int64(before)
    players = bits_set(left)
    state.hands[:, :] = -1
    for player in range(players):
        seat = next_among(left, seat, np.int64(state.num_seats))
        left &= ~(1 << seat)
        for place in range(HAND):
            state.hands[seat, place] = state.cards[player + players * place]
        sort_hand(state.hands[seat])
    state.next_card = HAND * players
