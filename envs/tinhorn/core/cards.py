"""Card codes and their text.

A card is an integer: ``4 * rank + suit`` with ranks 2..A as 0..12 and suits c d h s as 0..3, so the
canonical deck reads 2c 2d 2h 2s 3c ... As. ``JOKER`` is 52, ``NO_CARD`` is -1.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = 52
NO_CARD = -1
CARD_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS) + ("Jo",)
ORDERS = {
    "grouped": "most frequent rank first, then from the highest rank, suits s h d c",
    "rising": "from the lowest rank, suits c d h s, jokers last",
}
"""In what order a hand of cards may have to be written; places without a card come last."""
_CODES = {text: code for code, text in enumerate(CARD_TEXTS)}


def card_text(code: int) -> str:
    """The two letters of a card code, ``"Td"`` or ``"Jo"``; ``"--"`` for no card."""
    return CARD_TEXTS[code] if code >= 0 else "--"


def parse_card(text: str) -> int:
    """The code of a card's text. Raises ValueError that says what a card looks like."""
    try:
        return _CODES[text]
    except (KeyError, TypeError):
        raise ValueError(f"{text!r} is no card: write rank and suit like 'Td', 'As', or 'Jo'{_meant(text)}") from None


def _meant(text: object) -> str:
    """The card that somebody may have meant: ``"td"``, ``"10d"``."""
    if not isinstance(text, str):
        return ""
    tidy = text.strip().replace("10", "T")
    tidy = tidy[:1].upper() + tidy[1:].lower()
    return f"; did you mean {tidy!r}?" if tidy in _CODES else ""


def cards_text(codes: Iterable[int]) -> list[str]:
    """The texts of all cards in ``codes``; places without a card are left out."""
    return [card_text(int(code)) for code in codes if code >= 0]


def in_order(codes: Sequence[int], order: str) -> list[int]:
    """Card codes, `NO_CARD` among them, in one of `ORDERS`."""
    often = Counter(code // 4 for code in codes)
    keys: dict[str, Callable[[int], tuple[int, ...]]] = {
        "grouped": lambda code: (-often[code // 4], -code),
        "rising": lambda code: (code,),
    }
    return sorted(codes, key=lambda code: (code < 0, *keys[order](code)))


def parse_cards(text: str | Iterable[str]) -> list[int]:
    """Codes of cards written as a list of texts or as one text, ``"Ac Kd"``. Raises ValueError."""
    if not isinstance(text, Iterable):
        raise ValueError(f"{text!r} is no list of cards: write them like ['Td', 'As']")
    return [parse_card(part) for part in (text.split() if isinstance(text, str) else text)]
