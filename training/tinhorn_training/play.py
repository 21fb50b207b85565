"""A person at the terminal against bots.

The person sees what `Game.text` and `Actions.seen` show to a seat, and nothing else; a move once made stays made.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from tinhorn.bots import Bot, HouseBot
from tinhorn.core.game import Game
from tinhorn.core.options import Options
from tinhorn.core.replay import Recorder, Replay
from tinhorn.core.rng import as_seed, derive
from tinhorn.core.table import IllegalActionError, Table, move_text
from tinhorn_training.errors import InputError
from tinhorn_training.matches import BOT_LUCK
from tinhorn_training.typed_moves import example, moves_by_type, read_move

_LISTED = 8  # moves of one type that are listed without being asked for
_HELP = """Type a move or its number. Also:
  [bold]list[/]   all moves with their numbers
  [bold]hint[/]   what can be worked out, and what the house bot would do
  [bold]table[/]  the table again
  [bold]help[/]   this text
  [bold]quit[/]   leave the game"""


class TerminalGame:
    """One game.

    Args:
        bots: by seat, for every seat but ``seat``, the person's. seed: of the table; None asks the system.
        ask: reads a line after showing a prompt; raises EOFError when there are no more.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        bots: Mapping[int, Bot],
        seat: int,
        *,
        seed: int | None = None,
        console: Console,
        ask: Callable[[str], str] | None = None,
    ) -> None:
        self.game, self.bots, self.seat, self.console = game, bots, seat, console
        self._ask = ask or console.input
        start = as_seed(seed)
        self.table = Table(game, options)
        self._recorder = Recorder(self.table, int(start))
        seats = range(options.num_players)  # the person's own luck goes into hints
        self._luck = {each: np.array([derive(start, BOT_LUCK + each)], np.uint64) for each in seats}
        self._house = HouseBot(game)

    @property
    def replay(self) -> Replay:
        """The record so far."""
        return self._recorder.replay

    def run(self) -> bool:
        """Play to the end; False when the person left before."""
        others = ", ".join(f"seat {seat}: {bot.name}" for seat, bot in sorted(self.bots.items()))
        self._say(f"{self.game.title}. You are seat {self.seat}; {others}. Type help for help.")
        self._say(self.game.legend)
        was_out, ended = False, self.game.ended(self.table.state)
        while not self.table.finished:
            if self.table.actor != self.seat:
                self._bot_plays()
            elif not self._person_plays():
                return False
            if self.game.ended(self.table.state) != ended:
                ended = self.game.ended(self.table.state)
                self.console.rule(f"{ended} is over")
            if self.table.state["out"][self.seat] and not was_out and not self.table.finished:
                was_out = True
                self._say("You are out; the others play on.")
        self._show_table()
        self._show_result()
        return True

    def _bot_plays(self) -> None:
        seat, table = self.table.actor, self.table
        bot = self.bots[seat]
        states = table.states if bot.needs_states else None
        chosen = bot.act(table.view[np.newaxis], table.mask[np.newaxis], self._luck[seat], states)
        self._play(int(chosen[0]), f"seat {seat} ({bot.name})")

    def _play(self, action: int, who: str) -> None:
        seen = move_text(self.game.actions.seen(self.table.state, action))
        self._recorder.step(action)
        self._say(f"  {who}: {seen}")

    def _person_plays(self) -> bool:
        """Ask until a legal move comes; False for leaving."""
        self._show_table()
        self._show_moves(everything=False)
        while True:
            try:
                line = self._ask("your move> ").strip()
            except EOFError:
                self.console.print()
                return False
            word = line.lower()
            if word in ("quit", "q", "exit"):
                return False
            if word in ("help", "?"):
                self._help()
            elif word == "hint":
                self._hint()
            elif word == "list":
                self._show_moves(everything=True)
            elif word == "table":
                self._show_table()
            elif word:
                try:
                    action = read_move(self.table, line)
                except IllegalActionError as error:
                    self._say(f"  {error}", "yellow")
                    continue
                said = move_text(self.table.describe(action))
                self._recorder.step(action)
                self._say(f"  you: {said}")
                return True

    def _help(self) -> None:
        self.console.print(_HELP)
        self._say(f"In the table: {self.game.legend}")
        examples = [move_text(example(moves)[1]) for moves in moves_by_type(self.table).values()]
        self._say(f"Moves now, for example: {', '.join(examples)}")
        for word, move in self.game.actions.words.items():
            self._say(f"  {word}: the same as {move_text(move)}")

    def _hint(self) -> None:
        """What the game works out for the person, if it does, and the house bot's move."""
        if self.game.advice is not None:
            for line in self.game.advice(self.table.state, self.seat).splitlines():
                self._say(f"  {line}")
        chosen = self._house.act(self.table.view[np.newaxis], self.table.mask[np.newaxis], self._luck[self.seat])
        self._say(f"  the house bot would {move_text(self.table.describe(int(chosen[0])))}")

    def _show_table(self) -> None:
        shown = Text(self.game.text(self.table.state, self.seat))
        shown.highlight_regex(r"\b[2-9TJQKA][dh]\b", "red")
        shown.highlight_regex(r"\b([2-9TJQKA][cs]|Jo)\b", "bold")
        self.console.print(Panel(shown, expand=False))

    def _show_moves(self, *, everything: bool) -> None:
        ids = self.table.legal_ids()
        for kind, moves in moves_by_type(self.table).items():
            if everything or len(moves) <= _LISTED:
                for number, move in moves:
                    self._say(f"  {number:3} {move_text(move)}")
            else:
                number, shown = example(moves)
                block = self.game.actions.block(ids[number - 1])
                meaning = f"{block.meaning} " if block and block.name == kind else ""
                self._say(f"    - {kind}: {meaning}{len(moves)} ways, such as: {move_text(shown)}")

    def _show_result(self) -> None:
        rewards = self.replay.rewards or []
        for seat, reward in enumerate(rewards):
            name = "you" if seat == self.seat else self.bots[seat].name
            self._say(f"  seat {seat} ({name}): {reward:+.3g}")
        mine = rewards[self.seat]
        verdict = "You win." if mine == max(rewards) else "You lose." if mine < 0 else "The game is over."
        self._say(f"{verdict} Seed {self.replay.seed} deals it again.")

    def _say(self, line: str, style: str | None = None) -> None:
        """A line as it is: names and cards are no markup."""
        self.console.print(line, style=style, highlight=False, markup=False, soft_wrap=True)


def seat_bots(bots: Sequence[Bot], players: int, seat: int) -> dict[int, Bot]:
    """Who sits where: the bots in turn, from the person's left on. Raises InputError for a seat or bot too many."""
    if not 0 <= seat < players:
        raise InputError(f"seat {seat}: the seats are 0 to {players - 1}")
    if len(bots) > players - 1:
        raise InputError(f"{len(bots)} opponents for {players - 1} seats: name fewer or raise --players")
    return {(seat + 1 + place) % players: bots[place % len(bots)] for place in range(players - 1)}
