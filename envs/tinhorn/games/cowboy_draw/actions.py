"""The actions of Cowboy Draw: exchanges, bets, the readout, and what the clock plays."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tinhorn.games.cowboy_draw.state import BET_1, BET_2, BUY_IN, DRAW, MOST_THROWN, OVER, READOUT
from tinhorn.poker.actions import DrawPokerActions


def is_betting(state: Any) -> bool:
    """Whether a bet is to be decided."""
    return bool(state["phase"] in (BET_1, BET_2))


TABLE_ACTIONS = DrawPokerActions(
    "Cowboy Draw",
    MOST_THROWN,
    lambda state: state["phase"] == DRAW,
    is_betting,
    {
        "pass": "Do nothing in the readout.",
        "rebuy": f"Pay {BUY_IN} stars for a new stack.",
        "leave": "Leave the tournament and any payout; the house bot plays the seat.",
    },
)
FIRST_BET = TABLE_ACTIONS.first_bet
PASS = TABLE_ACTIONS.first_extra
REBUY = PASS + 1
LEAVE = PASS + 2
COUNT = TABLE_ACTIONS.count
# The clock ran out: an id of its own, beyond every amount, as it counts to the streak of its seat (CD-14).
CLOCK = COUNT + (1 << 40)


def describe(state: Any, action: int) -> dict[str, Any]:
    """An action as JSON."""
    return {"type": "clock"} if action == CLOCK else TABLE_ACTIONS.describe(state, action)


def parse(state: Any, action: Mapping[str, Any]) -> int:
    """The id of an action written as JSON."""
    return CLOCK if action["type"] == "clock" else TABLE_ACTIONS.parse(state, action)


def explain(state: Any, action: int) -> str:
    """Why an action is not legal now."""
    if not PASS <= action < COUNT:
        return TABLE_ACTIONS.explain(state, action)
    if state["phase"] != READOUT:
        return "this is no readout"
    seat = state["actor"]
    if action == REBUY and state["stacks"][seat] > 0:
        return f"only a seat without chips may rebuy, this one has {int(state['stacks'][seat])}"
    if action == REBUY:
        return f"a rebuy costs {BUY_IN} stars, the account holds {int(state['stars'][seat])}"
    if action == LEAVE:
        return "the last entitled seat cannot leave, and readout='rebuy' lets nobody leave"
    return ""


def is_legal_amount(state: Any, action: int) -> bool:
    """Whether an id beyond the table is legal: any legal bet, or the clock."""
    return state["phase"] != OVER if action == CLOCK else TABLE_ACTIONS.is_legal_amount(state, action)


_PLAYED = TABLE_ACTIONS.actions()
ACTIONS = replace(
    _PLAYED,
    describe=describe,
    parse=parse,
    explain=explain,
    is_legal_amount=is_legal_amount,
    takes={**_PLAYED.takes, "clock": ()},
)
