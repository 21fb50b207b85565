"""Cowboy Draw: Five Card Draw as a tournament of four seats and six hands, for stars."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tinhorn.core.game import Game, Measure
from tinhorn.games.cowboy_draw.actions import ACTIONS
from tinhorn.games.cowboy_draw.calls import join, resume
from tinhorn.games.cowboy_draw.house import STYLES, house
from tinhorn.games.cowboy_draw.options import CowboyDrawOptions
from tinhorn.games.cowboy_draw.redeal import redeal
from tinhorn.games.cowboy_draw.rules import legal, new, step, timeout_action
from tinhorn.games.cowboy_draw.state import BUY_IN, CHANCES, READOUT, STATE
from tinhorn.games.cowboy_draw.text import advice, facts, position, text
from tinhorn.games.cowboy_draw.view import LAYOUT, view
from tinhorn.poker.actions import HANDS
from tinhorn.poker.text import LEGEND

__all__ = ["GAME", "join", "resume"]


def _return(states: Any, seats: np.ndarray) -> np.ndarray:
    """Payout less all that was paid in, in buy-ins."""
    rows = np.arange(len(seats))
    return (states.payouts[rows, seats] - states.paid[rows, seats]) / BUY_IN


def _first(states: Any, seats: np.ndarray) -> np.ndarray:
    """Share in the first place by payout; tied firsts share it."""
    rows = np.arange(len(seats))
    first = states.payouts == states.payouts.max(axis=1, keepdims=True)
    return first[rows, seats] / first.sum(axis=1)


def _paid(states: Any, seats: np.ndarray) -> np.ndarray:
    """Whether there was a payout."""
    return (states.payouts[np.arange(len(seats)), seats] > 0).astype(np.float64)


GAME = Game(
    name="cowboy_draw",
    version=0,
    title="Cowboy Draw",
    summary="Draw poker as a tournament: four seats, six hands, a simultaneous draw, rebuys, two payouts.",
    options=CowboyDrawOptions,
    state=STATE,
    layout=LAYOUT,
    actions=ACTIONS,
    measures=(
        Measure("return", "buy-ins", _return, lambda players: 0.0, close=0.02),
        Measure("first", "of tournaments", _first, lambda players: 1 / players, limits=(0, 1)),
        Measure("paid", "of tournaments", _paid, lambda players: 1 / 2, limits=(0, 1)),
    ),
    new=new,
    legal=legal,
    step=step,
    timeout_action=timeout_action,
    view=view,
    house=house,
    redeal=redeal,
    styles=STYLES,
    facts=facts,
    text=text,
    legend=LEGEND,
    ended=lambda state: f"hand {state['hands_played']}",
    hands=replace(HANDS, dealt=lambda states: (states.in_hand != 0) & (states.phase != READOUT)[:, None]),
    chances=CHANCES,
    advice=advice,
    position=position,
    sources=(str(Path(__file__).parent),),
)
