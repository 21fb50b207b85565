"""Cold Hand: two draws, two rounds of raising, the weakest hand shown pulls the trigger. 2-6 players."""

from pathlib import Path
from typing import Any

import numpy as np

from tinhorn.core.game import Game, Hands, Measure
from tinhorn.games.cold_hand.actions import ACTIONS
from tinhorn.games.cold_hand.house import STYLES, house
from tinhorn.games.cold_hand.options import ColdHandOptions
from tinhorn.games.cold_hand.redeal import redeal
from tinhorn.games.cold_hand.rules import legal, new, step, timeout_action
from tinhorn.games.cold_hand.state import CHANCES, STATE
from tinhorn.games.cold_hand.text import advice, facts, position, text
from tinhorn.games.cold_hand.view import LAYOUT, view


def _survived(states: Any, seats: np.ndarray) -> np.ndarray:
    return states.alive[np.arange(len(seats)), seats].astype(np.float64)


GAME = Game(
    name="cold_hand",
    version=0,
    title="Cold Hand",
    summary="Five cards, two draws, two rounds of raising; the weakest hand shown pulls the trigger.",
    options=ColdHandOptions,
    state=STATE,
    layout=LAYOUT,
    actions=ACTIONS,
    measures=(Measure("survival share", "of games", _survived, lambda players: 1 / players, limits=(0, 1)),),
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
    legend="> is to move, * opens the rounds of this hand",
    ended=lambda state: f"hand {state['hands_completed']}",
    hands=Hands(
        over=lambda states: states.hands_completed,
        dealt=lambda states: states.in_hand != 0,
        shown=lambda states: states.shown[:, :, 0] >= 0,
        plays=frozenset(("call", "raise")),
        raises=frozenset(("raise",)),
    ),
    chances=CHANCES,
    advice=advice,
    position=position,
    sources=(str(Path(__file__).parent),),
)
