"""The house bot of Cold Hand: its tables measured again, its choices in plain cases, and how well it does."""

import numpy as np
import pytest

from games.cold_hand.drawing import measure, twentieths, weakest_later
from games.cold_hand.positions import bet, stand_pat, start
from tinhorn.bots import HouseBot, RandomBot, decide
from tinhorn.bots.base import BotError
from tinhorn.core.batch import Batch
from tinhorn.core.rng import derive, new_stream
from tinhorn.games.cold_hand import GAME, ColdHandOptions
from tinhorn.games.cold_hand.actions import CALL, FOLD, RAISE
from tinhorn.games.cold_hand.house import STYLES, WEAKER_AFTER, WEAKEST_LATER, risk_of_weakest

MONSTER, QUADS, GOOD, PAIR = "9c 9d 9h 4s 4c", "8c 8d 8h 8s Kc", "Jc Jd 5h 5s Ac", "Qc Qd 9h 7s 3c"
GARBAGE = "2c 3d 4h 6s 8c"
HAND_AT = GAME.layout.at("hand")


def test_the_tables_are_what_is_measured():
    measured = measure(400_000, seed=9)
    assert np.abs(twentieths(measured) - WEAKER_AFTER).max() < 90
    assert np.abs(weakest_later(measured) * 1000 - WEAKEST_LATER).max() < 12


def chosen(table, style="house", luck=5):
    """What the house plays, as JSON."""
    bot = HouseBot(GAME, style)
    return table.describe(int(bot.act(table.view[None], table.mask[None], new_stream(luck))[0]))


def usual(table, style="house"):
    """What it plays most of the time: bluffs left out."""
    answers = [chosen(table, style, luck)["type"] for luck in range(31)]
    return max(set(answers), key=answers.count)


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        (MONSTER, ""),
        (GOOD, "Ac"),
        (PAIR, "9h 7s 3c"),
        ("Kh 9h 7h 2h 3c", "3c"),
        ("9c 8d 7h 6s 2c", "2c"),
    ],
)
def test_it_keeps_made_hands_and_good_draws(hand, thrown):
    assert set(chosen(start(3, {0: hand}))["cards"]) == set(thrown.split())


def at_bet_2(players, hand, stakes):
    """Seat 0 opens the second round with ``hand``; everybody has stood pat twice."""
    table = stand_pat(start(players, {0: hand}))
    raises = "raise " * (stakes - 1)
    bet(table, raises + "call " * (players if stakes == 1 else players - 1))
    return stand_pat(table)


def test_it_raises_strong_hands_in_both_rounds():
    assert usual(stand_pat(start(4, {0: MONSTER}))) == "raise"
    assert usual(at_bet_2(4, QUADS, 2)) == "raise"


def test_it_does_not_raise_weak_hands_late():
    for players in (2, 4, 6):
        assert usual(at_bet_2(players, GARBAGE, 2)) != "raise"


def test_it_folds_when_the_house_minimum_beats_the_risk():
    """With a hopeless hand one pull is better than the risk of four; with a strong one it is not."""
    assert usual(at_bet_2(4, GARBAGE, 4)) == "fold"
    assert usual(at_bet_2(4, QUADS, 4)) == "call"


def test_two_survivors_never_fold_at_the_house_minimum():
    """Between two a fold is a sure pull and a call at most one: it cannot be worse."""
    assert usual(at_bet_2(2, GARBAGE, 1)) == "call"


def risk(players, hand, second):
    """How likely the house thinks seat 0 is to be the weakest; the others stand pat where it matters."""
    table = at_bet_2(players, hand, 1) if second else stand_pat(start(players, {0: hand}))
    return risk_of_weakest(table.view, table.view[HAND_AT : HAND_AT + 5], int(second), 0.0)


@pytest.mark.parametrize("second", [False, True])
def test_the_risk_of_being_weakest_falls_with_every_opponent_and_with_strength(second):
    for hand in (GARBAGE, PAIR, GOOD, QUADS):
        risks = [risk(players, hand, second) for players in range(2, 7)]
        assert risks == sorted(risks, reverse=True)
        assert 0 <= risks[-1] < risks[0] < 1
    risks = [risk(2, hand, second) for hand in (GARBAGE, PAIR, GOOD, QUADS)]
    assert risks == sorted(risks, reverse=True)


def test_opponents_who_stand_pat_are_believed():
    table = stand_pat(start(3, {0: PAIR}))
    hand = table.view[HAND_AT : HAND_AT + 5]
    assert risk_of_weakest(table.view, hand, 0, 1.2) > risk_of_weakest(table.view, hand, 0, 0.0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", range(2, 7))
def test_every_style_plays_legally_and_to_the_end(players, style):
    batch = Batch(GAME, 100, ColdHandOptions(players), seed=1, autoreset=False)
    streams = np.arange(100).astype(np.uint64)
    bot, used = HouseBot(GAME, style), set()
    while not batch.finished.all():
        live = np.flatnonzero(batch.finished == 0)
        actions = np.zeros(100, np.int64)
        actions[live] = decide(bot, batch, live, streams)
        assert (batch.masks[live, actions[live]] != 0).all()
        used |= set(actions[live].tolist())
        batch.step(actions)
    assert CALL in used
    assert FOLD in used or style == "caller"
    assert (RAISE in used) == (style != "caller")


def survival(hero, field, players, deals, seed=1):
    """How often ``hero`` in one seat survives against ``field`` in the others, in fair shares; every seat in turn."""
    count = deals * players
    batch = Batch(GAME, count, ColdHandOptions(players), seed=0, autoreset=False)
    batch.reset(seeds=[derive(np.uint64(seed), table // players) for table in range(count)])
    streams = np.array([derive(np.uint64(seed + 1), table) for table in range(count)], np.uint64)
    heroes = np.arange(count) % players
    while not batch.finished.all():
        actions = np.zeros(count, np.int64)
        for bot, own in ((hero, True), (field, False)):
            tables = np.flatnonzero((batch.finished == 0) & ((batch.actors == heroes) == own))
            if len(tables):
                actions[tables] = decide(bot, batch, tables, streams)
        batch.step(actions)
    return batch.states.alive[np.arange(count), heroes].mean() * players


@pytest.mark.parametrize(("players", "least"), [(2, 1.5), (3, 1.75), (4, 1.95), (6, 2.1)])
def test_it_beats_random_clearly(players, least):
    assert survival(HouseBot(GAME), RandomBot(), players, 1500) > least


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_default_is_the_best_of_the_styles(players):
    """Nobody gains by another style among house bots, and no other style does better in their company."""
    house = HouseBot(GAME)
    others = [HouseBot(GAME, style) for style in STYLES if style != "house"]
    for other in others:
        assert survival(other, house, players, 3000) < 1.03
        assert survival(house, other, players, 3000) > 0.99


def test_unknown_styles_are_refused():
    with pytest.raises(BotError, match="no house style 'wild'; the styles are: house, tight"):
        HouseBot(GAME, "wild")
