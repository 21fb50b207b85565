"""Redealing Cold Hand: nothing is lost, and every deal that fits is as likely as it was.

When everybody exchanges at random, what a seat cannot see is spread evenly over the deals that fit what it sees. So any
figure has the same mean over real tables and over the same tables dealt anew.
"""

import numpy as np
import pytest

from games.cold_hand.positions import facts, play, start
from tinhorn.core.batch import Batch
from tinhorn.core.cards import CARD_TEXTS
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import new_stream
from tinhorn.games.cold_hand import GAME, ColdHandOptions
from tinhorn.games.cold_hand.actions import CALL, FOLD, RAISE
from tinhorn.poker.ranking import hand_strength

_redeal = GAME.redeal
SEAT, OTHER = 0, 1


@kernel
def redeal_all(states, seat, stream):
    for i in range(states.shape[0]):
        _redeal(states[i], seat, stream)


@kernel
def hand_strengths(states, seat, out):
    for i in range(states.shape[0]):
        out[i] = hand_strength(states[i].hands[seat])


def strengths(states, seat):
    out = np.zeros(len(states), np.int64)
    hand_strengths(states, seat, out)
    return out


def played(players, turns, count=40_000, seed=3):
    """Tables after ``turns`` decisions, exchanges at random and all calling; nobody has folded."""
    batch, rng = Batch(GAME, count, ColdHandOptions(players), seed=seed, autoreset=False), np.random.default_rng(seed)
    for _ in range(turns):
        betting = batch.masks[:, CALL] != 0
        assert betting.all() or not betting.any()
        batch.step(np.where(betting, CALL, rng.integers(0, CALL, count)))
    return batch


def figures(states):
    """What can be told of each table, by name: float64[N]."""
    hands, thrown = states.hands.astype(int), states.discards.astype(int)
    own_thrown, first = thrown[:, SEAT, 0], states.next_card.astype(int)
    deck_top = states.cards[np.arange(len(states)), np.minimum(first, 51)].astype(int)
    mine, theirs = strengths(states, SEAT) / 7461, strengths(states, OTHER) / 7461
    back = (own_thrown[:, :, None] == hands[:, OTHER, None, :]) & (own_thrown[:, :, None] >= 0)
    on_top = (own_thrown == deck_top[:, None]).any(axis=1)
    fresh = (hands[:, OTHER] // 4)[:, :, None] == (hands[:, SEAT] // 4)[:, None, :]
    return {
        "strength of the other": theirs,
        "strength, squared": theirs**2,
        "together with the own": mine * theirs,
        "own discards that the other holds": back.sum(axis=(1, 2)),
        "an own discard on top of the deck": on_top,
        "rank of the card on top": deck_top // 4,
        "ranks in common": fresh.sum(axis=(1, 2)),
        "the other's second discards": (thrown[:, OTHER, 1] // 4).sum(axis=1),
        "its bullet": states.bullets["values"][:, OTHER].astype(float),
        "the own bullet": states.bullets["values"][:, SEAT].astype(float),
    }


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("stage", ["dealt", "first draw", "first betting", "second draw begins", "second betting"])
def test_a_redealt_table_is_like_a_real_one(players, stage):
    rounds = ["dealt", "first draw", "first betting", "second draw begins", "second betting"].index(stage)
    turns = {0: 0, 1: 1, 2: players, 3: 2 * players + 1, 4: 3 * players}[rounds]
    batch = played(players, turns)
    real, again = batch.states.copy(), batch.states.copy()
    redeal_all(again, SEAT, new_stream(7))
    assert np.mean(real.hands[:, OTHER] != again.hands[:, OTHER]) > 0.9
    over = stage in ("first betting", "second betting")  # no more cards are drawn from this deck
    for (name, one), two in zip(figures(real).items(), figures(again).values(), strict=True):
        if over and "on top" in name:
            continue
        error = np.sqrt((np.var(one) + np.var(two)) / len(one)) + 1e-12
        assert abs(np.mean(one) - np.mean(two)) < 4.5 * error, name
    if rounds == 4:
        assert figures(again)["own discards that the other holds"].sum() > 0, "CH-4: they can be drawn again"


@pytest.mark.parametrize("players", range(2, 7))
def test_no_card_is_lost_or_doubled(players):
    batch, rng = Batch(GAME, 300, ColdHandOptions(players), seed=5), np.random.default_rng(1)
    for step in range(60):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
        again = batch.states.copy()
        redeal_all(again, step % players, new_stream(step))
        for state in again[:40]:
            now = GAME.facts(state)
            cards = [*now["deck"], *now["discards"], *(card for hand in now["cards"].values() for card in hand)]
            assert sorted(cards) == sorted(CARD_TEXTS[:52])
            assert all(1 <= bullet <= 6 for bullet in now["bullets"])


def test_own_cards_and_public_facts_stay():
    table = play(start(3, {1: "Kc Kd 9h 7s 3c"}), "0 pat, 1 exchange 3c 7s, 2 pat, 0 raise, 1 call, 2 fold, 0 pat")
    before = facts(table)
    states = table.states.copy()
    GAME.redeal(states[0], 1, new_stream(2))
    after = GAME.facts(states[0])
    assert after["cards"]["1"] == before["cards"]["1"]
    hidden = ("cards", "deck", "discards", "bullets")
    assert {k: v for k, v in after.items() if k not in hidden} == {k: v for k, v in before.items() if k not in hidden}
    assert after["cards"]["0"] != before["cards"]["0"]
    assert after["cards"]["2"] != before["cards"]["2"], "a folded hand is covered too"


def test_the_next_hand_is_new_as_well():
    """What a seat cannot know includes the luck of later hands."""
    table = play(start(2, bullets=[{0: 6, 1: 6}]), "0 pat, 1 pat")
    states = table.states.copy()
    GAME.redeal(states[0], 0, new_stream(2))
    world = table.clone()
    world.load(states[0])
    for each in (table, world):
        each.step(FOLD)
    if world.finished:
        assert facts(world)["winner"] == 1
    else:
        assert facts(world)["deck"] != facts(table)["deck"]
    assert RAISE == CALL + 1
