"""What a hint says is what the solver finds."""

import pytest

from tinhorn.core.table import Table
from tinhorn.games.hand import GAME

ROYAL = {"owner": 0, "cards": ["Tc", "Jc", "Qc", "Kc", "Ac"]}


def advice(hand, *table, seat=0, moves=()):
    made = Table(GAME, GAME.options(num_players=2))
    made.reset(seed=1, position={"phase": "play", "hands": [hand.split(), None], "table": list(table)})
    for move in moves:
        made.step(made.parse(move))
    return GAME.advice(made.state, seat).splitlines()


def test_an_opening():
    hand = "Kc Kd Kh 6s 7s 8s 2c 3d 4h 5c 7d 8h 9d Jd 9c"
    melds, left = advice(hand)
    assert sorted(melds.removeprefix("best melds: ").split(": ")[0].split(", ")) == ["6s 7s 8s", "Kc Kd Kh"]
    assert melds.endswith("51 points, enough to open")
    assert left == "left over: 2c 3d 4h 5c 7d 8h 9c 9d Jd, 57 points"
    (melds, _) = advice(hand, moves=[{"type": "lay", "cards": ["Kc", "Kd", "Kh"]}])
    assert melds == "best melds: 6s 7s 8s: 21 points with 30 on the table, enough to open"


@pytest.mark.parametrize(
    ("hand", "melds", "left"),
    [
        ("Kc Kd Kh 2c", "Kc Kd Kh: 30 points, 21 short of an opening", "2c, 2 points"),
        ("Kc 4d Jo 2c", "none: 0 points, 51 short of an opening", "2c 4d Kc Jo, 31 points"),
    ],
)
def test_less_than_an_opening(hand, melds, left):
    """HA-13; a joker in the hand costs 15 (HA-17)."""
    assert advice(hand) == [f"best melds: {melds}", f"left over: {left}"]


def test_what_fits_the_table():
    """One's own melds can be made longer in the best melds; other additions and jokers to take stand apart."""
    found = advice("9c 2d 6h 8h", ROYAL, {"owner": 1, "cards": ["5h", "Jo", "7h"]})
    assert found == [
        "best melds: 9c to meld 0: 9 points",
        "left over: 2d 6h 8h, 16 points",
        "fits the table: 9c to meld 0, 8h to meld 1, 6h for the joker of meld 1",
    ]
    assert advice("2d", ROYAL) == [
        "best melds: none: 0 points",
        "left over: 2d, 2 points",
        "fits the table: nothing",
    ]
