"""Hand-made positions: cards where a test, a puzzle or a frontend wants them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tinhorn.core.cards import JOKER, NO_CARD, card_text, parse_cards
from tinhorn.games.hand.melds import pack_run, pack_set, write_fits
from tinhorn.games.hand.moves import COUNT
from tinhorn.games.hand.rules import appraise, begin_turn, legal
from tinhorn.games.hand.state import CARDS, DEALS, DEALT, DRAW, MELDS, PLAY
from tinhorn.games.hand.view import LAYOUT
from tinhorn.games.hand.words import add_card

_KEYS = ("phase", "turn", "starter", "deal", "turns", "scores", "opened", "hands", "table", "fire", "stock", "rest_to")
_LAID = 3  # cards that a new meld takes from the hand


def position(state: Any, given: Mapping[str, Any]) -> None:
    """A deal in the middle; every key may be left out. Cards that are not named go to the stock in any order.

    - ``phase``: ``"draw"`` (default) or ``"play"``; ``turn``: the seat to act (0); ``starter``: who began the deal.
    - ``deal``: 1 to 5; ``turns``: player turns so far in it; ``scores``: a total for each player, or for each team.
    - ``hands``: a list of cards for each seat, at most 14 less three for each meld that it owns (in phase ``"play"``
      one more for ``turn``, to be thrown), or None for as many cards that do not matter.
    - ``table``: melds as ``{"owner": 0, "cards": ["5h", "Jo", "7h"]}``; ``opened``: 1 or 0 for each seat, by default
      whoever owns a meld.
    - ``fire``: its top card last; ``stock``: its top card first; ``rest_to``: ``"stock"`` or ``"fire"``, where cards
      that are not named go, under what lies there.

    Raises ValueError: also where the seat to act would have no move.
    """
    for name in given:
        if name not in _KEYS:
            raise ValueError(f"position {name!r} is unknown: give some of {', '.join(_KEYS)}")
    seats = int(state["num_seats"])
    table = [_meld(meld, seats) for meld in _list(given, "table", [])]
    hands = [None if cards is None else parse_cards(cards) for cards in _list(given, "hands", [None] * seats)]
    fire, stock = parse_cards(given.get("fire", [])), parse_cards(given.get("stock", []))
    if len(hands) != seats or len(table) > MELDS:
        raise ValueError(f"a position needs {seats} hands and at most {MELDS} melds")
    turn = _number(given, "turn", 0, 0, seats - 1)
    phase = DRAW if _choice(given, "phase", ("draw", "play")) == "draw" else PLAY
    most = [_most_cards(table, seat, seat == turn and phase == PLAY) for seat in range(seats)]
    for seat, cards in enumerate(hands):
        if most[seat] < (0 if cards is None else len(cards)):
            raise ValueError(
                f"position hands: at most {max(most[seat], 0)} cards for seat {seat}: {DEALT} are dealt, each meld "
                f"takes {_LAID} of its owner's, and one more is there only to be thrown, in phase 'play'"
            )
    rest = _rest([cards for _, cards in table] + [cards for cards in hands if cards is not None] + [fire, stock])
    dealt = [
        [rest.pop() for _ in range(min(most[seat], DEALT, len(rest)))] if cards is None else cards
        for seat, cards in enumerate(hands)
    ]
    to_fire = _choice(given, "rest_to", ("stock", "fire")) == "fire"
    _put_piles(state, rest + fire if to_fire else fire, stock if to_fire else stock + rest)
    _put_melds(state, table)
    owners = [owner for owner, _ in table]
    opened = _opened(given, [seat in owners for seat in range(seats)])
    for seat in range(seats):
        state["hands"][seat] = 0
        for card in dealt[seat]:
            add_card(state["hands"][seat], card)
        state["opened"][seat] = opened[seat]
    state["scores"][:seats] = _scores(given, seats)
    state["deal"] = _number(given, "deal", 1, 1, DEALS) - 1
    state["turns"] = _number(given, "turns", 0, 0, int(state["max_turns"]) - 1)
    state["starter"] = _number(given, "starter", turn, 0, seats - 1)
    begin_turn(state, turn, phase)
    for seat in range(seats):
        appraise(state, seat)
    _check_move(state, turn)


def _most_cards(table: Sequence[tuple[int, list[int]]], seat: int, to_throw: bool) -> int:
    """How many cards a seat may hold: those dealt but for three in each meld that it laid, and one to throw."""
    own = sum(owner == seat for owner, _ in table)
    return DEALT - _LAID * own + to_throw


def _check_move(state: Any, turn: int) -> None:
    if state["phase"] == DRAW and state["stock_end"] == 0:
        raise ValueError("position stock: nobody can draw from an empty one: leave it a card, or give phase 'play'")
    mask = np.zeros(COUNT, np.int8)
    legal(state, mask)
    if not mask.any():
        raise ValueError(f"position hands: seat {turn} has no move: give it a card to throw, or phase 'draw'")


def _is_number(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _number(given: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    value = given.get(name, default)
    if not _is_number(value, low, high):
        raise ValueError(f"position {name}={value!r}: a whole number of {low} to {high}")
    return int(value)


def _list(given: Mapping[str, Any], name: str, default: list[Any]) -> Sequence[Any]:
    value = given.get(name, default)
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"position {name}={value!r}: give a list")
    return value


def _choice(given: Mapping[str, Any], name: str, choices: tuple[str, str]) -> str:
    """One of two words, by default the first."""
    value = given.get(name, choices[0])
    if value not in choices:
        raise ValueError(f"position {name}={value!r}: {choices[0]!r} or {choices[1]!r}")
    return str(value)


def _opened(given: Mapping[str, Any], default: list[bool]) -> Sequence[int]:
    opened = _list(given, "opened", default)
    if len(opened) != len(default) or not all(isinstance(one, int) and one in (0, 1) for one in opened):
        raise ValueError(f"position opened={opened!r}: 1 or 0 for each of {len(default)} seats")
    return opened


def _scores(given: Mapping[str, Any], seats: int) -> list[int]:
    """The score of each seat; one for each of two teams serves both partners."""
    scores, field = _list(given, "scores", [0] * seats), LAYOUT["scores"]
    if len(scores) not in (seats, 2) or not all(_is_number(score, field.low, field.high) for score in scores):
        raise ValueError(
            f"position scores={scores!r}: a number for each player, or for each team, "
            f"whole and of {field.low} to {field.high}"
        )
    return [scores[seat % len(scores)] for seat in range(seats)]


def _meld(given: Any, seats: int) -> tuple[int, list[int]]:
    """Owner and cards of a meld."""
    if not isinstance(given, Mapping) or set(given) - {"owner", "cards"}:
        raise ValueError(
            f'position table: {given!r} is no meld: write it as {{"owner": 0, "cards": ["5h", "6h", "7h"]}}'
        )
    return _number(given, "owner", given["owner"], 0, seats - 1), parse_cards(given["cards"])


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
