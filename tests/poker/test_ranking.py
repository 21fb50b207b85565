"""Ranking: PK-1 to PK-6. The oracle is a second implementation from the rules, phevaluator a third one."""

import re
from itertools import chain, combinations, pairwise, permutations
from random import Random

import numpy as np
import pytest
from phevaluator import evaluate_cards

from poker.oracle import hand_key
from tinhorn.core.cards import cards_text, parse_cards
from tinhorn.poker.ranking import (
    CLASS_STARTS,
    HAND_CLASSES,
    STRENGTHS,
    describe_strength,
    example_hand,
    hand_class,
    hand_strength,
    sort_hand,
    strength,
    strengths,
)

RANK_WORDS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
]
ONE_OF_EACH_CLASS = (
    "As Qd 9c 7d 5c",
    "Kc Kd 9h 7s 3c",
    "Qc Qd 4h 4s 9d",
    "7c 7d 7h Ks 2d",
    "Ac 2d 3h 4s 5c",
    "Ah Jh 9h 4h 2h",
    "Kc Kd Kh 7s 7c",
    "6c 6d 6h 6s Td",
    "9s 8s 7s 6s 5s",
)


def strength_of(text):
    return strength(*parse_cards(text))


def random_hands(count, seed):
    random = Random(seed)
    return [random.sample(range(52), 5) for _ in range(count)]


def test_pk_6_counts_of_all_hands():
    cards = chain.from_iterable(combinations(range(52), 5))
    hands = np.fromiter(cards, np.int8, 5 * 2_598_960).reshape(-1, 5)
    out = np.empty(len(hands), np.int16)
    strengths(hands, out)
    times = np.bincount(out, minlength=STRENGTHS)
    assert len(times) == 7462
    assert times.min() > 0
    assert dict(zip(HAND_CLASSES, np.add.reduceat(times, CLASS_STARTS).tolist(), strict=True)) == {
        "straight flush": 40,
        "four of a kind": 624,
        "full house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three of a kind": 54_912,
        "two pair": 123_552,
        "pair": 1_098_240,
        "high card": 1_302_540,
    }
    assert times[-1] == 4, "royal flushes"


def test_pk_2_to_4_every_strength_is_in_the_oracles_order():
    keys = [hand_key(example_hand(value).tolist()) for value in range(STRENGTHS)]
    assert all(weaker < stronger for weaker, stronger in pairwise(keys))


def test_pk_2_to_5_random_hands_rank_as_the_oracle_says():
    for hand in random_hands(20_000, seed=1):
        assert hand_key(hand) == hand_key(example_hand(strength(*hand)).tolist()), cards_text(hand)


def test_order_is_phevaluators():
    """phevaluator counts from 1, the best, to 7462; its card codes are ours."""
    for value in range(STRENGTHS):
        assert STRENGTHS - evaluate_cards(*example_hand(value).tolist()) == value


@pytest.mark.parametrize(
    ("rule", "stronger", "weaker"),
    [
        *(("PK-2", *pair) for pair in zip(ONE_OF_EACH_CLASS[1:], ONE_OF_EACH_CLASS, strict=False)),
        ("PK-2", "Ah Kh Qh Jh Th", "Kh Qh Jh Th 9h"),
        ("PK-3", "3c 3d 3h 2s 2c", "2d 2h 2s Ac Ad"),
        ("PK-3", "3c 3d 3h 3s 2c", "2c 2d 2h 2s Ac"),
        ("PK-3", "Kc Kd 3h 3s 2c", "Qc Qd Jh Js Ac"),
        ("PK-3", "Kc Kd 4h 4s 2c", "Kh Ks 3h 3s Ac"),
        ("PK-3", "Kc Kd 4h 4s 3c", "Kh Ks 4c 4d 2c"),
        ("PK-3", "Qc Qd 5h 4s 2c", "Jc Jd Ah Ks Qh"),
        ("PK-3", "Qc Qd Ah 3s 2c", "Qh Qs Kh Js Tc"),
        ("PK-3", "Qc Qd Ah 4s 3c", "Qh Qs Ac 4h 2c"),
        ("PK-3", "8c 8d 8h Ts 2c", "8c 8d 8s 9s 7c"),
        ("PK-3", "Ac 8d 7h 3s 2c", "Kc Qd Jh Ts 8c"),
        ("PK-3", "Kc Jd 9h 7s 3c", "Kd Jh 9s 7c 2d"),
        ("PK-3", "Ac 7c 4c 3c 2c", "Kd Qd Jd Td 8d"),
        ("PK-4", "Ac Kd Qh Js Tc", "Kd Qh Js Tc 9c"),
        ("PK-4", "2c 3d 4h 5s 6c", "Ac 2d 3h 4s 5c"),
        ("PK-4", "2c 3c 4c 5c 6c", "Ad 2d 3d 4d 5d"),
        ("PK-4", "Ad 2d 3d 4d 5d", "Ac Ad Ah As Kc"),
        ("PK-4", "2c 2d 3h 4s 5c", "Qc Kd Ah 2s 3c"),
        ("PK-4", "Ac Kd Qh 4s 2c", "Qc Kd Ah 2s 3c"),
    ],
)
def test_one_hand_beats_the_other(rule, stronger, weaker):
    assert strength_of(stronger) > strength_of(weaker), rule


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kc Jd 9h 7s 2c", "Kd Jh 9s 7c 2d"),
        ("Ac Jc 9c 7c 2c", "As Js 9s 7s 2s"),
        ("Ac Ad Kh Qs Jc", "Ah As Kc Qd Jh"),
        ("Ac 2d 3h 4s 5c", "5h 4d Ah 2s 3s"),
        ("Ac Kc Qc Jc Tc", "Ts Js Qs Ks As"),
    ],
)
def test_pk_5_suits_are_equal(one, other):
    assert strength_of(one) == strength_of(other)


def test_pk_4_a_straight_never_wraps():
    suits = "cdhsc"
    for ranks, name in (("JQKA2", 0), ("QKA23", 0), ("KA234", 0), ("A2345", 4), ("TJQKA", 4)):
        cards = " ".join(rank + suit for rank, suit in zip(ranks, suits, strict=True))
        assert hand_class(strength_of(cards)) == name, ranks


@pytest.mark.parametrize("text", ONE_OF_EACH_CLASS)
def test_the_order_of_cards_does_not_matter(text):
    assert {strength(*cards) for cards in permutations(parse_cards(text))} == {strength_of(text)}


def test_hand_strength_and_batch_agree_with_strength():
    hands = np.array(random_hands(500, seed=2), np.int8)
    out = np.full(len(hands), -1, np.int16)
    strengths(hands, out)
    assert out.tolist() == [hand_strength(hand) for hand in hands] == [strength(*hand) for hand in hands.tolist()]


def test_hand_class_is_the_oracles_on_every_strength():
    assert len(HAND_CLASSES) == 9
    for value in range(STRENGTHS):
        assert hand_class(value) == hand_key(example_hand(value).tolist())[0]


def grouped_order(cards):
    ranks = [card // 4 for card in cards]
    return sorted(cards, key=lambda card: (ranks.count(card // 4), card), reverse=True)


@pytest.mark.parametrize(
    ("dealt", "sorted_hand"),
    [
        ("7s Kc 7c Kd Kh", "Kh Kd Kc 7s 7c"),
        ("4h Qc 9d 4s Qd", "Qd Qc 4s 4h 9d"),
        ("3c Kc 9h Kd 7s", "Kd Kc 9h 7s 3c"),
        ("2d 3d 2c 2h As", "2h 2d 2c As 3d"),
        ("As 2h 2s 2d 2c", "2s 2h 2d 2c As"),
        ("5c 4s Ac 2d 3h", "Ac 5c 4s 3h 2d"),
        ("Tc Ac Jc Kc Qc", "Ac Kc Qc Jc Tc"),
    ],
)
def test_sort_hand_pk_3(dealt, sorted_hand):
    cards = np.array(parse_cards(dealt), np.int8)
    sort_hand(cards)
    assert cards_text(cards) == sorted_hand.split()


@pytest.mark.parametrize("text", ONE_OF_EACH_CLASS)
def test_sort_hand_from_every_order(text):
    cards = parse_cards(text)
    for dealt in permutations(cards):
        hand = np.array(dealt, np.int8)
        sort_hand(hand)
        assert hand.tolist() == grouped_order(cards)


def test_sort_hand_on_random_hands_keeps_cards_and_strength():
    for dealt in random_hands(5_000, seed=3):
        hand = np.array(dealt, np.int8)
        sort_hand(hand)
        assert hand.tolist() == grouped_order(dealt)
        assert hand_strength(hand) == strength(*dealt)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("As Qd 9c 7d 5c", "high card, ace-queen-nine-seven-five"),
        ("6c 6d 9h 7s 3c", "pair of sixes, nine-seven-three kickers"),
        ("Kc Kd 7h 7s Ad", "two pair, kings and sevens, ace kicker"),
        ("7c 7d 7h Ks 2d", "three of a kind, sevens, king-two kickers"),
        ("Ac 2d 3h 4s 5c", "straight, five high"),
        ("Ac Kd Qh Js Tc", "straight, ace high"),
        ("Ah Jh 9h 4h 2h", "flush, ace-jack-nine-four-two"),
        ("Kc Kd Kh 7s 7c", "full house, kings over sevens"),
        ("6c 6d 6h 6s Td", "four of a kind, sixes, ten kicker"),
        ("9s 8s 7s 6s 5s", "straight flush, nine high"),
        ("As Ks Qs Js Ts", "straight flush, ace high"),
    ],
)
def test_describe_strength(text, words):
    assert describe_strength(strength_of(text)) == words


def test_describe_strength_names_the_class_and_the_deciding_ranks_of_every_strength():
    """The words, read back, are the oracle's key: nothing is missing, nothing in the wrong order."""
    for value in range(STRENGTHS):
        found, *ranks = hand_key(example_hand(value).tolist())
        text = describe_strength(value)
        assert text.startswith(HAND_CLASSES[found])
        tail = text.removeprefix(HAND_CLASSES[found]).replace("sixes", "six")
        words = [word.removesuffix("s") for word in re.findall("[a-z]+", tail)]
        read = [RANK_WORDS.index(word) + 2 for word in words if word in RANK_WORDS]
        assert read == (ranks[:1] if "straight" in HAND_CLASSES[found] else ranks), text


@pytest.mark.parametrize("value", [-1, 7462])
def test_a_strength_out_of_range_is_refused(value):
    with pytest.raises(ValueError, match="0 to 7461"):
        describe_strength(value)
    with pytest.raises(ValueError, match="0 to 7461"):
        example_hand(value)


def test_an_example_hand_is_the_callers_own():
    example_hand(0)[:] = 0
    assert strength(*example_hand(0)) == 0
