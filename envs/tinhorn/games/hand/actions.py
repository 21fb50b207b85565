"""The action table of Hand: one small move a decision. What a move is in words, and why it is not legal."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tinhorn.core.cards import JOKER, NO_CARD, card_text, cards_text, parse_card, parse_cards
from tinhorn.core.game import Actions, Block
from tinhorn.core.kernel import plain
from tinhorn.games.hand.melds import (
    above,
    below,
    is_run,
    joker_of,
    joker_price,
    low_of,
    owner_of,
    set_size,
    suits_of,
)
from tinhorn.games.hand.moves import (
    ADD,
    ADD_WAYS,
    COUNT,
    LAY_RUN,
    LAY_SET,
    LOWS,
    PUT_BACK,
    RUN_WAYS,
    SET_WAYS,
    SUITS_OF_WAY,
    TAKE_JOKER,
    THROW,
    set_position,
)
from tinhorn.games.hand.state import DRAW, KINDS, OPENING, PLAY
from tinhorn.games.hand.words import card_at, count_of, hand_size

_card_at, _set_position = plain(card_at), plain(set_position)
_ENDS = ("low", "high")
_DRAWS = ("draw", "take_fire", "put_back")  # ids 0 to 2


@cache
def lay_cards(action: int) -> tuple[tuple[int, ...], int]:
    """The cards of a lay in order, the joker in its place or last, and the card it stands for (-1: several or none)."""
    if action < LAY_SET:
        index = action - LAY_RUN
        joker, low, suit = index % RUN_WAYS - 1, index // RUN_WAYS % LOWS + 1, index // (RUN_WAYS * LOWS)
        cards = [int(_card_at(low + place, suit)) for place in range(3)]
        stands_for = cards[joker] if joker >= 0 else -1
        return tuple(JOKER if place == joker else card for place, card in enumerate(cards)), stands_for
    suits = int(SUITS_OF_WAY[(action - LAY_SET) % SET_WAYS])
    cards = [int(_card_at(_set_position(action), suit)) for suit in range(4) if suits >> suit & 1]
    return (*cards, JOKER) if len(cards) == 2 else tuple(cards), -1


def add_card_of(meld: int, way: int) -> int:
    """The card that way 0..5 of a meld lays, `NO_CARD` where the way has no meaning there."""
    if way == TAKE_JOKER:
        return int(joker_price(meld))
    if is_run(meld):
        position = below(meld) if way % 2 == 0 else above(meld)
        if way == 4 or position == 0:
            return NO_CARD
        return JOKER if way >= 2 else int(card_at(position, suits_of(meld)))
    return JOKER if way == 4 else int(card_at(low_of(meld), way))


def describe(state: Any, action: int) -> dict[str, Any]:
    """An action as JSON."""
    if not ADD <= action < THROW:
        return static(action)
    place, way = divmod(action - ADD, ADD_WAYS)
    meld = int(state["melds"][place])
    card = {"card": card_text(add_card_of(meld, way) if meld else NO_CARD)}
    if way == TAKE_JOKER:
        return {"type": "take_joker"} | card | {"meld": place}
    end = {"end": _ENDS[way % 2]} if meld and is_run(meld) and way < 4 else {}
    return {"type": "add"} | card | {"meld": place} | end


def static(action: int) -> dict[str, Any]:
    """What an id means at any table: everything but the card that an addition lays."""
    if action < LAY_RUN:
        return {"type": _DRAWS[action]}
    if action < ADD:
        cards, stands_for = lay_cards(action)
        joker = {"joker": card_text(stands_for)} if stands_for >= 0 else {}
        return {"type": "lay", "cards": cards_text(cards)} | joker
    if action >= THROW:
        return {"type": "throw", "card": card_text(action - THROW)}
    place, way = divmod(action - ADD, ADD_WAYS)
    return {"type": "take_joker", "meld": place} if way == TAKE_JOKER else {"type": "add", "meld": place, "way": way}


def parse(state: Any, action: Mapping[str, Any]) -> int:
    """The id of an action written as JSON."""
    kind = action["type"]
    if kind in _DRAWS:
        return _DRAWS.index(kind)
    if kind == "throw":
        return THROW + _parse_card(action)
    if kind == "lay":
        return _parse_lay(action)
    if kind not in ("add", "take_joker"):
        raise ValueError(f"{kind!r} is no action of Hand: {', '.join(_DRAWS)}, lay, add, take_joker or throw")
    place = _parse_place(state, action)
    if kind == "take_joker":
        return ADD + place * ADD_WAYS + TAKE_JOKER
    return ADD + place * ADD_WAYS + _parse_add(int(state["melds"][place]), action)


def _parse_place(state: Any, action: Mapping[str, Any]) -> int:
    """The place of the meld that is named; without a name of the one that the card fits."""
    melds = [int(meld) for meld in state["melds"] if meld]
    if not melds:
        raise ValueError("no meld lies on the table")
    if "meld" in action:
        place = action["meld"]
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(melds):
            raise ValueError(f"meld={place!r}: the melds on the table are 0 to {len(melds) - 1}")
        return place
    card, kind = _parse_card(action), action["type"]
    ways = (TAKE_JOKER,) if kind == "take_joker" else range(TAKE_JOKER)
    places = [place for place, meld in enumerate(melds) if any(_laid(meld, way) == card for way in ways)]
    if len(places) == 1:
        return places[0]
    if places:
        raise ValueError(
            f"{card_text(card)} fits melds {', '.join(map(str, places))}: say which, like meld={places[0]}"
        )
    raise ValueError(f"{card_text(card)} {'takes no joker' if kind == 'take_joker' else 'fits no meld on the table'}")


def _parse_card(action: Mapping[str, Any]) -> int:
    if "card" not in action:
        raise ValueError("say which card")
    return parse_card(action["card"])


def _parse_lay(action: Mapping[str, Any]) -> int:
    """Cards may stand in any order; a joker stands for what ``joker`` says, else for the card of its place."""
    if not action.get("cards"):
        raise ValueError("say which cards")
    cards = parse_cards(action["cards"])
    ways = [way for way in range(LAY_RUN, ADD) if sorted(lay_cards(way)[0]) == sorted(cards)]
    if not ways:
        raise ValueError(
            f"{' '.join(cards_text(cards))} is no run of three of one suit and no set of three suits of one rank; "
            "lay three cards, at most one of them a joker, then add the others one by one"
        )
    if "joker" in action:
        stands_for = parse_card(action["joker"])
        ways = [way for way in ways if lay_cards(way)[1] == stands_for]
        if not ways:
            raise ValueError(f"the joker cannot stand for {action['joker']} there")
    in_order = [way for way in ways if list(lay_cards(way)[0]) == cards]
    return (in_order or ways)[0]


def _parse_add(meld: int, action: Mapping[str, Any]) -> int:
    card = _parse_card(action)
    if not is_run(meld):
        if card == JOKER:
            return 4
        if card % 4 in range(4) and add_card_of(meld, card % 4) == card:
            return card % 4
        raise ValueError(f"{action['card']} does not fit {meld_text(meld)}")
    ways = [way for way in range(4) if add_card_of(meld, way) == card]
    end = action.get("end")
    if end is not None:
        ways = [way for way in ways if _ENDS[way % 2] == end]
    if not ways:
        raise ValueError(f"{action['card']} does not fit {meld_text(meld)}" + (f" at the {end} end" if end else ""))
    if len(ways) > 1:
        raise ValueError(f"{action['card']} fits at both ends of {meld_text(meld)}: say end='low' or 'high'")
    return ways[0]


def meld_cards(meld: int) -> list[int]:
    """The cards of a meld in order; the joker of a set comes last."""
    if is_run(meld):
        suit, joker = suits_of(meld), joker_of(meld)
        low, high = int(low_of(meld)), int((meld >> 10) & 15)
        return [JOKER if at == joker else int(card_at(at, suit)) for at in range(low, high + 1)]
    cards = [int(card_at(low_of(meld), suit)) for suit in range(4) if suits_of(meld) >> suit & 1]
    return cards + [JOKER] * int(joker_of(meld))


def joker_stands_for(meld: int) -> list[int]:
    """The card that a meld's joker stands for; in a set of three both missing suits, none without a joker (HA-12)."""
    if not joker_of(meld):
        return []
    if is_run(meld):
        return [int(card_at(joker_of(meld), suits_of(meld)))]
    return [int(card_at(low_of(meld), suit)) for suit in range(4) if not suits_of(meld) >> suit & 1]


def meld_text(meld: int) -> str:
    """The cards of a meld, ``"5h Jo 7h"``."""
    return " ".join(cards_text(meld_cards(meld)))


def explain(state: Any, action: int) -> str:
    """Why an action is not legal now."""
    if action >= COUNT:
        return f"action ids are 0 to {COUNT - 1}"
    if action <= PUT_BACK:
        return _explain_draw(state, action)
    if state["phase"] != PLAY:
        return "draw first, from the stock or from the fire"
    cards = _cards_of(state, action)
    if not cards:
        return _explain_place(state, action)
    hand = state["hands"][state["actor"]]
    for card in cards:
        if count_of(hand, card) == 0:
            return f"{card_text(card)} is not in the hand"
    return _explain_throw(state) if action >= THROW else _explain_lay(state, action, len(cards))


def _cards_of(state: Any, action: int) -> list[int]:
    """The cards that a move lays or throws; none if it has no meaning at this table."""
    if action < ADD:
        return list(lay_cards(action)[0])
    if action >= THROW:
        return [action - THROW]
    place, way = divmod(action - ADD, ADD_WAYS)
    meld = int(state["melds"][place])
    card = _laid(meld, way) if meld else NO_CARD
    return [] if card == NO_CARD else [card]


def _laid(meld: int, way: int) -> int:
    """The card that a way of a meld lays, `NO_CARD` where it cannot be laid whoever has it (HA-8 to HA-12)."""
    card = add_card_of(meld, way)
    full = way != TAKE_JOKER and not is_run(meld) and set_size(meld) == 4
    lies_there = way < 4 and not is_run(meld) and suits_of(meld) >> way & 1
    second_joker = card == JOKER and joker_of(meld)
    return NO_CARD if full or lies_there or second_joker else card


def _explain_draw(state: Any, action: int) -> str:
    if action == PUT_BACK:
        if state["phase"] != PLAY or state["fire_card"] < 0:
            return "no card was taken from the fire, or it has been melded"
        return "something was laid in this turn, so the card of the fire must be melded"
    if state["phase"] != DRAW:
        first = ", or needs none: the first turn of a deal is without a draw" if state["turns"] == 0 else ""
        return f"this turn's card has been drawn{first}"
    if state["fire_size"] == 0:
        return "the fire is empty"
    card = card_text(state["fire"][state["fire_size"] - 1])
    if state["opened"][state["actor"]]:
        return f"{card} can be melded in no way that leaves a card to throw"
    return f"{card} would have to be part of an opening of {OPENING} points or more in this turn"


def _explain_place(state: Any, action: int) -> str:
    place, way = divmod(action - ADD, ADD_WAYS)
    meld = int(state["melds"][place])
    if not meld:
        return f"there is no meld {place} on the table"
    lies = f"meld {place} is {meld_text(meld)}"
    if way == TAKE_JOKER:
        if not joker_of(meld):
            return f"{lies}: it has no joker"
        return f"{lies}: its joker can be taken when three suits lie there"
    if add_card_of(meld, way) == JOKER and joker_of(meld):
        return f"{lies}: at most one joker in a meld"
    return f"{lies}: nothing can be added there"


def _explain_throw(state: Any) -> str:
    if state["fire_card"] >= 0:
        card = card_text(state["fire_card"])
        put_back = " or put back" if state["laid"] == 0 else ""
        return f"{card} was taken from the fire and must be melded first{put_back}"
    if state["staged"] > 0:
        return f"the opening has {state['staged']} points of {OPENING}: lay on"
    return ""


def _explain_lay(state: Any, action: int, count: int) -> str:
    seat = state["actor"]
    opened = bool(state["opened"][seat])
    if action >= ADD and not opened:
        place, way = divmod(action - ADD, ADD_WAYS)
        if way == TAKE_JOKER:
            return f"a joker can be taken only after opening with {OPENING} points"
        if owner_of(int(state["melds"][place])) != seat:
            return f"before {OPENING} points are laid, cards can be added only to melds of this opening"
    if hand_size(state["hands"][seat]) <= count:
        return "a card must be left to throw"
    if state["fire_card"] >= 0:
        return f"after it {card_text(state['fire_card'])} from the fire could not be melded with a card left to throw"
    if not opened:
        return f"the opening could not reach {OPENING} points after it with a card left to throw"
    return ""


ACTIONS = Actions(
    blocks=(
        Block("draw_stock", 1, "Draw the top of the stock."),
        Block("take_fire", 1, "Take the top card of the fire."),
        Block("put_back", 1, "Put the card of the fire back and draw from the stock."),
        Block(
            "lay_run",
            LAY_SET - LAY_RUN,
            "Lay three consecutive cards: suit, lowest position A..Q, no joker or its place.",
            shown=True,
        ),
        Block(
            "lay_set",
            ADD - LAY_SET,
            "Lay three of a rank 2..A: the missing suit, or two suits and a joker.",
            shown=True,
        ),
        Block(
            "add",
            THROW - ADD,
            "For each meld. Run: the card below, above, a joker below, above, -, take its joker. "
            "Set: the card of each suit, a joker, take its joker.",
            shown=True,
        ),
        Block("throw", KINDS, "Throw a card of this kind; the turn ends.", shown=True, one_card=True),
    ),
    describe=describe,
    parse=parse,
    explain=explain,
    static=tuple(static(action) for action in range(COUNT)),
    takes=dict.fromkeys(_DRAWS, ())
    | {"lay": ("cards", "joker"), "add": ("card", "meld", "end"), "take_joker": ("card", "meld"), "throw": ("card",)},
)
