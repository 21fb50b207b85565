"""The worked cases and whole matches as replay files, played by the engine with every fact checked."""

import pytest

from games.hand.case_replays import FOLDER, MATCHES, case_path, case_replay
from games.hand.cases import CASES
from tinhorn.core.replay import Replay

FILES = sorted(FOLDER.glob("*.replay"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay_file(path):
    assert [str(difference) for difference in Replay.load(path).check()] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_case_has_its_file(case):
    assert case_path(case).read_text() == case_replay(case).text()


def test_whole_matches_end_and_pay():
    """Among them a Hand of -60 (HA-18), and a match that a team wins (HA-19, HA-20)."""
    two, teams = (Replay.load(FOLDER / f"{name}.replay") for name in MATCHES)
    results = [step["expect"]["result"] for step in two.steps if "expect" in step]
    assert [60, -60] in [result["points"] for result in results]
    assert len(results) == 5
    assert teams.rewards == [0.5, -0.5, 0.5, -0.5]


def test_a_wrong_fact_is_found():
    replay = case_replay(next(case for case in CASES if case.id == "hand-doubles"))
    replay.steps[-1]["expect"]["scores"] = [-60, 100]
    (found,) = replay.check()
    assert (found.field, found.expected, found.found) == ("scores[1]", 100, 200)
