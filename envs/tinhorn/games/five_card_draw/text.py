"""A table of Five Card Draw as text, and as plain facts for replays."""

from collections.abc import Mapping
from typing import Any

from tinhorn.games.five_card_draw.actions import is_betting
from tinhorn.games.five_card_draw.rules import begin_hand, seat_players
from tinhorn.games.five_card_draw.state import BET_1, DRAW, OVER, PHASES
from tinhorn.poker.hints import table_advice
from tinhorn.poker.text import last_hand_lines, pot_line, read_position, table_facts, table_lines

_TITLES = ("first betting round", "draw", "second betting round", "over")


def facts(state: Any) -> dict[str, Any]:
    """Everything about the table as plain JSON, covered cards included."""
    seats = int(state["num_seats"])
    return {
        "phase": PHASES[state["phase"]],
        **table_facts(state, is_betting(state)),
        "hands_played": int(state["hands_played"]),
        "alive": [flag > 0 for flag in state["alive"].tolist()[:seats]],
        "places": _places(state),
        "over": bool(state["phase"] == OVER),
    }


def _places(state: Any) -> dict[str, int]:
    """The places of players whose game is over; tied ones have the same, the best of those that they share."""
    shared = state["places"].tolist()
    return {str(seat): int(mean - (shared.count(mean) - 1) / 2) for seat, mean in enumerate(shared) if mean > 0}


def text(state: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; with None only what everybody sees."""
    places = _places(state)
    marks = [f"place {places[str(other)]}" if str(other) in places else "" for other in range(state["num_seats"])]
    lines = [
        f"Five Card Draw, hand {int(state['hands_played']) + (state['phase'] != OVER)}: {_TITLES[state['phase']]}",
        pot_line(state, seat, is_betting(state)),
        *table_lines(state, seat, marks),
        *last_hand_lines(state),
    ]
    return "\n".join(lines)


def advice(state: Any, seat: int) -> str:
    """A seat's hand in words, what a draw may bring, and the price of a call."""
    return table_advice(state, seat, is_betting(state), before_draw=state["phase"] in (BET_1, DRAW))


def position(state: Any, given: Mapping[str, Any]) -> None:
    """The start of a hand; every key may be left out.

    - ``stacks``: chips for each seat before the antes, 0 to 1,000,000; two seats at least, the button among them, need
      chips.
    - ``button``: the seat with the button.
    - ``hands_played``: hands before this one, from 0 to below ``max_hands``.

    The deck keeps its order: the cards are dealt anew from the left of the button. Raises ValueError.
    """
    seats = int(state["num_seats"])
    limits = {"button": (0, seats - 1), "hands_played": (0, int(state["max_hands"]) - 1)}
    found = read_position(given, limits, seats)
    stacks = found.get("stacks", state["hand_stacks"][:seats].tolist())
    button = found.get("button", int(state["button"]))
    if sum(chips > 0 for chips in stacks) < 2 or stacks[button] == 0:
        raise ValueError(f"position stacks={stacks!r}, button={button}: the button and another player need chips")
    state["stacks"][:seats] = stacks
    state["first_stacks"][:seats] = stacks
    state["button"] = button
    state["hands_played"] = found.get("hands_played", 0)
    seat_players(state)
    begin_hand(state, True)
