"""A table of no-limit draw poker as plain facts, for replays, and as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from tinhorn.core.cards import cards_text
from tinhorn.core.game import seat_name
from tinhorn.poker.betting import MOST_CHIPS, MOVES, ROUNDS, bet_limits, to_call
from tinhorn.poker.ranking import describe_strength, hand_strength

LEGEND = (
    "> is to move, * has the button: the seat to its left acts first; call/raise: the last move in each betting round, "
    "where a bet counts as a raise"
)


def table_facts(state: Any, betting: bool) -> dict[str, Any]:
    """Everything about the hand as plain JSON, covered cards included. Amounts are chips.

    ``bet_limits`` are the smallest and the largest total that the seat to act may bet or raise to, None if there are
    none.
    """
    seats = int(state["num_seats"])
    drawn = state["drawn"].tolist()[:seats]
    return {
        "turn": int(state["actor"]) if state["actor"] >= 0 else None,
        "button": int(state["button"]),
        "bet_limits": _limits(state) if betting else None,
        "hand_stacks": state["hand_stacks"].tolist()[:seats],
        "stacks": state["stacks"].tolist()[:seats],
        "bets": state["bets"].tolist()[:seats],
        "put_in": state["put_in"].tolist()[:seats],
        "pot": int(state["put_in"].sum()),
        "in_hand": [flag > 0 for flag in state["in_hand"].tolist()[:seats]],
        "cards": _hands(state["hands"], seats),
        "discards": _hands(state["thrown"], seats),
        "deck": cards_text(state["cards"].tolist()[state["next_card"] : state["deck_end"]]),
        "reshuffled": bool(state["reshuffled"]),
        "drawn": {str(seat): count for seat, count in enumerate(drawn) if count >= 0},
        "betting": [_round(state, r, seats) for r in range(ROUNDS)],
        "last_hand": last_hand(state),
    }


def _limits(state: Any) -> list[int] | None:
    low, high = bet_limits(state, state["actor"])
    return [int(low), int(high)] if high else None


def last_hand(state: Any) -> dict[str, Any]:
    """The pots of the hand just finished, with who could win them and who did, and the hands shown."""
    seats, pots = int(state["num_seats"]), int(state["num_pots"])
    chips, eligible = state["pot_chips"].tolist(), state["pot_eligible"].tolist()
    winners = state["pot_winners"].tolist()
    return {
        "pots": [
            {"chips": chips[pot], "eligible": _seats(eligible[pot]), "winners": _seats(winners[pot])}
            for pot in range(pots)
        ],
        "won": state["won"].tolist()[:seats],
        "shown": _hands(state["shown"], seats),
    }


def _round(state: Any, r: int, seats: int) -> dict[str, Any]:
    opener = int(state["opener"][r])
    return {
        "opener": opener if opener >= 0 else None,
        "raises": state["raises"][r].tolist()[:seats],
        "moves": [MOVES[move] if move >= 0 else None for move in state["moves"][r].tolist()[:seats]],
    }


def _seats(flags: list[int]) -> list[int]:
    return [seat for seat, flag in enumerate(flags) if flag]


def _hands(hands: Any, seats: int) -> dict[str, list[str]]:
    """Cards by seat; seats without any are left out."""
    return {str(seat): cards_text(hand) for seat, hand in enumerate(hands.tolist()[:seats]) if hand[0] >= 0}


def table_lines(state: Any, looks: int | None, marks: Sequence[str] = ()) -> list[str]:
    """The seats, a line each, as seat ``looks`` sees them; ``marks`` are words about each seat."""
    now = table_facts(state, betting=False)
    return [_seat_line(state, now, seat, looks, marks) for seat in range(int(state["num_seats"]))]


def _seat_line(state: Any, now: dict[str, Any], seat: int, looks: int | None, marks: Sequence[str]) -> str:
    sign = (">" if seat == now["turn"] else " ") + ("*" if seat == now["button"] else " ")
    parts = [f"{sign}{seat_name(seat, looks)}", f"{now['stacks'][seat]:>6} chips"]
    dealt = state["hands"][seat, 0] >= 0
    if dealt and not now["in_hand"][seat]:
        parts.append("folded")
    elif dealt and now["stacks"][seat] == 0:
        parts.append("all-in")
    if now["put_in"][seat]:
        parts.append(f"put in {now['put_in'][seat]}" + (f" (bet {now['bets'][seat]})" if now["bets"][seat] else ""))
    if str(seat) in now["drawn"]:
        parts.append(f"drew {now['drawn'][str(seat)]}")
    moves = [now["betting"][r]["moves"][seat] for r in range(ROUNDS)]
    if any(moves):
        parts.append("/".join(move or "-" for move in moves))
    if seat == looks and dealt:
        parts.append(" ".join(now["cards"][str(seat)]))
    parts += [marks[seat]] if marks and marks[seat] else []
    return "  ".join(parts)


def pot_line(state: Any, looks: int | None, betting: bool) -> str:
    """The pot and the ante; for the seat to act also what a call costs (FD-7)."""
    price = int(to_call(state, looks)) if betting and looks is not None and looks == state["actor"] else 0
    return f"pot {int(state['put_in'].sum())}, ante {int(state['ante'])}" + (f", {price} to call" if price else "")


def last_hand_lines(state: Any) -> list[str]:
    """The end of the last hand in words: the hands shown, and every pot."""
    last = last_hand(state)
    if not last["pots"]:
        return []
    lines = ["the last hand:"]
    for seat, cards in last["shown"].items():
        words = describe_strength(int(hand_strength(state["shown"][int(seat)])))
        lines.append(f"  seat {seat} showed {' '.join(cards)}: {words}")
    for number, pot in enumerate(last["pots"]):
        name = "the pot" if len(last["pots"]) == 1 else "the main pot" if number == 0 else f"side pot {number}"
        winners = " and ".join(map(str, pot["winners"]))
        seats, verb = ("seats", "share") if len(pot["winners"]) > 1 else ("seat", "wins")
        lines.append(f"  {seats} {winners} {verb} {name} of {pot['chips']}")
    return lines


def read_position(given: Mapping[str, Any], limits: Mapping[str, tuple[int, int]], num_seats: int) -> dict[str, Any]:
    """Check a hand-made position: ``stacks`` is a list of chips for each seat, the rest are numbers within ``limits``.

    Raises ValueError that says what is wrong.
    """
    for name, value in given.items():
        if name == "stacks":
            right = isinstance(value, Sequence) and len(value) == num_seats
            if not right or not all(_within(chips, 0, MOST_CHIPS) for chips in value):
                raise ValueError(f"position stacks={value!r}: give {num_seats} numbers of 0 to {MOST_CHIPS} chips")
        elif name not in limits:
            raise ValueError(f"unknown position {name!r}; there are: stacks, {', '.join(limits)}")
        elif not _within(value, *limits[name]):
            low, high = limits[name]
            raise ValueError(f"position {name}={value!r}: give a whole number of {low} to {high}")
    return dict(given)


def _within(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
