"""Another deal that looks the same to one seat."""

from tinhorn.core.kernel import kernel
from tinhorn.poker.redeal import redeal_cards


@kernel
def redeal(state, seat, stream):
    """Replace everything hidden from ``seat``: covered hands, others' discards, the deck, luck to come."""
    redeal_cards(state, seat, stream)
