"""What a game hands over to the rest of the house: a state record, kernels, a layout and an action table."""

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tinhorn.core.chance import Chance
from tinhorn.core.layout import Layout
from tinhorn.core.options import OptionError, Options

MAX_SEATS = 6
ROOM = 32  # bytes, at either end of a state: `lanes` read a field with what lies beside it

HEADER: tuple[tuple[Any, ...], ...] = (
    ("seed", "u8"),  # of the episode
    ("stream", "u8", (1,)),  # the random stream
    ("rewards", "f8", (MAX_SEATS,)),  # per seat, since the last decision; steps add to it
    ("ply", "i4"),  # decisions taken in the episode
    ("num_seats", "i1"),
    ("actor", "i1"),  # seat to act, -1 when finished
    ("finished", "u1"),  # the episode is over, by the rules or truncated
    ("truncated", "u1"),  # it was cut off by a limit that is no rule of the game
    ("out", "u1", (MAX_SEATS,)),  # this seat will not act again
)


def state_dtype(*fields: tuple[Any, ...], chances: Sequence[Chance] = ()) -> np.dtype:
    """The dtype of a game's state: the common header, the game's fields, a record for each kind of chance, room."""
    return np.dtype([*HEADER, *fields, *(chance.field for chance in chances), ("room", "u1", (ROOM,))])


@dataclass(frozen=True)
class Block:
    """A contiguous range of action ids that mean the same kind of move.

    ``shown`` says that everybody sees the cards of such a move; without it the others see only how many.
    ``one_card`` says that the ids are one for each kind of card, 2c .. As in order: a network may judge them all alike.
    """

    name: str
    size: int
    meaning: str
    shown: bool = False
    one_card: bool = False


@dataclass(frozen=True)
class Actions:
    """The action table of a game.

    Args:
        blocks: the ids, in order.
        describe: ``(state, action) -> dict``, an action as JSON that says everything.
        parse: ``(state, dict) -> int``, its inverse for legal moves; raises ValueError that says what is wrong.
            May answer an id of ``count`` or more, where a game takes amounts that are not in the table.
        explain: ``(state, action) -> str``, why an action is illegal, in words; "" if nothing particular.
        static: for each id what it means in any state, as JSON: ``{"type": "exchange", "places": [0, 2]}``.
            Goes into exported bots, for frontends in any language. Left out, it is the block and the place in it.
        words: other words that people type for a move, with the move as JSON: ``{"stand": {"type": "exchange", ..}}``.
        takes: for each type of move the keys that `parse` reads beside ``type``. Left out, those of ``static``.
        places_of: the field of the view whose places, from 0, the ``places`` of static meanings count; it must have
            an order.
    """

    blocks: tuple[Block, ...]
    describe: Callable[[Any, int], dict[str, Any]]
    parse: Callable[[Any, Mapping[str, Any]], int]
    explain: Callable[[Any, int], str] = lambda state, action: ""
    is_legal_amount: Callable[[Any, int], bool] = lambda state, action: False
    static: tuple[dict[str, Any], ...] = ()
    words: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    takes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places_of: str = ""

    _ids: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Give every id a static meaning. Raises ValueError when their number is not that of the ids."""
        plain = tuple(
            {"type": block.name} | ({"index": k} if block.size > 1 else {})
            for block in self.blocks
            for k in range(block.size)
        )
        object.__setattr__(self, "static", self.static or plain)
        if len(self.static) != self.count:
            raise ValueError(f"the action table has {self.count} ids and {len(self.static)} static meanings")
        keys: dict[str, list[str]] = {}
        for move in self.static:
            known = keys.setdefault(move["type"], [])
            known += [key for key in move if key != "type" and key not in known]
        object.__setattr__(self, "takes", self.takes or keys)
        ids = {json.dumps(move, sort_keys=True): number for number, move in enumerate(self.static)}
        object.__setattr__(self, "_ids", ids)

    @property
    def count(self) -> int:
        """How many ids there are; masks are ``int8[count]``."""
        return sum(block.size for block in self.blocks)

    def read(self, state: Any, action: Any) -> int:
        """The id of an action written as JSON, as `describe` or as `static` has it.

        Raises ValueError: no mapping, without a type, with an unknown key, or what `parse` says.
        """
        if not isinstance(action, Mapping):
            kind = action if isinstance(action, str) and action in self.takes else next(iter(self.takes))
            raise ValueError(f"write a move as a mapping, {{'type': {kind!r}}} with what else it takes")
        if not isinstance(action.get("type"), str):
            raise ValueError(f"a move names its type, 'type': one of {', '.join(self.takes)}")
        kind = action["type"]
        keys = self.takes.get(kind, action)  # an unknown type is for `parse` to refuse
        unknown = [key for key in action if key != "type" and key not in keys]
        if not unknown:
            return self.parse(state, action)
        try:
            return self._ids[json.dumps(action, sort_keys=True)]  # as bots name it, which do not know the table
        except (KeyError, TypeError):
            known = ", ".join(keys) or "no other key"
            raise ValueError(f"unknown key {unknown[0]!r}; {kind} takes {known}") from None

    def block(self, action: int) -> Block | None:
        """The block of an id; None for an amount that is not in the table."""
        for block in self.blocks:
            if action < block.size:
                return block
            action -= block.size
        return None

    def seen(self, state: Any, action: int) -> dict[str, Any]:
        """An action as the other seats see it: covered cards are counted (``{"type": "exchange", "cards": 2}``)."""
        described, block = self.describe(state, action), self.block(action)
        if block is None or block.shown:
            return described
        counted = {key: len(value) if isinstance(value, (list, tuple)) else value for key, value in described.items()}
        return {key: value for key, value in counted.items() if key != "card"}

    def start(self, name: str) -> int:
        """The first id of a block."""
        names = [block.name for block in self.blocks]
        return sum(block.size for block in self.blocks[: names.index(name)])


@dataclass(frozen=True)
class Measure:
    """A figure by which players of a game are compared.

    ``of(states, seats)`` takes finished states (record array [N]) and one seat of each (int[N]) and gives
    float64[N]; ``fair(num_players)`` is what every player gets among equals. Differences from it of up to ``close``
    do not matter in play: players that differ by no more count as equal. No value lies outside ``limits``.
    """

    name: str
    unit: str
    of: Callable[[Any, np.ndarray], np.ndarray]
    fair: Callable[[int], float]
    close: float = 0.01
    limits: tuple[float, float] = (-np.inf, np.inf)


@dataclass(frozen=True)
class Hands:
    """How somebody's play is counted hand by hand, in a game of many hands.

    ``over(states)`` is how many hands are over, int[N]; ``dealt(states)`` who is in the running one, bool[N, 6];
    ``shown(states)`` who was at the showdown of the one that was over last. ``plays`` and ``raises`` are types of
    moves: one of the first goes on with a hand for more than was posted.
    """

    over: Callable[[Any], np.ndarray]
    dealt: Callable[[Any], np.ndarray]
    shown: Callable[[Any], np.ndarray]
    plays: frozenset[str]
    raises: frozenset[str]


@dataclass(frozen=True)
class Game:
    """A game as pure functions over one flat record.

    The kernels, compiled by Numba from plain Python, assume legal input; ``state`` is one record:

    - ``new(state, seed)``: start an episode, up to the first decision. All of the state is zero before, but for
      options and prescribed chance.
    - ``legal(state, mask)``: write the exact mask (int8[A]) of the seat to act; all zeros when finished.
    - ``step(state, action)``: apply one legal decision and run on to the next or to the end. Adds to
      ``state.rewards``, sets ``actor``, ``finished``, ``truncated``, ``out``; counts ``ply``.
    - ``timeout_action(state) -> int``: what the rules play when the clock runs out.
    - ``view(state, seat, out)``: write what that seat may see into ``out`` (int32[V]), seats relative to it.
    - ``house(view, mask, style, stream) -> int``: the scripted opponent. It gets the view and nothing else, so
      it cannot know more than its seat; ``style`` is float64[S], one of `styles`.
    - ``redeal(state, seat, stream)``: replace, in place, everything hidden from ``seat`` by another deal that
      looks the same to it.

    Args:
        name: in lower case with underscores; ``version`` rises with rules, actions, views, features, rewards.
        styles: parameter vectors of the house bot by name; the first is the default, ``house``.
        facts: ``(state) -> dict``, the table as plain JSON, hidden things included, for replays and tests.
        text: ``(state, seat) -> str``, the table as that seat sees it; ``seat=None`` shows the public part only.
        legend: what the signs in ``text`` mean.
        ended: ``(state) -> str``, the hand or deal that was over last, by its number: ``"hand 3"``.
        advice: ``(state, seat) -> str``, what a careful player in that seat works out of what it sees, in words: for
            hints. It must stay the same when all that is hidden is dealt anew.
        hands: how play is counted hand by hand; None where there are no hands to count.
        position: ``(state, dict)``, write a hand-made position over a fresh state; raises ValueError.
        sources: paths of the game's source files or folders, for the compile cache.
    """

    name: str
    version: int
    title: str
    summary: str
    options: type[Options]
    state: np.dtype
    layout: Layout
    actions: Actions
    measures: tuple[Measure, ...]
    new: Callable[..., None]
    legal: Callable[..., None]
    step: Callable[..., None]
    timeout_action: Callable[..., int]
    view: Callable[..., None]
    house: Callable[..., int]
    redeal: Callable[..., None]
    styles: Mapping[str, tuple[float, ...]]
    facts: Callable[[Any], dict[str, Any]]
    text: Callable[[Any, int | None], str]
    legend: str = ""
    ended: Callable[[Any], str] = lambda state: ""
    hands: Hands | None = None
    chances: tuple[Chance, ...] = ()
    advice: Callable[[Any, int], str] | None = None
    position: Callable[[Any, Mapping[str, Any]], None] | None = None
    sources: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Name and version, as in ``make("cold_hand_v0")``."""
        return f"{self.name}_v{self.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled, a game is its name and version: functions do not travel."""
        if _games.get(self.name) is not self:
            raise pickle.PicklingError(f"{self.title} cannot be pickled: make it known with tinhorn.core.game.add_game")
        return find_game, (self.id,)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        """A game never changes: a copy is itself."""
        return self

    def own(self, options: Options | None) -> Options:
        """Options for this game: those given, or the defaults. Raises OptionError for what is no options of it."""
        if options is None:
            return self.options()  # type: ignore[call-arg]
        if not isinstance(options, self.options):
            raise OptionError(
                f"{options!r} are no options of {self.title}: make them with get_game({self.id!r}).options()"
            )
        return options

    def new_states(self, count: int, options: Options) -> np.recarray:
        """``count`` zeroed states that hold the options, ready for ``new``."""
        states = np.zeros(count, self.state).view(np.recarray)
        options.write(states[0])
        states[1:] = states[0]
        return states


def seat_name(seat: int, looks: int | None) -> str:
    """A seat in the text that seat ``looks`` reads, as wide as any other: ``"seat 2 (you)"``."""
    padding = "" if looks is None else " " * 6
    return f"seat {seat}{' (you)' if seat == looks else padding}"


_games: dict[str, Game] = {}


def add_game(game: Game) -> Game:
    """Make a game known by its name to whatever looks it up: pickles, checkpoints, bundles, commands."""
    _games[game.name] = game
    return game


def find_game(name: str) -> Game:
    """The game of that name, with or without ``_v0``. Raises KeyError that names the known ones."""
    for game in _games.values():
        if name in (game.name, game.id):
            return game
    known = ", ".join(game.id for game in _games.values())
    raise UnknownGameError(f"unknown game {name!r}; the games are: {known}")


class UnknownGameError(KeyError):
    """No game of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


def known_games() -> list[Game]:
    """All games made known so far."""
    return list(_games.values())
