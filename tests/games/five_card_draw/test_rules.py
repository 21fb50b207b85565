"""Every rule of Five Card Draw, FD-1 to FD-21, played through the engine."""

import numpy as np
import pytest

from poker.tables import bet, facts, kinds, pat, play, refuse, seen, start
from tinhorn.core.batch import Batch
from tinhorn.core.options import OptionError
from tinhorn.core.table import Table
from tinhorn.games.five_card_draw import GAME
from tinhorn.games.five_card_draw.options import FiveCardDrawOptions

ACES, KINGS, QUEENS = "Ac Ad Th 6s 3c", "Kc Kd 9h 7s 5c", "Qc Qd 8h 6d 4c"


def table_of(*stacks, button=0, hands=None, top="", reshuffle="", **options):
    """A table with these stacks; antes of 10."""
    made = FiveCardDrawOptions(num_players=len(stacks), starting_stacks=stacks, **options)
    return start(GAME, made, button, hands, top, reshuffle, live=[k for k, chips in enumerate(stacks) if chips])


def test_fd_1_equal_stacks_and_a_flat_ante():
    table = start(GAME, FiveCardDrawOptions(num_players=6))
    assert facts(table)["hand_stacks"] == [1000] * 6
    assert facts(table)["put_in"] == [10] * 6
    assert facts(table)["bets"] == [0] * 6, "no blinds"
    assert [FiveCardDrawOptions(num_players=players).num_players for players in range(2, 7)] == [2, 3, 4, 5, 6]
    for players in (1, 7):
        with pytest.raises(OptionError):
            FiveCardDrawOptions(num_players=players)


def test_fd_2_a_short_ante_is_all_in_for_what_it_matched():
    table = table_of(4, 1000, 1000, button=2, hands={0: ACES, 1: KINGS, 2: QUEENS})
    assert facts(table)["put_in"] == [4, 10, 10]
    assert table.actor == 1, "the seat that is all-in is not asked"
    bet(table, "check check check check")
    assert facts(table)["hand_stacks"] == [12, 1002, 990]


def test_fd_3_the_button_moves_among_live_players_and_its_left_acts_first():
    table = table_of(1000, 10, 1000, 1000, button=0)
    assert table.actor == 2, "seat 1 is all-in with its ante"
    assert seen(table, 2)["button"] == 2, "two seats clockwise"
    play(table, "2 bet 10, 3 call, 0 call, 1 pat")
    assert table.actor == 2
    bet(table, "check check check")
    assert facts(table)["button"] == (1 if facts(table)["alive"][1] else 2), "passes over a seat that is out"


def test_fd_3_the_first_button_is_drawn_at_random():
    table, buttons = Table(GAME, FiveCardDrawOptions(num_players=3)), []
    for seed in range(300):
        table.reset(seed)
        buttons.append(facts(table)["button"])
    assert min(buttons.count(seat) for seat in range(3)) > 70


def test_fd_3_heads_up_the_other_player_acts_first():
    table = table_of(100, 100, button=1)
    assert table.actor == 0
    bet(table, "check check")
    assert table.actor == 0
    pat(table)
    assert table.actor == 0


def test_fd_4_five_cards_one_at_a_time_from_the_left_of_the_button():
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    table = Table(GAME, FiveCardDrawOptions(num_players=3))
    table.reset(1, chance={"first_button": [1], "deck": cards})
    dealt = {int(seat): sorted(hand) for seat, hand in facts(table)["cards"].items()}
    assert dealt == {seat: sorted(cards[k:15:3]) for k, seat in enumerate((2, 0, 1))}
    assert facts(table)["deck"] == cards[15:]


def test_fd_5_check_only_without_a_bet_and_fold_only_with_one():
    table = table_of(100, 100, 100)
    assert kinds(table) == (["check", "bet", "all_in"], [10, 90])
    refuse(table, "fold", "nothing to call")
    refuse(table, "call", "nothing to call")
    refuse(table, "exchange", "no draw")
    play(table, "1 bet 20")
    assert kinds(table) == (["fold", "call", "raise", "all_in"], [40, 90])
    refuse(table, "check", "20 chips to call")


def test_fd_5_an_option_offers_fold_for_free():
    table = table_of(100, 100, 100, fold_for_free=True)
    assert "fold" in kinds(table)[0]
    play(table, "1 fold")
    assert facts(table)["in_hand"] == [True, False, True]


def test_fd_6_smallest_bet_smallest_raise_largest_bet():
    table = table_of(1000, 1000, 1000)
    assert kinds(table)[1] == [10, 990]
    play(table, "1 bet 100")
    assert kinds(table)[1] == [200, 990]
    play(table, "2 raise 350")
    assert kinds(table)[1] == [600, 990], "350 + 250"


def test_fd_6_after_the_draw_the_smallest_bet_is_the_ante_again():
    table = bet(table_of(1000, 1000), "bet:400 call")
    pat(table)
    assert kinds(table)[1] == [10, 590]


@pytest.mark.parametrize("to", [9, 0, -5, 991, 10**30, 10.5, "50", None, True])
def test_fd_6_other_amounts_are_refused_with_the_legal_interval(to):
    table = table_of(1000, 1000)
    refuse(table, {"type": "bet", "to": to}, "a bet is to a whole number of 10 to 990 chips")


@pytest.mark.parametrize("to", [19, 991, -1, 20.5])
def test_fd_6_raises_likewise(to):
    table = play(table_of(1000, 1000), "1 bet 10")
    refuse(table, {"type": "raise", "to": to}, "a raise is to a whole number of 20 to 990 chips")


def test_fd_6_bet_and_raise_are_told_apart():
    table = table_of(1000, 1000)
    refuse(table, "raise 20", "nobody has bet in this round: bet")
    play(table, "1 bet 20")
    refuse(table, "bet 40", "there is a bet in this round: raise")


def test_fd_7_a_call_for_more_than_the_stack():
    table = play(table_of(1000, 50, 1000), "1 check, 2 bet 200, 0 call")
    assert kinds(table) == (["fold", "call"], None)
    refuse(table, "raise 40", "the stack is no more than the call")
    play(table, "1 all_in")
    assert facts(table)["stacks"][1] == 0
    assert facts(table)["betting"][0]["moves"][1] == "call", "all-in for no more than the call is a call"


def test_fd_7_all_in_for_less_than_the_smallest_bet():
    table = table_of(1000, 14, 1000)
    assert kinds(table) == (["check", "all_in"], [4, 4])
    refuse(table, "bet 3", "all-in, to 4")
    play(table, "1 all_in")
    assert facts(table)["bets"] == [0, 4, 0]


def test_fd_7_no_raise_that_nobody_could_match():
    table = play(table_of(1000, 1000, 60), "1 check, 2 all_in, 0 fold")
    assert kinds(table) == (["fold", "call"], None)
    refuse(table, "raise 100", "no opponent could put in more")
    refuse(table, "all_in", "no opponent could put in more")


def test_fd_8_a_short_all_in_does_not_reopen_the_betting():
    table = play(table_of(1010, 160, 1010, 1010, button=3), "0 bet 100, 1 all_in")
    assert kinds(table)[1] == [250, 1000]
    play(table, "2 call, 3 call")
    assert kinds(table) == (["fold", "call"], None)
    refuse(table, "raise 250", "less than a full raise")
    refuse(table, "all_in", "less than a full raise")


def test_fd_8_short_all_ins_add_up_for_each_seat_since_it_acted():
    table = play(table_of(1010, 160, 1010, 220, 1010, button=4), "0 bet 100, 1 all_in, 2 call, 3 all_in")
    assert kinds(table)[1] == [310, 1000], "seat 4 has not acted"
    play(table, "4 call")
    assert table.actor == 0
    assert kinds(table)[1] == [310, 1000], "150 - 100 and 210 - 150 are a full raise of 100 for seat 0"
    play(table, "0 call")
    assert table.actor == 2
    assert kinds(table)[1] is None, "seat 2 acted at 150: 60 more is no full raise"


def test_fd_8_after_a_short_opening_all_in_the_smallest_raise_is_the_ante_more():
    table = play(table_of(1000, 14, 1000, button=2), "0 check, 1 all_in")
    assert kinds(table)[1] == [14, 990]
    play(table, "2 call")
    assert table.actor == 0
    assert kinds(table) == (["fold", "call"], None), "a seat that checked has acted"


def test_fd_9_all_check_and_the_round_ends_without_chips():
    table = play(table_of(100, 100, 100), "1 check, 2 check, 0 check")
    assert facts(table)["phase"] == "draw"
    assert facts(table)["pot"] == 30


def test_fd_9_a_bet_must_be_answered_by_all():
    table = play(table_of(100, 100, 100), "1 check, 2 bet 20, 0 fold")
    assert table.actor == 1
    play(table, "1 call")
    assert facts(table)["phase"] == "draw"


def test_fd_10_the_last_one_left_wins_at_once_and_shows_nothing():
    table = play(table_of(100, 100, 100), "1 bet 50, 2 fold, 0 fold")
    assert facts(table)["hand_stacks"] == [90, 120, 90]
    assert facts(table)["last_hand"] == {
        "pots": [{"chips": 30, "eligible": [1], "winners": [1]}],
        "won": [0, 30, 0],
        "shown": {},
    }


def test_fd_11_no_betting_with_one_player_left_who_could_bet_but_the_draw_takes_place():
    table = play(table_of(1000, 60, 1000), "1 all_in, 2 call, 0 fold")
    assert facts(table)["phase"] == "draw"
    assert table.actor == 1, "all-in players draw too (FD-12)"
    play(table, "1 pat, 2 pat")
    assert facts(table)["hands_played"] == 1, "no betting after the draw"


def test_fd_11_a_seat_that_faces_a_bet_always_answers():
    table = play(table_of(1000, 60, 1000), "1 all_in, 2 fold")
    assert table.actor == 0
    assert kinds(table) == (["fold", "call"], None)


def test_fd_12_none_to_five_cards_in_turn_and_only_the_count_is_public():
    table = table_of(100, 100, hands={0: KINGS, 1: ACES}, top="2c 2d 2h 2s 3d 4d")
    bet(table, "check check")
    assert table.mask[:32].all()
    play(table, "1 exchange Th 6s 3c")
    assert sorted(facts(table)["cards"]["1"]) == sorted(["Ac", "Ad", "2c", "2d", "2h"])
    assert seen(table, 0)["drawn"][1] == 3
    assert seen(table, 1)["thrown"] == ["Th", "6s", "3c", None, None]
    assert seen(table, 0)["thrown"] == [None] * 5
    refuse(table, "exchange Ac", "the hand is")
    play(table, "0 exchange Kc Kd 9h 7s 5c")
    assert sorted(facts(table)["cards"]["0"])[:2] == ["2s", "3d"]


def reshuffle_table(**folds):
    """Six players, 22 cards in the deck: the sixth draw needs more."""
    return bet(table_of(*[100] * 6, button=5, **folds), "check check check check check check")


def test_fd_13_the_muck_is_shuffled_only_when_one_more_card_is_needed():
    table = reshuffle_table()
    for _ in range(4):
        table.step(31)
    own = facts(table)["cards"]["4"]
    play(table, f"4 exchange {own[0]} {own[1]}")
    assert facts(table)["deck"] == []
    assert not facts(table)["reshuffled"], "the last card has gone, and no more is needed"
    play(table, "5 pat")
    assert not facts(table)["reshuffled"]


def test_fd_13_the_muck_holds_the_discards_of_the_drawing_seat_and_no_folded_hand():
    table = bet(table_of(*[100] * 6, button=5), "bet:10 call call call call fold")
    folded = set(facts(table)["cards"]["5"])
    for _ in range(4):
        table.step(31)
    before = facts(table)
    muck = {card for seat in range(4) for card in before["discards"][str(seat)]} | set(before["cards"]["4"])
    table.step(31)
    now = facts(table)
    assert now["reshuffled"]
    drawn = set(now["cards"]["4"]) - set(before["deck"])
    assert len(drawn) == 3
    assert set(now["deck"]) | drawn == muck
    assert not folded & muck


def test_fd_14_ties_split_and_odd_chips_go_one_each_from_the_buttons_left():
    tied = {0: "Ac Kd 9h 7s 4c", 2: "Ad Kh 9s 7c 4d", 4: "Ah Ks 9c 7d 4h"}
    table = table_of(*[100] * 5, button=4, hands=tied | {1: "2c 3d 5h 6s 8c", 3: "2d 3h 5s 6c 8d"})
    play(table, "0 bet 10, 1 fold, 2 call, 3 fold, 4 call")
    bet(table, "check check check")
    assert facts(table)["hand_stacks"] == [107, 90, 107, 90, 106]
    assert sorted(facts(table)["last_hand"]["shown"]) == ["0", "2", "4"], "all still in show"


def test_fd_15_unmatched_bets_and_antes_go_back():
    table = play(table_of(1000, 100), "1 check, 0 all_in, 1 call")
    assert facts(table)["stacks"] == [900, 0]
    table = table_of(4, 1000, button=0)
    assert facts(table)["phase"] == "draw"
    assert facts(table)["stacks"] == [0, 996], "six of the ante of ten"


def test_fd_15_pots_are_cut_at_players_still_in_only():
    table = table_of(30, 1000, 1000, 1000, button=3, hands={0: ACES, 1: KINGS, 2: QUEENS})
    play(table, "0 all_in, 1 raise 100, 2 call, 3 call")
    pat(table)
    play(table, "1 check, 2 check, 3 bet 50, 1 call, 2 fold")
    pots = facts(table)["last_hand"]["pots"]
    assert [pot["chips"] for pot in pots] == [120, 80 * 3 + 100], "no pot of its own for the folded seat's 110"
    assert [pot["eligible"] for pot in pots] == [[0, 1, 3], [1, 3]]


def test_fd_15_side_pots_in_the_view():
    table = table_of(30, 60, 1000, 1000, button=3)
    play(table, "0 all_in, 1 all_in, 2 call, 3 call")
    view = seen(table, table.actor)
    assert view["pots"] == [120, 90, 0, 0, 0, 0]
    assert view["pot"] == 210


def test_fd_16_places_by_the_stacks_at_the_start_of_the_hand():
    table = table_of(300, 90, 100, button=2, hands={0: "Ac Ad Ah 9s 3c", 1: KINGS, 2: QUEENS}, reward="rank")
    play(table, "0 all_in, 1 call, 2 call")
    pat(table)
    assert facts(table)["places"] == {"0": 1, "1": 3, "2": 2}
    assert table.state["rewards"][:3].tolist() == [1, -1, 0]


def test_fd_16_equal_stacks_share_the_place():
    table = table_of(300, 100, 100, button=2, hands={0: "Ac Ad Ah 9s 3c", 1: KINGS, 2: QUEENS}, reward="rank")
    play(table, "0 all_in, 1 call, 2 call")
    pat(table)
    assert facts(table)["places"] == {"0": 1, "1": 2, "2": 2}
    assert table.state["rewards"][:3].tolist() == [1, -0.5, -0.5]


def test_fd_17_one_hand_with_given_stacks():
    table = bet(table_of(50, 70, 0, 90, episode="hand"), "bet:10 call call check check check")
    assert table.finished
    assert not table.state["truncated"]
    assert facts(table)["hands_played"] == 1
    assert sum(facts(table)["stacks"]) == 210
    assert facts(table)["stacks"][2] == 0, "a seat without chips is not dealt in"


def test_fd_17_random_stacks_share_out_the_same_chips():
    options = FiveCardDrawOptions(num_players=5, starting_stacks="random", episode="hand")
    batch = Batch(GAME, 400, options, seed=3)
    stacks = batch.states.hand_stacks[:, :5]
    assert (stacks.sum(axis=1) == 5000).all()
    assert (stacks >= 1).all()
    assert stacks.std() > 500
    assert abs(stacks.mean(axis=0) - 1000).max() < 200, "no seat is favoured"


@pytest.mark.parametrize(
    "stacks", [(10, 20), (10, 20, 30, -1), (10, 0, 0, 0), "deep", (10, 20, 30, 1.5), (1, 2, 3, 10**7)]
)
def test_fd_17_impossible_stacks_are_refused(stacks):
    with pytest.raises(OptionError, match="starting_stacks"):
        FiveCardDrawOptions(num_players=4, starting_stacks=stacks)


def sizes(table):
    """The totals of the bet sizes that the table offers, by their place in the block."""
    return {k: table.describe(35 + k)["to"] for k in range(6) if table.mask[35 + k]}


def test_fd_18_shares_of_the_pot_after_calling():
    table = table_of(1000, 1000, 1000)
    assert sizes(table) == {0: 10, 2: 15, 3: 22, 4: 30, 5: 60}, "a third of 30 is no more than the smallest bet"
    play(table, "1 bet 30")
    assert sizes(table) == {0: 60, 2: 75, 3: 97, 4: 120, 5: 210}, "30 + floor(share x (60 + 30))"
    play(table, "2 raise 100")
    assert sizes(table) == {0: 170, 1: 186, 2: 230, 3: 295, 4: 360, 5: 620}


def test_fd_18_other_sizes_by_option():
    table = table_of(1000, 1000, bet_sizes=["1/10", "3/2"])
    assert sizes(table) == {0: 10, 2: 30}
    for wrong in (["2", "1"], ["0"], ["1/2", "0.5"], ["half"], ["1"] * 6, "1/2"):
        with pytest.raises(OptionError, match="bet"):
            FiveCardDrawOptions(bet_sizes=wrong)


def test_fd_18_all_in_keeps_its_id_and_is_masked_only_when_no_more_than_the_call():
    table = table_of(40, 40)
    assert sizes(table) == {0: 10, 3: 15, 4: 20}, "2 x 20 would be more than the stack"
    assert table.mask[41]
    play(table, "1 all_in")
    assert not table.mask[41]


def test_fd_18_any_whole_number_of_chips_is_taken_and_seen():
    table = play(table_of(1000, 1000), "1 bet 137")
    assert seen(table, 0)["bets"][1] == 137
    assert table.parse({"type": "raise", "to": 400}) == GAME.actions.count + 400
    table.step(GAME.actions.count + 400)
    assert facts(table)["bets"] == [400, 137]
    assert table.parse({"type": "raise", "to": 663}) == 35, "the smallest raise has an id in the table"


def test_fd_19_the_three_rewards():
    rewards = {}
    for reward in ("win", "rank", "chips"):
        table = table_of(300, 200, 100, button=2, hands={0: "Ac Ad Ah 9s 3c", 1: KINGS, 2: QUEENS}, reward=reward)
        play(table, "0 all_in, 1 call, 2 call")
        pat(table)
        rewards[reward] = table.state["rewards"][:3].tolist()
    assert rewards == {"win": [1, -0.5, -0.5], "rank": [1, 0, -1], "chips": [30, -20, -10]}


def test_fd_20_max_hands_cuts_a_game_off():
    table = table_of(100, 100, 100, button=2, max_hands=2)
    bet(table, "bet:50 fold fold")
    assert not table.finished
    bet(table, "bet:30 fold fold")
    assert table.finished
    assert table.state["truncated"]
    stacks = facts(table)["stacks"]
    assert stacks == [110, 110, 80]
    assert table.state["rewards"][:3].tolist() == pytest.approx([(3 * chips / 300 - 1) / 2 for chips in stacks])
    assert FiveCardDrawOptions().max_hands == 300


def test_fd_21_the_clock_checks_or_folds_and_stands_pat():
    table = play(table_of(100, 100, 100), "1 clock, 2 bet 20, 0 clock, 1 call")
    assert facts(table)["betting"][0]["moves"] == ["fold", "call", "raise"]
    play(table, "1 clock, 2 clock")
    assert facts(table)["drawn"] == {"1": 0, "2": 0}


def test_the_betting_of_the_hand_is_in_the_view():
    table = play(table_of(1000, 1000, 1000), "1 bet 20, 2 raise 60, 0 fold, 1 raise 100, 2 call")
    pat(table)
    play(table, "1 check, 2 bet 50")
    view = seen(table, 1)
    assert view["opener"] == [0, 1]
    assert view["last_raiser"] == [0, 1]
    assert view["raises"][0][:3] == [2, 1, 0]
    assert view["raises"][1][:3] == [0, 1, 0]
    assert view["moves"][0][:3] == [2, 1, 3]
    assert (view["to_call"], view["pot"], view["contested"]) == (50, 280, 330)
    assert view["pot_odds"] == 15
    assert (view["raise_from"], view["raise_to"]) == (100, 890)


def test_positions_are_checked():
    table = Table(GAME, FiveCardDrawOptions(num_players=3))
    table.reset(1, position={"stacks": [5, 100, 2895], "button": 1, "hands_played": 7})
    assert facts(table)["hand_stacks"] == [5, 100, 2895]
    assert facts(table)["hands_played"] == 7
    for wrong in (
        {"stacks": [1, 2]},
        {"stacks": [0, 0, 5]},
        {"button": 3},
        {"pot": 3},
        {"stacks": [0, 5, 5], "button": 0},
        {"stacks": [True, 5, 5]},
        {"stacks": [5.0, 5, 5]},
        {"button": True},
        {"hands_played": 1.5},
    ):
        with pytest.raises(ValueError, match="position"):
            table.reset(1, position=wrong)
    assert facts(table)["hands_played"] == 7, "a refused reset loses nothing"


def test_chips_are_conserved_in_every_state_of_a_batch():
    batch = Batch(GAME, 200, FiveCardDrawOptions(num_players=6, stack=60), seed=1)
    rng = np.random.default_rng(1)
    for _ in range(400):
        chips = batch.states.stacks.sum(axis=1) + batch.states.put_in.sum(axis=1)
        assert (chips == 360).all()
        assert (batch.states.stacks >= 0).all()
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
