"""A table of Hand as text, and as plain facts for replays."""

from typing import Any

from tinhorn.core.cards import JOKER, SUITS, card_text, cards_text
from tinhorn.core.game import seat_name
from tinhorn.core.kernel import plain
from tinhorn.games.hand.actions import joker_stands_for, meld_cards
from tinhorn.games.hand.melds import is_run, owner_of
from tinhorn.games.hand.state import DEALS, OPENING, OVER, PHASES
from tinhorn.games.hand.words import bit_of

_BITS = [int(plain(bit_of)(card)) for card in range(JOKER)]
_TITLES = ("to draw", "to lay and throw", "over")


def hand_cards(hand: Any) -> list[int]:
    """The cards of a hand (int64[3]) in order."""
    one, two, jokers = (int(word) for word in hand)
    held = [card for card in range(JOKER) for word in (one, two) if word >> _BITS[card] & 1]
    return held + [JOKER] * jokers


def _card(code: Any) -> str | None:
    return card_text(int(code)) if code >= 0 else None


def facts(state: Any) -> dict[str, Any]:
    """Everything about the table as plain JSON, covered cards included. Scores are per team in teams."""
    seats = int(state["num_seats"])
    sides = 2 if state["teams"] else seats
    over = int(state["phase"]) == OVER
    scores = state["scores"][:sides].tolist()
    complete = over and not state["truncated"]
    return {
        "phase": PHASES[state["phase"]],
        "turn": None if over else int(state["actor"]),
        "deal": min(int(state["deal"]) + 1, DEALS),
        "starter": int(state["starter"]),
        "turns": int(state["turns"]),
        "hands": [cards_text(hand_cards(state["hands"][seat])) for seat in range(seats)],
        "table": [_meld_facts(int(meld)) for meld in state["melds"] if meld],
        "fire": cards_text(state["fire"][: state["fire_size"]]),
        "stock": cards_text(state["stock_cards"][state["next_card"] : state["stock_end"]]),
        "stock_size": int(state["stock_end"] - state["next_card"]),
        "opened": [bool(flag) for flag in state["opened"][:seats]],
        "staged": int(state["staged"]),
        "laid": int(state["laid"]),
        "fire_card": _card(state["fire_card"]),
        "known_jokers": state["known_jokers"][:seats].tolist(),
        "took": [_card(card) for card in state["took"][:seats]],
        "threw": [_card(card) for card in state["threw"][:seats]],
        "best": state["best"][:seats].tolist(),
        "deadwood": state["deadwood"][:seats].tolist(),
        "scores": scores,
        "result": _result(state, seats, sides),
        "over": over,
        "truncated": bool(state["truncated"]),
        "winners": [seat for seat in range(seats) if state["scores"][seat] == min(scores)] if complete else None,
    }


def _meld_facts(meld: int) -> dict[str, Any]:
    stands_for = cards_text(joker_stands_for(meld))
    entry = {
        "owner": int(owner_of(meld)),
        "kind": "run" if is_run(meld) else "set",
        "cards": cards_text(meld_cards(meld)),
    }
    return entry | ({"joker": stands_for} if stands_for else {})


def _result(state: Any, seats: int, sides: int) -> dict[str, Any] | None:
    if state["last_out"] < 0:
        return None
    return {
        "out": int(state["last_out"]),
        "hand": bool(state["last_hand"]),
        "points": state["deal_points"][:sides].tolist(),
    }


def text(state: Any, seat: int | None) -> str:
    """The table as ``seat`` sees it; with None only what everybody sees."""
    now = facts(state)
    top = now["fire"][-1] if now["fire"] else "empty"
    lines = [
        f"Hand, deal {now['deal']} of {DEALS}: {_TITLES[state['phase']]}",
        f"stock {now['stock_size']}, fire {top} ({len(now['fire'])} cards), turn {now['turns'] + 1} of the deal",
    ]
    lines += [_seat_line(now, other, seat) for other in range(len(now["hands"]))]
    lines += [_meld_line(place, meld) for place, meld in enumerate(now["table"])]
    if now["fire_card"]:
        lines.append(f"{now['fire_card']} was taken from the fire and must be melded")
    if now["staged"]:
        lines.append(f"opening: {now['staged']} of {OPENING} points")
    if seat is not None:
        lines.append(f"your cards: {_by_suit(now['hands'][seat])}")
        lines.append(f"best melds {now['best'][seat]} points, the rest costs {now['deadwood'][seat]}")
    if now["result"]:
        lines.append(_result_line(now["result"]))
    if now["truncated"]:
        lines.append("the match was cut off: the deal took too many turns")
    elif now["over"]:
        lines.append("winners: " + ", ".join(f"seat {winner}" for winner in now["winners"]))
    return "\n".join(lines)


def _seat_line(now: dict[str, Any], seat: int, looks: int | None) -> str:
    marks = (">" if seat == now["turn"] else " ") + ("*" if seat == now["starter"] else " ")
    score = now["scores"][seat % len(now["scores"])]
    opened = "opened" if now["opened"][seat] else "      "
    team = f"  team {seat % 2}" if len(now["scores"]) < len(now["hands"]) else ""
    last = "".join(f"  {verb} {now[verb][seat]}" for verb in ("threw", "took") if now[verb][seat])
    jokers = "  holds a taken joker" if now["known_jokers"][seat] else ""
    known = f"{team}  {len(now['hands'][seat]):>2} cards  {opened}  score {score:>4}{last}{jokers}"
    return f"{marks}{seat_name(seat, looks)}{known}".rstrip()


def _by_suit(cards: list[str]) -> str:
    """The cards suit by suit, jokers last: runs are seen at a glance."""
    suits = [[card for card in cards if card[1] == suit] for suit in (*SUITS, "o")]
    return "  ".join(" ".join(suit) for suit in suits if suit)


def _meld_line(place: int, meld: dict[str, Any]) -> str:
    joker = f"  (joker: {' or '.join(meld['joker'])})" if "joker" in meld else ""
    return f"  meld {place}  {' '.join(meld['cards'])}  of seat {meld['owner']}{joker}"


def _result_line(result: dict[str, Any]) -> str:
    hand = " with a Hand" if result["hand"] else ""
    return f"last deal: seat {result['out']} went out{hand}; points {', '.join(map(str, result['points']))}"
