"""What the solver sees in a hand, in words: for a person who asks for a hint."""

from typing import Any

import numpy as np

from tinhorn.core.cards import JOKER, card_text
from tinhorn.games.hand.actions import add_card_of, meld_text
from tinhorn.games.hand.melds import count_melds
from tinhorn.games.hand.moves import ADD, ADD_WAYS, COUNT, TAKE_JOKER, write_adds, write_take
from tinhorn.games.hand.solver import JOKER as ITEM_JOKER
from tinhorn.games.hand.solver import MELD, PLACE, WORD, best_choice, collect_items, new_space
from tinhorn.games.hand.state import OPENING, PLAY
from tinhorn.games.hand.text import hand_cards
from tinhorn.games.hand.words import JOKERS, bit_of, hand_points, hand_size, remove_word

_NOBODY, _NO_ITEM, _NO_LIMIT = -1, -1, 10_000


def advice(state: Any, seat: int) -> str:
    """The best melds of a seat's hand, what they count and what they leave; what else fits the table."""
    hand, melds = state["hands"][seat].copy(), state["melds"].copy()
    acts, opened = int(state["actor"]) == seat, bool(state["opened"][seat])
    staged = int(state["staged"]) if acts else 0
    limit = int(hand_size(hand)) - (1 if acts and state["phase"] == PLAY else 0)  # a card to throw
    space = new_space()
    collect_items(hand, melds, seat if opened or staged else _NOBODY, limit, space)
    total = int(best_choice(hand, space, limit, 0, _NO_LIMIT, _NO_ITEM))
    best = [space.items[k] for k in space.chosen[1 : space.chosen[0] + 1]]
    lines = [
        f"best melds: {', '.join(map(_item_text, best)) or 'none'}: {total} points{_opening(opened, staged, total)}"
    ]
    left = hand.copy()
    for item in best:
        remove_word(left, item[WORD])
        left[JOKERS] -= item[ITEM_JOKER]
    lines.append(f"left over: {_cards(hand_cards(left))}, {int(hand_points(left))} points")
    if opened:
        lines.append(f"fits the table: {', '.join(_fitting(hand, melds)) or 'nothing'}")
    return "\n".join(lines)


def _opening(opened: bool, staged: int, total: int) -> str:
    if opened:
        return ""
    laid = f" with {staged} on the table" if staged else ""
    short = OPENING - staged - total
    return f"{laid}, enough to open" if short <= 0 else f"{laid}, {short} short of an opening"


def _item_text(item: Any) -> str:
    """A new meld, or the cards for a meld that lies there."""
    if item[PLACE] < 0:
        return meld_text(int(item[MELD]))
    cards = [card for card in range(JOKER) if int(item[WORD]) >> int(bit_of(card)) & 1]
    return f"{_cards(cards + [JOKER] * int(item[ITEM_JOKER]))} to meld {item[PLACE]}"


def _cards(cards: list[int]) -> str:
    return " ".join(map(card_text, cards)) or "nothing"


def _fitting(hand: Any, melds: Any) -> list[str]:
    """The cards of a hand that can be added to a meld, or take its joker."""
    found = []
    for place in range(int(count_melds(melds))):
        mask = np.zeros(COUNT, np.int8)
        write_adds(hand, melds[place], place, mask)
        write_take(hand, melds[place], place, mask)
        first = ADD + place * ADD_WAYS
        for way in range(ADD_WAYS):
            if mask[first + way]:
                what = "for the joker of" if way == TAKE_JOKER else "to"
                found.append(f"{card_text(add_card_of(int(melds[place]), way))} {what} meld {place}")
    return list(dict.fromkeys(found))
