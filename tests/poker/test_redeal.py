"""Redealing draw poker: nothing is lost, and every deal that fits is as likely as it was.

When everybody exchanges at random, what a seat cannot see is spread evenly over the deals that fit what it sees. So any
figure has the same mean over real tables and over the same tables dealt anew.
"""

import numpy as np
import pytest

from tinhorn.core.batch import Batch
from tinhorn.core.kernel import kernel
from tinhorn.core.rng import new_stream
from tinhorn.games.cowboy_draw import GAME as COWBOY
from tinhorn.games.five_card_draw import GAME
from tinhorn.games.five_card_draw.options import FiveCardDrawOptions
from tinhorn.poker.ranking import hand_strength
from tinhorn.poker.redeal import redeal_cards

COUNT, CHECK = 20_000, 32
STAGES = ("dealt", "in the draw", "after the draw", "reshuffled", "after the reshuffle")


@kernel
def redeal_all(states, seat, stream):
    for i in range(states.shape[0]):
        redeal_cards(states[i], seat, stream)


@kernel
def strengths_of(states, seat, out):
    for i in range(states.shape[0]):
        out[i] = hand_strength(states[i].hands[seat])


def strengths(states, seat):
    out = np.zeros(len(states), np.int64)
    strengths_of(states, seat, out)
    return out / 7461


def played(stage):
    """Tables on which all check and exchange at random; whole hands where the deck is to run out."""
    out_of_cards = STAGES.index(stage) > 2
    options = FiveCardDrawOptions(num_players=6 if out_of_cards else 3)
    batch, rng = Batch(GAME, COUNT, options, seed=3, autoreset=False), np.random.default_rng(3)
    turns = dict(zip(STAGES, (0, 5, 6, 11, 12), strict=True))[stage]
    for _ in range(turns):
        thrown = rng.integers(26, 32, COUNT) if out_of_cards else rng.integers(0, 32, COUNT)
        batch.step(np.where(batch.masks[:, CHECK] != 0, CHECK, thrown))
    states = batch.states[batch.states.reshuffled == 1] if out_of_cards else batch.states
    return states.copy()


def figures(states, looks, other):
    """What can be told of each table, by name: float64[N]."""
    hands, thrown = states.hands.astype(int), states.thrown.astype(int)
    deck_top = states.cards[np.arange(len(states)), np.minimum(states.next_card, 51)].astype(int)
    mine, theirs = strengths(states, looks), strengths(states, other)
    own = thrown[:, looks]
    back = (own[:, :, None] == hands[:, other, None, :]) & (own[:, :, None] >= 0)
    same = (hands[:, other] // 4)[:, :, None] == (hands[:, looks] // 4)[:, None, :]
    again = (thrown[:, other, :, None] == hands[:, other, None, :]) & (thrown[:, other, :, None] >= 0)
    return {
        "strength of the other": theirs,
        "strength, squared": theirs**2,
        "together with the own": mine * theirs,
        "own discards that the other holds": back.sum(axis=(1, 2)),
        "own discard on top of the deck": (own == deck_top[:, None]).any(axis=1),
        "rank of the card on top": deck_top // 4,
        "ranks in common": same.sum(axis=(1, 2)),
        "the other's discards": (thrown[:, other] // 4).sum(axis=1),
        "the other's discards that came back to it": again.sum(axis=(1, 2)),
    }


def cards_of(state):
    """Where all 52 cards are: hands, deck, discards that have not been shuffled back."""
    hands = state["hands"][state["hands"] >= 0].tolist()
    muck = [card for seat in range(6) if not state["thrown_back"][seat] for card in state["thrown"][seat] if card >= 0]
    return sorted(hands + muck + state["cards"][state["next_card"] : state["deck_end"]].tolist())


@pytest.mark.parametrize(("looks", "other"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("stage", STAGES)
def test_a_redealt_table_is_like_a_real_one(stage, looks, other):
    real = played(stage)
    assert len(real) > 500
    again = real.copy()
    redeal_all(again, looks, new_stream(1))
    before, after = np.zeros(GAME.layout.size, np.int32), np.zeros(GAME.layout.size, np.int32)
    for row in range(200):
        GAME.view(real[row], looks, before)
        GAME.view(again[row], looks, after)
        assert (before == after).all(), "it looks the same"
        assert cards_of(again[row]) == list(range(52))
        if again[row]["reshuffled"]:
            muck = sorted(again[row]["cards"][: again[row]["deck_end"]].tolist())
            back = again[row]["thrown"][again[row]["thrown_back"] == 1]
            assert sorted(back[back >= 0].tolist()) == muck, "the reshuffled deck is what was thrown before"
    assert (real.hands[:, other] != again.hands[:, other]).any(axis=1).mean() > 0.9
    was, now = figures(real, looks, other), figures(again, looks, other)
    for name in was:
        difference = now[name].astype(float) - was[name]
        error = difference.std() / np.sqrt(len(real))
        assert abs(difference.mean()) <= 4.5 * error + 1e-12, name


def test_choices_in_a_simultaneous_draw_are_hidden_too():
    """CD-5: what others have chosen follows the cards that they are dealt anew."""
    batch = Batch(COWBOY, 300, seed=5)
    for _ in range(7):
        check = 26
        batch.step(np.where(batch.masks[:, check] != 0, check, 0))
    before, after = np.zeros(COWBOY.layout.size, np.int32), np.zeros(COWBOY.layout.size, np.int32)
    changed = 0
    for state in batch.states:
        seat, choices = int(state["actor"]), state["choices"].tolist()
        COWBOY.view(state, seat, before)
        COWBOY.redeal(state, seat, new_stream(3))
        COWBOY.view(state, seat, after)
        assert (before == after).all()
        chosen = [other for other in range(4) if other != seat]
        assert all(state["choices"][other] >= 0 for other in chosen)
        changed += any(state["choices"][other] != choices[other] for other in chosen)
    assert changed > 200
