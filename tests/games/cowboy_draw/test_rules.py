"""Every rule of Cowboy Draw, CD-1 to CD-14, played through the engine."""

import numpy as np
import pytest

import tinhorn
from poker.tables import bet, facts, kinds, pat, play, refuse, seen, start
from tinhorn.core.options import OptionError
from tinhorn.core.table import Table
from tinhorn.games.cowboy_draw import GAME, join, resume
from tinhorn.games.cowboy_draw.options import CowboyDrawOptions
from tinhorn.games.cowboy_draw.tournament import share_pot

ACES, KINGS, QUEENS, JACKS = "Ac Ad Ah 9s 3c", "Kc Kd 9h 7s 5c", "Qc Qd 8h 6s 4c", "Jc Jd 8d 6h 4d"


def table_of(button=0, hands=None, stacks=None, hands_played=0, top="", **options):
    """A table at the start of a hand; real tables ask everybody in the readout."""
    made = CowboyDrawOptions(**{"readout": "all"} | options)
    given = {"stacks": stacks, "button": button, "hands_played": hands_played} if stacks else None
    live = [seat for seat, chips in enumerate(stacks) if chips] if stacks else None
    return start(GAME, made, button, hands, top, position=given, live=live)


def fold_hand(table):
    """Everybody folds to a bet of 50 by the first seat; then everybody passes."""
    bet(table, "bet:50")
    while facts(table)["phase"] == "bet1":
        bet(table, "fold")
    return passes(table)


def passes(table):
    while facts(table)["phase"] == "readout":
        table.step(table.parse({"type": "pass"}))
    return table


def call_engine(call, table, seat):
    call(table.state, seat)
    table.load(table.state)


def paid_out(stacks, entitled=(1, 1, 1, 1), pot=400, button=0):
    found = np.zeros(6, np.int32)
    stacks, entitled = np.array([*stacks, 0, 0], np.int32), np.array([*entitled, 0, 0], np.uint8)
    share_pot(stacks, entitled, pot, button, 4, found)
    return found[:4].tolist()


def test_cd_1_four_seats_six_hands_and_the_buy_in():
    table = table_of(account=2000)
    assert facts(table)["tournament_pot"] == 400
    assert facts(table)["stars"] == [1900] * 4
    assert facts(table)["hand_stacks"] == [1000] * 4
    for hand in range(6):
        assert facts(table)["hands_played"] == hand
        fold_hand(table)
    assert table.finished
    assert CowboyDrawOptions().account == 2000
    for wrong in ({"num_players": 3}, {"num_players": 5}, {"account": 99}):
        with pytest.raises(OptionError):
            CowboyDrawOptions(**wrong)


def test_cd_2_ante_25_smallest_bet_50_and_later_raises_at_least_the_last():
    table = table_of()
    assert facts(table)["put_in"] == [25] * 4
    assert kinds(table) == (["check", "bet", "all_in"], [50, 975])
    refuse(table, "bet 49", "50 to 975")
    play(table, "1 bet 50")
    assert kinds(table)[1] == [100, 975]
    play(table, "2 raise 200")
    assert kinds(table)[1] == [350, 975]


def test_cd_3_the_button_moves_each_hand_and_sets_the_order():
    table = table_of(button=2)
    order = []
    for _ in range(5):
        order.append((facts(table)["button"], table.actor))
        fold_hand(table)
    assert order == [(2, 3), (3, 0), (0, 1), (1, 2), (2, 3)]


def test_cd_3_the_button_passes_over_a_seat_without_chips():
    table = fold_hand(table_of(button=0, stacks=[2000, 0, 1000, 1000]))
    assert facts(table)["button"] == 2


def test_cd_4_antes_betting_draw_betting_showdown_readout():
    table, phases = table_of(), []
    while facts(table)["hands_played"] == 0:
        phases.append(facts(table)["phase"])
        assert facts(table)["pot"] == 100
        table.step(0 if table.mask[0] else table.parse({"type": "check"}))
    assert phases == ["bet1"] * 4 + ["draw"] * 4 + ["bet2"] * 4
    assert facts(table)["phase"] == "readout"
    assert len(facts(table)["last_hand"]["shown"]) == 4


def test_cd_5_all_choose_before_a_card_is_dealt_and_blind_to_each_other():
    hands = {0: "2c 3d 5h 7s 9c", 1: "Ac Ad Ah 9d 3c", 2: "Kc Kd 9h 7h 5c", 3: "2h 3s 5d 7d 8c"}
    views = []
    for choice in ("1 exchange 9d 3c", "1 pat"):
        table = bet(table_of(hands=hands, top="As Ks Qs Js Ts 9s"), "check check check check")
        before = seen(table, 2)
        play(table, choice)
        now = seen(table, 2)
        assert now["drawn"] == [None] * 6
        assert sorted(facts(table)["cards"]["1"]) == sorted(hands[1].split())
        assert {name for name in now if now[name] != before[name]} == {"turn", "to_decide"}
        views.append(now)
    assert views[0] == views[1], "what seat 1 chose is nowhere in the view of seat 2"
    assert not any(seen(table, 2)["chosen"])
    refuse(table, "exchange Kc Kd 9h 7h", "at most 3")
    assert table.mask[:26].all()


def test_cd_5_a_seat_sees_its_own_choice():
    table = bet(table_of(hands={1: ACES}), "check check check check")
    play(table, "1 exchange 9s 3c")
    assert seen(table, 1)["chosen"] == [0, 0, 0, 1, 1]
    assert seen(table, 3)["chosen"] == [0] * 5


def test_cd_6_afterwards_the_counts_are_public():
    hands = {0: "2c 3d 5h 7s 9c", 1: ACES}
    table = bet(table_of(hands=hands, top="As Ks Qs Js"), "check check check check")
    play(table, "1 exchange 9s 3c, 2 pat, 3 pat, 0 exchange 2c")
    assert facts(table)["drawn"] == {"0": 1, "1": 2, "2": 0, "3": 0}
    assert seen(table, 3)["drawn"][:4] == [0, 1, 2, 0]
    assert sorted(facts(table)["cards"]["1"]) == sorted(["Ac", "Ad", "Ah", "As", "Ks"]), "from the button's left"
    assert "Qs" in facts(table)["cards"]["0"]


def bust(readout="all", hands_played=0, **options):
    """Seat 0 has lost its chips to seat 1; the readout begins."""
    hands = {0: KINGS, 1: ACES, 2: QUEENS, 3: JACKS}
    table = table_of(3, hands, [500, 1500, 1000, 1000], hands_played, readout=readout, **options)
    play(table, "0 all_in, 1 call, 2 fold, 3 fold")
    return pat(table)


def test_cd_7_only_a_seat_without_chips_may_rebuy_and_the_readout_goes_round():
    table = bust()
    assert table.actor == 0
    assert kinds(table) == (["pass", "rebuy", "leave"], None)
    play(table, "0 rebuy")
    assert facts(table)["tournament_pot"] == 500
    assert facts(table)["stars"] == [1800, 1900, 1900, 1900]
    assert facts(table)["stacks"][0] == 1000
    assert kinds(table)[0] == ["pass", "leave"]
    refuse(table, "rebuy", "only a seat without chips may rebuy, this one has")
    play(table, "1 pass, 2 pass, 3 pass")
    assert facts(table)["phase"] == "bet1"
    assert facts(table)["hand_stacks"][0] == 1000


def test_cd_7_with_readout_rebuy_only_seats_that_may_rebuy_are_asked():
    table = bust("rebuy")
    assert table.actor == 0
    assert kinds(table)[0] == ["pass", "rebuy"]
    refuse(table, "leave", "lets nobody leave")
    play(table, "0 pass")
    assert facts(table)["phase"] == "bet1"


def test_cd_7_also_in_a_later_readout():
    table = bust("rebuy")
    play(table, "0 pass")
    bet(table, "bet:50 fold fold")
    assert facts(table)["phase"] == "readout"
    assert table.actor == 0
    play(table, "0 rebuy")
    assert facts(table)["rebuys"] == [1, 0, 0, 0]


def test_cd_7_never_after_hand_six():
    table = bust(hands_played=5)
    assert table.finished


def test_cd_7_not_without_the_stars():
    table = bust("all", account=150)
    assert kinds(table)[0] == ["pass", "leave"]
    refuse(table, "rebuy", "a rebuy costs 100 stars, the account holds 50")
    assert facts(bust("rebuy", account=150))["phase"] == "bet1", "nobody to ask"


def test_cd_7_as_often_as_the_account_has_the_stars():
    table = bust("rebuy", account=250)
    assert seen(table, 0)["rebuys_open"] == 1
    play(table, "0 rebuy")
    assert facts(table)["stars"][0] == 50
    assert seen(table, 0)["rebuys_open"] == 0


def test_cd_8_who_leaves_gives_up_the_payout_and_the_house_bot_plays():
    table = bust()
    play(table, "0 rebuy, 1 leave, 2 pass, 3 pass")
    assert facts(table)["house_bot"] == [False, True, False, False]
    assert facts(table)["entitled"] == [True, False, True, True]
    assert table.state["out"].tolist()[:4] == [0, 1, 0, 0]
    while not table.finished:
        assert table.actor != 1, "the house bot decides for the seat"
        table.step(table.timeout_action() if table.actor != 2 else table.legal_ids()[0])
    assert facts(table)["payouts"][1] == 0
    assert sum(facts(table)["payouts"]) == 500


def test_cd_8_the_last_entitled_seat_cannot_leave():
    table = bust()
    play(table, "0 leave, 1 leave, 2 leave")
    assert kinds(table)[0] == ["pass"]
    refuse(table, "leave", "the last entitled seat cannot leave")


def test_cd_8_a_left_seat_is_passed_over_in_the_ranking():
    assert paid_out([2000, 1000, 600, 400], [0, 1, 1, 1]) == [0, 300, 100, 0]
    assert paid_out([2000, 1000, 0, 1000], [0, 1, 1, 0]) == [0, 400, 0, 0]


def test_cd_9_join_takes_over_a_bots_seat_with_its_chips():
    table = bust()
    play(table, "0 leave, 1 leave")
    with pytest.raises(ValueError, match="seat 2 is a person's"):
        join(table.state, 2)
    with pytest.raises(ValueError, match="seat"):
        join(table.state, 4)
    call_engine(join, table, 1)
    call_engine(join, table, 0)
    now = facts(table)
    assert now["tournament_pot"] == 600
    assert now["stacks"][:2] == [1000, 2050], "1,000 for the seat without chips"
    assert now["stars"][:2] == [1900, 1900], "accounts of their own"
    assert now["entitled"] == [True] * 4
    assert now["house_bot"] == [False] * 4
    assert table.actor == 2, "who joins is not asked in this readout"
    passes(table)
    with pytest.raises(ValueError, match="during a readout only"):
        join(table.state, 1)


def test_cd_10_one_seat_with_chips_after_a_readout_takes_all():
    hands = {0: "2c 3d 5h 7s 9c", 3: ACES}
    table = table_of(3, hands, [100, 0, 0, 3900], 2)
    play(table, "0 all_in, 3 call")
    pat(table)
    assert facts(table)["phase"] == "readout"
    passes(table)
    assert table.finished
    assert facts(table)["hands_played"] == 3
    assert facts(table)["payouts"] == [0, 0, 0, 400]


def test_cd_10_after_hand_six_too():
    table = table_of(3, {0: "2c 3d 5h 7s 9c", 3: ACES}, [100, 0, 0, 3900], 5)
    play(table, "0 all_in, 3 call")
    pat(table)
    assert facts(table)["payouts"] == [0, 0, 0, 400]


def test_cd_11_three_quarters_to_the_first_and_one_to_the_second():
    assert paid_out([1700, 1100, 800, 400]) == [300, 100, 0, 0]
    assert paid_out([400, 800, 2400, 2400 - 1], pot=600) == [0, 0, 450, 150]
    assert paid_out([4000, 0, 0, 0]) == [400, 0, 0, 0], "a seat without chips is never second"
    assert paid_out([0, 0, 3000, 1000], [1, 1, 0, 0]) == [200, 200, 0, 0], "only seats without chips are entitled"


def test_cd_12_ties():
    assert paid_out([1500, 1500, 600, 400]) == [200, 200, 0, 0], "no second place"
    assert paid_out([1200, 1200, 1200, 400], button=1) == [133, 133, 134, 0]
    assert paid_out([1200, 400, 2200, 1200], pot=500, button=3) == [63, 0, 375, 62]


def test_cd_13_the_clock_checks_or_folds_stands_pat_and_passes():
    table = play(table_of(), "1 clock, 2 bet 50, 3 clock, 0 call, 1 call")
    assert facts(table)["betting"][0]["moves"] == ["call", "call", "raise", "fold"]
    play(table, "1 clock, 2 clock, 0 clock")
    assert facts(table)["drawn"] == {"0": 0, "1": 0, "2": 0}
    play(table, "1 clock, 2 clock, 0 clock")
    assert facts(table)["phase"] == "readout"
    passes_before = facts(table)["stars"]
    while facts(table)["phase"] == "readout":
        table.step(table.timeout_action())
    assert facts(table)["stars"] == passes_before
    assert facts(table)["house_bot"] == [False] * 4


def absent_for_three_hands():
    """Seats 0 and 2 are folded by the clock in three hands (buttons 0, 1, 2); the third readout begins."""
    table = play(table_of(), "1 bet 50, 2 clock, 3 fold, 0 clock, 1 pass, 2 clock, 3 pass, 0 clock")
    assert facts(table)["streak"] == [1, 0, 1, 0]
    play(table, "2 clock, 3 bet 50, 0 clock, 1 fold, 2 clock, 2 clock, 3 pass, 0 clock, 1 pass")
    assert facts(table)["streak"] == [2, 0, 2, 0], "a check by the clock changes nothing"
    play(table, "3 bet 50, 0 clock, 1 fold, 2 clock")
    assert facts(table)["streak"] == [3, 0, 3, 0]
    assert facts(table)["house_bot"] == [False] * 4
    return table


def test_cd_14_three_hands_folded_by_the_clock_release_the_seat_at_the_next_deal():
    table = absent_for_three_hands()
    call_engine(resume, table, 0)
    play(table, "3 pass, 0 clock, 1 pass, 2 clock")
    assert facts(table)["phase"] == "bet1"
    assert facts(table)["house_bot"] == [False, False, True, False]
    assert facts(table)["entitled"] == [True, True, False, True]
    assert facts(table)["streak"] == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="has gone to the house bot"):
        resume(table.state, 2)


def test_cd_14_acting_in_time_sets_the_streak_to_zero():
    table = absent_for_three_hands()
    play(table, "3 pass, 0 pass, 1 pass, 2 pass")
    assert facts(table)["house_bot"] == [False] * 4


def test_cd_14_the_last_entitled_seat_is_never_released():
    table = bust()
    play(table, "0 leave, 1 leave, 2 leave, 3 pass")
    assert facts(table)["house_bot"] == [True, True, True, False]
    while not table.finished:
        table.step(table.timeout_action())
    assert facts(table)["entitled"] == [False, False, False, True]
    assert facts(table)["payouts"] == [0, 0, 0, 400]


def test_the_rewards_are_stars_at_the_end_or_chips_after_each_hand():
    table = bust("rebuy")
    play(table, "0 rebuy")
    total = np.zeros(6)
    while not table.finished:
        table.step(table.timeout_action())
        total += table.state["rewards"]
    now = facts(table)
    assert total[:4].tolist() == [(got - paid) / 100 for got, paid in zip(now["payouts"], now["paid"], strict=True)]
    assert total.sum() == 0
    table = bust("rebuy", reward="chips")
    assert table.state["rewards"][:4].tolist() == [-20, 22, -1, -1], "in antes of 25 chips"


def test_stars_and_chips_are_conserved_in_random_tournaments():
    rng = np.random.default_rng(4)
    for seed in range(20):
        table = Table(GAME, CowboyDrawOptions(readout="all", account=300))
        table.reset(seed)
        while not table.finished:
            now = facts(table)
            assert sum(now["stars"]) + now["tournament_pot"] == 1200
            assert sum(now["stacks"]) + now["pot"] == 1000 * (4 + sum(now["rebuys"]))
            table.step(int(rng.choice(table.legal_ids())))
        assert sum(facts(table)["stars"]) == 1200
        assert sum(facts(table)["payouts"]) == sum(facts(table)["paid"])


def test_an_environment_follows_its_calls():
    env = tinhorn.make("cowboy_draw_v0", readout="all")
    env.reset(seed=2)
    while facts(env.table)["phase"] != "readout":
        env.timeout()
    env.step(env.parse({"type": "leave"}))
    left = facts(env.table)["house_bot"].index(True)
    with pytest.raises(ValueError, match="is a person's"):
        env.apply(join, (left + 1) % 4)
    before = env.last()[0]["observation"]
    env.apply(join, left)
    assert not any(facts(env.table)["house_bot"])
    observation, _, _, _, info = env.last()
    assert (observation["action_mask"] == env.table.mask).all()
    assert (info["action_mask"] == env.table.mask).all()
    assert not (observation["observation"] == before).all(), "the bot's seat has become a person's"
