"""The worked cases and whole games as replay files, played by the engine with every fact checked."""

import pytest

from games.cold_hand.case_replays import FOLDER, case_path, case_replay
from games.cold_hand.cases import CASES
from tinhorn.core.replay import Replay

FILES = sorted(FOLDER.glob("*.replay"))
WHOLE = sorted(FOLDER.glob("game_*.replay"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay_file(path):
    assert [str(difference) for difference in Replay.load(path).check()] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_case_has_its_file(case):
    assert case_path(case).read_text() == case_replay(case).text()


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_whole_game_ends_and_pays(path):
    replay = Replay.load(path)
    assert sorted(replay.rewards)[-1] == 1
    assert sum(replay.rewards) == pytest.approx(0)


def test_a_case_with_a_wrong_fact_is_found():
    case = CASES[0]
    replay = case_replay(case)
    place = next(k for k, step in enumerate(replay.steps) if "stakes" in step.get("expect", {}))
    replay.steps[place]["expect"]["stakes"] += 1
    (found,) = replay.check()
    assert (found.step, found.field) == (place + 1, "stakes")
