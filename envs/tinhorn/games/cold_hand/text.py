"""A Cold Hand table as text, and as plain facts for replays."""

from collections.abc import Mapping
from typing import Any

from tinhorn.core.cards import cards_text
from tinhorn.core.game import seat_name
from tinhorn.games.cold_hand.penalty import house_minimum
from tinhorn.games.cold_hand.state import BET_1, BET_2, DRAW_1, DRAW_2, MOST_STAKES, OVER, PHASES
from tinhorn.games.cold_hand.view import hands_to_next_rise
from tinhorn.poker.hints import hand_lines

_TITLES = ("first draw", "first betting round", "second draw", "second betting round", "over")


def facts(state: Any) -> dict[str, Any]:
    """Everything about the table as plain JSON, covered cards and bullets included."""
    seats = range(int(state["num_seats"]))
    over = int(state["phase"]) == OVER
    alive = [bool(state["alive"][seat]) for seat in seats]
    return {
        "phase": PHASES[state["phase"]],
        "turn": None if over else int(state["actor"]),
        "opening_seat": int(state["opening_seat"]),
        "stakes": int(state["stakes"]),
        "house_minimum": int(state["house_minimum"]),
        "hands_completed": int(state["hands_completed"]),
        "hands_to_next_rise": int(hands_to_next_rise(state)) or None,
        "alive": alive,
        "in_hand": [bool(state["in_hand"][seat]) for seat in seats],
        "folded": [bool(state["folded"][seat]) for seat in seats],
        "cards": {str(seat): cards_text(state["hands"][seat]) for seat in seats if state["hands"][seat, 0] >= 0},
        "discards": _discards(state),
        "deck": cards_text(state["cards"][state["next_card"] : state["deck_end"]]),
        "bullets": state["bullets"]["values"][: len(seats)].tolist(),
        "exchanged": [[None if n < 0 else int(n) for n in state["exchanged"][:, seat]] for seat in seats],
        "raises": [
            {"seat": int(state["raise_seat"][k]), "round": int(state["raise_round"][k])}
            for k in range(state["num_raises"])
        ],
        "revealed": {str(seat): cards_text(state["shown"][seat]) for seat in seats if state["shown"][seat, 0] >= 0},
        "penalties": [
            {
                "seat": seat,
                "pulls": int(state["penalty"][seat]),
                "pulled": int(state["pulled"][seat]),
                "died": bool(state["shot"][seat]),
            }
            for seat in seats
            if state["penalty"][seat] > 0
        ],
        "over": over,
        "winner": alive.index(True) if over else None,
    }


def _discards(state: Any) -> list[str]:
    """Cards thrown and not shuffled back, in order of the seats."""
    draw_round = 0 if state["phase"] <= BET_1 else 1
    return cards_text(state["discards"][: state["num_seats"], draw_round].reshape(-1))


def text(state: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; with None only what everybody sees."""
    now = facts(state)
    hands = now["hands_to_next_rise"]
    rise = f", rises after {'this hand' if hands == 1 else f'{hands} hands'}" if hands else ""
    lines = [
        f"Cold Hand, hand {now['hands_completed'] + (not now['over'])}: {_TITLES[state['phase']]}",
        f"stakes {_pulls(now['stakes'])} (at most {MOST_STAKES}), house minimum {_pulls(now['house_minimum'])}{rise}",
    ]
    lines += [_seat_line(now, other, seat) for other in range(len(now["alive"]))]
    if now["penalties"] or now["revealed"]:
        lines += ["after the last hand:", *_settlement_lines(now)]
    if now["over"]:
        lines.append(f"seat {now['winner']} is the last survivor and wins")
    return "\n".join(lines)


def _pulls(count: int) -> str:
    """Pulls of the trigger: each has one chamber of six to fire (CH-14)."""
    return f"{count} pull{'' if count == 1 else 's'}"


def _seat_line(now: dict[str, Any], seat: int, looks: int | None) -> str:
    marks = ">" if seat == now["turn"] else " "
    marks += "*" if seat == now["opening_seat"] else " "
    status = "out" if not now["alive"][seat] else "folded" if now["folded"][seat] else "in"
    drew = "/".join("-" if n is None else str(n) for n in now["exchanged"][seat])
    raises = sum(entry["seat"] == seat for entry in now["raises"])
    line = f"{marks}{seat_name(seat, looks)}  {status:<6}"
    if status != "out":
        line += f"  drew {drew}  raised {raises}"
    if seat == looks and str(seat) in now["cards"]:
        line += "  " + " ".join(now["cards"][str(seat)])
    return line.rstrip()


def _settlement_lines(now: dict[str, Any]) -> list[str]:
    lines = [f"  seat {seat} showed {' '.join(cards)}" for seat, cards in now["revealed"].items()]
    for entry in now["penalties"]:
        end = "and is out" if entry["died"] else "click"
        lines.append(f"  seat {entry['seat']} pulls {entry['pulled']} of {entry['pulls']}: {end}")
    return lines


def advice(state: Any, seat: int) -> str:
    """A seat's hand in words, what its next draw may bring, and the price of the stakes."""
    if state["hands"][seat, 0] < 0:
        return ""
    phase = int(state["phase"])
    chosen = state["exchanged"][1, seat] if phase >= DRAW_2 else -1
    lines = hand_lines(state["hands"][seat], draws=phase in (DRAW_1, BET_1, DRAW_2) and chosen < 0)
    if phase in (BET_1, BET_2):
        stakes, minimum = int(state["stakes"]), int(state["house_minimum"])
        lines.append(f"who calls and shows the weakest hand pulls {stakes} of 6, a fold pulls {minimum} of 6 for sure")
    return "\n".join(lines)


_HANDS = 1_000_000


def position(state: Any, given: Mapping[str, Any]) -> None:
    """The start of a hand.

    - ``hands_completed``: hands before this one, 0 to 1,000,000; the house minimum follows from it (CH-15).

    Raises ValueError.
    """
    for name, value in given.items():
        if (
            name != "hands_completed"
            or isinstance(value, bool)
            or not isinstance(value, int)
            or not 0 <= value <= _HANDS
        ):
            raise ValueError(f"position {name}={value!r}: Cold Hand takes hands_completed, a number of 0 to {_HANDS}")
        state["hands_completed"] = value
        state["house_minimum"] = state["stakes"] = house_minimum(state["num_seats"], value)
