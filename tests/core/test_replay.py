"""Replays: a record plays again exactly, says where it differs, and refuses what is broken."""

import copy
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tinhorn
from tinhorn.core.batch import Batch
from tinhorn.core.replay import Difference, Recorder, Replay, ReplayError, compare, record
from tinhorn.core.table import IllegalActionError, Table
from tinhorn.registry import get_game, list_games

GAME = get_game("cold_hand_v0")
PAT = {"type": "exchange", "cards": []}
STEPS = [
    {"seat": 0, "refused": {"type": "call"}},
    {"seat": 0, "action": PAT},
    {"seat": 1, "clock": PAT},
    {"expect": {"phase": "bet1", "stakes": 1, "legal": ["call", "raise", "fold"], "rewards": [0, 0]}},
    {"seat": 0, "action": {"type": "raise"}},
    {"seat": 1, "action": {"type": "call"}},
]
DECK = "Kc Ac Kd Qd 9h 9c 7s 7d 3c 5c"


def written(**changes):
    """The text of a record by hand."""
    made = {
        "game": "cold_hand_v0",
        "options": {"num_players": 2},
        "chance": [{"opener": [0], "deck": DECK}],
        "steps": STEPS,
    }
    return json.dumps(made | changes)


def random_record(game, seed, players=None):
    options = game.options.make({} if players is None else {"num_players": players})
    recorder = Recorder(Table(game, options), seed)
    chooser = np.random.default_rng(seed)
    while not recorder.table.finished:
        recorder.step(int(chooser.choice(recorder.table.legal_ids())))
    return recorder


def end_of(replay):
    """The last state of a record that plays without a difference."""
    states = []
    assert replay.check(lambda number, step, table: states.append(table.state.tobytes())) == []
    return states[-1]


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.id)
def test_a_recorded_game_plays_again_to_the_same_state(game):
    for players in game.options.player_counts:
        recorder = random_record(game, seed=players, players=players)
        replay = Replay.parse(recorder.replay.text())
        assert replay == recorder.replay
        assert replay.rewards == recorder.replay.rewards
        assert end_of(replay) == recorder.table.state.tobytes()


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.id)
def test_with_chance_named_the_seed_no_longer_matters(game):
    named = random_record(game, seed=3).replay.with_chance()
    again = replace(Replay.parse(named.text()), seed=12345)
    assert again.check() == []
    assert again.with_chance().chance == named.chance


def test_the_same_chance_goes_into_an_environment():
    replay = random_record(GAME, seed=8, players=3).replay.with_chance()
    env = tinhorn.make("cold_hand_v0", num_players=3)
    env.reset(seed=99, options={"chance": replay.chance})
    for step in replay.steps:
        assert env.agent_selection == f"player_{step['seat']}"
        env.step(env.parse(step["action"]))
    assert [env.rewards[agent] for agent in env.possible_agents].count(1.0) == 1
    assert not env.table._script[0].keys() - {"deck", "second_deck", "bullets", "opener"}


def test_a_batch_is_recorded_from_its_seed_and_actions():
    batch = Batch(GAME, 3, seed=5, autoreset=False)
    seed, actions, rewards = int(batch.seeds[1]), [], 0
    while not batch.finished[1]:
        chosen = np.array([np.flatnonzero(mask)[-1] if mask.any() else 0 for mask in batch.masks])
        actions.append(chosen[1])
        batch.step(chosen)
        rewards = rewards + batch.rewards[1, : batch.options[0].num_players]
    replay = record(GAME, batch.options[0], seed, actions)
    assert replay.check() == []
    assert replay.rewards == rewards.tolist()


def test_a_record_by_hand_plays():
    assert Replay.parse(written()).check() == []


def test_differences_say_step_seat_field_and_both_values():
    steps = copy.deepcopy(STEPS)
    steps[3]["expect"] = {"stakes": 3, "cards": {"1": "Ac Qd 9c 7d 4c"}, "alive": [True, False]}
    found = Replay.parse(written(steps=steps, rewards=[1, -1])).check()
    assert [(entry.step, entry.field, entry.expected, entry.found) for entry in found] == [
        (4, "stakes", 3, 1),
        (4, "cards.1", "Ac Qd 9c 7d 4c", ["Ac", "Qd", "9c", "7d", "5c"]),
        (4, "alive[1]", False, True),
        (7, "rewards[0]", 1, 0.0),
        (7, "rewards[1]", -1, 0.0),
    ]
    assert str(found[0]) == "step 4: stakes: expected 3, found 1"


@pytest.mark.parametrize(
    ("step", "field", "words"),
    [
        ({"seat": 1, "action": PAT}, "turn", "step 1, seat 1: it is the turn of seat 0"),
        ({"seat": 0, "action": {"type": "call"}}, "action", "this is a draw round"),
        ({"seat": 0, "action": {"type": "exchange", "cards": ["2c"]}}, "action", "the hand is Kd Kc 9h 7s 3c"),
        ({"seat": 0, "refused": PAT}, "refused", "found it is legal"),
        ({"seat": 0, "clock": {"type": "fold"}}, "clock", 'expected {"type": "fold"}, found {"type": "exchange"'),
    ],
)
def test_a_move_that_cannot_be_played_ends_the_check(step, field, words):
    (found,) = Replay.parse(written(steps=[step, *STEPS[1:]])).check()
    assert (found.step, found.field) == (1, field)
    assert words in str(found)


def test_a_move_after_the_end_is_a_difference():
    replay = random_record(GAME, seed=1).replay
    longer = replace(replay, steps=[*replay.steps, {"seat": 0, "action": PAT}])
    assert str(longer.check()[0]).endswith(": the game is over")


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"b": None}, {"a": 1}, True),
        ({"a": None}, {"a": 1}, False),
        ("Kd As", ["As", "Kd"], True),
        ("Kd", ["As", "Kd"], False),
        ({"count": 2}, ["As", "Kd"], True),
        ({"count": 3}, ["As", "Kd"], False),
        (["Kd", "As"], ["As", "Kd"], False),
        ([{"a": 1}], [{"a": 1, "b": 2}], True),
        ([{"a": 1}], [], False),
        (0.5, 0.5 + 1e-12, True),
        (0.5, 0.6, False),
        (1, "1", False),
    ],
)
def test_compare(expected, found, same):
    assert (not list(compare(expected, found))) is same


@pytest.mark.parametrize(
    ("legal", "same"),
    [
        (["fold", "call", "raise"], True),
        (["call", "fold"], False),
        (["call", "raise", "fold", "check"], False),
        ([], False),
        ("call", False),
        ([{"type": "call"}, "raise", "fold"], True),
    ],
)
def test_legal_actions_are_named_completely(legal, same):
    steps = [*STEPS[1:3], {"expect": {"legal": legal}}]
    assert (Replay.parse(written(steps=steps)).check() == []) is same


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "cold_hand"}, "game 'cold_hand': give name and version"),
        ({"game": "bridge_v0"}, "unknown game 'bridge'; the games are: "),
        ({"game": "cold_hand_v7"}, "this replay is of cold_hand_v7; the game here is cold_hand_v0"),
        ({"game": 3}, "game: 3 must be a text"),
        ({"replay": 9}, "replay format 9: this version reads format 1"),
        ({"step": []}, "unknown key 'step'; a replay has: "),
        ({"options": {"num_players": 9}}, "options: num_players=9: this game seats 2 to 6"),
        ({"options": {"stacks": 9}}, "options: unknown option 'stacks'"),
        ({"seed": "x"}, "seed: x must be a whole number"),
        ({"chance": {"deck": DECK}}, "must be a list [...]"),
        ({"chance": [{"dice": [1]}]}, "unknown key 'dice'; chance has: deck"),
        ({"chance": [{"deck": "Kc Kc"}]}, "chance 'deck': Kc is named twice"),
        ({"chance": [{"deck": "Kc 1c"}]}, "'1c' is no card"),
        ({"chance": [{"bullets": [True]}]}, "True is no whole number"),
        ({"chance": [{"bullets": 3}]}, "3 is no list: give numbers"),
        ({"chance": ["deck"]}, "must be a mapping"),
        ({"steps": [{"seat": 0}]}, "step 1: give seat and one of action, clock, refused; or expect alone"),
        ({"steps": [{"seat": 0, "action": PAT, "clock": True}]}, "step 1: give seat and one of"),
        ({"steps": [{"action": PAT}]}, "step 1: give seat"),
        ({"steps": [{"seat": 2, "action": PAT}]}, "step 1: seat 2: the seats are 0 to 1"),
        ({"steps": [{"seat": 0, "action": "call"}]}, "step 1: action: call must be a mapping"),
        ({"steps": [{"seat": 0, "act": PAT}]}, "step 1: unknown key 'act'"),
        ({"steps": ["call"]}, "step 1: call must be a mapping"),
    ],
)
def test_a_broken_record_is_refused_in_one_line(changes, words):
    with pytest.raises(ReplayError) as error:
        Replay.parse(written(**changes))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"game": "cold_hand_v0",\n "steps": [}', "line 2, column"),
        ("[]", "it is not a JSON object"),
        ("[" * 100_000, "nested too deep"),
        ("{}", "'game' is missing"),
        ('{"game": "cold_hand_v0", "seed": 1, "seed": 2}', "'seed' stands twice"),
    ],
)
def test_broken_text_is_refused_in_one_line(text, words):
    with pytest.raises(ReplayError) as error:
        Replay.parse(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read_are_named(tmp_path):
    binary = tmp_path / "binary.replay"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, words in ((tmp_path / "none.replay", "No such file"), (binary, "no text"), (tmp_path, "directory")):
        with pytest.raises(ReplayError, match=f"{path}: .*{words}"):
            Replay.load(path)


def test_impossible_luck_is_refused_with_its_step():
    with pytest.raises(ReplayError, match="before step 1: chance 'opener'"):
        Replay.parse(written(chance=[{"opener": [5]}])).check()
    # Kc is in a hand, so it cannot be on top of the second deck (CH-4).
    script = [{"opener": [0], "deck": DECK, "second_deck": "Kc"}]
    calls = [{"seat": 0, "action": {"type": "call"}}, {"seat": 1, "action": {"type": "call"}}]
    with pytest.raises(ReplayError, match="step 4: chance 'second_deck': 'Kc' at place 0 is not in this deck"):
        Replay.parse(written(chance=script, steps=[*STEPS[1:3], *calls])).check()


def test_an_unknown_fact_is_refused_even_when_it_should_be_absent():
    with pytest.raises(ReplayError, match="step 1: unknown fact 'steaks'; the facts are: phase"):
        Replay.parse(written(steps=[{"expect": {"steaks": None}}])).check()


def test_a_recorder_notes_only_what_was_played():
    recorder = Recorder(Table(GAME), 1)
    with pytest.raises(IllegalActionError):
        recorder.step(-1)
    assert recorder.replay.steps == []
    with pytest.raises(ValueError, match="skip_forced=False"):
        Recorder(Table(GAME, skip_forced=True))


def test_saved_text_is_one_step_a_line(tmp_path: Path):
    replay = random_record(GAME, seed=2).replay
    replay.save(tmp_path / "game.replay")
    lines = (tmp_path / "game.replay").read_text().splitlines()
    assert sum('"seat":' in line for line in lines) == len(replay.steps)
    assert Replay.load(tmp_path / "game.replay") == replay


def test_a_difference_in_words():
    assert str(Difference(2, None, "pot", [1], {"a": 2})) == 'step 2: pot: expected [1], found {"a": 2}'
