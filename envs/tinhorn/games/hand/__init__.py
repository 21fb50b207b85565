"""Hand: rummy with two decks and two jokers, openings of 51, five deals. 2-4 players, or four in two teams."""

from pathlib import Path
from typing import Any

import numpy as np

from tinhorn.core.game import Game, Measure
from tinhorn.games.hand.actions import ACTIONS
from tinhorn.games.hand.advice import advice
from tinhorn.games.hand.house import STYLES, house
from tinhorn.games.hand.options import HandOptions
from tinhorn.games.hand.position import position
from tinhorn.games.hand.redeal import redeal
from tinhorn.games.hand.rules import legal, new, step, timeout_action
from tinhorn.games.hand.state import CHANCES, SEATS, STATE
from tinhorn.games.hand.text import facts, text
from tinhorn.games.hand.view import LAYOUT, view


def _sides(states: Any, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At each table (bool[N, 4]): who plays, and who plays on the side of the seat."""
    columns = np.arange(SEATS)
    team = np.where(states.teams[:, None] != 0, columns % 2, columns)
    plays = columns < states.num_seats[:, None]
    return plays, plays & (team == team[np.arange(len(seats)), seats][:, None])


def _match_share(states: Any, seats: np.ndarray) -> np.ndarray:
    """An equal part of the match for each winner; of a truncated one for each player."""
    plays, _ = _sides(states, seats)
    lowest = np.where(plays, states.scores, np.iinfo(np.int32).max).min(axis=1)
    wins = plays & ((states.scores == lowest[:, None]) | (states.truncated[:, None] != 0))
    return wins[np.arange(len(seats)), seats] / wins.sum(axis=1)


def _points_ahead(states: Any, seats: np.ndarray) -> np.ndarray:
    """Points ahead of the others' mean (in teams: of the other team), per completed deal."""
    plays, own = _sides(states, seats)
    others = plays & ~own
    mean = (states.scores * others).sum(axis=1) / others.sum(axis=1)
    return (mean - states.scores[np.arange(len(seats)), seats]) / np.maximum(states.deal, 1)


GAME = Game(
    name="hand",
    version=0,
    title="Hand",
    summary="Rummy with two decks and two jokers: open with 51, go out, low score wins after five deals.",
    options=HandOptions,
    state=STATE,
    layout=LAYOUT,
    actions=ACTIONS,
    measures=(
        Measure("match share", "of matches", _match_share, lambda players: 1 / players, limits=(0, 1)),
        Measure("points ahead", "points per deal", _points_ahead, lambda players: 0.0, close=0.5),
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
    legend="> is to move, * began this deal",
    ended=lambda state: f"deal {state['deal']}",
    chances=CHANCES,
    advice=advice,
    position=position,
    sources=(str(Path(__file__).parent),),
)
