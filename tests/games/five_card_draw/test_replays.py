"""Worked hands as replay files, played by the engine with every fact checked."""

from pathlib import Path

import pytest

import tinhorn.registry  # noqa: F401  (makes the games known)
from tinhorn.core.replay import Replay

FILES = sorted((Path(__file__).parent / "replays").glob("*.replay"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay_file(path):
    assert [str(difference) for difference in Replay.load(path).check()] == []


def test_a_wrong_fact_is_found():
    replay = Replay.load(next(path for path in FILES if path.stem == "three_all_in"))
    facts = next(step["expect"] for step in replay.steps if "last_hand" in step.get("expect", {}))
    facts["last_hand"]["pots"][1]["chips"] += 1
    (found,) = replay.check()
    assert found.field == "last_hand.pots[1].chips"
