"""Engine calls of a real table between decisions: join and resume. `TableEnv.apply` makes them."""

from typing import Any

from tinhorn.games.cowboy_draw.state import OVER, READOUT
from tinhorn.games.cowboy_draw.tournament import take_seat


def join(state: Any, seat: int) -> None:
    """A person takes over a house bot's seat, for 100 stars of an account of its own, in a readout (CD-9).

    It keeps the seat's chips, gets 1,000 if there are none, and is not asked any more in this readout.

    Raises:
        ValueError: there is no readout now, no such seat, or a person has it. Nothing has changed.
    """
    _check_seat(state, seat)
    if state["phase"] != READOUT:
        raise ValueError("a person can join during a readout only")
    if not state["house_seat"][seat]:
        raise ValueError(f"seat {seat} is a person's: join a seat that the house bot plays")
    take_seat(state, seat)


def resume(state: Any, seat: int) -> None:
    """A person who let the clock run is back: its streak is 0 (CD-14).

    Raises:
        ValueError: no such seat, or the house bot has it already. Nothing has changed.
    """
    _check_seat(state, seat)
    if state["phase"] == OVER:
        raise ValueError("the tournament is over")
    if state["house_seat"][seat]:
        raise ValueError(f"seat {seat} has gone to the house bot: join it")
    state["streak"][seat] = 0


def _check_seat(state: Any, seat: int) -> None:
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < state["num_seats"]:
        raise ValueError(f"seat {seat!r}: give a seat of 0 to {int(state['num_seats']) - 1}")
