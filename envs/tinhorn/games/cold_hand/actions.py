"""The actions of Cold Hand: which cards to exchange, and call, raise, fold."""

from collections.abc import Mapping
from typing import Any

from tinhorn.core.cards import cards_text
from tinhorn.core.game import Actions, Block
from tinhorn.games.cold_hand.state import BET_1, BET_2, MOST_EXCHANGED, MOST_STAKES
from tinhorn.poker.exchange import EXCHANGE_KEYS, STAND_WORDS, exchanges, parse_exchange

# Which places of the hand each exchange throws.
PLACES = exchanges(MOST_EXCHANGED)
CALL = len(PLACES)
RAISE = CALL + 1
FOLD = CALL + 2

_BETS = {"call": CALL, "raise": RAISE, "fold": FOLD}


def describe(state: Any, action: int) -> dict[str, Any]:
    """An action as JSON: the cards are those of the seat to act."""
    if action >= CALL:
        return {"type": list(_BETS)[action - CALL]}
    hand = state["hands"][state["actor"]]
    return {"type": "exchange", "cards": cards_text(hand[place] for place in PLACES[action])}


def parse(state: Any, action: Mapping[str, Any]) -> int:
    """The id of an action written as JSON."""
    kind = action["type"]
    if kind in _BETS:
        return _BETS[kind]
    if kind != "exchange":
        raise ValueError(f"{kind!r} is no action of Cold Hand: exchange, call, raise or fold")
    if state["phase"] in (BET_1, BET_2):
        raise ValueError(explain(state, 0))
    return parse_exchange(state, action, PLACES)


def explain(state: Any, action: int) -> str:
    """Why an action is not legal now."""
    betting = state["phase"] in (BET_1, BET_2)
    if action > FOLD:
        return f"action ids are 0 to {FOLD}"
    if action < CALL and betting:
        return "this is a betting round"
    if action >= CALL and not betting:
        return "this is a draw round"
    if action == RAISE and state["stakes"] >= MOST_STAKES:
        return f"the stakes are at their most, {MOST_STAKES} pulls"
    return ""


ACTIONS = Actions(
    blocks=(
        Block("exchange", CALL, "Throw the cards in these places of the hand, none to three, and draw as many."),
        Block("call", 1, "Accept the stakes."),
        Block("raise", 1, "Raise the stakes by one pull."),
        Block("fold", 1, "Leave the hand for the house minimum."),
    ),
    describe=describe,
    parse=parse,
    explain=explain,
    static=(
        *({"type": "exchange", "places": list(places)} for places in PLACES),
        *({"type": bet} for bet in _BETS),
    ),
    words=STAND_WORDS,
    takes={"exchange": EXCHANGE_KEYS} | dict.fromkeys(_BETS, ()),
    places_of="hand",
)
