"""Hand-made positions that cannot be: each is refused in one line, and the old game goes on."""

import pytest

from tinhorn.core.table import PositionError, Table
from tinhorn.games.hand import GAME

WRONG = {
    "an unknown part": ({"seats": 3}, "position 'seats' is unknown: give some of phase, turn"),
    "a meld of nobody": ({"table": [{"cards": ["5h", "6h", "7h"]}]}, "position: 'owner' is missing"),
    "an owner who is not there": ({"table": [{"owner": -1, "cards": ["5h", "6h", "7h"]}]}, "owners below 4"),
    "no meld": ({"table": [{"owner": 0, "cards": ["5h", "6h", "8h"]}]}, "5h 6h 8h is no meld"),
    "a table that is no list": ({"table": 5}, "position: "),
    "a hand that is no list": ({"hands": [5, None, None, None]}, "position: 5 is no list of cards"),
    "too few hands": ({"hands": [None]}, "a position needs 4 hands"),
    "too many cards": ({"hands": [[f"{r}c" for r in "23456789TJQKA"] * 2, *[None] * 3]}, "at most 15 cards in a hand"),
    "a card three times": ({"fire": ["As"] * 3}, "As is named three times"),
    "no scores": ({"scores": []}, "position scores=[]: a number for each player, or for each team"),
    "words for scores": ({"scores": ["a"] * 4}, "position: "),
    "scores beyond bounds": ({"scores": [10**12] * 4}, "position: "),
    "too few that opened": ({"opened": [1]}, "position: "),
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
