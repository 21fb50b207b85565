"""A person at the terminal: typed moves, nothing hidden on the screen, clean ways out, a record that plays again."""

import io
import os
import re
import select
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from tinhorn.bots import load
from tinhorn.core.cards import card_text
from tinhorn.core.replay import Replay
from tinhorn.core.table import IllegalActionError, Table, move_text
from tinhorn.registry import get_game, list_games
from tinhorn_training.cli import app
from tinhorn_training.errors import InputError
from tinhorn_training.play import TerminalGame, seat_bots
from tinhorn_training.typed_moves import read_move

GAME = get_game("cold_hand_v0")
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jo)\b")


class Person:
    """Types what it is given, then random legal moves by number, and keeps an eye on the screen."""

    def __init__(self, game, players, seed, lines=(), seat=0, moves=10_000):
        self.lines, self.moves, self.chooser = list(lines), moves, np.random.default_rng(seed)
        self.screen, self.windows, self.read = io.StringIO(), [], 0
        options = game.options.make({"num_players": players} if players else {})
        bots = seat_bots(
            [load("house", game), load("random", game)][: options.num_players - 1], options.num_players, seat
        )
        console = Console(file=self.screen, width=200)
        self.game = TerminalGame(game, options, bots, seat, seed=seed, console=console, ask=self.type)
        self.visible = set()
        inner = self.game._recorder.step

        def step(action):
            self.look()
            block = game.actions.block(action)
            if block is not None and block.shown:
                self.visible |= set(CARD.findall(move_text(game.actions.describe(self.game.table.state, action))))
            inner(action)
            self.look()

        self.game._recorder.step = step

    def look(self):
        """Take down the cards that the person's view, its own moves and the public part of the table hold."""
        layout = self.game.game.layout
        _, view, _ = self.game.table.observe(self.game.seat)
        for field in layout.fields:
            if field.cards:
                start = layout.at(field.name)
                self.visible |= {card_text(int(code)) for code in view[start : start + field.size] if code >= 0}
        table = self.game.table
        texts = [self.game.game.text(table.state, None)]
        if table.actor == self.game.seat:
            texts += map(move_text, table.legal_actions())
        self.visible |= set(CARD.findall(" ".join(texts)))

    def new_text(self):
        text = self.screen.getvalue()[self.read :]
        self.read += len(text)
        return text

    def type(self, prompt):
        self.look()
        self.windows.append((self.new_text(), frozenset(self.visible)))
        self.visible.clear()
        self.look()
        if self.lines:
            return self.lines.pop(0)
        if not self.moves:
            raise EOFError
        self.moves -= 1
        return str(self.chooser.integers(1, len(self.game.table.legal_ids()) + 1))


def table_at(seed=0, players=2, *moves):
    table = Table(GAME, GAME.options(num_players=players))
    table.reset(seed)
    for move in moves:
        table.step(table.parse(move))
    return table


PAT = {"type": "exchange", "cards": []}


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.id)
def test_a_game_is_played_to_its_end_and_recorded(game):
    person = Person(game, None, seed=4)
    assert person.game.run()
    assert person.game.table.finished
    assert re.search(r"You win|You lose|The game is over", person.screen.getvalue())
    assert Replay.parse(person.game.replay.text()).check() == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", [game for game in list_games() if game.name != "kuhn"], ids=lambda game: game.id)
def test_the_screen_shows_only_what_the_seat_may_see(game, seed):
    person = Person(game, None, seed=seed)
    person.game.run()
    person.look()
    windows = [*person.windows, (person.new_text(), person.visible)]
    assert sum(len(CARD.findall(text)) for text, _ in windows) > 10
    for text, visible in windows:
        assert set(CARD.findall(text)) <= visible


def test_hint_is_what_the_house_would_do_and_changes_nothing():
    plain, hinted = Person(GAME, 3, 9), Person(GAME, 3, 9, ["hint"] * 5)
    plain.game.run()
    hinted.game.run()
    assert plain.game.replay.steps == hinted.game.replay.steps
    assert hinted.screen.getvalue().count("the house bot would exchange") == 5


@pytest.mark.parametrize("game", [game for game in list_games() if game.advice], ids=lambda game: game.id)
def test_a_hint_also_says_what_the_game_works_out(game):
    person = Person(game, None, 9, ["hint"], moves=0)
    person.game.run()
    for line in game.advice(person.game.table.state, 0).splitlines():
        assert line in person.screen.getvalue()


def test_words_and_mistakes_make_no_move():
    person = Person(GAME, 2, 1, ["help", "list", "table", "", "?", "undo", "back", "99", "fold", "deal 7"], moves=0)
    assert not person.game.run()
    shown = person.screen.getvalue()
    assert person.game.table.actor == 0
    assert len([step for step in person.game.replay.steps if step["seat"] == 0]) == 0
    assert shown.count("is no move now") == 3
    assert "fold is not legal now: this is a draw round; the moves: exchange" in shown
    assert "type a number of 1 to 26" in shown
    assert "leave the game" in shown


@pytest.mark.parametrize("word", ["quit", "q", "QUIT", "exit"])
def test_quit(word):
    assert not Person(GAME, 2, 1, [word]).game.run()


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("call", {"type": "call"}),
        ("CALL", {"type": "call"}),
        ("r", {"type": "raise"}),
        ("1", {"type": "call"}),
        ("3", {"type": "fold"}),
    ],
)
def test_typed_bets(line, move):
    table = table_at(0, 2, PAT, PAT)
    assert table.describe(read_move(table, line)) == move


def test_typed_exchanges():
    table = table_at()
    cards = table.describe(7)["cards"]
    assert read_move(table, f"exchange {' '.join(cards)}") == 7
    assert read_move(table, f"exchange {', '.join(cards).upper()}") == 7
    for standing in ("exchange nothing", "ex nothing", "stand", "pat", "Stand pat"):
        assert read_move(table, standing) == 0
    ten = Table(GAME, GAME.options(num_players=2))
    ten.reset(0, chance={"opener": [0], "deck": ["Tc"]})
    assert move_text(ten.describe(read_move(ten, "exchange 10c"))) == "exchange Tc"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("exchange As Ks Qs Js", "exchange"),
        ("exchange foo", "'foo' is no card and no amount here"),
        ("exchange 20", "'20' is no card"),
        ("0", "a number of 1 to 26"),
        ("27", "a number of 1 to 26"),
        ("call", "call is not legal now: this is a draw round; the moves: exchange"),
        ("exchange", "say which cards, as in: exchange"),
        ("ex", ", or exchange nothing"),
        ("pat 7d", "'pat' is no move now"),
        ("bow", "'bow' is no move now; the moves: exchange"),
    ],
)
def test_mistyped_moves(line, words):
    with pytest.raises(IllegalActionError, match=re.escape(words)):
        read_move(table_at(), line)


@pytest.mark.parametrize(
    "line", [",", "=,=", "²", "throw ²", "call ½", "raise ٣", "9" * 5000, f"raise {'9' * 5000}", "\0"]
)
@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.id)
def test_whatever_is_typed_is_answered(game, line):
    table = Table(game)
    table.reset(1)
    with pytest.raises(IllegalActionError):
        read_move(table, line)


@pytest.mark.parametrize(
    ("game", "line", "words"),
    [
        ("hand", "lay 2c", "2c is no run of three"),
        ("hand", "lay xx yy", "'xx' is no card"),
        ("hand", "put back", "no card was taken from the fire"),
        ("hand", "take fire", "the first turn of a deal is without a draw"),
        ("hand", ",", "type a move: "),
        ("five_card_draw", "exchange as", "there is no draw now"),
        ("five_card_draw", "exchange 2c 2c", "there is no draw now"),
        ("five_card_draw", "call as", "call takes no such cards"),
        ("five_card_draw", "all in 50", "all_in is to 990, not 50; another amount is a bet or a raise"),
        ("cold_hand", "raise 10", "this is a draw round"),
    ],
)
def test_a_refusal_names_the_reason(game, line, words):
    table = Table(get_game(game))
    table.reset(3)
    with pytest.raises(IllegalActionError, match=re.escape(words)):
        read_move(table, line)


class Bets:
    """A stand-in for a table whose bets have amounts."""

    def __init__(self):
        self.played = None
        self.game = replace(GAME, actions=replace(GAME.actions, words={}))

    def legal_actions(self):
        return [{"type": "raise", "to": to} for to in (100, 240)] + [{"type": "all_in", "to": 900}]

    def legal_ids(self):
        return [3, 4, 7]

    def parse(self, move):
        self.played = move
        return 9

    def is_legal(self, action):
        return True


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("raise 170", {"type": "raise", "to": 170}),
        ("r 170", {"type": "raise", "to": 170}),
        ("all_in", {"type": "all_in", "to": 900}),
        ("all-in", {"type": "all_in", "to": 900}),
    ],
)
def test_typed_amounts(line, move):
    table = Bets()
    assert read_move(table, line) == 9
    assert table.played == move


@pytest.mark.parametrize(
    ("line", "words"), [("raise", "say how much, as in: raise 240"), ("raise As", "no such cards")]
)
def test_mistyped_amounts(line, words):
    with pytest.raises(IllegalActionError, match=words):
        read_move(Bets(), line)


@pytest.mark.parametrize(
    "move", [{"type": "lay", "cards": ["5h", "Jo", "7h"], "joker": "6h"}, {"type": "throw", "card": "9s"}]
)
def test_typed_moves_of_a_rummy(move):
    table = Bets()
    table.legal_actions = lambda: [move, {**move, "type": "other"}]
    line = "lay 5h jo 7h joker=6h" if move["type"] == "lay" else "throw 9s"
    assert read_move(table, line) == 9
    assert table.played == move


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bet 60", "bet 60 is not legal now: this is no betting round; the moves: exchange"),
        ("all in", "all in is not legal now: this is no betting round"),
        ("exchange 2c 3c 4c 5c 6c 7c", "the hand is"),
    ],
)
def test_a_refusal_speaks_of_what_was_typed_and_lists_no_moves(line, words):
    game = get_game("five_card_draw")
    table = Table(game, game.options(num_players=2))
    table.reset(seed=1)
    table.step(table.parse({"type": "check"}))
    table.step(table.parse({"type": "check"}))
    with pytest.raises(IllegalActionError, match=re.escape(words)) as caught:
        read_move(table, line)
    assert "exchange nothing" not in str(caught.value)


def test_standing_pat_is_no_bet():
    with pytest.raises(IllegalActionError, match="stand is not legal now: this is a betting round"):
        read_move(table_at(0, 2, PAT, PAT), "stand")


def test_the_table_says_who_is_who_what_signs_mean_and_what_a_call_costs():
    game = get_game("five_card_draw")
    person = Person(game, 3, 3, ["help"], moves=0)
    person.game.run()
    shown = person.screen.getvalue()
    assert ">*seat 0 (you)" in shown
    assert shown.count("* has the button") == 2, "at the start and in the help"
    assert "pat: the same as exchange nothing" in shown
    table = person.game.table
    price = f"{table.view[game.layout.at('to_call')]} to call"
    assert price in shown
    assert price not in game.text(table.state, None)


def test_an_example_is_no_extreme():
    person = Person(GAME, 2, 1, moves=0)
    person.game.run()
    shown = re.findall("such as: (.*)", person.screen.getvalue())
    assert shown
    assert not {move_text(person.game.table.describe(action)) for action in (0, 25)} & set(shown)


@pytest.mark.parametrize("game", [game for game in list_games() if game.name != "kuhn"], ids=lambda game: game.id)
def test_a_line_stands_between_hands(game):
    person = Person(game, None, seed=4)
    person.game.run()
    ends = re.findall(r"─ (?:hand|deal) (\d+) is over ─", person.screen.getvalue())
    assert [int(end) for end in ends] == list(range(1, len(ends) + 1))
    last = re.findall(r"(?:hand|deal) (\d+)(?: of \d+)?: over", person.screen.getvalue())
    assert last == ends[-1:], "the last table counts the hands that were played"


def test_others_see_how_many_cards_are_exchanged_and_not_which():
    table = table_at()
    assert GAME.actions.seen(table.state, 7)["cards"] == len(table.describe(7)["cards"])


def test_seating():
    one, two = load("house", GAME), load("random", GAME)
    assert seat_bots([one, two], 4, 2) == {3: one, 0: two, 1: one}
    for bots, seat, words in (([one], 4, "seats are 0 to 3"), ([one] * 4, 0, "4 opponents for 3 seats")):
        with pytest.raises(InputError, match=words):
            seat_bots(bots, 4, seat)


def test_the_command_plays_from_a_pipe_and_saves_a_record(tmp_path):
    saved = tmp_path / "game.replay"
    arguments = ["play", "--game", "cold_hand", "--opponents", "house,random", "--seed", "3", "--save", str(saved)]
    done = CliRunner().invoke(app, arguments, input="pat\ncall\n")
    assert done.exit_code == 0
    assert "You are seat 0; seat 1: house, seat 2: random" in done.output
    assert "You left the game." in done.output
    replay = Replay.load(saved)
    assert (replay.seed, len(replay.steps) > 4, replay.check()) == (3, True, [])


def test_a_record_is_saved_even_when_the_game_breaks_off(tmp_path, monkeypatch):
    def broken(game):
        raise RuntimeError("broken")

    monkeypatch.setattr("tinhorn_training.play.TerminalGame.run", broken)
    saved = tmp_path / "game.replay"
    done = CliRunner().invoke(app, ["play", "--game", "cold_hand", "--save", str(saved)])
    assert str(done.exception) == "broken"
    assert Replay.load(saved).game.name == "cold_hand"


def test_a_record_that_cannot_be_saved_is_refused_before_the_game():
    done = CliRunner().invoke(app, ["play", "--game", "cold_hand", "--save", "/no/such/place"])
    assert "cannot be written" in str(done.exception)


def test_control_c_leaves_quietly():
    command = [sys.executable, "-m", "tinhorn_training.cli", "play", "--game", "cold_hand", "--seed", "1"]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    shown = b""
    while b"your move>" not in shown:
        assert select.select([game.stdout], [], [], 120)[0], shown
        shown += os.read(game.stdout.fileno(), 4096)
    game.send_signal(signal.SIGINT)
    out, err = game.communicate(timeout=30)
    assert game.returncode == 130
    assert b"You left the game." in out
    assert b"Traceback" not in err
