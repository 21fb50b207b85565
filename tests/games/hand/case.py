"""Worked positions of Hand: each with the right answer, and why it follows from the rules.

Moves are text. ``"stock"``, ``"fire"``, ``"put back"``; ``"lay Kc Kd Kh"`` with a run's cards in order and a joker in
its place; ``"add 8h to 2"``, where it matters with ``low`` or ``high`` at the end; ``"take 2"`` takes meld 2's joker;
``"throw 2d"``. ``legal`` is the whole set of legal moves after the play, with ``"throws"`` for all cards of the hand;
``refused`` are some that are not legal, with a word of the reason given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ROYAL = "Tc Jc Qc Kc Ac"
QUEENS = "Qc Qd Qh Qs"
LOOSE = "2c 4d 6h 8s Tc Qd Ah 3s 5c 7d 9h Js Kc 2d 4s"


@dataclass(frozen=True)
class Case:
    """One position: seat 0 to act, unless ``turn`` says otherwise; cards not named may be anything.

    ``table`` has the melds as ``"owner: cards"``, ``hands`` those of the first seats.
    """

    id: str
    rules: tuple[str, ...]
    why: str
    hands: tuple[str, ...]
    players: int = 2
    teams: bool = False
    phase: str = "play"
    table: tuple[str, ...] = ()
    fire: str = ""
    play: tuple[str, ...] = ()
    legal: tuple[str, ...] | None = None
    refused: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    def position(self) -> dict[str, Any]:
        """The position as the game takes it."""
        melds = [part.split(": ") for part in self.table]
        hands: list[list[str] | None] = [cards.split() for cards in self.hands]
        return {
            "phase": self.phase,
            "hands": hands + [None] * (self.players - len(hands)),
            "table": [{"owner": int(owner), "cards": cards.split()} for owner, cards in melds],
            "fire": self.fire.split(),
        } | dict(self.more)
