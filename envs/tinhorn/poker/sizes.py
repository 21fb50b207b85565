"""The bet sizes of the action table as an option: shares of the pot after calling (FD-18)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tinhorn.core.options import OptionError
from tinhorn.poker.betting import MOST_SIZES

DEFAULT_SIZES = ("1/3", "1/2", "3/4", "1", "2")
SIZES_OPTION = {
    "help": "Bets that the action table offers: up to five shares of the pot after calling, like '1/2' or '2'.",
    "range": "rising shares of the pot",
}
_MOST = 100  # pots, and the greatest denominator


def check_sizes(sizes: Any) -> tuple[str, ...]:
    """The sizes as a tuple of texts. Raises OptionError."""
    most = MOST_SIZES - 1  # the first size of the table is the smallest legal bet
    if isinstance(sizes, str) or not isinstance(sizes, Sequence) or len(sizes) > most:
        raise OptionError(f"bet_sizes={sizes!r}: a list of up to {most} fractions of the pot, like ['1/2', '1', '2']")
    texts = tuple(str(size) for size in sizes)
    shares = [_share(text) for text in texts]
    if shares != sorted(set(shares)):
        raise OptionError(f"bet_sizes={sizes!r}: write each size once, the smallest first")
    for text, share in zip(texts, shares, strict=True):
        if not 0 < share <= _MOST or share.denominator > _MOST:
            raise OptionError(f"bet size {text!r}: a fraction of the pot above 0 and up to {_MOST}, like '1/2' or '2'")
    return texts


def write_sizes(sizes: Sequence[str], state: Any) -> None:
    """Write checked sizes into a state record."""
    state["size_shares"] = 0
    state["size_shares"][1 : 1 + len(sizes)] = [float(_share(text)) for text in sizes]


def _share(text: str) -> Fraction:
    try:
        return Fraction(text).limit_denominator(1_000_000)
    except (ValueError, ZeroDivisionError):
        raise OptionError(f"bet size {text!r}: write a fraction of the pot, like '1/2' or '2'") from None
