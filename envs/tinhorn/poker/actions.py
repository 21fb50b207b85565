"""The action table of no-limit draw poker: exchanges, then betting, then what a game adds.

A bet may be any legal whole number of chips: id ``count + amount``, beyond the table, is a bet to that total.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tinhorn.core.cards import cards_text
from tinhorn.core.game import Actions, Block, Hands
from tinhorn.poker.betting import (
    ALL_IN,
    BET,
    CALL,
    CHECK,
    FOLD,
    MOST_SIZES,
    bet_limits,
    is_legal_bet,
    largest_bet,
    may_raise,
    size_amount,
    to_call,
)
from tinhorn.poker.exchange import EXCHANGE_KEYS, STAND_WORDS, exchanges, parse_exchange

# How players of no-limit draw poker are counted, hand by hand.
HANDS = Hands(
    over=lambda states: states.hands_played,
    dealt=lambda states: states.in_hand != 0,
    shown=lambda states: states.shown[:, :, 0] >= 0,
    plays=frozenset(("call", "bet", "all_in")),
    raises=frozenset(("bet", "all_in")),
)
_PLAIN = {"check": CHECK, "fold": FOLD, "call": CALL}


class DrawPokerActions:
    """Names and numbers of the actions of one game of draw poker.

    Args:
        title: the game's name for people.
        most_thrown: cards that may be exchanged.
        is_draw, is_betting: ``(state) -> bool``, what is decided now.
        extra: plain moves of the game itself, by name with their meanings; their ids follow the betting.
    """

    def __init__(
        self,
        title: str,
        most_thrown: int,
        is_draw: Callable[[Any], bool],
        is_betting: Callable[[Any], bool],
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self.title, self.most_thrown = title, most_thrown
        self.is_draw, self.is_betting = is_draw, is_betting
        self.places = exchanges(most_thrown)
        self.first_bet = len(self.places)
        self.extra = dict(extra or {})
        self.first_extra = self.first_bet + ALL_IN + 1
        self.count = self.first_extra + len(self.extra)

    def actions(self) -> Actions:
        """The table that `Game` takes."""
        return Actions(
            blocks=(
                Block("exchange", len(self.places), "Throw the cards in these places of the hand and draw as many."),
                Block("check", 1, "Bet nothing."),
                Block("fold", 1, "Give up the hand."),
                Block("call", 1, "Match the highest bet, or put in the whole stack if that is less."),
                Block(
                    "bet",
                    MOST_SIZES,
                    "Bet or raise: the smallest legal amount, then the shares of the pot that the options name.",
                ),
                Block("all_in", 1, "Bet or raise with the whole stack."),
                *(Block(name, 1, meaning) for name, meaning in self.extra.items()),
            ),
            describe=self.describe,
            parse=self.parse,
            explain=self.explain,
            is_legal_amount=self.is_legal_amount,
            static=self._static(),
            words=STAND_WORDS,
            takes=self._takes(),
            places_of="hand",
        )

    def _static(self) -> tuple[dict[str, Any], ...]:
        return (
            *({"type": "exchange", "places": list(places)} for places in self.places),
            *({"type": name} for name in _PLAIN),
            *({"type": "bet", "size": size} for size in range(MOST_SIZES)),
            {"type": "all_in"},
            *({"type": name} for name in self.extra),
        )

    def _takes(self) -> dict[str, Sequence[str]]:
        plain: dict[str, Sequence[str]] = dict.fromkeys([*_PLAIN, *self.extra], ())
        return {"exchange": EXCHANGE_KEYS} | dict.fromkeys(("bet", "raise", "all_in"), ("to",)) | plain

    def describe(self, state: Any, action: int) -> dict[str, Any]:
        """An action as JSON: cards are those of the seat to act, ``to`` is its total of this round."""
        if action < self.first_bet:
            hand = state["hands"][state["actor"]]
            return {"type": "exchange", "cards": cards_text(hand[place] for place in self.places[action])}
        if self.first_extra <= action < self.count:
            return {"type": list(self.extra)[action - self.first_extra]}
        move = action - self.first_bet
        if move <= CALL:
            return {"type": list(_PLAIN)[move]}
        seat = state["actor"]
        if move == ALL_IN:
            return {"type": "all_in", "to": int(largest_bet(state, seat))}
        to = action - self.count if action >= self.count else int(size_amount(state, seat, move - BET))
        return {"type": "raise" if state["highest_bet"] > 0 else "bet", "to": to}

    def parse(self, state: Any, action: Mapping[str, Any]) -> int:
        """The id of an action written as JSON; a bet to any legal amount has an id of ``count`` or more."""
        kind = action["type"]
        if kind in self.extra:
            return self.first_extra + list(self.extra).index(kind)
        if kind == "exchange":
            if not self.is_draw(state):
                raise ValueError(self.explain(state, 0))
            return parse_exchange(state, action, self.places)
        if kind in _PLAIN:
            return self.first_bet + _PLAIN[kind]
        if kind == "all_in":
            return self.first_bet + self._all_in(state, action.get("to"))
        if kind in ("bet", "raise"):
            return self._parse_bet(state, kind, action.get("to"))
        known = ["exchange", *_PLAIN, "bet", "raise", "all_in", *self.extra]
        raise ValueError(f"{kind!r} is no action of {self.title}: {', '.join(known)}")

    def _all_in(self, state: Any, to: Any) -> int:
        """All-in for no more than the call is a call (FD-7). Raises ValueError when ``to`` is not the whole stack."""
        seat = state["actor"]
        whole = int(largest_bet(state, seat))
        if to is not None and (isinstance(to, bool) or to != whole):
            raise ValueError(f"all_in is to {whole}, not {to!r}; another amount is a bet or a raise")
        call = int(to_call(state, seat))
        return CALL if self.is_betting(state) and 0 < call == state["stacks"][seat] else ALL_IN

    def _parse_bet(self, state: Any, kind: str, to: Any) -> int:
        if not self.is_betting(state):
            return self.first_bet + BET
        right = "raise" if state["highest_bet"] > 0 else "bet"
        if kind != right:
            raise ValueError(f"{'there is a bet' if right == 'raise' else 'nobody has bet'} in this round: {right}")
        if to is None:
            raise ValueError(f"say how much, as 'to': {self._interval(state)}")
        if isinstance(to, bool) or not isinstance(to, int) or not self._may_bet(state, to):
            raise ValueError(f"{to!r} is no legal amount: {self._interval(state)}")
        return self._bet_id(state, to)

    def _may_bet(self, state: Any, to: int) -> bool:
        """Whether any whole number, also one that no machine word holds, is a legal total."""
        return to < 1 << 62 and bool(is_legal_bet(state, to))

    def _bet_id(self, state: Any, to: int) -> int:
        """The id in the table of a legal amount, or one beyond it."""
        if to == largest_bet(state, state["actor"]):
            return self.first_bet + ALL_IN
        for size in range(MOST_SIZES):
            offered = size == 0 or state["size_shares"][size] > 0
            if offered and size_amount(state, state["actor"], size) == to:
                return self.first_bet + BET + size
        return self.count + to

    def is_legal_amount(self, state: Any, action: int) -> bool:
        """Whether an id beyond the table is a legal bet (FD-18)."""
        return self.is_betting(state) and self._may_bet(state, action - self.count)

    def explain(self, state: Any, action: int) -> str:
        """Why an action is not legal now."""
        if action < self.first_bet:
            return "" if self.is_draw(state) else "there is no draw now"
        if not self.first_bet + CHECK <= action < self.first_extra and action < self.count:
            return ""
        if not self.is_betting(state):
            return "this is no betting round"
        call = int(to_call(state, state["actor"]))
        move = action - self.first_bet
        if move == CHECK:
            return f"there are {call} chips to call"
        if move == FOLD:
            return "there is nothing to call"
        if move == CALL:
            return "there is nothing to call"
        if action >= self.count or may_raise(state, state["actor"]):
            return self._interval(state)
        return self._closed(state)

    def _interval(self, state: Any) -> str:
        """The legal bets in words."""
        seat = state["actor"]
        if not may_raise(state, seat):
            return self._closed(state)
        kind = "a raise" if state["highest_bet"] > 0 else "a bet"
        low, high = (int(limit) for limit in bet_limits(state, seat))
        return f"{kind} is to a whole number of {low} to {high} chips" if low < high else f"{kind} is all-in, to {high}"

    def _closed(self, state: Any) -> str:
        seat = state["actor"]
        if largest_bet(state, seat) <= state["highest_bet"]:
            return "the stack is no more than the call"
        answered = int(state["answered"][seat])
        if answered >= 0 and state["highest_bet"] - answered < state["full_raise"]:
            return "the raises since this seat acted are less than a full raise, so raising is closed to it"
        return "no opponent could put in more"
