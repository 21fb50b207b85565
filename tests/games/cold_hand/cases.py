"""Worked positions of Cold Hand: each with the right answer, and why it follows from the rules.

They hold for any table whose cards and bullets can be set; the reference and the engine both play them.

A case's ``play`` alternates turns and facts. Turns are text, several with commas between: ``"0 raise"``,
``"1 pat"`` (exchanges nothing), ``"1 exchange 5c 7d"``, ``"2 clock"`` (its time ran out), and
``"0 refused raise"`` for what must be refused without any change. Facts are a dict, see `Case.steps`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Turn(NamedTuple):
    """What ``seat`` does: ``how`` is ``"plays"``, ``"is refused"`` or ``"clock"``, which has no action."""

    seat: int
    how: str
    action: dict[str, Any] | None


@dataclass(frozen=True)
class Case:
    """One position.

    ``hands`` holds for each hand of the game the cards dealt to seats, ``bullets`` the pull (1 to 6) that
    fires; seats, cards and hands not named may be anything. ``next_cards`` are on top of the deck after the
    first deal, ``second_deck`` after the first discards have been shuffled back (CH-4).
    """

    id: str
    title: str
    rules: tuple[str, ...]
    why: str
    players: int
    play: tuple[str | dict[str, Any], ...]
    opening_seat: int = 0
    hands_completed: int = 0
    hands: Sequence[Mapping[int, str]] = field(default_factory=tuple)
    bullets: Sequence[Mapping[int, int]] = field(default_factory=tuple)
    next_cards: str = ""
    second_deck: str = ""

    def deck(self, hand: int, order: Sequence[int]) -> list[str | None]:
        """Hand ``hand`` (from 0) of the case in dealing order to the seats ``order``; None is any card."""
        named = self.hands[hand] if hand < len(self.hands) else {}
        dealt = [named[seat].split() if seat in named else [None] * 5 for seat in order]
        on_top = self.next_cards.split() if hand == 0 else []
        return [cards[turn] for turn in range(5) for cards in dealt] + on_top

    def bullet(self, hand: int, seat: int) -> int | None:
        """The pull that fires for ``seat`` in hand ``hand`` of the case; None may be any."""
        return self.bullets[hand].get(seat) if hand < len(self.bullets) else None

    def steps(self) -> Iterator[Turn | dict[str, Any]]:
        """The play, one turn or one dict of facts at a time.

        Facts: phase, turn, stakes, house_minimum, hands_to_next_rise, hands_completed, opening_seat, alive,
        winner (None as long as the game goes on), ``legal`` (types of all betting actions), ``cards`` and
        ``revealed`` (seat to cards in any order), ``discards`` (in any order), ``deck_size``, ``penalties``
        (of the last settled hand, in the order settled: seat, pulls, pulled, died).
        """
        for part in self.play:
            if isinstance(part, dict):
                yield part
            else:
                yield from (_turn(text.split()) for text in part.split(","))


def _turn(words: list[str]) -> Turn:
    seat, what, *rest = words
    if what == "clock":
        return Turn(int(seat), "clock", None)
    if what == "refused":
        return _turn([seat, *rest])._replace(how="is refused")
    if what in ("pat", "exchange"):
        return Turn(int(seat), "plays", {"type": "exchange", "cards": rest})
    return Turn(int(seat), "plays", {"type": what})


CASES = (
    Case(
        id="CH-01",
        title="A fold costs the house minimum, not the stakes; stakes carry over",
        rules=("CH-6", "CH-8", "CH-9", "CH-11", "CH-13"),
        why="Seat 2 folds after two raises: one pull, at the end and in seat order. The second round starts "
        "at three, and seat 1 has the weaker hand of the two still in: it takes three. Seat 2's hand "
        "would have been the weakest, but it is covered.",
        players=3,
        hands=({0: "Kc Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c", 2: "2c 3d 4h 5s 7c"},),
        bullets=({0: 6, 1: 6, 2: 6},),
        play=(
            "0 pat, 1 pat, 2 pat, 0 raise, 1 raise, 2 fold",
            {"stakes": 3, "penalties": []},
            "0 call",
            {"phase": "draw2", "turn": 0},
            "0 pat, 1 pat",
            {"phase": "bet2", "stakes": 3},
            "0 call, 1 call",
            {
                "revealed": {0: "Kc Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c"},
                "penalties": [(1, 3, 3, False), (2, 1, 1, False)],
                "hands_completed": 1,
                "opening_seat": 1,
            },
        ),
    ),
    Case(
        id="CH-03",
        title="Tied weakest hands take the house minimum, whatever the stakes",
        rules=("CH-12", "PK-5"),
        why="K-J-9-7-2 twice, in other suits: a tie. At stakes of four and a house minimum of one, seats 0 "
        "and 2 pull once each, in seat order; seat 1 is safe though its bullet is in the first chamber.",
        players=3,
        hands=({0: "Kc Jd 9h 7s 2c", 1: "3c 3d 4h 5s 6c", 2: "Kd Jh 9s 7c 2d"},),
        bullets=({0: 2, 1: 1, 2: 4},),
        play=(
            "0 pat, 1 pat, 2 pat, 0 raise, 1 raise, 2 raise, 0 call, 1 call, 0 pat, 1 pat, 2 pat",
            {"stakes": 4},
            "0 call, 1 call, 2 call",
            {"penalties": [(0, 1, 1, False), (2, 1, 1, False)], "alive": [True, True, True]},
        ),
    ),
    Case(
        id="CH-05",
        title="At four pulls nobody can raise, in the second round either",
        rules=("CH-6", "CH-7", "CH-15"),
        why="After six hands of a game of two the house minimum is three, and so are the first stakes. One "
        "raise makes four; from then on, and after the second draw too, call and fold are all there is.",
        players=2,
        hands_completed=6,
        hands=({0: "Kc Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c"},),
        bullets=({0: 6, 1: 6},),
        play=(
            {"house_minimum": 3, "stakes": 3, "hands_to_next_rise": None},
            "0 pat, 1 pat",
            {"legal": ["call", "fold", "raise"]},
            "0 raise",
            {"stakes": 4, "legal": ["call", "fold"]},
            "1 refused raise, 1 call, 0 pat, 1 pat",
            {"stakes": 4, "legal": ["call", "fold"]},
        ),
    ),
    Case(
        id="CH-07",
        title="A discard stays out in the first draw and can come back in the second",
        rules=("CH-3", "CH-4"),
        why="Seat 0 throws the ace of spades; seat 1 cannot draw it. For the second draw it is back in the "
        "deck, and seat 0 gets it again. Four cards, or a card of somebody else, cannot be exchanged.",
        players=2,
        hands=({0: "As Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c"},),
        next_cards="2c 4c",
        second_deck="As 9d",
        play=(
            "0 refused exchange As Kd 9h 7s, 0 refused exchange Ac, 0 exchange As",
            {"cards": {0: "Kd 9h 7s 3c 2c"}, "discards": "As"},
            "1 exchange 5c",
            {"cards": {1: "Ac Qd 9c 7d 4c"}, "discards": "As 5c"},
            "0 call, 1 call",
            {"phase": "draw2", "discards": "", "deck_size": 42},
            "0 exchange 2c",
            {"cards": {0: "As Kd 9h 7s 3c"}, "discards": "2c"},
        ),
    ),
    Case(
        id="CH-09",
        title="Folded and weakest players die in one hand, in seat order",
        rules=("CH-11", "CH-13", "CH-14", "CH-17"),
        why="Seats 1 and then 0 fold (one pull each); seat 3 is the weaker of the two still in (three "
        "pulls). All three bullets fire, settled by seat and not in the order of folding. Seat 2 wins.",
        players=4,
        opening_seat=1,
        hands=({0: "2c 3d 5h 7s 9c", 1: "2d 3h 5s 7c 8d", 2: "Kc Kd 9h 6s 4c", 3: "Ac Jd 8h 6c 4d"},),
        bullets=({0: 1, 1: 1, 2: 1, 3: 3},),
        play=(
            "1 pat, 2 pat, 3 pat, 0 pat, 1 fold, 2 raise, 3 raise, 0 fold, 2 call",
            "2 pat, 3 pat, 2 call, 3 call",
            {"winner": 2, "penalties": [(0, 1, 1, True), (1, 1, 1, True), (3, 3, 3, True)]},
        ),
    ),
    Case(
        id="CH-11",
        title="Four pulls go through four chambers of one spin",
        rules=("CH-14",),
        why="With the bullet in the fifth chamber after the spin, four pulls are survived; a spin before "
        "each pull would give the fifth chamber no meaning. The next hand has a fresh cylinder, with the "
        "bullet in the first: one pull, for folding, kills.",
        players=2,
        hands=({0: "Kc Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c"},),
        bullets=({0: 6, 1: 5}, {0: 6, 1: 1}),
        play=(
            "0 pat, 1 pat, 0 raise, 1 raise, 0 raise, 1 call, 0 pat, 1 pat, 0 call, 1 call",
            {"penalties": [(1, 4, 4, False)], "winner": None, "opening_seat": 1},
            "1 pat, 0 pat, 1 fold",
            {"penalties": [(1, 1, 1, True)], "winner": 0},
        ),
    ),
    Case(
        id="CH-13",
        title="The clock keeps the cards and calls, even at four pulls",
        rules=("CH-18",),
        why="The clock never folds in Cold Hand. Seat 1 has the weaker hand and is made to call four pulls; "
        "the bullet in the fourth chamber kills it.",
        players=2,
        hands=({0: "Kc Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c"},),
        bullets=({0: 6, 1: 4},),
        play=(
            "0 pat, 1 clock",
            {"cards": {1: "Ac Qd 9c 7d 5c"}, "phase": "bet1"},
            "0 raise, 1 raise, 0 raise, 1 clock",
            {"phase": "draw2", "stakes": 4},
            "0 clock, 1 clock, 0 clock, 1 clock",
            {"winner": 0, "penalties": [(1, 4, 4, True)]},
        ),
    ),
)
