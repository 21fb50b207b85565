"""A table of Cowboy Draw as text, and as plain facts for replays."""

from collections.abc import Mapping
from typing import Any

from tinhorn.games.cowboy_draw.actions import is_betting
from tinhorn.games.cowboy_draw.rules import begin_hand
from tinhorn.games.cowboy_draw.state import BET_1, DRAW, HANDS, OVER, PHASES, READOUT
from tinhorn.poker.hints import table_advice
from tinhorn.poker.text import last_hand_lines, pot_line, read_position, table_facts, table_lines

_TITLES = ("first betting round", "draw", "second betting round", "readout", "over")


def facts(state: Any) -> dict[str, Any]:
    """Everything about the tournament as plain JSON, covered cards included."""
    seats = int(state["num_seats"])
    return {
        "phase": PHASES[state["phase"]],
        **table_facts(state, is_betting(state)),
        "hands_played": int(state["hands_played"]),
        "tournament_pot": int(state["tournament_pot"]),
        "stars": state["stars"].tolist()[:seats],
        "paid": state["paid"].tolist()[:seats],
        "payouts": state["payouts"].tolist()[:seats],
        "rebuys": state["rebuys"].tolist()[:seats],
        "house_bot": [flag > 0 for flag in state["house_seat"].tolist()[:seats]],
        "entitled": [flag > 0 for flag in state["entitled"].tolist()[:seats]],
        "streak": state["streak"].tolist()[:seats],
        "over": bool(state["phase"] == OVER),
    }


def text(state: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; with None only what everybody sees."""
    now = facts(state)
    number = now["hands_played"] + (state["phase"] < READOUT)
    pot = f", tournament pot {now['tournament_pot']} stars" if now["tournament_pot"] else ""
    lines = [
        f"Cowboy Draw, hand {number} of {HANDS}: {_TITLES[state['phase']]}",
        f"{pot_line(state, seat, is_betting(state))}{pot}",
        *table_lines(state, seat, [_mark(now, other) for other in range(len(now["stars"]))]),
        *last_hand_lines(state),
    ]
    return "\n".join(lines)


def _mark(now: dict[str, Any], seat: int) -> str:
    """What the tournament says about a seat."""
    words = ["house bot"] if now["house_bot"][seat] else []
    words += [f"rebuys {now['rebuys'][seat]}"] if now["rebuys"][seat] else []
    words += [f"payout {now['payouts'][seat]} stars"] if now["over"] and now["payouts"][seat] else []
    return ", ".join(words)


def advice(state: Any, seat: int) -> str:
    """A seat's hand in words, what a draw may bring, and the price of a call."""
    return table_advice(state, seat, is_betting(state), before_draw=state["phase"] in (BET_1, DRAW))


def position(state: Any, given: Mapping[str, Any]) -> None:
    """The start of a hand; every key may be left out.

    - ``stacks``: chips for each seat before the antes, 0 to 1,000,000; two seats at least, the button among them, need
      chips.
    - ``button``: the seat with the button.
    - ``hands_played``: hands before this one, 0 to 5.

    The deck keeps its order: the cards are dealt anew from the left of the button. All else is as at the
    start of a tournament: four buy-ins in the pot, no rebuys. Raises ValueError.
    """
    seats = int(state["num_seats"])
    found = read_position(given, {"button": (0, seats - 1), "hands_played": (0, HANDS - 1)}, seats)
    stacks = found.get("stacks", state["hand_stacks"].tolist()[:seats])
    button = found.get("button", int(state["button"]))
    if sum(chips > 0 for chips in stacks) < 2 or stacks[button] == 0:
        raise ValueError(f"position stacks={stacks!r}, button={button}: the button and another player need chips")
    state["stacks"][:seats] = stacks
    state["button"] = button
    state["hands_played"] = found.get("hands_played", 0)
    begin_hand(state, True)
