"""The house bot of Hand (placeholder until the engine stands)."""

from tinhorn.core.kernel import kernel
from tinhorn.core.rng import choose

STYLES = {"house": (0.0,)}


@kernel
def house(view, mask, style, stream):
    return choose(stream, mask)
