"""What a seat sees, what it does not, and the house bot that plays by it."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest

from games.hand.engine import Engine
from games.hand.test_reference import FORMS
from tinhorn.core.rng import choose, new_stream
from tinhorn.games.hand import GAME
from tinhorn.games.hand.house import STYLES, house, read_hand, read_melds
from tinhorn.games.hand.melds import owner_of


def seen(engine, seat):
    out = np.zeros(GAME.layout.size, np.int32)
    GAME.view(engine.state, seat, out)
    return out


def walk(seed, every=5, **options):
    """A random match, one state in ``every``; no other seat has begun to lay."""
    engine, stream = Engine(seed, **options), new_stream(seed)
    step = 0
    while not engine.state.finished:
        engine.legal()
        if step % every == 0:
            yield engine, stream
        engine.step(choose(stream, engine.mask))
        step += 1


@pytest.mark.parametrize("form", FORMS)
def test_views_stay_in_their_ranges_and_say_what_is_there(form):
    layout = GAME.layout
    for engine, _ in walk(2, **FORMS[form]):
        now = engine.facts()
        players = len(now["hands"])
        for seat in range(players):
            out = seen(engine, seat)
            assert (out >= layout.lows).all()
            assert (out <= layout.highs).all()
            table = layout.to_json(out)
            assert [card for card in table["hand"] if card] == now["hands"][seat]
            order = [(seat + step) % players for step in range(players)]
            assert table["hand_size"][:players] == [len(now["hands"][other]) for other in order]
            assert table["known_jokers"][:players] == [now["known_jokers"][other] for other in order]
            assert table["fire_top"] == (now["fire"][-1] if now["fire"] else None)
            owners = [(meld["owner"] - seat) % players for meld in now["table"]]
            assert [owner for owner in table["meld_owner"] if owner is not None] == owners
            assert (layout.from_json(table) == out).all()


ALL_KINDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def makes_meld(*three):
    """Whether three natural cards are a meld (HA-8, HA-9)."""
    ranks, suits = {card[0] for card in three}, {card[1] for card in three}
    if len(ranks) == 1:
        return len(suits) == 3
    orders = [sorted(order.index(card[0]) for card in three) for order in ("23456789TJQKA", "A23456789TJQK")]
    return len(suits) == 1 and any(order == list(range(order[0], order[0] + 3)) for order in orders)


def test_loose_cards_and_what_they_wait_for():
    """Loose are the cards outside the best melds; outs are the unseen cards that make a meld with two of them."""
    for engine, _ in walk(3, num_players=2):
        seat = int(engine.state.actor)
        table, now = GAME.layout.to_json(seen(engine, seat)), engine.facts()
        loose = [kind for kind, flag in zip(ALL_KINDS, table["loose"], strict=True) if flag]
        visible = Counter(now["hands"][seat] + now["fire"] + [card for meld in now["table"] for card in meld["cards"]])
        for kind, count in zip(ALL_KINDS, table["outs"], strict=True):
            waits = [new for new in ALL_KINDS if any(makes_meld(kind, new, other) for other in loose)]
            assert count == (sum(2 - visible[new] for new in waits) if kind in loose else 0)
        rest = sum(11 if kind[0] == "A" else 10 if kind[0] in "TJQK" else int(kind[0]) for kind in loose)
        assert table["deadwood"] >= rest, "twins and jokers that are left come on top"
        if table["best"] == 0:
            assert set(loose) == {card for card in table["hand"] if card} - {"Jo"}
        assert table["missing"] == (0 if table["opened"][0] else max(51 - table["staged"] - table["best"], 0))


@pytest.mark.parametrize("form", FORMS)
def test_a_redeal_changes_nothing_that_the_seat_sees(form):
    """No leak: with all that is hidden dealt anew, the view stays the same to the bit, and so do the melds."""
    changed = 0
    for engine, stream in walk(6, every=9, **FORMS[form]):
        before = engine.states.copy()
        for seat in range(before[0].num_seats):
            engine.states[0] = before[0]
            view = seen(engine, seat)
            GAME.redeal(engine.state, seat, stream)
            assert (seen(engine, seat) == view).all()
            old, new = GAME.facts(before[0]), engine.facts()
            assert sorted(chain(*old["hands"], old["stock"])) == sorted(chain(*new["hands"], new["stock"]))
            assert (new["hands"][seat], new["table"], new["fire"]) == (old["hands"][seat], old["table"], old["fire"])
            assert engine.legal(), "whoever has begun to lay can finish (HA-21)"
            if seat == engine.state.actor:
                redealt = engine.mask.copy()
                engine.states[0] = before[0]
                engine.legal()
                assert (engine.mask == redealt).all()
            changed += new["stock"] != old["stock"]
        engine.states[0] = before[0]
        engine.legal()
    assert changed > 20


def test_a_redeal_keeps_known_jokers():
    engine = Engine(1, num_players=2)
    start = {"phase": "play", "hands": [["6h", "2d", "3d"], None], "table": [{"owner": 1, "cards": ["5h", "Jo", "7h"]}]}
    GAME.position(engine.state, start | {"opened": [1, 1]})
    take = GAME.actions.parse(engine.state, {"type": "take_joker", "meld": 0})
    engine.step(take)
    for luck in range(20):
        GAME.redeal(engine.state, 1, new_stream(luck))
        assert "Jo" in engine.facts()["hands"][0]


def test_the_house_bot_sees_its_own_cards_and_the_table():
    for engine, _ in walk(4, num_players=3):
        seat = int(engine.state.actor)
        out = seen(engine, seat)
        assert (read_hand(out) == engine.state.hands[seat]).all()
        for own, packed in zip(read_melds(out), engine.state.melds, strict=True):
            assert own & ~12 == packed & ~12, "all but the owner"
            assert packed == 0 or owner_of(own) == (owner_of(packed) - seat) % 3


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("form", FORMS)
def test_house_bots_play_legal_matches_to_the_end(form, style):
    engine, stream = Engine(8, **FORMS[form]), new_stream(3)
    parameters = np.array(STYLES[style])
    while not engine.state.finished:
        legal = engine.legal()
        action = int(house(seen(engine, int(engine.state.actor)), engine.mask, parameters, stream))
        assert action in legal
        engine.step(action)
    assert not engine.state.truncated


def test_the_house_bot_beats_random_play():
    won = 0.0
    for seed in range(30):
        engine, stream = Engine(seed, num_players=2), new_stream(seed)
        while not engine.state.finished:
            engine.legal()
            if engine.state.actor == seed % 2:
                action = int(house(seen(engine, seed % 2), engine.mask, np.array(STYLES["house"]), stream))
            else:
                action = int(choose(stream, engine.mask))
            engine.step(action)
        won += GAME.measures[0].of(engine.states, np.array([seed % 2]))[0]
    assert won >= 27
