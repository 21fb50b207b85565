"""One table: what it refuses, and how it explains itself."""

import numpy as np
import pytest

import kuhn
from games.cold_hand.positions import bet, play, stand_pat, start
from tinhorn.core.game import UnknownGameError
from tinhorn.core.table import IllegalActionError, PositionError, Table
from tinhorn.games.cold_hand import GAME, ColdHandOptions
from tinhorn.registry import get_game, list_games

pytestmark = pytest.mark.plain_python


def refusal(table, action):
    """The words with which an action is refused; nothing may change."""
    before = table.states.tobytes(), table.view.tobytes(), table.mask.tobytes()
    with pytest.raises(IllegalActionError) as caught:
        table.step(action)
    assert (table.states.tobytes(), table.view.tobytes(), table.mask.tobytes()) == before
    return str(caught.value)


def test_refusals_say_why_and_what_is_legal():
    table = start(2, {0: "Kc Kd 9h 7s 3c"})
    assert refusal(table, 27) == (
        "raise is not legal for seat 0: this is a draw round; legal: exchange nothing, exchange Kd, exchange Kc, "
        "exchange 9h, exchange 7s, exchange 3c, exchange Kd Kc, exchange Kd 9h, exchange Kd 7s, exchange Kd 3c, "
        "exchange Kc 9h, exchange Kc 7s and 14 more"
    )
    stand_pat(table)
    assert refusal(table, 0) == (
        "exchange nothing is not legal for seat 0: this is a betting round; legal: call, raise, fold"
    )
    bet(table, "raise raise raise")
    assert refusal(table, 27) == (
        "raise is not legal for seat 1: the stakes are at their most, 4 pulls; legal: call, fold"
    )
    assert refusal(table, 29) == "29 is not legal for seat 1: action ids are 0 to 28; legal: call, fold"
    assert refusal(table, -1) == "-1 is no action id: give a whole number of 0 to 28"
    assert refusal(table, "call") == "'call' is no action id: give a whole number of 0 to 28"
    assert refusal(table, 26.0) == "26.0 is no action id: give a whole number of 0 to 28"


def test_refusals_after_the_end():
    table = bet(start(2, bullets={0: 1}), "fold")
    assert table.finished
    assert refusal(table, 0) == "the episode is over: call reset()"


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ({"type": "exchange", "cards": ["2h"]}, "the hand is Kd Kc 9h 7s 3c; exchange cards of it, each once"),
        ({"type": "exchange", "cards": ["9h", "9h"]}, "the hand is Kd Kc 9h 7s 3c"),
        ({"type": "exchange", "cards": ["Kc", "Kd", "9h", "7s"]}, "at most 3 cards may be exchanged"),
        ({"type": "exchange", "cards": ["king"]}, "'king' is no card: write rank and suit like 'Td'"),
        ({"type": "check"}, "'check' is no action of Cold Hand: exchange, call, raise or fold"),
        ({"card": "2h"}, "{'card': '2h'}: a move names its type, 'type': one of exchange, call, raise, fold"),
        ({"type": ["call"]}, "a move names its type"),
        ({"type": "exchange", "crads": ["9h"]}, "exchange 9h: unknown key 'crads'; exchange takes cards, places"),
        ({"type": "call", "cards": []}, "unknown key 'cards'; call takes no other key"),
        ({"type": "exchange"}, "say which cards, none as 'cards': []"),
        ({"type": "exchange", "cards": 5}, "5 is no list of cards: write them like ['Td', 'As']"),
        ({"type": "exchange", "places": 3}, "places=3: a list of places in the hand, 0 to 4"),
        ({"type": "exchange", "places": [5]}, "the hand is Kd Kc 9h 7s 3c; exchange cards of it, each once"),
        ("raise", "'raise': write a move as a mapping, {'type': 'raise'}"),
        (None, "None: write a move as a mapping, {'type': 'exchange'}"),
    ],
)
def test_words_that_are_no_action(action, why):
    with pytest.raises(IllegalActionError) as caught:
        start(2, {0: "Kc Kd 9h 7s 3c"}).parse(action)
    assert why in str(caught.value)
    assert "; legal: exchange nothing, exchange Kd" in str(caught.value)


def test_places_count_from_0_in_the_order_of_the_hand_and_cards_come_first():
    table = start(2, {0: "Kc Kd 9h 7s 3c"})
    by_cards = table.parse({"type": "exchange", "cards": ["Kd", "3c"]})
    assert table.parse({"type": "exchange", "places": [0, 4]}) == by_cards
    assert table.parse({"type": "exchange", "places": [1], "cards": ["Kd", "3c"]}) == by_cards


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.name)
def test_every_legal_move_is_written_with_the_keys_that_are_read(game):
    table = Table(game)
    for seed in range(3):
        table.reset(seed)
        luck = np.random.default_rng(seed)
        for _ in range(60):
            if table.finished:
                break
            for move in table.legal_actions():
                assert set(move) - {"type"} <= set(game.actions.takes[move["type"]])
            table.step(int(luck.choice(table.legal_ids())))
    if game.actions.places_of:
        field = game.layout[game.actions.places_of]
        assert field.order
        assert field.encodings


def test_a_position_of_another_form_is_refused():
    table = start(2)
    before = table.states.tobytes()
    for position, why in {
        5: "position 5: give its parts by name",
        "hands": "position 'hands': give its parts by name",
    }.items():
        with pytest.raises(PositionError, match=why):
            table.reset(1, position=position)
    with pytest.raises(PositionError, match="hands_completed=True: Cold Hand takes hands_completed, a number of 0 to"):
        table.reset(1, position={"hands_completed": True})
    assert table.states.tobytes() == before


def test_numpy_integers_are_ids_too():
    table = start(2)
    table.step(np.int64(0))
    table.step(np.int8(0))
    assert table.legal_ids() == [26, 27, 28]


def test_observing_another_seat_leaves_the_table_as_it_is():
    table = play(start(3, {0: "Kc Kd 9h 7s 3c"}), "0 exchange 3c")
    view, mask = table.view.copy(), table.mask.copy()
    for seat in range(3):
        own_mask, own_view, features = table.observe(seat)
        assert own_mask.any() == (seat == table.actor)
        own_view[:], own_mask[:], features[:] = 9, 9, 9
    assert (table.view == view).all()
    assert (table.mask == mask).all()


def test_tables_begin_anew_and_keep_their_options():
    table = Table(GAME, ColdHandOptions(5))
    table.reset(1)
    first = table.states.tobytes()
    table.step(0)
    table.reset(1)
    assert table.states.tobytes() == first
    assert table.state.num_seats == 5
    assert Table(GAME).options == ColdHandOptions(4)


def test_a_game_without_positions_says_so():
    table = Table(kuhn.GAME)
    table.reset(1)
    before = table.states.tobytes()
    with pytest.raises(ValueError, match="Kuhn poker takes no hand-made positions"):
        table.reset(1, position={"pot": 3})
    assert table.states.tobytes() == before


def test_games_by_name():
    assert get_game("cold_hand") is get_game("cold_hand_v0") is GAME
    assert kuhn.GAME in list_games()
    with pytest.raises(UnknownGameError, match=r"unknown game 'snap'; the games are: cold_hand_v0, .*kuhn_v0"):
        get_game("snap")
    with pytest.raises(UnknownGameError):
        get_game("cold_hand_v1")


def test_the_text_shows_own_cards_and_no_other():
    table = play(start(3, {0: "Kc Kd 9h 7s 3c", 1: "Ac Qd 9c 7d 5c"}), "0 exchange 3c, 1 pat, 2 pat, 0 raise")
    text = GAME.text(table.state, 0)
    assert "Kd" in text
    assert "Ac" not in text
    assert "stakes 2" in text
    assert "raised 1" in text
    assert "Kd" not in GAME.text(table.state, None)
