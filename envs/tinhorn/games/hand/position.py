"""Hand-made positions: cards where a test, a puzzle or a frontend wants them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tinhorn.core.cards import JOKER, NO_CARD, card_text, parse_cards
from tinhorn.games.hand.melds import pack_run, pack_set, write_fits
from tinhorn.games.hand.rules import appraise, begin_turn
from tinhorn.games.hand.state import CARDS, DEALS, DEALT, DRAW, MELDS, PLAY
from tinhorn.games.hand.words import add_card

_KEYS = ("phase", "turn", "starter", "deal", "turns", "scores", "opened", "hands", "table", "fire", "stock", "rest_to")


def position(state: Any, given: Mapping[str, Any]) -> None:
    """A deal in the middle; every key may be left out. Cards that are not named go to the stock in any order.

    - ``phase``: ``"draw"`` (default) or ``"play"``; ``turn``: the seat to act (0); ``starter``: who began the deal.
    - ``deal``: 1 to 5; ``turns``: player turns so far in it; ``scores``: a total for each player, or for each team.
    - ``hands``: a list of cards for each seat, or None for 14 cards that do not matter.
    - ``table``: melds as ``{"owner": 0, "cards": ["5h", "Jo", "7h"]}``; ``opened``: 1 or 0 for each seat, by default
      whoever owns a meld.
    - ``fire``: its top card last; ``stock``: its top card first; ``rest_to``: ``"stock"`` or ``"fire"``, where cards
      that are not named go, under what lies there.

    Raises ValueError.
    """
    for name in given:
        if name not in _KEYS:
            raise ValueError(f"position {name!r} is unknown: give some of {', '.join(_KEYS)}")
    seats = int(state["num_seats"])
    table = [(int(meld["owner"]), parse_cards(meld["cards"])) for meld in given.get("table", [])]
    hands = [None if cards is None else parse_cards(cards) for cards in given.get("hands", [None] * seats)]
    fire, stock = parse_cards(given.get("fire", [])), parse_cards(given.get("stock", []))
    if len(hands) != seats or len(table) > MELDS or any(not 0 <= owner < seats for owner, _ in table):
        raise ValueError(f"a position needs {seats} hands, at most {MELDS} melds and owners below {seats}")
    if any(cards is not None and len(cards) > DEALT + 1 for cards in hands):
        raise ValueError(f"position hands: at most {DEALT + 1} cards in a hand")
    rest = _rest([cards for _, cards in table] + [cards for cards in hands if cards is not None] + [fire, stock])
    dealt = [[rest.pop() for _ in range(min(DEALT, len(rest)))] if cards is None else cards for cards in hands]
    to_fire = given.get("rest_to", "stock") == "fire"
    _put_piles(state, rest + fire if to_fire else fire, stock if to_fire else stock + rest)
    _put_melds(state, table)
    owners = [owner for owner, _ in table]
    for seat in range(seats):
        state["hands"][seat] = 0
        for card in dealt[seat]:
            add_card(state["hands"][seat], card)
        state["opened"][seat] = given["opened"][seat] if "opened" in given else seat in owners
    scores = given.get("scores", [0] * seats)
    if len(scores) not in (seats, 2):
        raise ValueError(f"position scores={scores!r}: a number for each player, or for each team")
    state["scores"][:seats] = [scores[seat % len(scores)] for seat in range(seats)]
    state["deal"] = _number(given, "deal", 1, 1, DEALS) - 1
    state["turns"] = _number(given, "turns", 0, 0, int(state["max_turns"]) - 1)
    turn = _number(given, "turn", 0, 0, seats - 1)
    state["starter"] = _number(given, "starter", turn, 0, seats - 1)
    begin_turn(state, turn, _phase(given))
    for seat in range(seats):
        appraise(state, seat)


def _number(given: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    value = given.get(name, default)
    if not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"position {name}={value!r}: a whole number of {low} to {high}")
    return value


def _phase(given: Mapping[str, Any]) -> int:
    phase = given.get("phase", "draw")
    if phase not in ("draw", "play"):
        raise ValueError(f"position phase={phase!r}: 'draw' or 'play'")
    return DRAW if phase == "draw" else PLAY


def _rest(named: Sequence[Sequence[int]]) -> list[int]:
    """The cards that lie nowhere yet, jokers first to be dealt last."""
    rest = [card // 2 for card in reversed(range(CARDS))]
    for card in (card for cards in named for card in cards):
        if card not in rest:
            raise ValueError(f"{card_text(card)} is named three times, there are two of it")
        rest.remove(card)
    return rest


def _put_piles(state: Any, fire: list[int], stock: list[int]) -> None:
    state["fire"] = NO_CARD
    state["fire"][: len(fire)] = fire
    state["fire_size"] = len(fire)
    state["fire_kinds"] = 0
    for card in fire:
        add_card(state["fire_kinds"], card)
    state["stock_cards"][: len(stock)] = stock
    state["next_card"], state["stock_end"] = 0, len(stock)


def _put_melds(state: Any, table: list[tuple[int, list[int]]]) -> None:
    state["melds"] = 0
    state["table_kinds"] = 0
    for place, (owner, cards) in enumerate(table):
        state["melds"][place] = pack_meld(owner, cards)
        for card in cards:
            if card != JOKER:
                add_card(state["table_kinds"], card)
    write_fits(state["melds"], state["fits"])


def pack_meld(owner: int, cards: Sequence[int]) -> int:
    """A meld from its cards, a run's in order with the joker in its place. Raises ValueError if it is none."""
    natural = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(natural)
    if jokers <= 1 and len(natural) >= 2:
        ranks, suits = {card // 4 for card in natural}, {card % 4 for card in natural}
        if len(ranks) == 1 and len(suits) == len(natural) and 3 <= len(cards) <= 4:
            return int(pack_set(owner, (natural[0] // 4 + 1) % 13 + 1, sum(1 << suit for suit in suits), jokers))
        for low in range(1, 16 - len(cards)) if len(suits) == 1 and 3 <= len(cards) <= 13 else ():
            ranks_there = [(low + place + 11) % 13 for place in range(len(cards))]
            if all(card in (JOKER, 4 * rank + natural[0] % 4) for card, rank in zip(cards, ranks_there, strict=True)):
                joker = low + list(cards).index(JOKER) if jokers else 0
                return int(pack_run(owner, natural[0] % 4, low, low + len(cards) - 1, joker))
    raise ValueError(f"{' '.join(map(card_text, cards))} is no meld")
