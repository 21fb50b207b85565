"""Random games of Five Card Draw, step by step against the plain reference."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from games.five_card_draw.reference import FiveCardDraw
from parts import parts
from poker.luck import EngineChance
from tinhorn.core.table import Table
from tinhorn.games.five_card_draw import GAME
from tinhorn.games.five_card_draw.options import FiveCardDrawOptions

GAMES = 10_000
PARTS = 8
SHARES = [Fraction(text) for text in ("1/3", "1/2", "3/4", "1", "2")]


def random_options(random):
    """Small stacks, so that games are short; now and then a deep one."""
    players = random.randint(2, 6)
    ante = random.choice([1, 2, 5, 10])
    deepest = random.choice([2, 4, 4, 8, 8, 40]) * ante
    stacks = tuple(random.randint(1, deepest) for _ in range(players))
    return FiveCardDrawOptions(
        num_players=players,
        ante=ante,
        starting_stacks=stacks,
        reward=random.choice(["win", "rank", "chips"]),
        episode=random.choice(["game", "game", "game", "hand"]),
        max_hands=random.choice([3, 8, 300]),
        fold_for_free=random.random() < 0.1,
    )


def limits_of(table):
    """The smallest and the largest bet as the seat to act sees them; None if there is none."""
    low, high = (int(table.view[GAME.layout.at(name)]) for name in ("raise_from", "raise_to"))
    return (low, high) if high else None


def engine_legal(table):
    """The engine's legal bets in the words of the reference."""
    limits, kinds = limits_of(table), []
    bet = "raise" if table.view[GAME.layout.at("highest_bet")] else "bet"
    for name, action in (("check", 32), ("fold", 33), ("call", 34)):
        kinds += [{"type": name}] if table.mask[action] else []
    if table.mask[35:41].any():
        kinds.append({"type": bet, "min": limits[0], "max": limits[1]})
    return kinds + ([{"type": "all_in"}] if table.mask[41] else [])


def compare_decision(table, reference, sizes=True):
    """The same seat is asked, with the same choices, the same chips and the same cards on the table."""
    facts, hand = GAME.facts(table.state), reference.hand
    assert facts["phase"] == hand.phase
    assert facts["turn"] == hand.turn
    assert facts["button"] == hand.button
    assert facts["stacks"] == hand.stacks
    assert facts["bets"] == hand.bets
    assert facts["put_in"] == hand.total
    assert facts["in_hand"] == [seat in hand.still_in() for seat in hand.seats]
    assert {int(seat): sorted(cards) for seat, cards in facts["cards"].items()} == {
        seat: sorted(cards) for seat, cards in hand.cards.items()
    }
    assert facts["deck"] == hand.deck
    assert {int(seat): n for seat, n in facts["drawn"].items()} == hand.drawn
    for name, now in zip(("bet1", "bet2"), facts["betting"], strict=True):
        assert now["moves"] == [hand.moves[name].get(seat) for seat in hand.seats]
        assert now["raises"] == [min(hand.raises[name].count(seat), 9) for seat in hand.seats]
        assert now["opener"] == next(iter(hand.raises[name]), None)
    assert facts["hands_played"] == reference.hands_played
    if hand.phase == "draw":
        assert table.mask[:32].all()
        assert not table.mask[32:].any()
    else:
        assert engine_legal(table) == hand.legal()
    if sizes and hand.phase != "draw":
        offered = [table.describe(35 + k)["to"] if table.mask[35 + k] else None for k in range(6)]
        assert offered == hand.sizes(SHARES), "FD-18"
    if sizes:
        assert table.describe(table.timeout_action()) == hand.clock(), "FD-21"


def compare_end(table, reference):
    facts = GAME.facts(table.state)
    if reference.last:
        assert facts["last_hand"]["pots"] == reference.last.pots
        assert facts["last_hand"]["won"] == reference.last.won
        shown = {int(seat): sorted(cards) for seat, cards in facts["last_hand"]["shown"].items()}
        assert shown == reference.last.shown
    shared = {seat: place for seat, place in enumerate(table.state["places"].tolist()) if place}
    assert shared == reference.places, "FD-16: the mean of the places"
    best = {seat: 1 + sum(other < place for other in shared.values()) for seat, place in shared.items()}
    assert table.finished <= ({int(seat): place for seat, place in facts["places"].items()} == best)
    assert facts["over"] == reference.over == table.finished
    assert bool(table.state["truncated"]) == reference.truncated


def pick(table, random, greedy):
    """An id of the table, or now and then any legal number of chips; a greedy table throws whole hands."""
    if greedy and table.mask[31]:
        return random.randint(26, 31)
    if greedy and table.mask[34]:
        return 34
    limits = limits_of(table)
    if limits and random.random() < 0.2:
        return GAME.actions.count + random.randint(*limits)
    return random.choice(table.legal_ids())


def play(seed):
    random = Random(seed)
    options = random_options(random)
    table = Table(GAME, options)
    table.reset(seed=seed)
    reference = FiveCardDraw(
        options.starting_stacks,
        EngineChance(table),
        options.ante,
        options.reward,
        options.episode,
        options.max_hands,
        options.fold_for_free,
    )
    greedy = random.random() < 0.1
    chips, rewards = sum(options.starting_stacks), np.zeros(6)
    while not reference.over:
        compare_decision(table, reference, sizes=random.random() < 0.25)
        assert sum(table.state["stacks"]) + sum(table.state["put_in"]) == chips, "FD-15: chips are conserved"
        action = pick(table, random, greedy)
        said = table.describe(action)
        table.step(action)
        rewards += table.state["rewards"]
        hands = reference.hands_played
        reference.step(said)
        if reference.hands_played > hands:
            compare_end(table, reference)
    compare_end(table, reference)
    assert rewards[: options.num_players] == pytest.approx([float(reward) for reward in reference.rewards])
    assert abs(rewards.sum()) < 1e-9, "FD-19: zero-sum"
    assert table.state["stacks"][: options.num_players].tolist() == reference.stacks
    return reference


@pytest.mark.parametrize("part", parts(PARTS))
def test_random_games(part):
    for game in range(part, GAMES, PARTS):
        play(game)


@pytest.mark.plain_python
def test_random_games_in_plain_python():
    for game in range(6):
        play(100_000 + game)
