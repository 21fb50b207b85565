"""The worked cases as replays. `python -m games.cold_hand.case_replays`, run in ``tests/``, writes the files anew."""

from pathlib import Path
from typing import Any

import tinhorn.registry  # noqa: F401  (makes the games known)
from games.cold_hand.cases import CASES, Case, Turn
from tinhorn.core.game import find_game
from tinhorn.core.replay import Replay

FOLDER = Path(__file__).parent / "replays"
GAME = find_game("cold_hand_v0")


def case_replay(case: Case) -> Replay:
    """A case as a replay: the same luck, turns and facts."""
    return Replay(
        game=GAME,
        options=GAME.options(num_players=case.players),
        chance=[_luck(case, hand) for hand in range(max(1, len(case.hands), len(case.bullets)))],
        position={"hands_completed": case.hands_completed} if case.hands_completed else None,
        steps=[_step(case, part) for part in case.steps()],
        words={"title": f"{case.id} {case.title}", "why": case.why, "rules": list(case.rules)},
    )


def case_path(case: Case) -> Path:
    return FOLDER / f"{case.id.lower().replace('-', '_')}.replay"


def _luck(case: Case, hand: int) -> dict[str, list[Any]]:
    order = [(case.opening_seat + hand + step) % case.players for step in range(case.players)]
    luck: dict[str, list[Any]] = {"opener": [case.opening_seat]} if hand == 0 else {}
    luck["deck"] = case.deck(hand, order)
    luck["bullets"] = [case.bullet(hand, seat) for seat in range(case.players)]
    if hand == 0 and case.second_deck:
        luck["second_deck"] = case.second_deck.split()
    return luck


def _step(case: Case, part: Turn | dict[str, Any]) -> dict[str, Any]:
    if not isinstance(part, Turn):
        return {"expect": dict(_fact(case, name, value) for name, value in part.items())}
    if part.how == "clock":
        return {"seat": part.seat, "clock": True}
    return {"seat": part.seat, "refused" if part.how == "is refused" else "action": part.action}


def _fact(case: Case, name: str, value: Any) -> tuple[str, Any]:
    match name:
        case "deck_size":
            return "deck", {"count": value}
        case "cards":
            return name, {str(seat): cards for seat, cards in value.items()}
        case "revealed":  # and nobody else's
            return name, {str(seat): value.get(seat) for seat in range(case.players)}
        case "penalties":
            return name, [dict(zip(("seat", "pulls", "pulled", "died"), one, strict=True)) for one in value]
    return name, value


if __name__ == "__main__":
    for case in CASES:
        case_replay(case).save(case_path(case))
