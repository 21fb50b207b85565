"""Masks are exact, actions have words, rewards add up, forced moves can be skipped, options are checked."""

import dataclasses

import numpy as np
import pytest

from contract.play import begin, every_game, every_table, positions, smallest_and_largest
from tinhorn.core.batch import Batch
from tinhorn.core.options import OptionError
from tinhorn.core.table import IllegalActionError


@every_table
def test_exactly_the_masked_ids_can_be_played(game, options):
    """An illegal id raises and changes nothing; a legal one is played and changes the state."""
    for table, rng in positions(game, options):
        before = table.states.tobytes()
        assert len(table.legal_ids()) > 0
        assert set(np.unique(table.mask)) <= {0, 1}
        illegal = np.flatnonzero(table.mask == 0)
        for action in rng.permutation(illegal)[:40].tolist():
            with pytest.raises(IllegalActionError, match="legal"):
                table.step(action)
            assert table.states.tobytes() == before
        for action in rng.permutation(table.legal_ids())[:12].tolist():
            twin = table.clone()
            twin.step(action)
            assert twin.states.tobytes() != before
            assert twin.state.ply == table.state.ply + 1


@every_table
def test_what_is_no_id_is_refused(game, options):
    table = begin(game, options, 1)
    before = table.states.tobytes()
    for wrong in (-1, 10**9, "0", 1.0, None, [0]):
        with pytest.raises(IllegalActionError):
            table.step(wrong)
        assert table.states.tobytes() == before


@every_table
def test_words_and_ids_are_inverse(game, options):
    for table, _ in positions(game, options):
        words = table.legal_actions()
        assert [table.parse(action) for action in words] == table.legal_ids()
        static = [game.actions.static[action] for action in table.legal_ids()]
        assert [table.parse(action) for action in static] == table.legal_ids(), "as a bot names them"
        assert len({str(action) for action in words}) == len(words), "no two actions read alike"
        for wrong in ({}, {"type": "nonsense"}, {"type": None}):
            with pytest.raises(IllegalActionError, match="legal: "):
                table.parse(wrong)


@every_game
def test_the_action_table_names_every_id(game):
    assert sum(block.size for block in game.actions.blocks) == game.actions.count
    at = 0
    for block in game.actions.blocks:
        assert game.actions.start(block.name) == at
        assert block.meaning.endswith(".")
        at += block.size


@every_table
def test_the_clock_plays_a_legal_action(game, options):
    for table, _ in positions(game, options):
        before = table.states.tobytes()
        assert table.is_legal(table.timeout_action())
        assert table.states.tobytes() == before


@every_table
def test_episodes_end_and_rewards_sum_to_zero(game, options):
    batch = Batch(game, 24, options, seed=6, autoreset=False)
    total, rng, players = np.zeros_like(batch.rewards), np.random.default_rng(2), options.num_players
    for _ in range(20_000):
        if batch.finished.all():
            break
        actions = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        was_finished = batch.finished.copy()
        batch.step(actions)
        total += batch.rewards
        assert not batch.rewards[was_finished != 0].any(), "nothing happens after the end"
    assert batch.finished.all()
    assert np.abs(total.sum(axis=1)).max() < 1e-9
    assert not total[:, players:].any()
    assert not batch.masks.any()
    assert (batch.actors == -1).all()
    assert batch.states.out[:, :players].all()
    for measure in game.measures:
        figures = [measure.of(batch.states, np.full(24, seat)) for seat in range(players)]
        assert np.isfinite(figures).all()
        assert np.isfinite(measure.fair(players))


@every_table
def test_after_the_end_there_is_nothing_to_play(game, options):
    table, rng = begin(game, options, 2), np.random.default_rng(3)
    while not table.finished:
        table.step(int(rng.choice(table.legal_ids())))
    before = table.states.tobytes()
    for act in (lambda: table.step(0), table.timeout_action):
        with pytest.raises(IllegalActionError, match="over"):
            act()
    assert table.states.tobytes() == before
    assert table.legal_actions() == []
    assert "\n" not in game.title
    assert game.text(table.state, 0)
    for seat in range(options.num_players):
        view = table.observe(seat)[1]
        assert (view >= game.layout.lows).all()
        assert (view <= game.layout.highs).all()


@smallest_and_largest
def test_skipped_forced_moves_are_the_ones_there_were(game, options):
    """A table that plays forced moves inside the engine goes the same way as one that plays them outside."""
    for seed in range(3):
        quick, plain = begin(game, options, seed, skip_forced=True), begin(game, options, seed)
        rng, earned = np.random.default_rng(seed), np.zeros((2, 6))
        for _ in range(300):
            while not plain.finished and len(plain.legal_ids()) == 1:
                plain.step(plain.legal_ids()[0])
                earned[1] += plain.state.rewards
            assert quick.states["ply"] == plain.states["ply"]
            assert quick.view.tobytes() == plain.view.tobytes()
            assert quick.mask.tobytes() == plain.mask.tobytes()
            assert quick.actor == plain.actor
            if plain.finished:
                break
            assert len(quick.legal_ids()) > 1
            action = int(rng.choice(plain.legal_ids()))
            for table, total in zip((quick, plain), earned, strict=True):
                table.step(action)
                total += table.state.rewards
        while not plain.finished and len(plain.legal_ids()) == 1:
            plain.step(plain.legal_ids()[0])
            earned[1] += plain.state.rewards
        assert np.allclose(*earned)
        states = quick.states.copy(), plain.states.copy()
        for state in states:
            state.rewards = 0
        assert states[0].tobytes() == states[1].tobytes()


@every_game
def test_wrong_options_are_refused(game):
    counts = game.options.player_counts
    for wrong in (counts[0] - 1, counts[-1] + 1, 7, 0, -2, "2", 2.0, None, True):
        with pytest.raises(OptionError, match=r"num_players=.*this game seats"):
            game.options.make({"num_players": wrong})
    with pytest.raises(OptionError, match=r"unknown option 'colour'; the options are: .*num_players"):
        game.options.make({"colour": "red"})
    assert game.options.make({}) == game.options()
    for field in dataclasses.fields(game.options):
        for wrong in wrong_values(field):
            with pytest.raises(OptionError, match=field.name):
                game.options.make({field.name: wrong})
    for entry in game.options.describe():
        assert entry["meaning"].endswith(".")
        assert entry["range"]


def wrong_values(field):
    """Values that a declared option must not take."""
    if "choices" in field.metadata:
        return (object(), "no such choice")
    if isinstance(field.default, bool):
        return ("yes", 1, None)
    if "low" in field.metadata:
        return (field.metadata["low"] - 1, field.metadata["high"] + 1, "1", 1.5, True)
    return ()


@every_table
def test_the_static_table_reads_as_its_own_ids(game, options):
    """What an entry of the action table says can be parsed, where it says everything."""
    table = begin(game, options, 3)
    for action in table.legal_ids():
        entry = game.actions.static[action]
        if entry["type"] == "exchange":
            assert table.parse(entry) == action


@every_game
def test_an_exchange_without_cards_is_refused(game):
    table = begin(game, game.options(), 3)
    if any(block.name == "exchange" for block in game.actions.blocks):
        drawing = "exchange" in {move["type"] for move in table.legal_actions()}
        with pytest.raises(IllegalActionError, match="say which cards" if drawing else "there is no draw now"):
            table.parse({"type": "exchange"})
