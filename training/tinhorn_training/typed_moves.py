"""Moves as a person types them: ``call``, ``exchange 7d 2c``, ``raise 240``, ``add 8h high``, or a listed number."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tinhorn.core.cards import CARD_TEXTS
from tinhorn.core.table import IllegalActionError, Table, move_text

_CARDS = {text.lower(): text for text in CARD_TEXTS}
_FILLERS = ("nothing", "to", "in")  # all in
_NAMED = 6  # moves that a question names
Move = Mapping[str, Any]
T = TypeVar("T")


def moves_by_type(table: Table) -> dict[str, list[tuple[int, dict[str, Any]]]]:
    """The legal moves by type, each with its number in the list (from 1)."""
    groups: dict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    for number, move in enumerate(table.legal_actions(), start=1):
        groups[move["type"]].append((number, move))
    return dict(groups)


def read_move(table: Table, line: str) -> int:
    """The id of the legal move that a person typed. Raises IllegalActionError that says what may be typed."""
    words = re.sub("[,=]", " ", line).split()
    legal = table.legal_ids()
    number = _number(words[0]) if len(words) == 1 else None
    if number is not None:
        if not 1 <= number <= len(legal):
            many = f"there are {len(legal)} moves: type a number of 1 to {len(legal)}"
            raise IllegalActionError("there is one move: type 1" if len(legal) == 1 else many)
        return int(legal[number - 1])
    groups = moves_by_type(table)
    if not words:
        raise IllegalActionError(f"type a move: {', '.join(groups)}")
    other = _other_word(words, table.game.actions.words)
    if other is not None:
        return _parsed(table, other, line, groups)
    words = _joined(words, table.game.actions.takes)
    kind = _kind(words[0], list(groups)) or _kind(words[0], list(table.game.actions.takes))
    if kind is None:
        raise IllegalActionError(f"{words[0]!r} is no move now; the moves: {', '.join(groups)}")
    moves = [move for _, move in groups.get(kind, ())]
    if len(words) == 1 and len(moves) == 1:
        return table.parse(moves[0])
    if len(words) == 1 and moves:
        raise IllegalActionError(_question(kind, moves))
    typed = _Typed.of(kind, words[1:], moves, table)
    meant = [move for move in moves if typed.fits(move)]
    meant = [move for move in meant if move.get("cards") == typed.cards] or meant  # as their order says
    if len(meant) > 1:
        raise IllegalActionError(_question(line, meant))
    return _parsed(table, meant[0] if meant else typed.move(moves), line, groups)


def example(moves: Sequence[T]) -> T:
    """One of some moves, to show how they are typed: not the first or last, which are often extreme."""
    return moves[len(moves) // 2]


def _joined(words: list[str], kinds: Iterable[str]) -> list[str]:
    """The words, the first two as one where that is the name of a move: ``put back``, ``take fire``."""
    name = "_".join(words[:2]).lower()
    return [name, *words[2:]] if len(words) > 1 and name in kinds else words


def _common_reason(table: Table, kind: str) -> str:
    """Why no move of a type is legal, if there is one reason for all; else ""."""
    static = table.game.actions.static
    reasons = {table.reason(action) for action, move in enumerate(static) if move["type"] == kind}
    return reasons.pop() if len(reasons) == 1 else ""


def _other_word(words: Sequence[str], known: Mapping[str, Move]) -> Move | None:
    """The move that other words mean: ``stand``, ``pat``, ``stand pat``."""
    meant = [known.get(word.lower()) for word in words]
    return meant[0] if all(move == meant[0] for move in meant) else None


def _parsed(table: Table, move: Move, line: str, groups: Mapping[str, Any]) -> int:
    """The id of a move, if it is legal. Raises IllegalActionError that speaks of what was typed."""
    try:
        action = table.parse(move)
    except IllegalActionError as error:
        reason = error.reason or str(error)
        if reason.startswith("say ") and move["type"] not in groups:  # nothing that could be said would help
            reason = _common_reason(table, move["type"])
        raise IllegalActionError(_refusal(line, reason, groups)) from None
    if not table.is_legal(action):
        raise IllegalActionError(_refusal(line, table.reason(action), groups))
    return action


def _refusal(line: str, reason: str, groups: Mapping[str, Any]) -> str:
    because = f": {reason}" if reason else ""
    return f"{line} is not legal now{because}; the moves: {', '.join(groups)}"


def _kind(word: str, kinds: Sequence[str]) -> str | None:
    """The type that a word means; its beginning is enough where only one fits."""
    plain = re.sub("[_-]", "", word.lower())
    found = {kind for kind in kinds if kind.replace("_", "").startswith(plain)}
    exact = {kind for kind in found if kind.replace("_", "") == plain}
    return next(iter(exact or found)) if len(exact or found) == 1 else None


@dataclass
class _Typed:
    """What a person said of a move: its cards, values named by their keys, and others."""

    kind: str
    takes: Sequence[str] = ()  # keys of such a move
    cards: list[str] = field(default_factory=list)
    named: dict[str, Any] = field(default_factory=dict)
    loose: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, kind: str, words: Sequence[str], moves: Sequence[Move], table: Table) -> "_Typed":
        """Read the words behind the type; ``moves`` are the legal ones of the type. Raises IllegalActionError."""
        actions = table.game.actions
        typed = cls(kind, actions.takes.get(kind, ()))
        keys = {key for move in moves for key in move}
        static = [move for move in actions.static if move["type"] == kind]
        known = {value for move in (moves or static) for value in move.values() if isinstance(value, str)}
        amounts = not moves or any(isinstance(value, int) for move in moves for value in move.values())
        rest, unknown = list(words), list[str]()
        while rest:
            word = rest.pop(0)
            value = _value(word)
            if word.lower() in keys and rest:
                typed.named[word.lower()] = _value(rest.pop(0))
            elif value in CARD_TEXTS:
                typed.cards.append(value)
            elif (isinstance(value, int) and amounts) or value in known:
                typed.loose.append(value)
            elif value not in _FILLERS:
                unknown.append(word)
        if unknown and (moves or (typed.takes and not typed.cards)):
            here = f" here, as in: {move_text(example(moves))}" if moves else ""
            raise IllegalActionError(f"{unknown[0]!r} is no card and no amount{here}")
        return typed

    def fits(self, move: Move) -> bool:
        """Whether a legal move of the type is one that may have been meant."""
        if "cards" in move:
            same = sorted(move["cards"]) == sorted(self.cards)
        else:
            same = not self.cards or self.cards == [move.get("card")]
        values = list(move.values())
        named = all(move.get(key) == value for key, value in self.named.items())
        return same and named and all(value in values for value in self.loose)

    def move(self, moves: Sequence[Move]) -> dict[str, Any]:
        """What was said as a move, for the game to say why it is none. Raises IllegalActionError."""
        made: dict[str, Any] = {"type": self.kind} | self.named
        sample = {key: value for move in moves for key, value in move.items()}
        if "cards" in self.takes:
            made["cards"] = self.cards
        elif len(self.cards) == 1 and "card" in self.takes:
            made["card"] = self.cards[0]
        elif self.cards:
            as_in = f"; type it as in: {move_text(example(moves))}" if moves else ""
            raise IllegalActionError(f"{self.kind} takes no such cards{as_in}")
        for value in self.loose:
            keys = [key for key in sample if key not in made and type(sample[key]) is type(value)]
            made |= dict.fromkeys(keys[:1], value)
        return made


def _value(word: str) -> Any:
    """A card, a number or a word in lower case."""
    card = _CARDS.get(word.lower().replace("10", "t"))
    number = _number(word)
    return card or (word.lower() if number is None else number)


def _number(word: str) -> int | None:
    """A whole number as typed; one of very many digits is one of fewer, which no game takes either."""
    return int((word.lstrip("0") or "0")[:18]) if word.isascii() and word.isdigit() else None


def _question(line: str, meant: Sequence[Move]) -> str:
    if len(line.split()) == 1:
        if "cards" in meant[0]:
            nothing = [move for move in meant if not move["cards"]]
            return f"say which cards, as in: {', or '.join(map(move_text, [example(meant), *nothing]))}"
        if not {"card", "cards"} & set(meant[0]) and any(isinstance(value, int) for value in meant[0].values()):
            return f"say how much, as in: {move_text(example(meant))}"
    more = f" and {len(meant) - _NAMED} more" if len(meant) > _NAMED else ""
    return f"{line} may be: {', '.join(map(move_text, meant[:_NAMED]))}{more}; say which"
