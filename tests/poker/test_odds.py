"""PK-7: exact odds of improving. Every draw from the 47 unseen cards goes through the engine's ranking."""

from itertools import combinations

import numpy as np
import pytest

from tinhorn.core.cards import parse_cards
from tinhorn.poker.ranking import HAND_CLASSES, hand_class, strength, strengths


def classes_after(kept, thrown):
    """Hand class before the draw, and after each possible draw, int64[number of draws].

    The cards thrown stay out: they are seen, and 47 cards are unseen whatever is kept.
    """
    kept, thrown = parse_cards(kept), parse_cards(thrown)
    unseen = [card for card in range(52) if card not in kept + thrown]
    assert len(unseen) == 47
    hands = np.array([kept + list(drawn) for drawn in combinations(unseen, len(thrown))], np.int8)
    out = np.empty(len(hands), np.int16)
    strengths(hands, out)
    return hand_class(strength(*kept, *thrown)), np.array([hand_class(value) for value in out])


def improved(kept, thrown):
    """Draws that end in a better class (a better kicker alone does not count), and the number of draws."""
    before, after = classes_after(kept, thrown)
    return int((after > before).sum()), len(after)


def reached(kept, thrown, name):
    """Draws that end in exactly the class ``name``, and the number of draws."""
    _, after = classes_after(kept, thrown)
    return int((after == HAND_CLASSES.index(name)).sum()), len(after)


@pytest.mark.parametrize(("kept", "thrown"), [("Kc Kd", "9h 7s 3c"), ("2c 2s", "Ah Kd Qc"), ("As Ad", "5h 4s 3c")])
def test_pk_7_pair_draw_three(kept, thrown):
    """Improvement: two pair or better."""
    assert improved(kept, thrown) == (4656, 16215)
    assert round(100 * 4656 / 16215, 1) == 28.7
    full, draws = reached(kept, thrown, "full house")
    assert round(100 * full / draws, 1) == 1.0


@pytest.mark.parametrize(("kept", "thrown"), [("Kc Kd As", "7s 3c"), ("2c 2s 3d", "Qc Th")])
def test_pk_7_pair_with_a_kicker_draw_two(kept, thrown):
    """Improvement: two pair or better."""
    assert improved(kept, thrown) == (280, 1081)
    assert round(100 * 280 / 1081, 1) == 25.9


@pytest.mark.parametrize(("kept", "thrown"), [("Kc Kd 7h 7s", "2c"), ("Ac Ad 2h 2s", "Kc")])
def test_pk_7_two_pair_draw_one(kept, thrown):
    """The only improvement is a full house."""
    assert improved(kept, thrown) == reached(kept, thrown, "full house") == (4, 47)
    assert round(100 * 4 / 47, 1) == 8.5


@pytest.mark.parametrize(("kept", "thrown"), [("7c 7d 7h", "Ks 2d"), ("Ac Ad Ah", "Ks Qd")])
def test_pk_7_three_of_a_kind_draw_two(kept, thrown):
    """Improvement: full house or four of a kind."""
    assert improved(kept, thrown) == (112, 1081)
    assert round(100 * 112 / 1081, 1) == 10.4


@pytest.mark.parametrize(("kept", "thrown"), [("Ah Jh 9h 4h", "7s"), ("Kc 9c 4c 2c", "Kd")])
def test_pk_7_four_flush_draw_one(kept, thrown):
    """The nine cards of the suit; none of these hands can become a straight flush."""
    assert reached(kept, thrown, "flush") == (9, 47)


@pytest.mark.parametrize(
    ("kept", "thrown", "hits"),
    [
        ("5c 6d 7h 8s", "Kc", 8),
        ("2c 3d 4h 5s", "9c", 8),
        ("Tc Jd Qh Ks", "4c", 8),
        ("5c 6d 8h 9s", "Kc", 4),
        ("Ac Kd Qh Ts", "4c", 4),
        ("Ac Kd Qh Js", "2c", 4),
        ("Ac 2d 3h 4s", "Kc", 4),
    ],
)
def test_pk_7_four_to_a_straight_draw_one(kept, thrown, hits):
    """Open-ended: eight cards; inside, or up against the ace (PK-4): four. Suits are mixed: no flush."""
    assert reached(kept, thrown, "straight") == (hits, 47)


@pytest.mark.parametrize(("kept", "thrown"), [("Ah Jh 4h", "7s 3c"), ("Kc 9c 2c", "Qd 5s")])
def test_pk_7_three_to_a_flush_draw_two(kept, thrown):
    """Two of the ten cards of the suit: C(10, 2) of C(47, 2) draws."""
    hits, draws = reached(kept, thrown, "flush")
    assert (hits, draws) == (45, 1081)
    assert hits / draws < 0.05
