"""Every rule of Cold Hand, played through the engine with chance as the test wants it."""

from itertools import chain, combinations

import numpy as np
import pytest

from games.cold_hand.cases import CASES, Turn
from games.cold_hand.positions import bet, facts, paid, play, seen, stand_pat, start
from tinhorn.core.batch import Batch
from tinhorn.core.cards import CARD_TEXTS
from tinhorn.core.table import IllegalActionError, Table
from tinhorn.games.cold_hand import GAME, ColdHandOptions
from tinhorn.games.cold_hand.actions import CALL, FOLD, RAISE

DECK = set(CARD_TEXTS[:52])
KINGS, ACE_HIGH, NINE_HIGH = "Kc Kd 9h 7s 3c", "Ac Qd 9c 7d 5c", "2c 3d 4h 6s 9d"
TWIN = "2d 3h 4s 6c 9s"  # as weak as NINE_HIGH


def script_of(case):
    """A case's cards and bullets as prescribed chance: hand 0 first."""
    order = [(case.opening_seat + step) % case.players for step in range(case.players)]
    script = [{} for _ in range(max(1, len(case.bullets)))]
    script[0] = {"opener": [case.opening_seat], "deck": case.deck(0, order)}
    script[0]["second_deck"] = case.second_deck.split()
    for hand, entry in enumerate(script):
        entry["bullets"] = [case.bullet(hand, seat) for seat in range(case.players)]
    return script


def fact(table, name):
    """One fact of a case, as the case writes it."""
    now = facts(table)
    match name:
        case "legal":
            return sorted(action["type"] for action in table.legal_actions())
        case "deck_size":
            return len(now["deck"])
        case "discards":
            return " ".join(sorted(now["discards"]))
        case "penalties":
            return paid(table)
        case "cards" | "revealed":
            return {int(seat): sorted(cards) for seat, cards in now[name].items()}
    return now[name]


def check(table, expected):
    for name, value in expected.items():
        found = fact(table, name)
        if name in ("cards", "revealed"):
            value = {seat: sorted(cards.split()) for seat, cards in value.items()}
            found = {seat: found[seat] for seat in value} if name == "cards" else found
        assert found == (" ".join(sorted(value.split())) if name == "discards" else value), name


def refuse(table, action):
    before = table.states.tobytes()
    with pytest.raises(IllegalActionError):
        table.step(table.parse(action))
    assert table.states.tobytes() == before


@pytest.mark.plain_python
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_worked_case(case):
    """The cases that the reference plays."""
    table = Table(GAME, ColdHandOptions(case.players))
    table.reset(1, chance=script_of(case), position={"hands_completed": case.hands_completed})
    for step in case.steps():
        if not isinstance(step, Turn):
            check(table, step)
            continue
        assert table.actor == step.seat, step
        if step.how == "is refused":
            refuse(table, step.action)
        else:
            table.step(table.timeout_action() if step.how == "clock" else table.parse(step.action))


@pytest.mark.plain_python
@pytest.mark.parametrize("players", range(2, 7))
def test_ch_1_every_card_exists_once_and_survivors_hold_five(players):
    rng = np.random.default_rng(players)
    table = start(players, seed=players)
    while not table.finished:
        now = facts(table)
        cards = [*now["deck"], *now["discards"], *chain(*now["cards"].values())]
        assert len(cards) == 52
        assert set(cards) == DECK
        assert {seat: len(hand) for seat, hand in now["cards"].items()} == {
            str(seat): 5 for seat in range(players) if now["alive"][seat]
        }
        table.step(int(rng.choice(table.legal_ids())))


def test_ch_1_cards_go_round_the_table_from_the_opening_seat():
    order = CARD_TEXTS[:52][::-1]
    table = Table(GAME, ColdHandOptions(3))
    table.reset(1, chance={"deck": order, "opener": [1]})
    for turn, seat in enumerate((1, 2, 0)):
        assert set(facts(table)["cards"][str(seat)]) == set(order[turn:15:3])
    assert facts(table)["deck"] == list(order[15:])


def test_ch_2_a_draw_comes_before_each_betting_round():
    table = start(3, bullets={0: 6, 1: 6, 2: 6})
    phases = []
    while facts(table)["hands_completed"] == 0:
        phases.append(facts(table)["phase"])
        table.step(table.timeout_action())
    assert phases == ["draw1"] * 3 + ["bet1"] * 3 + ["draw2"] * 3 + ["bet2"] * 3
    assert len(facts(table)["revealed"]) == 3
    assert facts(table)["phase"] == "draw1"


def test_ch_3_none_to_three_cards_may_be_exchanged_from_the_opening_seat_on():
    table = start(2, {1: KINGS, 0: ACE_HIGH}, opener=1, top="2h 2s 2d 4s")
    exchanges = [frozenset(action["cards"]) for action in table.legal_actions()]
    hand = facts(table)["cards"]["1"]
    assert set(exchanges) == {frozenset(part) for n in range(4) for part in combinations(hand, n)}
    assert len(exchanges) == 26
    refuse(table, {"type": "exchange", "cards": hand[:4]})
    refuse(table, {"type": "exchange", "cards": ["Ac"]})
    refuse(table, {"type": "exchange", "cards": ["Kc", "Kc"]})
    play(table, "1 exchange 9h 7s 3c, 0 exchange 5c")
    now = facts(table)["cards"]
    assert set(now["1"]) == {"Kd", "Kc", "2h", "2s", "2d"}
    assert set(now["0"]) == {"Ac", "Qd", "9c", "7d", "4s"}


def test_ch_4_a_discard_can_come_back_in_the_second_draw_only():
    table = start(2, {0: KINGS, 1: ACE_HIGH}, second="3c 5d")
    play(table, "0 exchange 3c 7s")
    assert facts(table)["discards"] == ["7s", "3c"]
    assert not {"7s", "3c"} & set(facts(table)["deck"])
    play(table, "1 pat, 0 call, 1 call")
    assert facts(table)["discards"] == []
    assert {"7s", "3c"} <= set(facts(table)["deck"])
    assert len(facts(table)["deck"]) == 42
    play(table, "0 exchange 9h")
    assert "3c" in facts(table)["cards"]["0"]
    assert facts(table)["discards"] == ["9h"]


def test_ch_4_folded_hands_stay_out_but_what_they_threw_comes_back():
    table = start(3, {0: NINE_HIGH})
    play(table, "0 exchange 2c 3d 4h, 1 pat, 2 pat, 0 fold, 1 call, 2 call")
    now = facts(table)
    assert now["phase"] == "draw2"
    assert {"2c", "3d", "4h"} <= set(now["deck"])
    assert not set(now["cards"]["0"]) & set(now["deck"])
    assert len(now["deck"]) == 52 - 15


def test_ch_5_how_many_is_public_which_is_not():
    views = []
    for thrown in ("3c 7s", "Kc 9h"):
        table = play(start(3, {0: KINGS}, top="2d 2h"), f"0 exchange {thrown}, 1 exchange, 2 clock")
        views.append([table.observe(seat)[1].tolist() for seat in (1, 2)])
        assert seen(table, 1)["exchanged_first"] == [0, 0, 2, None, None, None]
        assert set(seen(table, 0)["thrown_first"]) == {*thrown.split(), None}
    assert views[0] == views[1]


@pytest.mark.parametrize("completed", [0, 3, 6])
def test_ch_6_stakes_start_at_the_house_minimum_and_carry_over(completed):
    table = start(2, completed=completed)
    assert facts(table)["stakes"] == facts(table)["house_minimum"] == 1 + completed // 3
    bet(table, "raise call")
    assert (facts(table)["phase"], facts(table)["stakes"]) == ("draw2", 2 + completed // 3)
    assert facts(stand_pat(table))["stakes"] == 2 + completed // 3


def test_ch_7_call_raise_or_fold_and_no_raise_at_four_pulls():
    table = stand_pat(start(2))
    for stakes in (1, 2, 3):
        assert facts(table)["stakes"] == stakes
        assert table.legal_ids() == [CALL, RAISE, FOLD]
        table.step(RAISE)
    assert table.legal_ids() == [CALL, FOLD]
    with pytest.raises(IllegalActionError, match="at their most, 4 pulls; legal: call, fold"):
        table.step(RAISE)
    table.step(CALL)
    stand_pat(table)
    assert table.legal_ids() == [CALL, FOLD], "in the second round either"


def test_ch_8_a_raise_asks_all_others_again_and_the_raiser_not():
    table = stand_pat(start(4, opener=1))
    play(table, "1 call, 2 call, 3 raise, 0 fold, 1 call, 2 raise, 3 call, 1 call")
    assert facts(table)["phase"] == "draw2"
    assert facts(table)["raises"] == [{"seat": 3, "round": 0}, {"seat": 2, "round": 0}]


def test_ch_8_a_round_starts_at_the_opening_seat_or_the_next_one_still_in():
    table = stand_pat(start(4, opener=1))
    play(table, "1 fold, 2 call, 3 call, 0 call")
    assert (facts(table)["phase"], table.actor) == ("draw2", 2)
    play(table, "2 pat, 3 pat, 0 pat")
    assert (facts(table)["phase"], table.actor) == ("bet2", 2)


def test_ch_9_a_fold_costs_the_house_minimum_after_the_betting():
    table = stand_pat(start(3, {1: KINGS, 2: ACE_HIGH}, bullets={0: 1, 2: 6}))
    play(table, "0 fold, 1 raise, 2 raise")
    assert facts(table)["alive"] == [True] * 3
    assert paid(table) == []
    bet(table, "call call call")
    assert paid(table) == [(0, 1, 1, True), (2, 3, 3, False)]


@pytest.mark.parametrize("second_round", [False, True])
def test_ch_10_the_last_one_in_ends_the_hand_and_is_safe(second_round):
    table = start(3, {2: NINE_HIGH}, bullets={0: 6, 1: 6, 2: 1})
    if second_round:
        bet(table, "call call call")
    bet(table, "fold fold")
    now = facts(table)
    assert (now["hands_completed"], now["phase"], now["revealed"]) == (1, "draw1", {})
    assert now["alive"] == [True] * 3
    assert [entry[0] for entry in paid(table)] == [0, 1]


def test_ch_11_the_weakest_alone_takes_the_stakes():
    hands = {0: KINGS, 1: NINE_HIGH, 2: ACE_HIGH}
    table = bet(start(3, hands, bullets={0: 1, 1: 3, 2: 1}), "raise call call call call call")
    assert paid(table) == [(1, 2, 2, False)]
    shown = {int(seat): set(cards) for seat, cards in facts(table)["revealed"].items()}
    assert shown == {seat: set(cards.split()) for seat, cards in hands.items()}


@pytest.mark.parametrize("completed", [0, 4, 8])
def test_ch_12_tied_weakest_hands_take_the_house_minimum(completed):
    hands = {0: NINE_HIGH, 1: KINGS, 2: TWIN, 3: ACE_HIGH}
    table = start(4, hands, bullets=dict.fromkeys(range(4), 6), completed=completed)
    bet(table, "raise call call call call call call call")
    minimum = 1 + completed // 4
    assert paid(table) == [(0, minimum, minimum, False), (2, minimum, minimum, False)]


def test_ch_13_folded_hands_are_never_shown():
    table = start(3, {0: NINE_HIGH, 1: KINGS, 2: ACE_HIGH}, bullets={0: 6, 2: 6})
    bet(table, "fold call call call call")
    assert set(facts(table)["revealed"]) == {"1", "2"}
    for seat in range(3):
        shown = seen(table, seat)["shown"]
        assert [hand[0] is None for hand in shown[:3]] == [(seat + step) % 3 == 0 for step in range(3)]
    assert paid(table) == [(0, 1, 1, False), (2, 1, 1, False)]


@pytest.mark.parametrize("stakes", range(1, 5))
@pytest.mark.parametrize("chamber", range(1, 7))
def test_ch_14_n_pulls_kill_in_n_of_six_chambers(stakes, chamber):
    table = start(2, {0: KINGS, 1: NINE_HIGH}, bullets={0: 1, 1: chamber})
    bet(table, " ".join(["raise"] * (stakes - 1) + ["call"] * (2 if stakes == 1 else 1) + ["call"] * 2))
    dies = chamber <= stakes
    assert paid(table) == [(1, stakes, chamber if dies else stakes, dies)]
    assert table.finished == dies


@pytest.mark.parametrize("stakes", range(1, 5))
def test_ch_14_n_pulls_kill_with_probability_n_sixths(stakes):
    """Of 60,000 hands; 1 - (5/6)^n is more than thirty standard errors away for every n above one."""
    count = 60_000
    batch = Batch(GAME, count, ColdHandOptions(2), seed=stakes, autoreset=False)
    betting = [RAISE] * (stakes - 1) + [CALL] * (2 if stakes == 1 else 1)
    for action in [0, 0, *betting, 0, 0, CALL, CALL]:
        batch.step(np.full(count, action))
    one = batch.states.penalty[:, :2].max(axis=1) == stakes
    one &= (batch.states.penalty[:, :2] > 0).sum(axis=1) == 1  # no tie
    killed, expected = batch.finished[one].mean(), stakes / 6
    assert one.mean() > 0.99
    assert abs(killed - expected) < 4.5 * np.sqrt(expected * (1 - expected) / one.sum())
    assert abs((1 - (5 / 6) ** stakes) - expected) > 0.02 or stakes == 1


def test_ch_14_every_chamber_is_equally_likely_for_every_seat():
    """A chi-square test of the bullets of 30,000 first hands, seat by seat and pair by pair of seats."""
    bullets = Batch(GAME, 30_000, ColdHandOptions(6), seed=8).states.bullets["values"].astype(int)
    for seat in range(6):
        counts = np.bincount(bullets[:, seat], minlength=7)
        assert counts[0] == 0
        assert ((counts[1:] - 5000) ** 2 / 5000).sum() < 25.7  # 5 degrees of freedom: 1 in 10,000
    for one, two in combinations(range(6), 2):
        counts = np.bincount(6 * (bullets[:, one] - 1) + bullets[:, two] - 1, minlength=36)
        assert ((counts - 30_000 / 36) ** 2 / (30_000 / 36)).sum() < 80  # 35 degrees of freedom


def test_ch_14_settling_stops_when_one_survivor_is_left():
    tie = {0: NINE_HIGH, 1: TWIN}
    table = bet(start(2, tie, bullets={0: 1, 1: 1}), "call call call call")
    assert paid(table) == [(0, 1, 1, True)], "seat 1's own penalty is dropped"
    assert (facts(table)["winner"], table.state.penalty[1], table.state.pulled[1]) == (1, -1, 0)
    assert table.state.rewards[:2].tolist() == [-1, 1]


def test_ch_14_a_dropped_penalty_after_a_fold_that_killed():
    hands = {1: NINE_HIGH, 2: TWIN}
    table = bet(start(3, hands, bullets={0: 1, 1: 1, 2: 1}), "fold call call call call")
    assert paid(table) == [(0, 1, 1, True), (1, 1, 1, True)]
    assert facts(table)["winner"] == 2


def test_ch_14_settles_by_seat_not_by_the_order_of_folding():
    table = start(4, bullets={0: 1, 1: 1, 2: 1, 3: 1}, opener=2)
    bet(table, "fold fold fold")  # seats 2, 3, 0
    assert paid(table) == [(0, 1, 1, True), (2, 1, 1, True), (3, 1, 1, True)]
    assert facts(table)["winner"] == 1


def test_ch_14_survivors_get_fresh_cylinders():
    table = start(2, {0: KINGS, 1: NINE_HIGH}, bullets=[{0: 6, 1: 5}, {0: 6, 1: 2}])
    bet(table, "raise raise raise call call call")
    assert paid(table) == [(1, 4, 4, False)]
    bet(table, "fold")  # seat 1 opens; one pull of the new cylinder
    assert paid(table) == [(1, 1, 1, False)]


@pytest.mark.parametrize(("players", "per_rise"), [(2, 3), (3, 3), (4, 4), (5, 4), (6, 4)])
def test_ch_15_house_minimum_schedule(players, per_rise):
    """Played hand by hand; hands that end early count; survivors do not change the schedule."""
    harmless = [dict.fromkeys(range(players), 6) for _ in range(3 * per_rise)]
    table = start(players, bullets=harmless)
    for hand in range(3 * per_rise):
        now = facts(table)
        minimum = min(3, 1 + hand // per_rise)
        left = None if minimum == 3 else per_rise - hand % per_rise
        assert (now["hands_completed"], now["house_minimum"], now["stakes"]) == (hand, minimum, minimum)
        assert now["hands_to_next_rise"] == left
        assert [seen(table, seat)["hands_to_next_rise"] for seat in range(players)] == [left] * players
        words = "fold " * (players - 1) if hand % 2 else "call " * 2 * players
        bet(table, words)
    assert facts(table)["house_minimum"] == 3


def test_ch_15_the_players_at_the_start_decide():
    table = start(4, bullets=[{0: 1, 1: 1, 2: 6, 3: 6}] + [{2: 6, 3: 6}] * 3)
    bet(table, "fold fold fold")
    assert facts(table)["alive"] == [False, False, True, True]
    for _ in range(2):
        bet(table, "fold")
    assert (facts(table)["hands_completed"], facts(table)["house_minimum"]) == (3, 1)
    bet(table, "fold")
    assert (facts(table)["hands_completed"], facts(table)["house_minimum"]) == (4, 2)


def test_ch_16_the_opener_moves_to_the_next_survivor():
    quiet = dict.fromkeys(range(4), 6)
    table = start(4, opener=1, bullets=[quiet | {2: 1, 3: 1}, quiet, quiet])
    bet(table, "call fold fold call call call")  # seats 2 and 3 die
    assert facts(table)["alive"] == [True, True, False, False]
    assert (facts(table)["opening_seat"], table.actor) == (0, 0)
    bet(table, "fold")
    assert (facts(table)["opening_seat"], table.actor) == (1, 1)


@pytest.mark.parametrize("players", range(2, 7))
def test_ch_16_the_first_opener_is_random(players):
    count = 12_000
    openers = Batch(GAME, count, ColdHandOptions(players), seed=1).states.opening_seat
    counts = np.bincount(openers, minlength=players)
    assert len(counts) == players
    assert ((counts - count / players) ** 2 / (count / players)).sum() < 30  # at most 5 degrees of freedom


def test_ch_17_and_rewards_the_last_survivor_wins():
    """+1 for the survivor at the end, -1/(n-1) for an eliminated seat at once."""
    table = start(3, {0: NINE_HIGH}, bullets=[{0: 1, 1: 6, 2: 6}, {1: 1, 2: 6}])
    bet(table, "call call call call call call")
    assert table.state.rewards.tolist() == [-0.5, 0, 0, 0, 0, 0]
    assert not table.finished
    assert table.state.out[:3].tolist() == [1, 0, 0]
    bet(table, "fold")  # seat 1 opens
    assert table.state.rewards.tolist() == [0, -0.5, 1, 0, 0, 0]
    assert table.finished
    assert (facts(table)["winner"], facts(table)["phase"], table.actor) == (2, "over", -1)
    assert table.legal_ids() == []
    with pytest.raises(IllegalActionError, match="over"):
        table.step(0)


@pytest.mark.parametrize("players", range(2, 7))
def test_rewards_sum_to_zero_and_share_is_counted(players):
    batch = Batch(GAME, 400, ColdHandOptions(players), seed=2, autoreset=False)
    total, rng = np.zeros_like(batch.rewards), np.random.default_rng(3)
    while not batch.finished.all():
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
        total += batch.rewards
    assert np.abs(total.sum(axis=1)).max() < 1e-12
    survivors = batch.states.alive.astype(float)
    assert (survivors.sum(axis=1) == 1).all()
    assert np.allclose(total[:, :players], np.where(survivors == 1, 1, -1 / (players - 1))[:, :players])
    shares = [GAME.measures[0].of(batch.states, np.full(400, seat)) for seat in range(players)]
    assert np.allclose(sum(shares), 1)
    assert GAME.measures[0].fair(players) == 1 / players


def test_ch_18_the_clock_keeps_the_cards_and_calls_even_at_four():
    table = start(2, {0: KINGS, 1: ACE_HIGH}, bullets={0: 6, 1: 4})
    play(table, "0 clock, 1 clock")
    assert set(facts(table)["cards"]["0"]) == set(KINGS.split())
    assert facts(table)["exchanged"] == [[0, None], [0, None]]
    play(table, "0 raise, 1 raise, 0 raise, 1 clock, 0 clock, 1 clock, 0 clock, 1 clock")
    assert paid(table) == [(1, 4, 4, True)]
    with pytest.raises(IllegalActionError, match="over"):
        table.timeout_action()


def test_what_a_seat_sees_of_the_others():
    """Exchange counts, raises in order, shown hands and pulls are public and relative to who looks."""
    table = start(3, {0: KINGS, 1: ACE_HIGH, 2: NINE_HIGH}, opener=1, bullets=dict.fromkeys(range(3), 6))
    play(table, "1 pat, 2 pat, 0 exchange 3c, 1 raise, 2 raise, 0 call, 1 call")
    now = seen(table, 2)
    assert now["raise_seat"] == [2, 0, None]
    assert now["raise_round"] == [0, 0, None]
    assert now["exchanged_first"][:3] == [0, 1, 0]
    assert (now["turn"], now["opening_seat"], now["stakes"], now["phase"]) == (2, 2, 3, 2)
    assert set(now["hand"]) == set(NINE_HIGH.split())
    bet(table, "call call call")
    now = seen(table, 1)
    assert set(now["shown"][0]) == set(ACE_HIGH.split())
    assert set(now["shown"][1]) == set(NINE_HIGH.split())
    assert now["last_pulled"] == [0, 3, 0, 0, 0, 0]
    assert now["last_shot"] == [0] * 6


def test_a_position_that_makes_no_sense_is_refused():
    table = Table(GAME, ColdHandOptions(2))
    table.reset(1)
    before = table.states.tobytes()
    for wrong in ({"hands": 3}, {"hands_completed": -1}, {"hands_completed": "3"}):
        with pytest.raises(ValueError, match="hands_completed"):
            table.reset(2, position=wrong)
        assert table.states.tobytes() == before
