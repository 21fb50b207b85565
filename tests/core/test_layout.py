"""Declared views and options: what they encode, and what they refuse."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from tinhorn.core.encoder import encoder_source, make_encoder
from tinhorn.core.encoding import (
    FLAG,
    CardSlots,
    Logarithm,
    MultiHot,
    OneHot,
    Pattern,
    Ratio,
    Scaled,
)
from tinhorn.core.kernel import kernel
from tinhorn.core.layout import Field, Layout, ViewError
from tinhorn.core.options import OptionError, Options

pytestmark = pytest.mark.plain_python


@kernel
def parity(view, place, features, feature):
    features[feature + view[place] % 2] = 1


LAYOUT = Layout(
    Field("step", "A number from minus one.", -1, 1, encode=OneHot()),
    Field("cards", "Two cards.", 0, 52, (2,), "none", (CardSlots(), MultiHot()), cards=True),
    Field("quiet", "Not an input.", 0, 9, (2, 2)),
    Field("flag", "A flag.", 0, 1, encode=FLAG),
    Field("pot", "Chips.", 0, 1000, encode=(Scaled(100), Logarithm(1000))),
    Field("bet", "Chips.", 0, 1000, (2,), "none", Ratio(2.0, "pot")),
    Field("odd", "A pattern.", 0, 9, encode=Pattern("parity", 2, parity, "even or odd")),
)


def features(**values):
    """The features of a view by name of field; fields not named are at their least."""
    view = LAYOUT.lows.copy()
    for name, value in values.items():
        start = LAYOUT.at(name)
        view[start : start + LAYOUT[name].size] = value
    out = np.full(LAYOUT.feature_size, 5, np.float32)
    make_encoder(LAYOUT)(view, out)
    return {entry.name: out[LAYOUT.features_at(entry.name) :] for entry in LAYOUT.encoded}


def test_every_encoding():
    assert features(step=-1)["step"][:3].tolist() == [1, 0, 0]
    assert features(step=1)["step"][:3].tolist() == [0, 0, 1]
    cards = features(cards=[0, 51])["cards"]
    slots, multi = cards[:36], cards[36:89]  # jokers are allowed: 14 ranks and 4 suits for each place
    assert np.flatnonzero(slots).tolist() == [0, 14, 18 + 12, 18 + 14 + 3]
    assert np.flatnonzero(multi).tolist() == [0, 51]
    assert features(cards=[7, 7])["cards"][36 + 7] == 2
    assert not features(cards=[-1, -1])["cards"][:89].any()
    assert features(flag=1)["flag"][0] == 1
    assert features(pot=250)["pot"][:2] == pytest.approx([2.5, np.log(251) / np.log(1001)], rel=1e-6)
    assert features(pot=200, bet=[50, -1])["bet"][:2].tolist() == [0.25, 0]
    assert features(pot=0, bet=[1, 900])["bet"][:2].tolist() == [1, 2]
    assert features(odd=3)["odd"][:2].tolist() == [0, 1]
    assert LAYOUT.feature_size == 3 + 36 + 53 + 1 + 2 + 2 + 2


def test_the_encoder_is_short():
    """Runs of lookups become loops: as many lines for six seats as for two."""
    one = Layout(Field("cards", "Cards.", 0, 51, (2,), encode=CardSlots()))
    six = Layout(Field("cards", "Cards.", 0, 51, (6,), encode=CardSlots()))
    assert len(encoder_source(one)[0].splitlines()) == len(encoder_source(six)[0].splitlines())


def test_json_has_card_texts_and_none():
    view = LAYOUT.lows.copy()
    view[LAYOUT.at("cards")] = 51
    written = LAYOUT.to_json(view)
    assert written["cards"] == ["As", None]
    assert written["quiet"] == [[0, 0], [0, 0]]
    assert LAYOUT.named(view)["cards"] == [51, -1]
    assert LAYOUT.to_json(LAYOUT.highs)["cards"] == ["Jo", "Jo"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards": ["As"]}, r"'cards' takes whole numbers of shape \[2\]"),
        ({"cards": ["As", "1s"]}, r"'cards': '1s' is no card"),
        ({"cards": [-2, 0]}, "'cards' takes -1 to 52"),
        ({"flag": 2}, "'flag' takes 0 to 1, not 2"),
        ({"flag": None}, "'flag': null is not allowed here"),
        ({"pot": 1.0}, "'pot' takes one whole number, not 1.0"),
        ({"pot": [1]}, "'pot' takes one whole number"),
        ({"quiet": [[0, 0]]}, r"'quiet' takes whole numbers of shape \[2, 2\]"),
        ({"quiet": [[0, 0], [0]]}, "'quiet'"),
        ({"pto": 1}, "unknown field 'pto'; the fields are: step, cards"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    with pytest.raises(ViewError, match=message):
        LAYOUT.from_json(LAYOUT.to_json(LAYOUT.lows) | change)


ORDERED = Layout(
    Field("hand", "Own cards.", 0, 51, (5,), "none", CardSlots(), cards=True, order="grouped"),
    Field("held", "Own cards.", 0, 52, (4,), "none", MultiHot(), cards=True, order="rising"),
)
IN_ORDER = {"hand": ["As", "Ah", "9d", "9c", "2c"], "held": ["2d", "As", "Jo", None]}


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({"hand": ["As", "Ah", "9d", "9c", "2c"]}, None),
        ({"hand": ["9d", "9c", "As", "2c", None]}, None),
        ({"hand": ["As", "Ah", "9d", "2c", "9c"]}, '["As", "Ah", "9d", "9c", "2c"] (most frequent rank first'),
        ({"hand": ["As", "Ah", "9c", "9d", "2c"]}, '["As", "Ah", "9d", "9c", "2c"]'),
        ({"hand": ["As", "9d", "9c", "2c", None]}, '["9d", "9c", "As", "2c", null]'),
        ({"hand": [None, "9d", "9c", "As", "2c"]}, '["9d", "9c", "As", "2c", null]'),
        ({"hand": [0, 4, 8, 12, 16]}, '["6c", "5c", "4c", "3c", "2c"]'),
        ({"held": ["2d", "2d", "Jo", "Jo"]}, None),
        ({"held": ["Jo", "2d", "As", None]}, '["2d", "As", "Jo", null] (from the lowest rank'),
        ({"held": ["2h", "2d", None, None]}, '["2d", "2h", null, null]'),
    ],
)
def test_a_hand_is_taken_in_its_order_only(change, right):
    table = IN_ORDER | change
    if right is None:
        ORDERED.from_json(table)
        return
    with pytest.raises(ViewError) as caught:
        ORDERED.from_json(table)
    assert f"field {next(iter(change))!r} takes its cards in this order: {right}" in str(caught.value)


def test_the_order_is_part_of_what_a_field_says():
    described = {field["name"]: field for field in ORDERED.describe()}
    assert described["hand"]["order"] == "grouped"
    assert described["hand"]["meaning"] == (
        "Own cards: most frequent rank first, then from the highest rank, suits s h d c."
    )
    assert LAYOUT.describe()[1]["order"] is None
    for wrong in ({"order": "odd"}, {"shape": ()}, {"cards": False}):
        with pytest.raises(ValueError, match="a row of cards may have an order: grouped, rising"):
            Layout(Field(**{"name": "x", "meaning": "X.", "low": 0, "high": 51, "shape": (2,), "cards": True,
                            "order": "rising"} | wrong))  # fmt: skip


def test_flags_may_be_true_and_quiet_fields_missing():
    table = LAYOUT.to_json(LAYOUT.lows) | {"flag": True}
    del table["quiet"]
    assert LAYOUT.from_json(table)[LAYOUT.at("flag")] == 1
    del table["pot"]
    with pytest.raises(ViewError, match="'pot' is missing: Chips"):
        LAYOUT.from_json(table)


@pytest.mark.parametrize("other", [(), (Field("pot", "The pot.", 0, 9),)], ids=["missing", "not encoded"])
def test_a_ratio_is_to_an_encoded_field(other):
    with pytest.raises(ValueError, match="'bet' is scaled by 'pot'"):
        Layout(Field("bet", "A bet.", 0, 9, encode=Ratio(4.0, "pot")), *other)


def test_a_layout_names_a_field_once():
    with pytest.raises(ValueError, match="'x' is declared twice"):
        Layout(Field("x", "One.", 0, 1), Field("x", "Two.", 0, 1))


@dataclass(frozen=True)
class Sample(Options):
    """Options of each kind."""

    player_counts: ClassVar[range] = range(2, 5)
    num_players: int = 2
    stack: int = field(default=100, metadata={"help": "Chips at the start.", "low": 1, "high": 500})
    mode: str = field(default="cash", metadata={"help": "How it ends.", "choices": ("cash", "cup")})
    teams: bool = field(default=False, metadata={"help": "Two against two."})


def test_options_are_checked_when_made():
    for wrong, message in {
        "num_players=5": "num_players=5: this game seats 2 to 4",
        "num_players=True": "num_players=True: this game seats",
        "stack=0": "stack=0: must be a whole number of 1 to 500",
        "stack=True": "stack=True: must be a whole number",
        "stack='1'": "stack='1': must be a whole number",
        "mode='league'": "mode='league': choose from 'cash', 'cup'",
        "teams=1": "teams=1: must be True or False",
    }.items():
        name, value = wrong.split("=")
        with pytest.raises(OptionError) as caught:
            Sample.make({name: eval(value)})
        assert str(caught.value).startswith(message)
    with pytest.raises(OptionError, match="unknown option 'stakc'; the options are: num_players, stack, mode, teams"):
        Sample.make({"stakc": 5})


def test_options_say_and_write_what_they_are():
    assert Sample.make({"mode": "cup"}).as_dict() == {
        "num_players": 2, "stack": 100, "mode": "cup", "teams": False,
    }  # fmt: skip
    assert [entry["range"] for entry in Sample.describe()] == ["2 to 4", "1 to 500", "'cash', 'cup'", "true, false"]
    state = np.zeros(1, [("num_seats", "i1"), ("stack", "i4"), ("mode", "i1"), ("teams", "u1")])[0]
    Sample(3, 7, "cup", True).write(state)
    assert state.tolist() == (3, 7, 1, 1)
