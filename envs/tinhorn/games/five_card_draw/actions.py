"""The actions of Five Card Draw: which cards to exchange, and how to bet."""

from typing import Any

from tinhorn.games.five_card_draw.state import BET_1, BET_2, DRAW
from tinhorn.poker.actions import DrawPokerActions
from tinhorn.poker.exchange import HAND


def is_betting(state: Any) -> bool:
    """Whether a bet is to be decided."""
    return bool(state["phase"] in (BET_1, BET_2))


TABLE_ACTIONS = DrawPokerActions("Five Card Draw", HAND, lambda state: state["phase"] == DRAW, is_betting)
ACTIONS = TABLE_ACTIONS.actions()
FIRST_BET = TABLE_ACTIONS.first_bet
COUNT = TABLE_ACTIONS.count
