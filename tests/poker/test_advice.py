"""What the house bots throw from hands that every player knows."""

import numpy as np
import pytest

from tinhorn.core.cards import cards_text, parse_cards
from tinhorn.poker.advice import flush_draw, open_straight_draw, places_to_throw
from tinhorn.poker.ranking import sort_hand

pytestmark = pytest.mark.plain_python

HANDS = {
    "royal flush stands pat": ("As Ks Qs Js Ts", ""),
    "straight flush stands pat": ("5h 4h 3h 2h Ah", ""),
    "full house stands pat": ("9c 9d 9h 4s 4c", ""),
    "flush stands pat": ("Kd 9d 7d 4d 2d", ""),
    "straight stands pat": ("9c 8d 7h 6s 5c", ""),
    "ace to five stands pat": ("Ac 5d 4h 3s 2c", ""),
    "four of a kind stands pat": ("8c 8d 8h 8s Kc", ""),
    "three of a kind draws two": ("7c 7d 7h Ks 2c", "Ks 2c"),
    "two pair draws one": ("Jc Jd 4h 4s Ac", "Ac"),
    "a pair draws three": ("2c 2d Kh 9s 5c", "Kh 9s 5c"),
    "a four flush draws one": ("Ah Jh 7h 3h 9c", "9c"),
    "an open-ended straight draws one": ("9c 8d 7h 6s 2c", "2c"),
    "open at the low end": ("5c 4d 3h 2s 9c", "9c"),
    "open at the high end": ("Kc Qd Jh Ts 2c", "2c"),
    "a pair comes before a four flush": ("8h 8c Kh 9h 2h", "Kh 9h 2h"),
    "a pair comes before a straight draw": ("8h 8c 9h Ts Jd", "9h Ts Jd"),
    "a four flush comes before a straight draw": ("9h 8h 7h 6c 2h", "6c"),
    "an inside straight is no draw": ("9c 8d 7h 5s 2c", "7h 5s 2c"),
    "ace high to a king is no draw": ("Ac Kd Qh Js 2c", "Qh Js 2c"),
    "ace to four is no draw": ("Ac 4d 3h 2s 9c", "4d 3h 2s"),
    "nothing keeps the two highest": ("Kc Jd 8h 5s 3c", "8h 5s 3c"),
}


def sorted_hand(text):
    hand = np.array(parse_cards(text), np.int8)
    sort_hand(hand)
    return hand


@pytest.mark.parametrize(("text", "thrown"), HANDS.values(), ids=HANDS)
def test_what_is_thrown(text, thrown):
    hand = sorted_hand(text)
    places = places_to_throw(hand)
    assert set(cards_text(hand[place] for place in range(5) if places >> place & 1)) == set(thrown.split())


def test_never_more_than_three():
    rng = np.random.default_rng(1)
    for _ in range(300):
        hand = rng.permutation(52)[:5].astype(np.int8)
        sort_hand(hand)
        assert bin(places_to_throw(hand)).count("1") <= 3


def test_draws_are_found_in_any_order():
    hand = np.array(parse_cards("9c 3h Jh Ah 7h"), np.int8)
    assert flush_draw(hand) == 0b11110
    hand = np.array(parse_cards("2c 6s 9c 7h 8d"), np.int8)
    assert open_straight_draw(hand) == 0b11110
    assert flush_draw(hand) == 0
