"""Rules of Hand that no single position shows: the deal, the stock, the score, the match, the clock."""

from collections import Counter

import numpy as np
import pytest

from games.hand.engine import KINDS, Engine
from games.hand.reference import DECK
from games.hand.test_reference import FORMS
from tinhorn.core.cards import parse_cards
from tinhorn.core.options import OptionError
from tinhorn.core.rng import choose, new_stream
from tinhorn.core.table import ChanceError, Table
from tinhorn.games.hand import GAME
from tinhorn.games.hand.moves import COUNT, THROW
from tinhorn.games.hand.position import pack_meld
from tinhorn.games.hand.words import count_of

ROYAL = ["Tc", "Jc", "Qc", "Kc", "Ac"]


def table(position=None, seed=0, chance=None, **options) -> Table:
    made = Table(GAME, GAME.options(**options))
    made.reset(seed=seed, position=position, chance=chance)
    return made


def play(made: Table, *moves) -> Table:
    for move in moves:
        made.step(made.parse(move))
    return made


def throw(card):
    return {"type": "throw", "card": card}


def random_match(seed, luck=None, **options):
    """The states after each decision of a random match; ``luck`` is that of the players."""
    engine, stream = Engine(seed, **options), new_stream(seed if luck is None else luck)
    yield engine
    while not engine.state.finished:
        engine.legal()
        engine.step(choose(stream, engine.mask))
        yield engine


@pytest.mark.parametrize("form", FORMS)
def test_ha_1_all_106_cards_are_always_there_and_every_meld_is_one(form):
    for step, engine in enumerate(random_match(3, **FORMS[form])):
        if step % 7 == 0 or engine.state.finished:
            now = engine.facts()
            piles = [*now["hands"], *(meld["cards"] for meld in now["table"]), now["fire"], now["stock"]]
            assert Counter(card for pile in piles for card in pile) == Counter(DECK)
            laid = [card for meld in now["table"] for card in meld["cards"]]
            for kind in range(52):
                assert count_of(engine.state.fire_kinds, kind) == now["fire"].count(KINDS[kind])
                assert count_of(engine.state.table_kinds, kind) == laid.count(KINDS[kind])
            assert count_of(engine.state.fire_kinds, 52) == now["fire"].count("Jo")
            for meld, packed in zip(now["table"], engine.state.melds, strict=False):
                assert pack_meld(meld["owner"], parse_cards(meld["cards"])) == packed, "HA-8 to HA-10"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ha_2_and_3_the_deal(players):
    made = table(seed=4, num_players=players)
    now = GAME.facts(made.state)
    starter = now["starter"]
    assert [len(hand) for hand in now["hands"]] == [15 if seat == starter else 14 for seat in range(players)]
    assert now["stock_size"] == 106 - 14 * players - 1
    assert now["fire"] == []
    assert (now["phase"], now["turn"]) == ("play", starter), "the first player does not draw"
    assert {table(seed=seed, num_players=players).actor for seed in range(40)} == set(range(players))


def test_ha_3_the_start_moves_on():
    hand = {"hands": [["Kc"], ["5d"], None], "table": [{"owner": 0, "cards": ["Tc", "Jc", "Qc"]}], "phase": "play"}
    made = table(hand | {"starter": 2, "deal": 3}, num_players=3)
    assert GAME.facts(play(made, throw("Kc")).state)["starter"] == 0


def test_chance_by_name_names_twins():
    deck = ["Kh", "Kh", "Jo", None, "Jo", "Kd"]
    made = table(chance={"deck": deck, "first_player": [1]}, num_players=2)
    now = GAME.facts(made.state)
    assert now["turn"] == 1
    assert {"Kh", "Jo"} <= set(now["hands"][1])
    assert {"Kh", "Kd"} <= set(now["hands"][0])
    assert made.state["deck"]["values"][:3].tolist() == [46, 46, 52]
    with pytest.raises(ValueError, match="Kh is named 3 times"):
        table(chance={"deck": ["Kh"] * 3})
    with pytest.raises(ChanceError):
        table(chance={"first_player": [4]}, num_players=2)


def test_duplicate_deals_whatever_was_played():
    """The cards of deal 2 depend on the seed and the number of the deal alone."""
    decks = set()
    for luck in range(3):
        for engine in random_match(77, luck, num_players=2):
            if engine.state.deal == 1:
                decks.add(tuple(engine.state.deck["values"].tolist()))
                break
    assert len(decks) == 1


def test_ha_7_the_stock_from_the_fire():
    start = {
        "phase": "play",
        "hands": [["9c", "5d", "7h"], ["2c", "3d"]],
        "table": [{"owner": 0, "cards": ROYAL}],
        "stock": [],
        "rest_to": "fire",
    }
    made = table(start, num_players=2)
    fire = GAME.facts(made.state)["fire"]
    play(made, throw("5d"))
    now = GAME.facts(made.state)
    assert now["fire"] == ["5d"]
    assert sorted(now["stock"]) == sorted(fire), "the fire without its top card"
    assert now["stock"] != fire, "shuffled"


def test_ha_7_a_deal_without_cards_to_draw_is_cancelled():
    """It cannot come up in play; here nearly all cards lie in melds or hands. The same starter deals again."""
    suits = [{"owner": k % 2, "cards": [rank + suit for rank in "23456789TJQKA"]} for k, suit in enumerate("cdhs" * 2)]
    start = {"phase": "play", "hands": [["Jo"], ["Jo"]], "table": suits, "scores": [7, 9], "deal": 3, "starter": 1}
    made = table(start, seed=5, num_players=2)
    made.state["hands"][0, 2] = 2  # two cards of seat 0, none of seat 1: the fire will hold one card
    play(made, throw("Jo"))
    now = GAME.facts(made.state)
    assert (now["deal"], now["starter"], now["turn"], now["scores"]) == (3, 1, 1, [7, 9])
    assert [len(hand) for hand in now["hands"]] == [14, 15]
    assert now["table"] == []
    assert now["result"] is None, "nothing is scored"
    assert made.state["cancelled"] == 1


def test_stock_and_fire_never_run_out_in_play():
    """HA-7: 106 cards less 14 a player, at most four of them."""
    lowest = min(engine.state.stock_end - engine.state.next_card + engine.state.fire_size for engine in random_match(5))
    assert lowest >= 49


def last_throw(scores, hands, reward="match", teams=False, **more):
    """Seat 0 throws its last card in the fifth deal."""
    players = len(hands) + 1
    start = {"phase": "play", "deal": 5, "scores": scores, "hands": [["2c"], *hands]}
    start["table"] = [{"owner": seat, "cards": [f"{rank}{'cdhs'[seat]}" for rank in "TJQ"]} for seat in range(players)]
    return play(table(start | more, num_players=players, teams=teams, reward=reward), throw("2c"))


def test_ha_17_costs_of_cards_and_of_not_opening():
    made = last_throw([0, 0, 0], [["Ah", "Kd", "9c", "Jo"], ["2d", "2h"]], opened=[1, 1, 0])
    assert made.state["scores"][:3].tolist() == [-30, 11 + 10 + 9 + 15, 100]


@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ([0, 0, 0], [1.0, -0.5, -0.5]),
        ([50, 0, 0], [0.5, 0.5, -1.0]),
        ([50, 0, 0 - 80], [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_ha_20_ties_share(scores, rewards):
    made = last_throw(scores, [["Kh", "Tc"], ["2d"]], opened=[1, 1, 0])
    wanted = [0.0] * 3 if scores[2] < 0 else rewards
    assert made.state["rewards"][:3].tolist() == pytest.approx(wanted)
    shares = GAME.measures[0].of(made.states.repeat(3), np.arange(3))
    assert shares.tolist() == pytest.approx([max(reward, 0) for reward in rewards])


def test_ha_19_teams_share_everything():
    made = last_throw([10, 20, 10, 20], [["Kh"], ["Ks", "Kd"], ["5d", "Jo"]], teams=True)
    assert GAME.facts(made.state)["scores"] == [10 - 30, 20 + 10 + 20]
    assert made.state["rewards"][:4].tolist() == [0.5, -0.5, 0.5, -0.5]
    assert GAME.facts(made.state)["winners"] == [0, 2]
    assert GAME.measures[1].of(made.states.repeat(4), np.arange(4)).tolist() == [14, -14, 14, -14]


def test_points_as_rewards():
    made = last_throw([0, 0, 0], [["Kh", "Tc"], ["2d"]], reward="points", opened=[1, 1, 0])
    points = np.array([-30, 20, 100])
    ahead = [(np.delete(points, seat).mean() - points[seat]) / 100 for seat in range(3)]
    assert made.state["rewards"][:3].tolist() == pytest.approx(ahead)


def test_points_as_rewards_in_teams():
    made = last_throw([0] * 4, [["Kh"], ["Ks"], ["5d"]], teams=True, reward="points")
    assert made.state["rewards"][:4].tolist() == pytest.approx([0.45, -0.45, 0.45, -0.45])


@pytest.mark.parametrize("form", FORMS)
def test_rewards_of_a_match_sum_to_zero(form):
    *_, last = random_match(11, **FORMS[form])
    assert last.state.finished
    assert last.state.rewards.sum() == pytest.approx(0)
    assert GAME.measures[0].of(last.states.repeat(4)[:2], np.arange(2)).sum() <= 1 + 1e-9


def test_ha_22_a_deal_without_end_is_truncated():
    made = table(num_players=3, max_turns=5)
    for turn in range(5):
        assert not made.finished
        assert made.state["turns"] == turn
        if made.state["phase"] == 0:
            made.step(0)
        made.step(next(action for action in made.legal_ids() if action >= THROW))
    assert made.finished
    assert made.state["truncated"] == 1
    assert made.state["rewards"].tolist() == [0.0] * 6
    assert GAME.facts(made.state)["winners"] is None


def test_ha_23_the_clock_draws_and_throws_the_dearest_loose_card():
    start = {"phase": "draw", "hands": [["9h", "Th", "Jh", "Ad", "Kc", "2s", "Jo"], ["2c"]], "stock": ["3c"]}
    made = table(start, num_players=2)
    assert made.describe(made.timeout_action()) == {"type": "draw"}
    made.step(made.timeout_action())
    assert made.describe(made.timeout_action()) == throw("Ad"), "9-10-J is kept and longer by the joker"
    made.step(made.timeout_action())
    assert made.actor == 1


def test_ha_23_the_clock_puts_the_card_of_the_fire_back():
    start = {
        "phase": "draw",
        "hands": [["8h", "2d"], ["2c"]],
        "table": [{"owner": 0, "cards": ROYAL}, {"owner": 1, "cards": ["5h", "6h", "7h"]}],
        "fire": ["9h"],
    }
    made = play(table(start, num_players=2), {"type": "take_fire"})
    assert made.describe(made.timeout_action()) == {"type": "put_back"}


def test_ha_23_the_clock_finishes_what_was_begun():
    hand = ["Kc", "Kd", "Kh", "6s", "7s", "8s", "2c", "3d", "4h", "5c", "7d", "8h", "9d", "Jd", "9c"]
    made = table({"phase": "play", "hands": [hand, None]}, num_players=2)
    play(made, {"type": "lay", "cards": ["Kc", "Kd", "Kh"]})
    assert made.describe(made.timeout_action())["cards"] == ["6s", "7s", "8s"]
    made.step(made.timeout_action())
    assert made.describe(made.timeout_action()) == throw("Jd")


@pytest.mark.parametrize("form", FORMS)
def test_ha_23_the_clock_alone_always_has_a_legal_move(form):
    """Whole matches in which every third decision, or so, is the clock's."""
    engine, stream = Engine(9, **FORMS[form]), new_stream(1)
    for step in range(2500):
        if engine.state.finished:
            break
        legal = engine.legal()
        action = int(GAME.timeout_action(engine.state)) if step % 3 == 0 else int(choose(stream, engine.mask))
        assert action in legal
        engine.step(action)


def test_options_say_what_is_wrong():
    with pytest.raises(OptionError, match="teams need exactly 4 players"):
        GAME.options(num_players=3, teams=True)
    with pytest.raises(OptionError, match="2 to 4"):
        GAME.options(num_players=5)
    with pytest.raises(OptionError, match="'match', 'points'"):
        GAME.options(reward="money")


def test_474_actions():
    assert GAME.actions.count == COUNT == 474
    assert [(block.name, block.size) for block in GAME.actions.blocks] == [
        ("draw_stock", 1),
        ("take_fire", 1),
        ("put_back", 1),
        ("lay_run", 192),
        ("lay_set", 130),
        ("add", 96),
        ("throw", 53),
    ]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"hands": [["Kh", "Kh", "Kh"], None]}, "named three times"),
        ({"table": [{"owner": 0, "cards": ["Kh", "Ah", "2h"]}]}, "no meld"),
        ({"phase": "lunch"}, "'draw' or 'play'"),
        ({"deal": 6}, "1 to 5"),
        ({"moon": 1}, "unknown"),
    ],
)
def test_a_wrong_position_is_refused(position, message):
    with pytest.raises(ValueError, match=message):
        table(position, num_players=2)
