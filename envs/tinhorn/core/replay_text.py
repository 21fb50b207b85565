"""The text of replays: what is read from JSON is checked here, with errors that say where and what."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tinhorn.core.chance import ANY, ChanceError
from tinhorn.core.game import Game, find_game

FORMAT = 1
WORDS = ("title", "why", "rules", "decided")  # for readers only
KEYS = ("replay", "game", *WORDS, "options", "seed", "chance", "position", "steps", "rewards")
MOVES = ("action", "clock", "refused")

_REQUIRED = object()


class ReplayError(ValueError):
    """A record that cannot be played: broken text, an unknown game, another version, impossible luck."""


def brief(value: Any) -> str:
    """A value in an error message."""
    return value if isinstance(value, str) else json.dumps(value)


def read_json(text: str) -> dict[str, Any]:
    """The JSON object in a text, every key once. Raises ReplayError."""
    try:
        found = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ReplayError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ReplayError("this is no replay: nested too deep") from None
    except ReplayError:
        raise
    except ValueError:  # Python reads no number of thousands of digits
        raise ReplayError("a number in it has too many digits") from None
    if not isinstance(found, dict):
        raise ReplayError("this is no replay: it is not a JSON object")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ReplayError(f"{key!r} stands twice in one place")
    return dict(pairs)


def only(found: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    """Refuse keys that are not known. Raises ReplayError."""
    for key in found:
        if key not in known:
            raise ReplayError(f"unknown key {key!r}; {what} has: {', '.join(known)}")


def typed(record: Mapping[str, Any], key: str, kind: type, default: Any = _REQUIRED) -> Any:
    """The value of a key, of that kind. Raises ReplayError."""
    if key not in record:
        if default is _REQUIRED:
            raise ReplayError(f"{key!r} is missing")
        return default
    value = record[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {str: "a text", int: "a whole number", dict: "a mapping {...}", list: "a list [...]"}
        raise ReplayError(f"{key}: {brief(value)} must be {words[kind]}")
    return value


def read_game(name: str) -> Game:
    """The game of a record, in the version of the record. Raises ReplayError."""
    match = re.fullmatch(r"(\w+)_v(\d{1,9})", name)
    if match is None:
        raise ReplayError(f"game {name!r}: give name and version, as in NAME_v0")
    try:
        game = find_game(match[1])
    except KeyError as error:
        raise ReplayError(str(error)) from None
    if game.version != int(match[2]):
        raise ReplayError(f"this replay is of {name}; the game here is {game.id}, whose rules differ")
    return game


def read_chance(game: Game, script: list[Any]) -> list[dict[str, list[Any]]]:
    """Outcomes of chance as lists, with None for what is left to the seed. Raises ReplayError."""
    kinds = {chance.name: chance for chance in game.chances}
    read: list[dict[str, list[Any]]] = []
    for part in script:
        if not isinstance(part, dict):
            raise ReplayError(f"chance: {brief(part)} must be a mapping of names to outcomes")
        only(part, tuple(kinds), "chance")
        try:
            read.append({name: kinds[name].read(values) for name, values in part.items()})
        except ChanceError as error:
            raise ReplayError(str(error)) from None
    return read


def write_chance(game: Game, part: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Outcomes of chance as they are written: cards as one text."""
    cards = {chance.name for chance in game.chances if chance.kind == "cards"}
    return {
        name: " ".join(value or ANY for value in values) if name in cards else list(values)
        for name, values in part.items()
    }


def read_steps(steps: list[Any], num_players: int) -> list[dict[str, Any]]:
    """The steps, each checked for its form. Raises ReplayError."""
    for number, step in enumerate(steps, start=1):
        try:
            _check_step(step, num_players)
        except ReplayError as error:
            raise ReplayError(f"step {number}: {error}") from None
    return steps


def _check_step(step: Any, num_players: int) -> None:
    if not isinstance(step, dict):
        raise ReplayError(f"{brief(step)} must be a mapping {{...}}")
    only(step, ("seat", *MOVES, "expect", "note"), "a step")
    kinds = [key for key in (*MOVES, "expect") if key in step]
    if len(kinds) != 1 or (kinds[0] == "expect") == ("seat" in step):
        raise ReplayError("give seat and one of action, clock, refused; or expect alone")
    if kinds[0] != "clock" or step["clock"] is not True:
        typed(step, kinds[0], dict)
    if "seat" in step and not 0 <= typed(step, "seat", int) < num_players:
        raise ReplayError(f"seat {step['seat']}: the seats are 0 to {num_players - 1}")


def lines(value: Any) -> str:
    """JSON on one line; a list of mappings one a line."""
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        return "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in value) + "\n ]"
    return json.dumps(value)
