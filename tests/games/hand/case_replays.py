"""The worked cases and whole matches as replays. `python -m games.hand.case_replays`, in ``tests/``, writes them."""

from pathlib import Path

import tinhorn.registry  # noqa: F401  (makes the games known)
from games.hand.case import Case
from games.hand.cases import CASES
from games.hand.moves import as_action
from tinhorn.bots import HouseBot
from tinhorn.core.replay import Recorder, Replay
from tinhorn.core.rng import new_stream
from tinhorn.core.table import Table
from tinhorn.games.hand import GAME

FOLDER = Path(__file__).parent / "replays"
MATCHES = {"match_of_two": (2, False, 16), "match_of_teams": (4, True, 0)}  # players, teams, seed


def case_path(case: Case) -> Path:
    return FOLDER / f"{case.id.replace('-', '_')}.replay"


def case_replay(case: Case) -> Replay:
    """A case as a replay: the same position, moves, refusals and facts."""
    options = GAME.options(num_players=case.players, teams=case.teams)
    table = Table(GAME, options)
    table.reset(1, position=case.position())
    steps = []
    for move in case.play:
        steps.append({"seat": table.actor, "action": as_action(move)})
        table.step(table.parse(as_action(move)))
    steps += [{"seat": table.actor, "refused": as_action(move)} for move in case.refused]
    facts = dict(_fact(table, name, value) for name, value in case.facts.items())
    return Replay(
        game=GAME,
        options=options,
        seed=1,
        position=case.position(),
        steps=steps + ([{"expect": facts}] if facts else []),
        words={"title": case.id.replace("-", " "), "why": case.why, "rules": list(case.rules)},
    )


def _fact(table: Table, name: str, value: object) -> tuple[str, object]:
    if name == "hand":
        hands: list[object] = [{"count": len(hand)} for hand in GAME.facts(table.state)["hands"]]
        hands[table.actor] = value
        return "hands", hands
    if name == "cards":
        return "table", [{"cards": cards.split()} for cards in value]
    return name, value


def match_replay(players: int, teams: bool, seed: int) -> Replay:
    """A match of house bots; after every deal its result."""
    recorder = Recorder(Table(GAME, GAME.options(num_players=players, teams=teams)), seed)
    table, bot, stream = recorder.table, HouseBot(GAME), new_stream(seed)
    expects = []
    while not table.finished:
        deal = int(table.state["deal"])
        recorder.step(int(bot.act(table.view[None], table.mask[None], stream)[0]))
        if table.state["deal"] != deal:
            now = GAME.facts(table.state)
            facts = {name: now[name] for name in ("scores", "result", "deal", "winners")}
            expects.append((len(recorder.replay.steps), {"expect": facts}))
    replay = recorder.replay
    for place, step in reversed(expects):
        replay.steps.insert(place, step)
    return replay


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        case_replay(case).save(case_path(case))
    for name, match in MATCHES.items():
        match_replay(*match).save(FOLDER / f"{name}.replay")
