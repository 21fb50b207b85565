"""Moves as a person types them: ``call``, ``exchange 7d 2c``, ``raise 240``, or the number of a listed move."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tinhorn.core.cards import CARD_TEXTS
from tinhorn.core.table import IllegalActionError, Table

_CARDS = {text.lower(): text for text in CARD_TEXTS}


def moves_by_type(table: Table) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """The legal moves by type, each with its number in the list (from 1)."""
    groups: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for number, move in enumerate(table.legal_actions(), start=1):
        groups[move["type"]].append((number, move))
    return dict(groups)


def move_text(move: Mapping[str, Any]) -> str:
    """A move as it is typed; where only a number of cards is known (`Actions.seen`), that number."""
    words = [str(move["type"])]
    for key, value in move.items():
        if key == "cards" and isinstance(value, int):
            words.append(f"{value} card" + ("" if value == 1 else "s"))
        elif key == "cards":
            words += value or ["nothing"]
        elif key != "type":
            words.append(str(value))
    return " ".join(words)


def read_move(table: Table, line: str) -> int:
    """The id of the legal move that a person typed. Raises IllegalActionError that says what may be typed."""
    words = line.replace(",", " ").split()
    legal = table.legal_ids()
    if len(words) == 1 and words[0].isdigit():
        number = int(words[0])
        if not 1 <= number <= len(legal):
            raise IllegalActionError(f"there are {len(legal)} moves: type a number of 1 to {len(legal)}")
        return int(legal[number - 1])
    groups = moves_by_type(table)
    kind = _kind(words[0], list(groups))
    moves = [move for _, move in groups[kind]]
    if len(words) == 1 and len(moves) == 1:
        return table.parse(moves[0])
    action = table.parse(_filled(kind, words[1:], moves))
    if not table.is_legal(action):
        raise IllegalActionError(table.explain(action))
    return action


def _kind(word: str, kinds: Sequence[str]) -> str:
    """The type that a word means; its beginning is enough where only one fits."""
    plain = re.sub("[_-]", "", word.lower())
    found = [kind for kind in kinds if kind.replace("_", "").startswith(plain)]
    exact = [kind for kind in found if kind.replace("_", "") == plain]
    if len(exact or found) != 1:
        raise IllegalActionError(f"{word!r} is no move now; the moves: {', '.join(kinds)}")
    return (exact or found)[0]


def _filled(kind: str, words: Sequence[str], moves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The move of this type with the typed cards and amount, in the keys that legal moves of the type have."""
    keys = {key: value for move in moves for key, value in move.items() if key != "type"}
    cards, move = [], dict[str, Any](type=kind)
    amounts = [key for key, value in keys.items() if isinstance(value, int)]
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key in keys:
            move[key] = _card(value) or value
        elif _card(word) is not None:
            cards.append(_card(word))
        elif word.isdigit() and amounts:
            move[amounts[0]] = int(word)
        elif word.lower() != "nothing":
            raise IllegalActionError(f"{word!r} is no card and no amount here, as in: {_example(kind, moves)}")
    if "cards" in keys:
        move["cards"] = cards
    elif "card" in keys and len(cards) == 1:
        move["card"] = cards[0]
    elif cards:
        raise IllegalActionError(f"{kind} takes no such cards; type it as in: {_example(kind, moves)}")
    if amounts and amounts[0] not in move:
        raise IllegalActionError(f"say how much, as in: {_example(kind, moves)}")
    return move


def _card(word: str) -> str | None:
    return _CARDS.get(word.lower().replace("10", "t"))


def _example(kind: str, moves: Sequence[Mapping[str, Any]]) -> str:
    return move_text(moves[-1]) if moves else kind
