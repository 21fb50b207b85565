"""Moves of Hand as a person types them: melds by their cards, questions where they are ambiguous, refusals in words."""

import re

import pytest

from tinhorn.core.table import IllegalActionError, Table
from tinhorn.games.hand import GAME
from tinhorn_training.typed_moves import read_move

ROYAL = {"owner": 0, "cards": ["Tc", "Jc", "Qc", "Kc", "Ac"]}


def table(hand, *melds, fire=(), phase="play", moves=()):
    """A table for two, seat 0 to act; melds as ``(owner, cards)``."""
    made = Table(GAME, GAME.options(num_players=2))
    melds = [ROYAL if meld == "own" else {"owner": meld[0], "cards": meld[1].split()} for meld in melds]
    position = {"phase": phase, "hands": [hand.split(), None], "table": melds, "fire": list(fire)}
    made.reset(seed=1, position=position)
    for move in moves:
        made.step(read_move(made, move))
    return made


def typed(made, line):
    return made.describe(read_move(made, line))


def refusal(made, line):
    before = made.states.tobytes()
    with pytest.raises(IllegalActionError) as caught:
        read_move(made, line)
    assert made.states.tobytes() == before
    return str(caught.value)


OPENED = ("own", (1, "5h Jo 7h"), (1, "9d 9h 9s"))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("lay 2d 3d 4d", {"type": "lay", "cards": ["2d", "3d", "4d"]}),
        ("lay 4d, 2d, 3d", {"type": "lay", "cards": ["2d", "3d", "4d"]}),
        ("lay 2d jo 4d", {"type": "lay", "cards": ["2d", "Jo", "4d"], "joker": "3d"}),
        ("lay 2d 3d jo", {"type": "lay", "cards": ["2d", "3d", "Jo"], "joker": "4d"}),
        ("lay jo 3d 2d joker ad", {"type": "lay", "cards": ["Jo", "2d", "3d"], "joker": "Ad"}),
        ("lay jo 3d 2d joker=4d", {"type": "lay", "cards": ["2d", "3d", "Jo"], "joker": "4d"}),
        ("add 8h", {"type": "add", "card": "8h", "meld": 1, "end": "high"}),
        ("add 8h to meld 1", {"type": "add", "card": "8h", "meld": 1, "end": "high"}),
        ("add jo 0", {"type": "add", "card": "Jo", "meld": 0, "end": "low"}),
        ("take 6h", {"type": "take_joker", "card": "6h", "meld": 1}),
        ("take_joker", {"type": "take_joker", "card": "6h", "meld": 1}),
        ("throw 8h", {"type": "throw", "card": "8h"}),
        ("thr 2d", {"type": "throw", "card": "2d"}),
    ],
)
def test_typed_moves(line, move):
    assert typed(table("2d 3d 4d 6h 8h Jo", *OPENED), line) == move


def test_drawing():
    made = table("8h 2d", *OPENED, fire=["3c", "9c"], phase="draw")
    assert typed(made, "draw") == {"type": "draw"}
    assert typed(made, "take_fire") == {"type": "take_fire"}
    assert "9c" in GAME.text(made.state, 0)


@pytest.mark.parametrize(
    ("hand", "line", "words"),
    [
        ("8h 3h Jo 2d", "lay jo 3h 2d", "no run of three"),
        ("6s 7s Jo 2d", "lay 7s jo 6s", "may be: lay Jo 6s 7s joker 5s, lay 6s 7s Jo joker 8s; say which"),
        ("Jo 2d", "add jo", "add Jo meld 0 low, add Jo meld 2"),
        ("4h 8h Jo 2d", "add jo meld 0 high", "Jo does not fit Tc Jc Qc Kc Ac at the high end"),
        ("9c 4c 2d", "add 9c", "may be: add 9c meld 0 low, add 9c meld 2; say which"),
        ("2d 3d", "throw", "may be: throw 2d, throw 3d; say which"),
    ],
)
def test_what_is_ambiguous_or_wrong_is_named(hand, line, words):
    assert words in refusal(table(hand, *OPENED), line)


def test_both_ends_are_asked_for():
    made = table("Ah 7d", "own", (1, "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"))
    assert "may be: add Ah meld 1 low, add Ah meld 1 high; say which" in refusal(made, "add ah")
    assert typed(made, "add ah high")["end"] == "high"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("lay 2d 3d 5d", "no run of three of one suit and no set of three suits of one rank"),
        ("lay 2d 3d 4d 5d", "lay three cards, at most one of them a joker, then add the others one by one"),
        ("lay Kc Kd Kh", "Kc is not in the hand"),
        ("lay", "say which cards"),
        ("throw Ks", "Ks is not in the hand"),
        ("add 8s", "8s fits no meld on the table"),
        ("add 4h", "4h is not in the hand"),
        ("take 8h", "8h takes no joker"),
        ("take_fire", "this turn's card has been drawn"),
        ("draw", "this turn's card has been drawn"),
        ("put back", "no card was taken from the fire"),
        ("add 8h 2", "8h does not fit 9d 9h 9s"),
        ("add 8h low", "8h does not fit 5h Jo 7h at the low end"),
        ("shout", "'shout' is no move now; the moves: lay, add, take_joker, throw"),
        ("throw horse", "'horse' is no card and no amount here"),
    ],
)
def test_refusals_of_who_has_opened(line, words):
    assert words in refusal(table("2d 3d 4d 6h 8h Jo", *OPENED), line)


UNOPENED = "Kc Kd Kh 6s 7s 8s 2c 3d 4h 5c 7d 8h 9d Jd 6h"
POOR = "Kc Kd Kh 5c 5d 5h 5s 2c 3s 7h 8d 9s Js Ad Tc"


@pytest.mark.parametrize(
    ("hand", "moves", "line", "words"),
    [
        (POOR, (), "lay Kc Kd Kh", "the opening could not reach 51 points"),
        (POOR, (), "add 8d", "8d fits no meld on the table"),
        (UNOPENED, (), "add 8h", "before 51 points are laid, cards can be added only to melds of this opening"),
        (UNOPENED, (), "take_joker 6h", "a joker can be taken only after opening with 51 points"),
        (UNOPENED, ("lay Kc Kd Kh",), "throw 2c", "the opening has 30 points of 51: lay on"),
    ],
)
def test_refusals_before_the_opening(hand, moves, line, words):
    made = table(hand, (1, "5h Jo 7h"), moves=moves)
    assert words in refusal(made, line)


def test_a_card_of_the_fire_is_not_thrown():
    made = table("8h 2d", *OPENED[:1], (1, "5h 6h 7h"), fire=["9h"], phase="draw", moves=["take_fire"])
    assert "9h was taken from the fire and must be melded first or put back" in refusal(made, "throw 9h")
    made.step(read_move(made, "add 8h"))
    assert re.search("9h was taken from the fire and must be melded first(?! or)", refusal(made, "throw 9h"))
    assert "something was laid in this turn" in refusal(made, "put back")


def test_a_card_of_no_use_stays_in_the_fire():
    made = table("8h 2d", "own", fire=["3d"], phase="draw")
    assert "3d can be melded in no way that leaves a card to throw" in refusal(made, "take_fire")
    assert "draw first" in refusal(made, "throw 2d")
