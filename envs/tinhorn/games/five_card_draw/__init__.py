"""Five Card Draw: no-limit draw poker for chips, until one player has them all. 2-6 players."""

from pathlib import Path
from typing import Any

import numpy as np

from tinhorn.core.game import Game, Measure
from tinhorn.games.five_card_draw.actions import ACTIONS
from tinhorn.games.five_card_draw.house import STYLES, house
from tinhorn.games.five_card_draw.options import FiveCardDrawOptions
from tinhorn.games.five_card_draw.redeal import redeal
from tinhorn.games.five_card_draw.rules import legal, new, step, timeout_action
from tinhorn.games.five_card_draw.state import CHANCES, STATE
from tinhorn.games.five_card_draw.text import advice, facts, position, text
from tinhorn.games.five_card_draw.view import LAYOUT, view
from tinhorn.poker.actions import HANDS
from tinhorn.poker.text import LEGEND


def _win_share(states: Any, seats: np.ndarray) -> np.ndarray:
    """The share of all chips at the end: 1 for the winner, less where the game was cut off (FD-20)."""
    rows = np.arange(len(seats))
    return states.stacks[rows, seats] / states.stacks.sum(axis=1)


def _antes(states: Any, seats: np.ndarray) -> np.ndarray:
    """Antes won in 100 hands."""
    rows = np.arange(len(seats))
    won = states.stacks[rows, seats].astype(np.float64) - states.first_stacks[rows, seats]
    return 100 * won / states.ante / np.maximum(states.hands_played, 1)


GAME = Game(
    name="five_card_draw",
    version=0,
    title="Five Card Draw",
    summary="No-limit draw poker with antes: bet, draw up to five cards, bet; until one player has all the chips.",
    options=FiveCardDrawOptions,
    state=STATE,
    layout=LAYOUT,
    actions=ACTIONS,
    measures=(
        Measure("win share", "of games", _win_share, lambda players: 1 / players, limits=(0, 1)),
        Measure("antes", "per 100 hands", _antes, lambda players: 0.0, close=2.0),
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
    hands=HANDS,
    chances=CHANCES,
    advice=advice,
    position=position,
    sources=(str(Path(__file__).parent),),
)
