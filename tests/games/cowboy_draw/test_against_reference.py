"""Random tournaments of Cowboy Draw, step by step against the plain reference."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from games.cowboy_draw.reference import CowboyDraw, payouts
from parts import parts
from poker.luck import EngineChance
from tinhorn.core.rng import new_stream
from tinhorn.core.table import Table
from tinhorn.games.cowboy_draw import GAME, join, resume
from tinhorn.games.cowboy_draw.actions import CLOCK, COUNT, FIRST_BET, LEAVE, PASS, REBUY
from tinhorn.games.cowboy_draw.house import HOUSE_STYLE
from tinhorn.games.cowboy_draw.options import CowboyDrawOptions
from tinhorn.games.cowboy_draw.rules import apply, clock_choice
from tinhorn.games.cowboy_draw.tournament import share_pot

GAMES = 10_000
PARTS = 8
SHARES = [Fraction(text) for text in ("1/3", "1/2", "3/4", "1", "2")]


def house_decisions(table, action):
    """What the house bot will play after this action, as JSON, found on a copy."""
    state, decisions = table.states.copy()[0], []
    mask, view = np.zeros(COUNT, np.int8), np.zeros(GAME.layout.size, np.int32)
    seat, played = state["actor"], clock_choice(state) if action == CLOCK else action
    state["streak"][seat] = state["streak"][seat] + (played == FIRST_BET + 1) if action == CLOCK else 0
    apply(state, played)
    while not state["finished"] and state["house_seat"][state["actor"]]:
        GAME.legal(state, mask)
        GAME.view(state, state["actor"], view)
        played = int(GAME.house(view, mask, HOUSE_STYLE, state["house_stream"]))
        assert mask[played], "the house bot plays legal actions only"
        decisions.append(GAME.actions.describe(state, played))
        apply(state, played)
    return decisions


def limits_of(table):
    """The smallest and the largest bet as the seat to act sees them; None if there is none."""
    low, high = (int(table.view[GAME.layout.at(name)]) for name in ("raise_from", "raise_to"))
    return (low, high) if high else None


def engine_legal(table):
    """The engine's legal actions in the words of the reference."""
    limits, kinds = limits_of(table), []
    bet = "raise" if table.view[GAME.layout.at("highest_bet")] else "bet"
    for name, action in zip(("check", "fold", "call"), range(FIRST_BET, FIRST_BET + 3), strict=True):
        kinds += [{"type": name}] if table.mask[action] else []
    if table.mask[FIRST_BET + 3 : FIRST_BET + 9].any():
        kinds.append({"type": bet, "min": limits[0], "max": limits[1]})
    for name, action in (("all_in", FIRST_BET + 9), ("pass", PASS), ("rebuy", REBUY), ("leave", LEAVE)):
        kinds += [{"type": name}] if table.mask[action] else []
    return kinds


def compare(table, reference, sizes=True):
    """Everything that can be known about the tournament is the same."""
    facts = GAME.facts(table.state)
    assert facts["phase"] == reference.phase
    assert facts["turn"] == reference.turn
    assert facts["button"] == reference.button
    assert facts["hands_played"] == reference.hands_played
    for name in ("stars", "paid", "payouts", "rebuys", "house_bot", "entitled", "streak", "over"):
        assert facts[name] == getattr(reference, name), name
    assert facts["tournament_pot"] == reference.pot
    assert int(table.state["gone_stars"]) == reference.gone
    joined = (sum(reference.paid) - 400 - 100 * sum(reference.rebuys)) // 100
    everything = sum(reference.stars) + reference.gone + reference.pot
    assert everything == (4 + joined) * reference.account, "stars are conserved"
    if reference.phase in ("readout", "over"):
        assert facts["stacks"] == reference.stacks
        assert facts["last_hand"]["pots"] == reference.last.pots
        assert facts["last_hand"]["won"] == reference.last.won
    else:
        compare_hand(table, facts, reference.hand, sizes)
    if reference.phase == "draw":
        assert table.mask[:FIRST_BET].all()
        assert not table.mask[FIRST_BET:].any()
    elif not reference.over:
        assert engine_legal(table) == reference.legal()
        assert not table.mask[:FIRST_BET].any()
    assert table.finished == reference.over


def compare_hand(table, facts, hand, sizes):
    assert facts["stacks"] == hand.stacks
    assert facts["bets"] == hand.bets
    assert facts["put_in"] == hand.total
    assert facts["in_hand"] == [seat in hand.still_in() for seat in hand.seats]
    cards = {int(seat): sorted(cards) for seat, cards in facts["cards"].items()}
    assert cards == {seat: sorted(cards) for seat, cards in hand.cards.items()}
    assert facts["deck"] == hand.deck
    assert {int(seat): count for seat, count in facts["drawn"].items()} == hand.drawn, "CD-5, CD-6"
    if hand.phase != "draw" and sizes:
        sizes = [FIRST_BET + 3 + size for size in range(6)]
        offered = [table.describe(action)["to"] if table.mask[action] else None for action in sizes]
        assert offered == hand.sizes(SHARES), "FD-18"


def pick(table, random, calm):
    """An action of any kind; a calm table folds and checks more, so that nobody is bust early."""
    if random.random() < 0.06 or (table.actor == 3 and random.random() < 0.5):
        return CLOCK
    if table.mask[PASS]:
        chosen = random.choice([PASS, PASS, PASS, REBUY, REBUY, LEAVE])
        return chosen if table.mask[chosen] else PASS
    if table.mask[FIRST_BET:PASS].any():
        limits = limits_of(table)
        if limits and random.random() < 0.15:
            return COUNT + random.randint(
                limits[0], limits[0] + 30 if calm and limits[0] + 30 < limits[1] else limits[1]
            )
        if calm and random.random() < 0.7:
            return FIRST_BET if table.mask[FIRST_BET] else FIRST_BET + random.choice([1, 2])
    return random.choice(table.legal_ids())


def call_engine(table, reference, random):
    """Now and then somebody joins or resumes."""
    seat = random.randrange(4)
    if reference.phase == "readout" and reference.house_bot[seat] and random.random() < 0.3:
        join(table.state, seat)
        reference.join(seat)
    elif not reference.house_bot[seat] and random.random() < 0.02:
        resume(table.state, seat)
        reference.resume(seat)
    else:
        return
    table.load(table.state)


def random_position(random):
    """Most tournaments start late, with any stacks, so that they are short."""
    if random.random() < 0.25:
        return {"stacks": [1000] * 4, "hands_played": 0}
    stacks = [random.choice([0, 1, 20, 60, 500, 1000, 2500]) for _ in range(4)]
    first, second = random.sample(range(4), 2)
    stacks[first], stacks[second] = random.randint(1, 2000), random.randint(1, 2000)
    return {"stacks": stacks, "button": first, "hands_played": random.randint(2, 5)}


def play(seed):
    random = Random(seed)
    options = CowboyDrawOptions(
        account=random.choice([100, 100, 250, 2000]),
        readout=random.choice(["rebuy", "all", "all"]),
        reward=random.choice(["stars", "stars", "chips"]),
    )
    calm = random.random() < 0.15
    table = Table(GAME, options)
    position = random_position(random)
    table.reset(seed=seed, position=position)
    stacks, played = position["stacks"], position["hands_played"]
    reference = CowboyDraw(EngineChance(table), options.account, options.readout, options.reward, stacks, played)
    rewards = np.zeros(6)
    while not reference.over:
        compare(table, reference, sizes=random.random() < 0.2)
        action = pick(table, random, calm)
        said = table.describe(action)
        house = action in (CLOCK, LEAVE) or any(reference.house_bot) or max(reference.streak) > 1
        decisions = house_decisions(table, action) if house else []
        table.step(action)
        rewards += table.state["rewards"]
        reference.step(said)
        for decision in decisions:
            reference.step(decision, by_house=True)
        if not reference.over:
            call_engine(table, reference, random)
    compare(table, reference)
    assert rewards[:4] == pytest.approx([float(reward) for reward in reference.rewards])
    assert abs(rewards.sum()) < 1e-9, "zero-sum"
    return reference


@pytest.mark.parametrize("part", parts(PARTS))
def test_random_tournaments(part):
    for game in range(part, GAMES, PARTS):
        play(game)


@pytest.mark.plain_python
def test_random_tournaments_in_plain_python():
    for game in range(3):
        play(100_000 + game)


def test_random_payouts():
    """CD-8, CD-10 to CD-12, ties and seats without chips included."""
    random = Random(1)
    for _ in range(20_000):
        stacks = [random.choice([0, 0, 500, 1000, 1000, 1500, 2200]) for _ in range(4)]
        stacks[random.randrange(4)] = random.randint(1, 3000)
        entitled = [random.random() < 0.8 for _ in range(4)]
        entitled[random.randrange(4)] = True
        pot, button = 100 * random.randint(4, 11), random.randrange(4)
        found = np.zeros(6, np.int32)
        share_pot(np.array([*stacks, 0, 0], np.int32), np.array([*entitled, 0, 0], np.uint8), pot, button, 4, found)
        assert found[:4].tolist() == payouts(stacks, entitled, pot, button)
        assert found.sum() == pot


def test_the_streams_of_bots_and_cards_are_apart():
    """What a house bot draws from its stream never moves the cards to come."""
    decks = []
    for moved in (False, True):
        table = Table(GAME, CowboyDrawOptions(readout="all"))
        table.reset(seed=5)
        if moved:
            table.state["house_stream"][0] = new_stream(9)[0]
        while GAME.facts(table.state)["hands_played"] < 1:
            table.step(CLOCK)
        decks.append([chance.outcome(table.state) for chance in GAME.chances if chance.name == "deck"])
    assert decks[0] == decks[1]
