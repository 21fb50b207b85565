"""``tinhorn serve``: a frontend is told what the bot and the engine say, and of every mistake in one line."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from fastapi.testclient import TestClient

from contract.play import positions, redealt
from kuhn import GAME as KUHN
from tinhorn.bots import BY_RULE, RandomBot, load
from tinhorn.core.options import OptionError
from tinhorn.core.replay import Recorder
from tinhorn.core.rng import new_stream
from tinhorn.core.table import Table
from tinhorn.registry import get_game
from tinhorn_training.checkpoint import note, save
from tinhorn_training.cli import main
from tinhorn_training.config import Opponents
from tinhorn_training.errors import InputError
from tinhorn_training.league import League
from tinhorn_training.player import NetworkBot
from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of
from tinhorn_training.selfplay import SelfPlayPPO, Tables
from tinhorn_training.serve import make_app

EXPORTED = load("cold_hand-strong")
COLD_HAND = EXPORTED.game
HAND = get_game("hand_v0")


@pytest.fixture(scope="module")
def client():
    return TestClient(make_app(EXPORTED))


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A checkpoint that has learnt nothing."""
    path = tmp_path_factory.mktemp("runs") / "best.zip"
    tables = Tables(KUHN, [KUHN.options()], 8, League(KUHN, Opponents(snapshots=0.0, house=0.0)))
    model = SelfPlayPPO(ViewPolicy, tables, seed=1, policy_kwargs=policy_settings(KUHN, 8, [8], [8]))
    save(model, path, note(KUHN, 0, 0, {"players": [2]}))
    return load(path)


@pytest.fixture(scope="module")
def rummy():
    """A service of a rummy bot that has learnt nothing."""
    settings = policy_settings(HAND, 8, [8], [8])
    policy = ViewPolicy(*spaces_of(HAND.layout, HAND.actions.count), lambda _: 0.0, **settings)
    return TestClient(make_app(NetworkBot(policy, "rummy", game=HAND)))


def recorded(game, options, seed, most=10_000):
    """A game of random play, or its beginning, as its recorder."""
    recorder, bot, luck = Recorder(Table(game, options), seed), RandomBot(), new_stream(seed)
    table = recorder.table
    while not table.finished and len(recorder.replay.steps) < most:
        recorder.step(int(bot.act(table.view[None], table.mask[None], luck)[0]))
    return recorder


def refused(answer):
    """The one line of a refusal."""
    assert answer.status_code == 422
    body = answer.json()
    assert list(body) == ["detail"]
    assert "\n" not in body["detail"]
    return body["detail"]


def test_help_is_one_line(client):
    text = client.get("/").text
    assert text.count("\n") == 1
    assert all(path in text for path in ("cold_hand_v0", "/manifest", "/schema", "/move", "/table"))


def test_the_manifest_is_the_bundle_s_without_hashes(client):
    found = client.get("/manifest").json()
    assert found == {key: value for key, value in EXPORTED.manifest.items() if key != "files"} | {
        "name": "cold_hand-strong",
        "plays": "sampled",
    }


def test_a_checkpoint_tells_what_is_known(checkpoint):
    found = TestClient(make_app(checkpoint)).get("/manifest").json()
    assert (found["game"]["name"], found["game"]["version"]) == (KUHN.name, KUHN.version)
    assert [field["name"] for field in found["fields"]] == [field.name for field in KUHN.layout.fields]
    assert found["actions"]["table"] == list(KUHN.actions.static)
    assert (found["training"]["config"]["players"], found["plays"]) == ([2], "sampled")


def test_schema_and_openapi(client):
    assert client.get("/schema").json() == COLD_HAND.layout.schema()
    assert set(client.get("/openapi.json").json()["paths"]) == {"/", "/manifest", "/schema", "/move", "/table"}


def test_moves_are_the_bot_s(client):
    for table, rng in positions(COLD_HAND, COLD_HAND.options(num_players=2)):
        seen, legal, uniform = COLD_HAND.layout.to_json(table.view), table.legal_ids(), float(rng.random())
        answer = client.post("/move", json={"table": seen, "legal": legal, "uniform": uniform}).json()
        assert answer == EXPORTED.choose(seen, legal, uniform)
        assert table.is_legal(client.post("/move", json={"table": seen, "legal": legal}).json()["action"])


def test_a_checkpoint_s_moves_follow_its_probabilities(checkpoint):
    client = TestClient(make_app(checkpoint))
    for table, _ in positions(KUHN, KUHN.options(), count=4):
        seen, legal = KUHN.layout.to_json(table.view), table.legal_ids()
        ask = {"table": seen, "legal": legal}
        answers = [checkpoint.choose(seen, legal, k / 200) for k in range(200)]
        first = answers[0]
        assert client.post("/move", json=ask | {"uniform": 0.0}).json() == first
        assert checkpoint.choose(seen, legal, 0.0) == first
        assert first["probabilities"] == checkpoint.probabilities(table.view[None], table.mask[None])[0].tolist()
        played = [answer["action"] for answer in answers]
        assert set(played) <= set(legal)
        for action in legal:
            assert abs(played.count(action) / 200 - first["probabilities"][action]) < 0.15
        assert first["move"] == KUHN.actions.static[first["action"]]


def a_table():
    table = Table(COLD_HAND, COLD_HAND.options(num_players=2))
    table.reset(seed=1)
    return {"table": COLD_HAND.layout.to_json(table.view), "legal": table.legal_ids()}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"table": {}}, "field 'num_players' is missing"),
        ({"table": {"weather": 1}}, "unknown field 'weather'"),
        ({"legal": []}, "legal names no action"),
        ({"legal": [99]}, "legal takes ids of 0 to 28, each once"),
        ({"legal": [[1], [2, 3]]}, "legal takes ids"),
        ({"legal": ["x"]}, "legal takes ids"),
        ({"legal": [10**30]}, "legal takes ids"),
        ({"legal": 3}, "legal: "),
        ({"uniform": 2}, "uniform: "),
        ({"luck": 2}, "luck: "),
    ],
)
def test_a_move_that_cannot_be_answered(client, change, words):
    assert words in refused(client.post("/move", json=a_table() | change))


def test_a_table_out_of_range_names_the_field(client):
    asked = a_table()
    asked["table"]["num_players"] = 9
    assert "field 'num_players' takes 2 to 6, not 9" in refused(client.post("/move", json=asked))


def test_a_checkpoint_refuses_the_same(checkpoint):
    client = TestClient(make_app(checkpoint))
    assert "is missing" in refused(client.post("/move", json={"table": {}, "legal": [0]}))
    assert "legal takes ids" in refused(client.post("/move", json={"table": {}, "legal": [99]}))


@pytest.mark.parametrize("body", ["", "{", "[]", "3", "null"])
def test_a_body_that_is_no_object(client, body):
    answer = client.post("/move", content=body, headers={"Content-Type": "application/json"})
    assert "send a JSON object" in refused(answer)


def test_a_body_that_is_not_called_json(client):
    answer = client.post("/table", content=json.dumps({"replay": "{}"}), headers={"Content-Type": "text/plain"})
    assert "Content-Type: application/json" in refused(answer)


@pytest.mark.parametrize(("name", "players", "steps"), [("cold_hand", 3, 9), ("hand", 2, 15)])
def test_a_table_is_what_the_seat_to_act_sees(client, rummy, name, players, steps):
    service = {"cold_hand": client, "hand": rummy}[name]
    game = get_game(name)
    recorder = recorded(game, game.options(num_players=players), 5, steps)
    table, text = recorder.table, recorder.replay.text()
    answer = service.post("/table", json={"replay": text}).json()
    assert answer == {
        "turn": table.actor,
        "seat": table.actor,
        "table": game.layout.to_json(table.view),
        "legal": table.legal_ids(),
        "moves": table.legal_actions(),
        "finished": False,
        "rewards": recorder.replay.rewards,
    }
    assert service.post("/table", json={"replay": json.loads(text)}).json() == answer
    assert service.post("/table", json={"replay": recorder.replay.with_chance().text()}).json() == answer
    move = service.post("/move", json={"table": answer["table"], "legal": answer["legal"]}).json()["action"]
    assert table.is_legal(move)


@pytest.mark.parametrize("name", ["cold_hand", "hand"])
def test_no_seat_is_shown_more_than_its_view(client, rummy, name):
    """Deal anew what a seat may not see: the answer to it stays the same."""
    service, game = {"cold_hand": client, "hand": rummy}[name], get_game(name)
    recorder = recorded(game, game.options(num_players=2), 3, 12)
    table = recorder.table
    for seat in range(2):
        answer = service.post("/table", json={"replay": recorder.replay.text(), "seat": seat}).json()
        assert answer["seat"] == seat
        assert answer["table"] == game.layout.to_json(redealt(table, seat, 11).observe(seat)[1])
        assert bool(answer["legal"]) == bool(answer["moves"]) == (seat == table.actor == answer["turn"])
        assert set(answer) == {"turn", "seat", "table", "legal", "moves", "finished", "rewards"}


@pytest.mark.parametrize("name", ["cold_hand", "cowboy_draw", "hand"])
def test_a_frontend_without_an_engine_plays_by_requests_alone(client, rummy, name):
    service = {"cold_hand": client, "hand": rummy}.get(name) or TestClient(make_app(load("cowboy_draw-strong")))
    record = {"game": f"{name}_v0", "seed": 2, "steps": []}
    for _ in range(12):
        seen = service.post("/table", json={"replay": record}).json()
        asked = {"table": seen["table"], "legal": seen["legal"], "uniform": 0.5}
        action = service.post("/move", json=asked).json()["action"]
        record["steps"].append({"seat": seen["turn"], "action": seen["moves"][seen["legal"].index(action)]})
    assert service.post("/table", json={"replay": record}).status_code == 200


def test_the_end_of_a_game(client):
    recorder = recorded(COLD_HAND, COLD_HAND.options(num_players=2), 4)
    ended = client.post("/table", json={"replay": recorder.replay.text()}).json()
    assert ended == {
        "turn": None,
        "seat": None,
        "table": None,
        "legal": [],
        "moves": [],
        "finished": True,
        "rewards": recorder.replay.rewards,
    }
    last = client.post("/table", json={"replay": recorder.replay.text(), "seat": 1}).json()
    assert last["table"] == COLD_HAND.layout.to_json(recorder.table.observe(1)[1])
    assert last["legal"] == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"replay": "{"}, "line 1, column 2"),
        ({"replay": {"game": "bridge_v0"}}, "unknown game 'bridge'"),
        ({"replay": {"game": "hand_v0"}}, "the replay is of hand_v0; the bot here plays cold_hand_v0"),
        ({"replay": {"game": "cold_hand_v0", "chance": [{"opener": [5]}]}}, "before step 1: chance 'opener': 5"),
        ({"replay": {"game": "cold_hand_v0", "steps": [{"seat": 5, "action": {"type": "fold"}}]}}, "step 1: seat 5"),
        ({"seat": 7}, "seat 7: the seats are 0 to 3"),
        ({"seat": -1}, "seat -1"),
        ({"replay": 3}, "replay"),
    ],
)
def test_a_replay_that_cannot_be_played(client, change, words):
    assert words in refused(client.post("/table", json={"replay": {"game": "cold_hand_v0"}} | change))


def test_a_move_that_is_not_legal_says_what_is(client):
    record = {"game": "cold_hand_v0", "options": {"num_players": 2}, "seed": 1}
    turn = client.post("/table", json={"replay": record}).json()["turn"]
    wrong = client.post("/table", json={"replay": record | {"steps": [{"seat": turn, "action": {"type": "fold"}}]}})
    assert re.search(r"step 1, seat \d: fold is not legal .* legal: exchange", refused(wrong))
    late = client.post("/table", json={"replay": record | {"steps": [{"seat": 1 - turn, "clock": True}]}})
    assert f"step 1, seat {1 - turn}: it is the turn of seat {turn}" in refused(late)


def test_only_tables_of_one_size():
    client = TestClient(make_app(EXPORTED, players=2))
    record = {"game": "cold_hand_v0", "options": {"num_players": 3}}
    assert refused(client.post("/table", json={"replay": record})) == "the replay has 3 seats; tables here have 2"
    record["options"]["num_players"] = 2
    assert client.post("/table", json={"replay": record}).status_code == 200
    with pytest.raises(OptionError, match="this game seats 2 to 6"):
        make_app(EXPORTED, players=9)


def test_only_networks_are_served():
    with pytest.raises(InputError, match="random cannot be served"):
        make_app(load("random", COLD_HAND))


def test_pages_of_other_origins_may_ask_only_when_named():
    asked = {"Origin": "http://localhost:5173"}
    assert "access-control-allow-origin" not in TestClient(make_app(EXPORTED)).get("/", headers=asked).headers
    open_to = TestClient(make_app(EXPORTED, origins=[asked["Origin"]]))
    assert open_to.get("/", headers=asked).headers["access-control-allow-origin"] == asked["Origin"]


def error_of(monkeypatch, capsys, *arguments):
    """The line that ``tinhorn serve`` ends with, and its exit code."""
    monkeypatch.setattr("sys.argv", ["tinhorn", "serve", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error, left.value.code


def test_a_port_in_use_names_the_cure(monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        error, code = error_of(monkeypatch, capsys, "cold_hand-strong", "--port", taken.getsockname()[1])
    assert (code, "something listens there already; try another --port" in error) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "unknown bot 'nothing'"),
        (["nothing.zip"], "no such checkpoint"),
        (["cold_hand-strong", "--host", "192.0.2.1"], "give --host an address of this machine"),
        (["cold_hand-strong", "--players", "9"], "this game seats 2 to 6"),
        *((([f"{kind}:1"]), "cannot be served") for kind in BY_RULE),
    ],
)
def test_what_cannot_be_served_is_one_line_and_exit_code_2(monkeypatch, capsys, arguments, words):
    error, code = error_of(monkeypatch, capsys, *arguments)
    assert (code, words in error) == (2, True), error


@pytest.mark.parametrize("module", ["fastapi", "uvicorn"])
def test_a_missing_extra_names_the_cure(monkeypatch, capsys, module):
    monkeypatch.setitem(sys.modules, module, None)
    error, code = error_of(monkeypatch, capsys, "cold_hand-strong")
    assert (code, "pip install '.[serve]'" in error) == (2, True)


def test_the_command_line_loads_no_web_server_and_serving_an_export_no_torch():
    code = "import sys, tinhorn_training.cli; print(*({'fastapi', 'uvicorn'} & set(sys.modules)))"
    code += "; import tinhorn_training.serve; print(*({'torch', 'stable_baselines3'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "\n\n"


def test_a_command_whose_extra_is_missing_names_the_cure(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "tinhorn_training.checkpoint", raising=False)
    monkeypatch.setattr("sys.argv", ["tinhorn", "export", "no.zip", "--out", "nowhere"])
    with pytest.raises(SystemExit) as left:
        main()
    error = capsys.readouterr().err
    assert (left.value.code, error.count("\n")) == (2, 1)
    assert "needs the train extra" in error


def test_the_command_answers_until_it_is_stopped():
    command = [sys.executable, "-m", "tinhorn_training.cli", "serve", "cold_hand-strong", "--port", "0", "-n", "5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"NO_COLOR": "1"}) as process:
        assert process.stdout.readline() == "cold_hand-strong was trained for 2, 3, 4, 6 players, not for 5\n"
        said = process.stdout.readline()
        url = re.search(r"cold_hand-strong \(cold_hand_v0\) answers at (http://127\.0\.0\.1:\d+);", said)[1]
        with urllib.request.urlopen(f"{url}/schema", timeout=60) as answer:
            assert json.load(answer) == COLD_HAND.layout.schema()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert re.fullmatch(r"\d\d:\d\d:\d\d GET /schema HTTP/1.1 200 OK\n", rest)
    assert process.returncode == 130
