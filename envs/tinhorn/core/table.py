"""One table at the edge of the engine: checks what kernels take for granted, and explains what is wrong.

Environments, replays and the terminal game sit on this class; it is the only place where single moves are checked.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

import numpy as np

from tinhorn.core.cards import CARD_TEXTS
from tinhorn.core.chance import ChanceError, read_script
from tinhorn.core.driver import as_bytes, driver, outputs, warm_up
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn.core.rng import as_seed


class IllegalActionError(ValueError):
    """The action is not legal now. Nothing has changed; the message names what is legal.

    ``reason`` is why, without the list; "" if nothing particular.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class PositionError(ValueError):
    """A hand-made position is none of this game; the message says what is wrong with it."""


class Table:
    """One table of a game.

    Args:
        game: the game. options: its options; None takes the defaults. skip_forced: play decisions with one legal
            action inside the engine.

    Attributes:
        state: the record. mask: int8[A], view: int32[V], features: float32[D] of the seat to act; overwritten
        in place by every step.
    """

    def __init__(self, game: Game, options: Options | None = None, *, skip_forced: bool = False) -> None:
        warm_up(game)
        self.game, self.skip_forced = game, skip_forced
        self.options = game.own(options)
        self._blank = game.new_states(1, self.options)
        self._bind(self._blank.copy())
        self._script: list[dict[str, Any]] = []
        self._began = False  # before, there is nothing to see

    def _bind(self, states: np.recarray) -> None:
        game = self.game
        self.states, self.state, self._memory = states, states[0], as_bytes(states)
        arrays = outputs(game, 1)
        masks, views, features, self._rewards, self._finished, self._actors = arrays
        self._written = [as_bytes(array) for array in arrays]
        self.mask, self.view, self.features = masks[0], views[0], features[0]
        self._actions = np.zeros(1, np.int64)
        self._which, self._seeds = np.zeros(1, np.int64), np.zeros(1, np.uint64)
        self._driver = driver(game)

    @property
    def actor(self) -> int:
        """The seat to act, -1 when the episode is over."""
        return int(self._actors[0])

    @property
    def finished(self) -> bool:
        """Whether the episode is over."""
        return bool(self.state["finished"])

    def reset(
        self,
        seed: int | None = None,
        chance: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None = None,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        """Start an episode.

        Args:
            seed: any whole number; None asks the system for one.
            chance: outcomes of chance by name for the first draw of each kind, or a list of such mappings: each
                kind's n-th draw takes its n-th outcome, see `Chance.read`. What is not named is left to the seed.
            position: a hand-made position over the fresh state, in the game's own words.

        Raises:
            ChanceError: unknown chance or an impossible outcome. PositionError: an impossible position. The table is
                unchanged.
        """
        states = self._blank.copy()
        script = read_script(self.game.chances, chance)
        before = self.states, self._script, self._began
        self._bind(states)
        self._script = script
        try:
            self._start(as_seed(seed), position)
        except ValueError:
            self._bind(before[0])
            self._script = before[1]
            self._began = before[2]
            self._refresh()
            raise

    def _start(self, seed: np.uint64, position: Mapping[str, Any] | None) -> None:
        expected = self._prescribe()
        self._seeds[0] = seed
        self._driver.begin(self._memory, self._which, self._seeds, self.skip_forced, *self._written)
        self._began = True
        self._confirm(expected)
        if position is not None:
            self._place(position)
            self._refresh()

    def _place(self, position: Mapping[str, Any]) -> None:
        if self.game.position is None:
            raise PositionError(f"{self.game.title} takes no hand-made positions")
        if not isinstance(position, Mapping):
            raise PositionError(f"position {position!r}: give its parts by name, as in the docs of {self.game.title}")
        try:
            self.game.position(self.state, position)
        except KeyError as error:
            raise PositionError(f"position: {error} is missing in {dict(position)}") from None
        except (ValueError, TypeError, IndexError, ArithmeticError) as error:
            raise PositionError(str(error) if "position" in str(error) else f"position: {error}") from None

    def step(self, action: int) -> None:
        """Apply an action id. Raises IllegalActionError and leaves the table as it was if it is not legal."""
        if not self.is_legal(action):
            raise IllegalActionError(self.explain(action))
        before = self.state.copy() if self._script else None
        expected = self._prescribe() if self._script else {}
        self._actions[0] = action
        self._driver.play(self._memory, self._which, self._actions, self.skip_forced, *self._written)
        if expected:
            try:
                self._confirm(expected)
            except ChanceError:
                self.states[0] = before
                self._refresh()
                raise

    def is_legal(self, action: int) -> bool:
        """Whether an id of the table, or an amount that the game takes beyond it, may be played now."""
        if not _is_whole(action) or action < 0 or self._actors[0] < 0 or not self._began:
            return False
        if action < len(self.mask):
            return bool(self.mask[action])
        return self.game.actions.is_legal_amount(self.state, int(action))

    def explain(self, action: Any) -> str:
        """Why an action is not legal, and what is."""
        if self._actors[0] < 0 or not self._began:
            return "the episode is over: call reset()" if self._began else _NOT_BEGUN
        if not _is_whole(action) or action < 0:
            return f"{action!r} is no action id: give a whole number of 0 to {len(self.mask) - 1}"
        reason = self.reason(int(action))
        if int(action) < len(self.mask):
            what = self.game.actions.describe(self.state, int(action))
        else:
            what = {"type": int(action)}
        legal = ", ".join(move_text(entry) for entry in self.legal_actions()[:12])
        more = len(self.legal_ids()) - 12
        return (
            f"{move_text(what)} is not legal for seat {self.actor}"
            + (f": {reason}" if reason else "")
            + f"; legal: {legal}"
            + (f" and {more} more" if more > 0 else "")
        )

    def reason(self, action: int) -> str:
        """Why an id is not legal, in the game's words; "" if nothing particular."""
        return self.game.actions.explain(self.state, action)

    def legal_ids(self) -> list[int]:
        """The legal action ids."""
        return np.flatnonzero(self.mask).tolist()

    def legal_actions(self) -> list[dict[str, Any]]:
        """The legal actions of the table as JSON."""
        return [self.describe(action) for action in self.legal_ids()]

    def describe(self, action: int) -> dict[str, Any]:
        """An action as JSON."""
        return self.game.actions.describe(self.state, int(action))

    def parse(self, action: Mapping[str, Any]) -> int:
        """The id of an action written as JSON. Raises IllegalActionError when it is not one of this game's."""
        try:
            return self.game.actions.read(self.state, action)
        except (KeyError, TypeError, ValueError) as error:
            legal = ", ".join(move_text(entry) for entry in self.legal_actions()[:12])
            named = isinstance(action, Mapping) and isinstance(action.get("type"), str)
            what = move_text(action) if named else repr(action)
            listed = legal or "nothing, the episode is over"
            raise IllegalActionError(f"{what}: {error}; legal: {listed}", str(error)) from None

    def timeout_action(self) -> int:
        """The id of what the rules play when the clock of the seat to act runs out."""
        self._need_begun()
        if self._actors[0] < 0:
            raise IllegalActionError("the episode is over: call reset()")
        return int(self.game.timeout_action(self.state))

    def load(self, state: Any) -> None:
        """Go on from a copy of a state record of the same game. Raises ValueError for one that has not begun."""
        if getattr(state, "dtype", None) != self.game.state:
            raise ValueError(f"{type(state).__name__} is no state of {self.game.title}")
        if not state["stream"][0]:
            raise ValueError("this state has not begun: take one of a table after reset()")
        self.states[0] = state
        self._script = []
        self._began = True
        self._refresh()

    def apply(self, call: Callable[..., None], *values: Any) -> None:
        """Let an engine call of the game, ``call(state, *values)``, change the state between decisions.

        For what no seat decides, such as a person who joins. Raises what the call raises; nothing has changed then.
        """
        self._need_begun()
        call(self.state, *values)
        self._refresh()

    def observe(self, seat: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mask int8[A], view int32[V] and features float32[D] of any seat, as arrays of their own.

        Raises ValueError before the first `reset`, and for a seat that is not there.
        """
        self._need_begun()
        if not _is_whole(seat) or not 0 <= seat < self.options.num_players:
            raise ValueError(f"seat {seat!r}: the seats are 0 to {self.options.num_players - 1}")
        if seat == self.actor:
            return self.mask.copy(), self.view.copy(), self.features.copy()
        seen = outputs(self.game, 1)
        self._driver.observe(self._memory, seat, *map(as_bytes, seen))
        return seen[0][0], seen[1][0], seen[2][0]

    def _need_begun(self) -> None:
        if not self._began:
            raise ValueError(_NOT_BEGUN)

    def clone(self) -> Self:
        """An independent copy: same state, same stream, same prescribed chance to come."""
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = self.__class__.__new__(self.__class__)
        twin.__setstate__(self.__getstate__())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "options": self.options,
            "skip_forced": self.skip_forced,
            "began": self._began,
            "state": self.states.tobytes(),
            "script": [dict(part) for part in self._script],
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        from tinhorn.core.game import find_game

        self.game, self.options, self.skip_forced = (
            find_game(kept["game"]),
            kept["options"],
            kept["skip_forced"],
        )
        self._blank = self.game.new_states(1, self.options)
        self._bind(np.frombuffer(bytearray(kept["state"]), self.game.state).view(np.recarray))
        self._script = [dict(part) for part in kept["script"]]
        self._began = kept["began"]
        self._refresh()

    def _refresh(self) -> None:
        """Write mask, view and features anew from the state."""
        actor = int(self.state["actor"])
        self._actors[0] = actor
        if self._began:
            self._driver.observe(self._memory, max(actor, 0), *self._written)

    def _prescribe(self) -> dict[str, list[Any]]:
        """Hand the next prescribed outcome of each kind to the state; returns what is pending."""
        pending = {}
        for chance in self.game.chances:
            drawn = int(self.state[chance.name]["drawn"])
            if drawn < len(self._script) and chance.name in self._script[drawn]:
                pending[chance.name] = [drawn, self._script[drawn][chance.name]]
                chance.prescribe(self.state, self._script[drawn][chance.name])
        return pending

    def _confirm(self, pending: dict[str, list[Any]]) -> None:
        """Check that prescribed outcomes which have been drawn came out as asked. Raises ChanceError.

        Takes back those not drawn yet: a state on its own tells nothing of the chance to come.
        """
        for chance in self.game.chances:
            if chance.name not in pending:
                continue
            drawn, asked = pending[chance.name]
            self.state[chance.name]["prescribed"] = 0
            self.state[chance.name]["given"] = 0
            if int(self.state[chance.name]["drawn"]) == drawn:
                continue
            chance.check(asked, self.state)


_NOT_BEGUN = "the table has not begun: call reset() first"


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def move_text(move: Mapping[str, Any]) -> str:
    """A move as JSON in the words in which people type it: ``exchange 7d 2c``, ``raise 240``, ``add 8h meld 2 high``.

    Where only a number of cards is known (`Actions.seen`), that number.
    """
    words = [str(move.get("type"))]
    of_cards = not {"card", "cards"}.isdisjoint(move)
    for key, value in move.items():
        if key == "cards" and isinstance(value, int):
            words.append(f"{value} card" + ("" if value == 1 else "s"))
        elif isinstance(value, (list, tuple)):
            words += map(str, value or ["nothing"])
        elif key != "type":
            named = of_cards and key != "card" and (isinstance(value, int) or value in CARD_TEXTS)
            words.append(f"{key} {value}" if named else str(value))
    return " ".join(words)
