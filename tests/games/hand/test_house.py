"""What the house bot does in positions that leave no doubt, and how its styles differ."""

import numpy as np
import pytest

from tinhorn.bots import HouseBot
from tinhorn.core.table import Table
from tinhorn.games.hand import GAME
from tinhorn.games.hand.melds import owner_of

QUEENS = (1, "Qc Qd Qh Qs")
OWN = (0, "Tc Jc Qc")
OPENING = "Kc Kd Kh 6s 7s 8s 2c 3d 4h 5c 7d Jh 9d Jd 9c"  # 51 in two melds
ALMOST_ALL = "Kc Kd Kh Ks 6s 7s 8s 9s 2d 3d 4d 9h Jh 5c Td"  # four cards beside the melds


def table(hand, *melds, other=None, phase="play", fire=()):
    made = Table(GAME, GAME.options(num_players=2))
    laid = [{"owner": owner, "cards": cards.split()} for owner, cards in melds]
    hands = [hand.split(), other and other.split()]
    made.reset(seed=3, position={"phase": phase, "hands": hands, "table": laid, "fire": list(fire)})
    return made


def choice(made, style=""):
    stream = np.array([5], np.uint64)
    return made.describe(int(HouseBot(GAME, style).act(made.view[None], made.mask[None], stream)[0]))


def turn(made, style=""):
    """All that the bot does until it has thrown."""
    moves = []
    while made.actor == 0 and (not moves or moves[-1]["type"] != "throw"):
        moves.append(choice(made, style))
        made.step(made.parse(moves[-1]))
    return moves


@pytest.mark.parametrize("style", GAME.styles)
def test_it_opens_with_the_best_melds_of_the_solver(style):
    """HA-13: all that the solver counts comes to lie, and no more."""
    made = table(OPENING, other="2h 3h")
    best = int(made.state["best"][0])
    moves = turn(made, "" if style == "house" else style)
    assert best == 51
    assert [move["type"] for move in moves] == ["lay", "lay", "throw"]
    assert {" ".join(move["cards"]) for move in moves[:2]} == {"Kc Kd Kh", "6s 7s 8s"}
    assert made.state["opened"][0]


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("Kc 7h 8h 5c 5d 2s 3s", "Kc"),  # all others have a neighbour or a twin in rank
        ("Kc Kd Qc 2h 6s 9d", "9d"),  # kings and a queen are close to melds
        ("Jo 3d 7h Jc", "Jc"),
        ("Jo Jo 4s", "4s"),
    ],
)
def test_it_throws_dear_loose_cards_and_keeps_jokers(hand, thrown):
    assert choice(table(hand)) == {"type": "throw", "card": thrown}


def test_it_does_not_throw_what_fits_the_table():
    """Nine of clubs and nine of spades are as dear; one of them fits an opponent's run."""
    hand, runs = "9c 9s 4h 4d", ((1, "Tc Jc Qc"), (1, "3d 4d 5d"))
    assert choice(table(hand, *runs, other="2c 3c"), "safe") == {"type": "throw", "card": "9s"}


def test_the_hunter_waits_for_a_hand_until_somebody_is_near_out():
    """HA-18: with few cards beside the melds one style waits, the other opens."""
    assert choice(table(ALMOST_ALL), "hand_hunter")["type"] == "throw"
    assert choice(table(ALMOST_ALL))["type"] == "lay"
    assert choice(table(ALMOST_ALL, QUEENS, other="2c 3c 5s"), "hand_hunter")["type"] == "lay"


def test_it_goes_out_with_a_hand():
    made = table("Kc Kd Kh Ks 6s 7s 8s 9s 2d 3d 4d Ah 2h 3h 9c", other="2c 3c")
    turn(made, "hand_hunter")
    assert GAME.facts(made.state)["result"]["hand"]


def test_it_adds_late_and_at_once_when_an_opponent_is_near_out():
    hand = "9c 2d 7h 3s 6h Ks Ah 4s"
    assert choice(table(hand, OWN, QUEENS, other="2c 3c 5s 7c 8c Th Jd Kd"))["type"] == "throw"
    assert choice(table(hand, OWN, QUEENS, other="2c 3c"))["type"] == "add"
    assert choice(table(hand, OWN, QUEENS, other="2c 3c 5s 7c 8c Th Jd Kd"), "greedy")["type"] == "add"


def test_it_takes_a_joker_that_makes_a_meld():
    made = table("6h 3s 4s Kd", OWN, (1, "5h Jo 7h"), other="2c 3c 5s 7c 8c Th Jd Kd")
    moves = turn(made)
    assert [move["type"] for move in moves[:2]] == ["take_joker", "lay"]
    assert "Jo" in moves[1]["cards"]


def test_it_takes_the_card_of_the_fire_when_it_will_lay_it():
    made = table("9c 2d 7h", OWN, phase="draw", fire=["8c"])
    assert [move["type"] for move in turn(made)] == ["take_fire", "add", "add", "throw"]
    assert choice(table("Kc Kd 6s 7s 8s 2c 4d 6h 8c Tc", phase="draw", fire=["Kh"])) == {"type": "take_fire"}
    assert owner_of(int(made.state["melds"][0])) == 0
