"""Hand-made positions that cannot be: each is refused in one line, and the old game goes on."""

import pytest

from tinhorn.core.table import PositionError, Table
from tinhorn.games.hand import GAME

WRONG = {
    "an unknown part": ({"seats": 3}, "position 'seats' is unknown: give some of phase, turn"),
    "a meld of nobody": ({"table": [{"cards": ["5h", "6h", "7h"]}]}, "position: 'owner' is missing"),
    "an owner who is not there": (
        {"table": [{"owner": -1, "cards": ["5h", "6h", "7h"]}]},
        "owner=-1: a whole number of 0 to 3",
    ),
    "no meld": ({"table": [{"owner": 0, "cards": ["5h", "6h", "8h"]}]}, "5h 6h 8h is no meld"),
    "a table that is no list": ({"table": 5}, "position table=5: give a list"),
    "a hand that is no list": ({"hands": [5, None, None, None]}, "position: 5 is no list of cards"),
    "too few hands": ({"hands": [None]}, "a position needs 4 hands"),
    "too many cards": ({"hands": [[f"{r}c" for r in "23456789TJQKA"] * 2, *[None] * 3]}, "at most 14 cards for seat 0"),
    "a card to throw in phase draw": (
        {"hands": [[f"{r}c" for r in "23456789TJQKA"] + ["2d", "3d"], *[None] * 3]},
        "at most 14",
    ),
    "a card to throw for another": (
        {"phase": "play", "hands": [None, [f"{r}c" for r in "23456789TJQKA"] + ["2d", "3d"], None, None]},
        "at most 14 cards for seat 1",
    ),
    "more than an owner can have left": (
        {
            "table": [{"owner": 1, "cards": ["5h", "6h", "7h"]}],
            "hands": [None, [f"{r}c" for r in "23456789TJQK"], None, None],
        },
        "at most 11 cards for seat 1: 14 are dealt, each meld takes 3 of its owner's",
    ),
    "more melds than were dealt": (
        {"table": [{"owner": 0, "cards": [f"{r}h", f"{r}c", f"{r}d"]} for r in "23456"]},
        "at most 0 cards for seat 0",
    ),
    "a card three times": ({"fire": ["As"] * 3}, "As is named three times"),
    "no scores": ({"scores": []}, "position scores=[]: a number for each player, or for each team"),
    "words for scores": ({"scores": ["a"] * 4}, "position scores="),
    "scores beyond bounds": ({"scores": [10**12] * 4}, "position scores="),
    "scores beyond those that a view can hold": ({"scores": [-301, 0, 0, 0]}, "whole and of -300 to 4000"),
    "too few that opened": ({"opened": [1]}, "position opened=[1]: 1 or 0"),
    "a word for who opened": ({"opened": ["yes", 0, 0, 0]}, "position opened="),
    "more than opened": ({"opened": [2, 3, 4, 5]}, "position opened=[2, 3, 4, 5]: 1 or 0 for each of 4 seats"),
    "half an opening": ({"opened": [1.0, 0, 0, 0]}, "position opened="),
    "half a point": ({"scores": [1.5, 0, 0, 0]}, "position scores=[1.5, 0, 0, 0]: a number for each player"),
    "a truth for a score": ({"scores": [True, 0, 0, 0]}, "position scores="),
    "cards to nowhere": ({"rest_to": "x"}, "position rest_to='x': 'stock' or 'fire'"),
    "no phase at all": ({"phase": ["draw"]}, "position phase=['draw']: 'draw' or 'play'"),
    "half an owner": ({"table": [{"owner": 0.9, "cards": ["5h", "6h", "7h"]}]}, "position owner=0.9"),
    "a truth for an owner": ({"table": [{"owner": True, "cards": ["5h", "6h", "7h"]}]}, "position owner=True"),
    "a text for an owner": ({"table": [{"owner": "0", "cards": ["5h", "6h", "7h"]}]}, "position owner='0'"),
    "a meld with more": ({"table": [{"owner": 0, "cards": ["5h", "6h", "7h"], "x": 1}]}, "is no meld: write it as"),
    "a truth for a seat": ({"turn": True}, "position turn=True: a whole number of 0 to 3"),
    "a truth for the starter": ({"starter": True}, "position starter=True"),
    "a truth for the deal": ({"deal": True}, "position deal=True"),
    "a truth for the turns": ({"turns": False}, "position turns=False"),
    "half a turn": ({"turns": 1.5}, "position turns=1.5"),
    "nothing to throw": ({"hands": [[], None, None, None], "phase": "play"}, "seat 0 has no move"),
    "nothing to draw": ({"rest_to": "fire"}, "position stock: nobody can draw from an empty one"),
    "a seat that is not there": ({"turn": 9}, "position turn=9: a whole number of 0 to 3"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_it_is_refused(wrong):
    position, why = WRONG[wrong]
    table = Table(GAME)
    table.reset(1)
    before = table.states.tobytes(), table.view.tobytes(), table.mask.tobytes()
    with pytest.raises(PositionError) as caught:
        table.reset(2, position=position)
    assert why in str(caught.value)
    assert (table.states.tobytes(), table.view.tobytes(), table.mask.tobytes()) == before
