"""The house bot of draw poker: its tables measured again, its choices in plain cases, its styles."""

import numpy as np
import pytest

from poker.drawing import after_draw, measure, outcomes
from poker.tables import bet, facts, pat, play, start
from tinhorn.bots.scripted import HouseBot
from tinhorn.core.batch import Batch
from tinhorn.core.rng import new_stream
from tinhorn.games.five_card_draw import GAME
from tinhorn.games.five_card_draw.options import FiveCardDrawOptions
from tinhorn.poker.house import AFTER_DRAW, OUTCOMES, STYLES

NOTHING, ACES, TRIPS = "2c 3d 5h 8s 9c", "Ac Ad Th 6s 3c", "Kc Kd Kh 7s 5c"
FULL, FOUR_FLUSH, OPEN = "9c 9d 9h 4s 4c", "Kh 9h 7h 2h 3c", "9c 8d 7h 6s 2c"


def test_the_tables_are_what_is_measured():
    kinds, drawn, strengths = measure(3_000_000, seed=9)
    found = after_draw(kinds, drawn, strengths)
    away = np.abs(found - AFTER_DRAW)
    assert np.median(away) < 5
    assert away.max() < 400, "rare hands: their strengths lie far apart"
    away = np.abs(outcomes(kinds, strengths) - OUTCOMES)
    assert np.median(away) < 5
    assert away.max() < 800


def table_of(hand, players=4, stacks=None, button=3, **others):
    """Seat 0 acts first with this hand."""
    options = FiveCardDrawOptions(num_players=players, starting_stacks=stacks or (1000,) * players)
    hands = {0: hand} | {int(seat[1:]): cards for seat, cards in others.items()}
    return start(GAME, options, button % players, hands)


def choices(table, style="house", times=60):
    """What the house plays with different luck, as JSON."""
    bot = HouseBot(GAME, style)
    return [
        table.describe(int(bot.act(table.view[None], table.mask[None], new_stream(luck))[0])) for luck in range(times)
    ]


def usual(table, style="house"):
    """The kind of action it plays most of the time."""
    kinds = [choice["type"] for choice in choices(table, style)]
    return max(set(kinds), key=kinds.count)


def in_draw(hand):
    return bet(table_of(hand), "check check check check")


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        (FULL, []),
        ("9c 8d 7h 6s 5c", []),
        (TRIPS, ["7s", "5c"]),
        ("Kc Kd 7h 7s 5c", ["5c"]),
        (ACES, ["Th", "6s", "3c"]),
        (FOUR_FLUSH, ["3c"]),
        (OPEN, ["2c"]),
        ("9h 9c 7h 2h 3h", ["7h", "3h", "2h"]),  # a pair before a flush draw
        ("Kh 9h 7h 3c 2s", ["7h", "3c", "2s"]),  # never two to a three-flush
    ],
)
def test_it_draws_by_the_book(hand, thrown):
    drawn = [choice["cards"] for choice in choices(in_draw(hand))]
    assert max(drawn, key=drawn.count) == thrown


def test_it_hides_its_hand_now_and_then():
    kicker = [choice["cards"] for choice in choices(in_draw("7c 7d Ah 6s 3c"), "bluffer")]
    assert ["6s", "3c"] in kicker
    trips = [choice["cards"] for choice in choices(in_draw(TRIPS), "bluffer")]
    assert ["5c"] in trips
    assert all(
        choice["cards"] == ["6s", "3c"] or len(choice["cards"]) == 3 for choice in choices(in_draw("7c 7d Ah 6s 3c"))
    )


def test_pat_hand_bluffs_follow_a_raise_and_are_bet():
    table = bet(table_of(NOTHING), "bet:30 call fold fold")
    drawn = [len(choice["cards"]) for choice in choices(table, "bluffer")]
    assert 0 in drawn
    play(table, "0 pat, 1 exchange")
    assert usual(table, "bluffer") == "bet"
    quiet = bet(table_of(NOTHING), "check check check check")
    assert 0 not in [len(choice["cards"]) for choice in choices(quiet, "bluffer")], "it has shown no strength"


def test_it_opens_good_hands_and_folds_bad_ones():
    assert usual(table_of(TRIPS)) == "bet"
    assert usual(table_of(NOTHING), "tight") == "check"
    assert usual(facing(NOTHING, "bet:30 raise:90 call")) == "fold"


def facing(hand, words, players=4, stacks=None):
    """Seat 0 acts last, after these words."""
    return bet(table_of(hand, players, stacks, button=0), words)


def test_pot_odds_decide_a_flush_draw():
    cheap = facing(FOUR_FLUSH, "bet:10 call call")
    dear = facing(FOUR_FLUSH, "bet:300 fold fold")
    assert usual(cheap) == "call"
    assert usual(dear) == "fold"


def test_it_raises_strong_hands_and_believes_raises():
    assert usual(facing(FULL, "bet:30 fold fold")) == "raise"
    assert usual(facing("Jc Jd 9h 7s 3c", "bet:100 raise:400 fold")) == "fold"


def after(hand, drawn, words):
    """Heads-up, seat 0 to act after the draw; the other seat has drawn so many cards."""
    table = bet(table_of(hand, players=2, button=0), "bet:30 call")
    cards = facts(table)["cards"]["1"]
    play(table, f"1 exchange {' '.join(cards[:drawn])}")
    pat(table)
    return bet(table, words)


def test_it_reads_how_many_cards_the_others_drew():
    """Aces up are worth a call against who drew three, not against who stood pat."""
    two_pair = "Ac Ad 4h 4s 9c"
    assert usual(after(two_pair, 3, "bet:60")) in ("call", "raise")
    assert usual(after(two_pair, 0, "bet:300")) == "fold"


def test_missed_draws_are_bluffed_at_a_small_rate():
    table = bet(table_of(FOUR_FLUSH, players=2, button=0), "bet:20 call")
    cards = facts(table)["cards"]["1"]
    play(table, f"1 exchange {cards[0]}, 0 exchange 3c, 1 check")
    now = facts(table)["cards"]["0"]
    assert len({card[0] for card in now}) == 5
    assert any(card[1] != "h" for card in now), "missed"
    bets = {style: np.mean([choice["type"] != "check" for choice in choices(table, style)]) for style in STYLES}
    assert bets["caller"] == 0
    assert 0 < bets["tight"] < bets["house"] < bets["bluffer"] < 1


def test_a_short_stack_goes_all_in_on_a_good_spot():
    short = table_of(TRIPS, stacks=(40, 1000, 1000, 1000))
    assert usual(short) == "all_in"
    assert usual(table_of(TRIPS)) == "bet"


def test_never_broke_on_a_curiosity_call():
    assert usual(facing("6c 6d Ah 9s 3c", "all_in fold fold")) == "fold"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_style_plays_legally(players, style):
    batch = Batch(GAME, 200, FiveCardDrawOptions(num_players=players, stack=300), seed=1)
    bot, streams = HouseBot(GAME, style), np.arange(200).astype(np.uint64)
    for _ in range(150):
        actions = bot.act(batch.views, batch.masks, streams)
        assert (batch.masks[np.arange(200), actions] == 1).all()
        batch.step(actions)


def style_figures(style):
    """How often a style puts chips in before the draw, bets or raises then, and bets after it with less than a pair.

    Among four of its own.
    """
    batch = Batch(GAME, 2000, FiveCardDrawOptions(episode="hand"), seed=2, autoreset=False)
    bot, streams = HouseBot(GAME, style), np.arange(2000).astype(np.uint64)
    while not batch.finished.all():
        batch.step(bot.act(batch.views, np.maximum(batch.masks, batch.finished[:, None]), streams))
    first, second = batch.states.moves[:, 0, :4], batch.states.moves[:, 1, :4]
    ranks = np.sort(batch.states.hands[:, :4] // 4, axis=2)
    nothing = (np.diff(ranks, axis=2) != 0).all(axis=2) & (second >= 0)
    return np.isin(first, (1, 2)).mean(), (first == 2).mean(), (second[nothing] == 2).mean()


def test_the_styles_differ_as_their_names_say():
    figures = {style: style_figures(style) for style in STYLES}
    plays, raises, bluffs = ({style: figure[k] for style, figure in figures.items()} for k in range(3))
    assert plays["tight"] < plays["house"] < plays["loose"]
    assert raises["caller"] == 0 < raises["tight"] < raises["aggressive"]
    assert bluffs["caller"] == 0 < bluffs["tight"]
