"""What hints say of a hand, its draws and the price of a call."""

import numpy as np
import pytest

from poker.tables import play, start
from poker.test_odds import classes_after as classes_of
from tinhorn.core.cards import parse_cards
from tinhorn.core.table import Table
from tinhorn.games import cold_hand, five_card_draw
from tinhorn.poker.hints import classes_after, hand_lines
from tinhorn.poker.ranking import HAND_CLASSES, sort_hand
from tinhorn.registry import list_games


def grouped(text):
    hand = np.array(parse_cards(text), np.int8)
    sort_hand(hand)
    return hand


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (
            "Jh Jd As 6h 4s",
            "throw As 6h 4s: 28.7% of the draws make a better hand (two pair 16.0%, three of a kind 11.4%",
        ),
        ("Jh Jd 6h 6s As", "throw As: of the 47 other cards 4 make a full house"),
        ("Ah Jh 9h 4h 7s", "throw 7s: of the 47 other cards 9 make a flush, 12 make a pair"),
        ("Kc 8s 7h 6d 5c", "throw Kc: of the 47 other cards 8 make a straight, 12 make a pair"),
        ("9c 8d 7h 6s 5c", "good players stand pat with it"),
    ],
)
def test_pk_7_draws_in_words(hand, words):
    assert words in "\n".join(hand_lines(grouped(hand), draws=True))


@pytest.mark.parametrize("thrown", [0b10000, 0b11000, 0b00110, 0b11100])
def test_every_draw_is_counted(thrown):
    hand = grouped("Kc Kd 9h 8h 3h")
    texts = ["Kd", "Kc", "9h", "8h", "3h"]
    kept = [card for place, card in enumerate(texts) if not thrown >> place & 1]
    _, after = classes_of(kept, [card for card in texts if card not in kept])
    assert classes_after(hand, thrown).tolist() == np.bincount(after, minlength=len(HAND_CLASSES)).tolist()


def test_a_hand_without_a_draw_to_come():
    assert hand_lines(grouped("Jh Jd As 6h 4s"), draws=False) == ["the hand: pair of jacks, ace-six-four kickers"]


def test_the_price_of_a_call_in_draw_poker():
    game = five_card_draw.GAME
    table = start(game, game.options(num_players=2), hands={1: "Jh Jd As 6h 4s"})
    assert "a call" not in game.advice(table.state, 1)
    play(table, "1 check, 0 bet 40")
    assert game.advice(table.state, 1).splitlines()[-1] == (
        "a call puts 40 into a pot of then 100: it pays when it wins more than 40%"
    )
    assert "a call" not in game.advice(table.state, 0), "only the seat to act has a price"
    play(table, "1 call")
    assert "good players throw As 6h 4s" in game.advice(table.state, 1)
    play(table, "1 pat, 0 pat")
    assert game.advice(table.state, 1) == "the hand: pair of jacks, ace-six-four kickers"


def test_a_short_call_is_measured_by_what_it_can_win():
    game = five_card_draw.GAME
    table = start(game, game.options(num_players=2, starting_stacks=(1000, 50)), hands={1: "Jh Jd As 6h 4s"})
    play(table, "1 check, 0 all_in")
    assert "a call puts 40 into a pot of then 100" in game.advice(table.state, 1)


def test_the_price_of_the_stakes():
    """CH-7, CH-9."""
    game = cold_hand.GAME
    table = Table(game, game.options(num_players=2))
    table.reset(seed=1)
    assert "pulls" not in game.advice(table.state, table.actor)
    for _ in range(2):
        table.step(0)
    table.step(table.parse({"type": "raise"}))
    *_, price = game.advice(table.state, table.actor).splitlines()
    assert price == "who calls and shows the weakest hand pulls 2 of 6, a fold pulls 1 of 6 for sure"


def test_every_game_of_the_house_gives_hints():
    """So `contract.test_hidden` holds them against hidden cards."""
    assert all(game.advice is not None for game in list_games() if game.name != "kuhn")
