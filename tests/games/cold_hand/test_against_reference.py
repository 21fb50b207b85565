"""The engine plays 10,000 random games beside the plain reference; after every decision both must agree.

Chance is the engine's own: the reference is told the deck's order, the reshuffle, the bullets and the opener.
"""

from collections import Counter
from random import Random

import numpy as np
import pytest

from games.cold_hand.reference import CARDS, ColdHand
from tinhorn.core.batch import Batch
from tinhorn.core.kernel import kernel
from tinhorn.games.cold_hand import GAME, ColdHandOptions
from tinhorn.games.cold_hand.view import LAYOUT

GAMES = {2: 4000, 3: 3000, 4: 1500, 5: 900, 6: 600}
FIELDS = (
    *("phase", "actor", "opening_seat", "stakes", "house_minimum", "hands_completed", "alive", "in_hand"),
    *(
        "folded",
        "pending",
        "hands",
        "cards",
        "next_card",
        "deck_end",
        "exchanged",
        "num_raises",
        "raise_round",
    ),
    *("raise_seat", "shown", "penalty", "pulled", "shot", "ply", "finished", "truncated", "out"),
)
PHASES = ("draw1", "bet1", "draw2", "bet2", "over")
SLICES = [(f.name, LAYOUT.at(f.name), LAYOUT.at(f.name) + f.size) for f in LAYOUT.fields]
FOLDING = (0.02, 0.1, 0.33)  # how often the players of a table fold: rarely, so that most hands are shown

_view = GAME.view


@kernel
def write_views(states, seats, views):
    for i in range(states.shape[0]):
        _view(states[i], seats[i], views[i])


class EngineChance:
    """The outcomes that lie in the engine's state, handed to the reference."""

    def opener(self):
        return self.first_opener

    def deck(self, hand_number):
        return self.next_deck

    def reshuffle(self, hand_number):
        return self.second_deck

    def bullets(self, hand_number):
        return self.hand_bullets

    def read(self, state):
        """Take the engine's decks. The bullets of a hand stay until it is settled: `load`."""
        self.next_deck = state["deck"]["values"].tolist()
        self.second_deck = state["second_deck"]["values"][: state["second_deck"]["count"]].tolist()

    def load(self, state):
        self.hand_bullets = state["bullets"]["values"].tolist()


class Pair:
    """A table of the engine, seen as plain lists, and its reference."""

    def __init__(self, players, state):
        chance = EngineChance()
        chance.first_opener = int(state["opener"]["values"][0])
        chance.read(state)
        chance.load(state)
        self.table = ColdHand(players, chance)
        self.throw_nothing()

    def throw_nothing(self):
        self.thrown = {(seat, draw): [] for seat in range(self.table.players) for draw in (0, 1)}

    def step(self, action, state):
        """Play one action on the reference, after the engine has played it."""
        table, hand = self.table, self.table.hands_completed
        if action["type"] == "exchange":
            codes = [CARDS.index(card) for card in action["cards"]]
            self.thrown[table.turn, 0 if table.phase == "draw1" else 1] = codes
        table.chance.read(state)
        table.step(action)
        if table.hands_completed > hand:
            self.throw_nothing()
            table.chance.load(state)


def check_state(table, now, steps):
    """Everything in the engine's state, hidden cards included. ``now`` is field -> plain values."""
    seats = range(table.players)
    flags = {
        "alive": table.alive,
        "shot": [any(paid["seat"] == seat and paid["died"] for paid in table.penalties) for seat in seats],
    }
    pulls = {paid["seat"]: paid for paid in table.penalties}
    numbers = {
        "hands_completed": table.hands_completed,
        "pulled": [pulls[seat]["pulled"] if seat in pulls else 0 for seat in seats],
        "finished": table.winner is not None,
        "truncated": 0,
        "ply": steps,
    }
    assert [max(due, 0) for due in now["penalty"][: table.players]] == [
        pulls[seat]["pulls"] if seat in pulls else 0 for seat in seats
    ]
    shown = {seat: sorted(hand) for seat, hand in enumerate(now["shown"]) if hand[0] >= 0}
    assert shown == {seat: sorted(hand) for seat, hand in table.revealed.items()}
    if table.winner is None:
        flags |= {
            "in_hand": table.in_hand,
            "folded": table.folded,
            "pending": [seat in table.waiting for seat in seats],
            "out": [not alive for alive in table.alive],
        }
        numbers |= {
            "actor": table.turn,
            "opening_seat": table.opening_seat,
            "stakes": table.stakes,
            "house_minimum": table.house_minimum,
            "num_raises": len(table.raises),
            "exchanged": [
                [-1 if n is None else n for n in counts] + [-1] * (6 - table.players)
                for counts in zip(*table.exchanged, strict=True)
            ],
        }
        for seat in seats:
            hand = now["hands"][seat]
            assert sorted(hand) == sorted(table.hands[seat]) if table.alive[seat] else hand[0] == -1
        assert now["cards"][now["next_card"] : now["deck_end"]] == table.deck
        raises = list(zip(now["raise_round"], now["raise_seat"], strict=True))
        assert raises == table.raises + [(-1, -1)] * (3 - len(table.raises))
    else:
        numbers |= {"actor": -1, "out": [1] * 6}
    assert PHASES[now["phase"]] == table.phase
    for name, expected in flags.items():
        assert now[name] == [*map(int, expected)] + [int(name == "out" and table.winner is not None)] * (
            6 - table.players
        ), name
    for name, expected in numbers.items():
        found = now[name]
        assert (found[: len(expected)] if isinstance(expected, list) else found) == expected, name


def check_view(pair, seat, view):
    """A view (plain list) of a running game against `ColdHand.seen`."""
    table, players = pair.table, pair.table.players
    seen = table.seen(seat)
    order = [(seat + step) % players for step in range(players)]
    paid = {entry["seat"]: entry for entry in seen["penalties"]}
    empty = 6 - players

    def around(values, none=0):
        return [int(values[other]) for other in order] + [none] * empty

    def drawn(draw):
        counts = [seen["exchanged"][other][draw] for other in order]
        return [-1 if count is None else count for count in counts] + [-1] * empty

    raises = seen["raises"] + [(-1, None)] * (3 - len(seen["raises"]))
    expected = {
        "num_players": [players],
        "phase": [PHASES.index(seen["phase"])],
        "turn": [(seen["turn"] - seat) % players],
        "opening_seat": [(seen["opening_seat"] - seat) % players],
        "stakes": [seen["stakes"]],
        "house_minimum": [seen["house_minimum"]],
        "hands_to_next_rise": [seen["hands_to_next_rise"] or 0],
        "hand": seen["cards"] or [-1] * 5,
        "alive": around(seen["alive"]),
        "in_hand": around(seen["in_hand"]),
        "folded": around(seen["folded"]),
        "to_decide": around([other in table.waiting for other in range(players)]),
        "exchanged_first": drawn(0),
        "exchanged_second": drawn(1),
        "raise_round": [draw for draw, _ in raises],
        "raise_seat": [-1 if other is None else (other - seat) % players for _, other in raises],
        "shown": [card for other in order for card in seen["revealed"].get(other, [-1] * 5)] + [-1] * 5 * empty,
        "last_pulled": around([paid[s]["pulled"] if s in paid else 0 for s in range(players)]),
        "last_shot": around([s in paid and paid[s]["died"] for s in range(players)]),
    }
    for draw, name in enumerate(("thrown_first", "thrown_second")):
        codes = pair.thrown[seat, draw]
        expected[name] = sorted(codes) + [-1] * (3 - len(codes))
    assert len(expected) == len(SLICES)
    for name, start, end in SLICES:
        found = view[start:end]
        if name in ("hand", "thrown_first", "thrown_second"):
            found = sorted(found, key=lambda card: (card < 0, card))
        if name == "shown":
            found = [card for at in range(0, 30, 5) for card in sorted(found[at : at + 5])]
        assert found == expected[name], (name, seat)


def check_facts(table, state):
    """`Game.facts` says the same in JSON."""
    facts = GAME.facts(state)
    assert facts["turn"] == table.turn
    assert facts["deck"] == [CARDS[card] for card in table.deck]
    assert sorted(facts["discards"]) == sorted(CARDS[card] for card in table.discards)
    for name in ("phase", "opening_seat", "stakes", "house_minimum", "hands_completed", "hands_to_next_rise"):
        assert facts[name] == getattr(table, name), name
    for name in ("alive", "in_hand", "folded", "exchanged", "penalties", "winner"):
        assert facts[name] == getattr(table, name), name
    assert [(entry["round"], entry["seat"]) for entry in facts["raises"]] == table.raises
    for name, hands in (("cards", dict(enumerate(table.hands))), ("revealed", table.revealed)):
        expected = {str(seat): sorted(CARDS[card] for card in hand) for seat, hand in hands.items() if hand}
        assert {seat: sorted(hand) for seat, hand in facts[name].items()} == expected, name


def check_legal(table, state, mask):
    """The engine's legal actions, in words, are the reference's; and the timeout is (CH-18)."""
    plain = ColdHand._plain
    found = [plain(GAME.actions.describe(state, int(action))) for action in np.flatnonzero(mask)]
    assert sorted(found) == sorted(map(plain, table.legal()))
    assert plain(GAME.actions.describe(state, GAME.timeout_action(state))) == plain(table.timeout_action())


def rig(random, table, state):
    """See that the next hand deals cards of the same ranks to up to four survivors."""
    survivors = sum(table.alive)
    ranks = random.sample(range(13), 5)
    deck = [4 * rank + place if place < 4 else None for rank in ranks for place in range(survivors)]
    GAME.chances[0].prescribe(state, [None if card is None else CARDS[card] for card in deck])


def choose(random, table, mask, folding, pat):
    """A random legal id; folds, and stands pat, with the given chances."""
    if table.phase in ("draw1", "draw2"):
        assert mask == [1] * 26 + [0, 0, 0]
        return 0 if random.random() < pat else random.randrange(26)
    assert mask == [0] * 26 + [1, int(table.stakes < 4), 1]
    if random.random() < folding:
        return 28
    return random.choice((26, 27)) if mask[27] else 26


def note(seen, pair, hand, stakes, opener):
    """Count what happened, so that the test knows that it has met the rare things."""
    table = pair.table
    if hand != table.hands_completed:
        seen["tie"] += sum(paid["seat"] in table.revealed for paid in table.penalties) > 1
        seen["not shown"] += not table.revealed
        seen["deaths"] += sum(paid["died"] for paid in table.penalties)
        seen["two deaths"] += sum(paid["died"] for paid in table.penalties) > 1
        seen["four pulls"] += stakes == 4
        seen["opener is dead"] += table.winner is None and not table.alive[opener]
    for seat in range(table.players):
        seen["given back"] += bool(set(pair.thrown[seat, 0]) & set(table.hands[seat]))


@pytest.mark.slow
@pytest.mark.parametrize("players", GAMES)
def test_ten_thousand_games_step_by_step(players):
    compare(players, GAMES[players])


@pytest.mark.plain_python
@pytest.mark.parametrize("players", GAMES)
def test_a_few_games_step_by_step(players):
    compare(players, 3, rare=False)


def compare(players, games, rare=True):
    """Play ``games`` random games of ``players`` on both sides."""
    random = Random(players)
    batch = Batch(GAME, games, ColdHandOptions(players), seed=1000 + players, autoreset=False)
    pairs = [Pair(players, state) for state in batch.states]
    earned = np.zeros((games, 6))
    running = list(range(games))
    seen, steps = Counter(), 0
    while running:
        actions = np.zeros(games, np.int64)
        befores, words = [], []
        for i, mask in zip(running, batch.masks[running].tolist(), strict=True):
            table, state = pairs[i].table, batch.states[i]
            rigged = i % 8 == 0
            actions[i] = choose(random, table, mask, FOLDING[i % 3], 0.9 if rigged else 0)
            words.append(GAME.actions.describe(state, int(actions[i])))
            befores.append((table.hands_completed, table.stakes, table.opening_seat))
            if (i + steps) % 31 == 0:
                check_legal(table, state, batch.masks[i])
                check_facts(table, state)
            if rigged:
                rig(random, table, state)
        batch.step(actions)
        steps += 1
        earned += batch.rewards
        after = batch.states[running]
        columns = zip(*(after[name].tolist() for name in FIELDS), strict=True)
        looking = np.array([random.randrange(players) for _ in running])
        others = np.zeros((len(running), LAYOUT.size), np.int32)
        write_views(after, looking, others)
        views = batch.views[running].tolist(), others.tolist(), earned[running].tolist()
        for k, (i, values) in enumerate(zip(running, columns, strict=True)):
            pair, table = pairs[i], pairs[i].table
            pair.step(words[k], after[k])
            check_state(table, dict(zip(FIELDS, values, strict=True)), steps)
            assert all(abs(a - b) < 1e-12 for a, b in zip(views[2][k], table.rewards, strict=False))
            note(seen, pair, *befores[k])
            if table.winner is None and (i + steps) % 3 > 0:
                seat, view = ((table.turn, views[0]), (int(looking[k]), views[1]))[(i + steps) % 3 - 1]
                check_view(pair, seat, view[k])
        running = [i for i in running if not batch.finished[i]]
    assert np.abs(earned.sum(axis=1)).max() < 1e-12
    if rare:
        assert seen["deaths"] == games * (players - 1)
        things = ["tie", "not shown", "four pulls", "given back"]
        things += ["two deaths", "opener is dead"] if players > 2 else []
        assert all(seen[thing] > 0 for thing in things), seen
