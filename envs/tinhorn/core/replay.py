"""A game as a readable text record: write it, read it, play it again, check it.

A replay is a JSON document, one step a line, that a person can write by hand::

    {
     "replay": 1,
     "game": "kuhn_v0",
     "title": "Free words; so are why and rules",
     "options": {"num_players": 2},
     "seed": 7,
     "chance": [{"deck": "Kc Qd --"}],
     "steps": [
      {"seat": 0, "refused": {"type": "fold"}},
      {"seat": 0, "action": {"type": "bet"}},
      {"expect": {"pot": 3, "legal": ["call", "fold"]}},
      {"seat": 1, "clock": {"type": "fold"}}
     ],
     "rewards": [1, -1]
    }

``chance`` names outcomes of luck: its n-th mapping holds each kind's n-th draw. Cards may be one text, in
which ``--`` leaves a place to the seed; ``seed`` (0 when left out) decides all that is not named. ``position``
is a hand-made position in the game's own words. A step is one of

- ``seat`` and ``action``: what the seat to act plays;
- ``seat`` and ``clock``: its time ran out, and the rules played this action (``true``: whichever);
- ``seat`` and ``refused``: an action that must be refused, and change nothing;
- ``expect``: facts that hold now, see `compare`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from tinhorn.core.chance import read_script
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn.core.replay_text import (
    FORMAT,
    KEYS,
    MOVES,
    WORDS,
    ReplayError,
    brief,
    lines,
    only,
    read_chance,
    read_game,
    read_json,
    read_steps,
    typed,
    write_chance,
)
from tinhorn.core.rng import as_seed
from tinhorn.core.table import IllegalActionError, Table

Watch = Callable[[int, Mapping[str, Any], Table], None]


@dataclass(frozen=True)
class Difference:
    """Where play and record part.

    ``step`` counts from 1; the final ``rewards`` come one after the last. ``expected`` is what the record says.
    """

    step: int
    seat: int | None
    field: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        where = f"step {self.step}" + ("" if self.seat is None else f", seat {self.seat}")
        if self.field == "turn":
            turn = "the game is over" if self.found is None else f"it is the turn of seat {self.found}"
            return f"{where}: {turn}"
        if self.field == "action" and isinstance(self.found, str):  # why it was refused, in words
            return f"{where}: {self.found}"
        return f"{where}: {self.field}: expected {brief(self.expected)}, found {brief(self.found)}"


@dataclass(frozen=True)
class Replay:
    """A record. ``chance`` is as ``reset(seed, options={"chance": replay.chance})`` of an environment takes it."""

    game: Game
    options: Options
    seed: int = 0
    chance: list[dict[str, list[Any]]] = field(default_factory=list)
    position: dict[str, Any] | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)
    rewards: list[float] | None = None
    words: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file. Raises ReplayError, whose message starts with the path."""
        try:
            return cls.parse(Path(path).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise ReplayError(f"{path}: this is no text file") from None
        except OSError as error:
            raise ReplayError(f"{path}: {error.strerror or error}") from None
        except ReplayError as error:
            raise ReplayError(f"{path}: {error}") from None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a record from its text. Raises ReplayError."""
        record = read_json(text)
        only(record, KEYS, "a replay")
        if record.get("replay", FORMAT) != FORMAT:
            raise ReplayError(f"replay format {record['replay']!r}: this version reads format {FORMAT}")
        game = read_game(typed(record, "game", str))
        try:
            options = game.options.make(typed(record, "options", dict, {}))
        except ValueError as error:
            raise ReplayError(f"options: {error}") from None
        return cls(
            game=game,
            options=options,
            seed=typed(record, "seed", int, 0),
            chance=read_chance(game, typed(record, "chance", list, [])),
            position=typed(record, "position", dict, None),
            steps=read_steps(typed(record, "steps", list, []), options.num_players),
            rewards=typed(record, "rewards", list, None),
            words={key: record[key] for key in WORDS if key in record},
        )

    def text(self) -> str:
        """The record as text, one step a line; `parse` is the inverse."""
        record: dict[str, Any] = {"replay": FORMAT, "game": self.game.id, **self.words}
        record |= {"options": self.options.as_dict(), "seed": self.seed}
        record |= {"chance": [write_chance(self.game, part) for part in self.chance]} if self.chance else {}
        record |= {"position": self.position} if self.position is not None else {}
        record |= {"steps": self.steps}
        record |= {"rewards": self.rewards} if self.rewards is not None else {}
        return "{\n" + ",\n".join(f' "{key}": {lines(value)}' for key, value in record.items()) + "\n}\n"

    def save(self, path: str | Path) -> None:
        """Write the record to a file. Raises OSError."""
        Path(path).write_text(self.text(), encoding="utf-8")

    def table(self) -> Table:
        """A table at the start of the record. Raises ReplayError when its luck or position cannot be."""
        table = Table(self.game, self.options)
        try:
            table.reset(self.seed, self.chance, self.position)
        except ValueError as error:
            raise ReplayError(f"before step 1: {error}") from None
        return table

    def check(self, watch: Watch | None = None) -> list[Difference]:
        """Play the record. Differences in facts are collected; a move that cannot be played ends the check.

        Args:
            watch: called as ``watch(number, step, table)`` before every step, and at the end with step ``{}``.

        Raises:
            ReplayError: luck that cannot be, or a fact that the game does not know.
        """
        return list(_Player(self, watch).run())

    def play(self) -> tuple[Table, list[float]]:
        """The table at the end of the record, and what each seat has been given so far.

        Raises:
            ReplayError: the record cannot be played, or says of a fact what is not so.
        """
        player = _Player(self, None)
        for difference in player.run():
            raise ReplayError(str(difference))
        return player.table, player.totals

    def with_chance(self) -> "Replay":
        """The same record with every outcome of chance by name: it no longer depends on the seed.

        Raises:
            ReplayError: the record cannot be played to its end.
        """
        drawn: dict[str, list[Any]] = {chance.name: [] for chance in self.game.chances}

        def note(number: int, step: Mapping[str, Any], table: Table) -> None:
            for chance in self.game.chances:
                count, known = int(table.state[chance.name]["drawn"]), drawn[chance.name]
                if count > len(known) + 1:
                    raise ReplayError(f"step {number - 1} draws chance {chance.name!r} twice")
                if count > len(known):
                    known.append(chance.outcome(table.state))

        found = self.check(note)
        if any(difference.field in ("turn", *MOVES) for difference in found):
            raise ReplayError(str(found[-1]))
        most = max((len(outcomes) for outcomes in drawn.values()), default=0)
        script = [{name: outcomes[n] for name, outcomes in drawn.items() if n < len(outcomes)} for n in range(most)]
        return replace(self, chance=script)


class Recorder:
    """Plays at a table and keeps the record.

    Args:
        table: where to play; with ``skip_forced`` off, so that every decision is in the record.
        seed, chance, position: as `Table.reset` takes them; the table is reset.
    """

    def __init__(
        self,
        table: Table,
        seed: int | None = None,
        chance: Mapping[str, Any] | Iterable[Mapping[str, Any]] = (),
        position: Mapping[str, Any] | None = None,
    ) -> None:
        if table.skip_forced:
            raise ValueError("a record holds every decision: make the table with skip_forced=False")
        self.table = table
        start, script = int(as_seed(seed)), read_script(table.game.chances, chance)
        table.reset(start, script, position)
        given = None if position is None else dict(position)
        self._replay = Replay(table.game, table.options, start, script, given)
        self._totals = _rewards(table)

    def step(self, action: int) -> None:
        """Play an action id and note it. Raises IllegalActionError and notes nothing if it is not legal."""
        seat = self.table.actor
        move = self.table.describe(action) if self.table.is_legal(action) else {}
        self.table.step(action)
        self._replay.steps.append({"seat": seat, "action": move})
        self._totals = _added(self._totals, _rewards(self.table))

    @property
    def replay(self) -> Replay:
        """The record so far, with the rewards so far."""
        return replace(self._replay, steps=list(self._replay.steps), rewards=self._totals)


def record(
    game: Game, options: Options | None, seed: int, actions: Iterable[int], *, skip_forced: bool = False
) -> Replay:
    """The record of an episode, from its seed and the ids played: as any environment and batch gives them.

    With ``skip_forced`` the ids are of an environment that plays forced decisions itself; they are filled in.
    """
    recorder = Recorder(Table(game, options), seed)

    def fill() -> None:
        while skip_forced and len(recorder.table.legal_ids()) == 1:
            recorder.step(recorder.table.legal_ids()[0])

    fill()
    for action in actions:
        recorder.step(int(action))
        fill()
    return recorder.replay


def compare(expected: Any, found: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where ``found`` is not as ``expected``, as (field, expected, found).

    Of a mapping only the named entries count, and null means that there is none. A list is compared entry by
    entry. A text against a list of cards means these cards in any order, ``{"count": n}`` so many of them.
    """
    if isinstance(expected, Mapping) and isinstance(found, (list, tuple)) and set(expected) == {"count"}:
        yield from compare(expected["count"], len(found), f"{path} (count)")
    elif isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            yield from compare(value, found.get(key), f"{path}.{key}" if path else key)
    elif isinstance(expected, str) and isinstance(found, (list, tuple)):
        if sorted(expected.split()) != sorted(map(str, found)):
            yield path, expected, found
    elif isinstance(expected, list) and isinstance(found, (list, tuple)) and len(expected) == len(found):
        for place, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from compare(left, right, f"{path}[{place}]")
    elif isinstance(expected, float) or isinstance(found, float):
        if not (_is_number(expected) and _is_number(found) and abs(expected - found) < 1e-9):
            yield path, expected, found
    elif expected != found:
        yield path, expected, found


class _Player:
    """Plays one record against a table of its own."""

    def __init__(self, replay: Replay, watch: Watch | None) -> None:
        self.replay, self.watch = replay, watch or (lambda number, step, table: None)
        self.table = replay.table()
        self.totals = _rewards(self.table)

    def run(self) -> Iterator[Difference]:
        for number, step in enumerate(self.replay.steps, start=1):
            self.watch(number, step, self.table)
            if "expect" in step:
                yield from self._expect(number, step["expect"])
                continue
            stopped = self._move(number, step)
            if stopped is not None:
                yield stopped
                return
        last = len(self.replay.steps) + 1
        self.watch(last, {}, self.table)
        if self.replay.rewards is not None:
            for path, expected, found in compare(self.replay.rewards, self.totals, "rewards"):
                yield Difference(last, None, path, expected, found)

    def _expect(self, number: int, facts: Mapping[str, Any]) -> Iterator[Difference]:
        known = self.replay.game.facts(self.table.state)
        known.setdefault("rewards", self.totals)
        for name, expected in facts.items():
            if name == "legal" and name not in known:
                legal = self.table.legal_actions()
                if not _covers(expected, legal):
                    yield Difference(number, None, name, expected, legal)
            elif name not in known:
                raise ReplayError(
                    f"step {number}: unknown fact {name!r}; the facts are: {', '.join([*known, 'legal'])}"
                )
            else:
                for path, wanted, found in compare(expected, known[name], name):
                    yield Difference(number, None, path, wanted, found)

    def _move(self, number: int, step: Mapping[str, Any]) -> Difference | None:
        seat, kind = step["seat"], next(key for key in MOVES if key in step)
        if seat != self.table.actor:
            return Difference(number, seat, "turn", seat, None if self.table.finished else self.table.actor)
        if kind == "refused":
            return self._refused(number, seat, step[kind])
        if kind == "clock":
            action = self.table.timeout_action()
            played = self.table.describe(action)
            if step[kind] is not True and list(compare(step[kind], played)):
                return Difference(number, seat, kind, step[kind], played)
        else:
            try:
                action = self.table.parse(step[kind])
                if not self.table.is_legal(action):
                    return Difference(number, seat, kind, step[kind], self.table.explain(action))
            except IllegalActionError as error:
                return Difference(number, seat, kind, step[kind], str(error))
        try:
            self.table.step(action)
        except ValueError as error:
            raise ReplayError(f"step {number}: {error}") from None
        self.totals = _added(self.totals, _rewards(self.table))
        return None

    def _refused(self, number: int, seat: int, move: Mapping[str, Any]) -> Difference | None:
        before = self.table.state.tobytes()
        try:
            self.table.step(self.table.parse(move))
        except IllegalActionError:
            if self.table.state.tobytes() == before:
                return None
            return Difference(number, seat, "refused", "nothing changed", "the state changed")
        return Difference(number, seat, "refused", move, "it is legal")


def _covers(expected: Any, legal: list[dict[str, Any]]) -> bool:
    """Whether the entries (a type, or part of an action) match all legal actions, and each matches one."""
    if not isinstance(expected, list):
        return False
    wanted = [{"type": entry} if isinstance(entry, str) else entry for entry in expected]
    fits = [[not list(compare(entry, action)) for action in legal] for entry in wanted]
    each_fits = all(map(any, fits))
    return each_fits and all(any(row[place] for row in fits) for place in range(len(legal)))


def _rewards(table: Table) -> list[float]:
    return [float(reward) for reward in table.state["rewards"][: table.options.num_players]]


def _added(totals: list[float], rewards: list[float]) -> list[float]:
    return [total + reward for total, reward in zip(totals, rewards, strict=True)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))
