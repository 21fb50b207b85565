"""Another deal that looks the same to one seat."""

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import next_bits
from tinhorn.poker.advice import places_to_throw
from tinhorn.poker.house import exchange_action
from tinhorn.poker.redeal import redeal_cards


@kernel
def redeal(state, seat, stream):
    """Replace everything hidden from ``seat``: covered hands, others' discards, the deck, luck to come.

    Choices that others have made in the draw are hidden too (CD-5): they become what the book throws from the new
    hands.
    """
    redeal_cards(state, seat, stream)
    state.house_stream[0] = next_bits(stream)
    for other in range(state.num_seats):
        if other != seat and state.choices[other] >= 0 and state.drawn[other] < 0:
            state.choices[other] = exchange_action(places_to_throw(state.hands[other]))
