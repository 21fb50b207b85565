"""The figures behind `tinhorn bench`: speed, start, memory, training and bot of a game, on this machine.

What is compared is measured in turns (A B A B), so that a busy moment hits all of it. Starts and memory are measured
in fresh processes. Targets are shown beside the figures; nothing fails for them.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import yaml

from tinhorn.aec import TableEnv
from tinhorn.bots import RandomBot
from tinhorn.bots.exported import POLICY, load_bundle
from tinhorn.core.batch import Batch
from tinhorn.core.driver import as_bytes, driver, outputs
from tinhorn.core.game import Game
from tinhorn.poker.ranking import strengths
from tinhorn_training.bench import TABLES
from tinhorn_training.bench.peers import (
    AEC_PEERS,
    BATCH_PEERS,
    TEXAS,
    PeerMissingError,
    Play,
    aec_player,
    load_peer,
    peer_versions,
    wrapped,
)

MANY_TABLES = 4096
_FEW_TABLES = 8  # that take a step together where single masks are timed


@dataclass(frozen=True)
class Effort:
    """How to measure: ``seconds`` a sample, ``repetitions`` samples, ``training`` seconds of self-play.

    ``masks`` decisions are searched for the slowest mask. ``tables`` are in a batch whose speed is measured.
    ``processor_time`` counts the seconds that a process had a processor: nearly what a quiet machine would show.
    """

    seconds: float = 0.5
    repetitions: int = 5
    training: float = 20.0
    processor_time: bool = False
    masks: int = 10_000_000
    tables: int = TABLES

    @property
    def clock(self) -> Callable[[], float]:
        """The clock, in seconds."""
        return time.process_time if self.processor_time else time.perf_counter


FULL, QUICK = Effort(), Effort(0.1, 2, 5.0, masks=500_000)


@dataclass(frozen=True)
class Figure:
    """A measured figure: its samples, and the target if there is one."""

    name: str
    unit: str
    samples: tuple[float, ...]
    target: float | None = None

    @property
    def median(self) -> float:
        """The median of the samples."""
        return median(self.samples)

    @property
    def more_is_better(self) -> bool:
        """Rates and ratios should be high, times and sizes low."""
        return self.unit in ("decisions/s", "hands/s", "x")

    @property
    def reached(self) -> bool | None:
        """Whether the median is as good as the target; None without one."""
        if self.target is None:
            return None
        return self.median >= self.target if self.more_is_better else self.median <= self.target

    def to_json(self) -> dict[str, Any]:
        """The figure as plain data."""
        return asdict(self) | {"median": self.median, "reached": self.reached}


@dataclass(frozen=True)
class Report:
    """Figures under a heading, and one line for each thing that needs a word or could not be measured."""

    title: str
    figures: list[Figure]
    notes: list[str]

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {"title": self.title, "figures": [figure.to_json() for figure in self.figures], "notes": self.notes}


def targets(game: Game | None = None) -> dict[str, float]:
    """The targets of a game, or of what is the same for all games."""
    known = yaml.safe_load((files(__package__) / "targets.yaml").read_text("utf-8"))
    if game is None:
        return dict(known["every_run"])
    return {name: goal for name, goal in (known["every_game"] | known["games"].get(game.name, {})).items() if goal}


def in_turns(measures: Mapping[str, Callable[[], float]], repetitions: int) -> dict[str, tuple[float, ...]]:
    """Each measure so many times, A B A B, after one round that does not count."""
    rounds = [{name: measure() for name, measure in measures.items()} for _ in range(repetitions + 1)]
    return {name: tuple(round_[name] for round_ in rounds[1:]) for name in measures}


def rate(play: Play, seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Decisions a second of a function that plays so many decisions, over about so many seconds."""
    chunk, done, start = 16, 0, clock()
    while True:
        done += play(chunk)
        passed = clock() - start
        if passed >= seconds:
            return done / passed
        chunk = max(chunk, int(done / max(passed, 1e-6) * seconds / 10))


class GameBench:
    """Measures one game; `report` gives all of it.

    ``bot`` is an exported bundle to measure instead of an untrained one; ``peers`` plays other libraries beside the
    engine. Raises BotError when the bundle does not fit.
    """

    def __init__(self, game: Game, effort: Effort = FULL, bot: Path | None = None, peers: bool = False) -> None:
        self.game, self.effort, self.bot, self.peers = game, effort, bot, peers
        if bot:
            load_bundle(bot, game)
        self.goals = targets(game)
        self.figures: list[Figure] = []
        self.notes: list[str] = []

    def report(self, tell: Callable[[str], None] = lambda text: None) -> Report:
        """All figures; ``tell`` hears what is being measured."""
        for what, measure in (
            ("engine", self.engine),
            ("masks", self.masks),
            ("environment", self.environment),
            ("start", self.start),
            ("memory", self.memory),
            ("exported bot", self.exported_bot),
            ("training", self.training),
        ):
            tell(f"{self.game.title}: {what}")
            measure()
        return Report(self.game.title, self.figures, self.notes)

    def add(self, name: str, unit: str, samples: Iterable[float]) -> None:
        """Note a figure."""
        self.figures.append(Figure(name, unit, tuple(samples), self.goals.get(name)))

    def engine(self) -> None:
        """Random legal play in batches, with the peers in the same turns."""
        plays: dict[str, Play] = {
            f"batch{' with features' if features else ''}, {'two threads' if threads == 2 else 'one thread'}": Batch(
                self.game, self.effort.tables, seed=1, features=features, threads=threads
            ).random_decisions
            for features in (False, True)
            for threads in ((1,) if self.effort.processor_time else (1, 2))
        }
        rates = self._rates(plays, BATCH_PEERS if self.peers else {})
        if "batch, two threads" in rates:
            self._ratio("batch, two threads / one", rates["batch, two threads"], rates["batch, one thread"])
        for name in BATCH_PEERS:
            if name in rates:
                self._ratio(f"batch with features / {name}", rates["batch with features, one thread"], rates[name])

    def masks(self) -> None:
        """The slowest mask of one table, with its view, in so many decisions of random legal play.

        Only steps of a batch that took longer than the slowest mask so far can hold a slower one. Each table of such
        a step is timed alone, several times, and the least counts: a mask depends on the state alone, so what else the
        machine did falls away. A game without a target is searched for 20 seconds at most.
        """
        sizes = [self.game.options(num_players=players) for players in self.game.options.player_counts]
        batch, bot = Batch(self.game, _FEW_TABLES, sizes, seed=2, autoreset=False), RandomBot()
        streams = np.arange(1, _FEW_TABLES + 1, dtype=np.uint64)
        clock, slowest, done, name = self.effort.clock, 0.0, 0, "slowest single mask"
        until = clock() + (300 if name in self.goals else 20)
        while done < self.effort.masks and clock() < until:
            actions = bot.act(batch.views, batch.masks, streams)
            began = clock()
            batch.step(actions)
            tables = set(range(_FEW_TABLES)) if clock() - began > slowest else set()
            if batch.finished.any():
                ended = np.flatnonzero(batch.finished)
                batch.restart(ended)
                tables |= set(ended.tolist())
            slowest = max([slowest, *(self._mask_seconds(batch, table) for table in tables)])
            done += _FEW_TABLES
        self.add(name, "ms", [1000 * slowest])
        self.notes.append(f"{name}: of {done:,} decisions, one table alone, its view included")

    def _mask_seconds(self, batch: Batch, table: int) -> float:
        """Seconds for mask and view of one table, the least of several times."""
        observe, seat = driver(self.game).observe, int(batch.actors[table])
        memory = as_bytes(batch.states[table : table + 1])
        seen = [as_bytes(array) for array in outputs(self.game, 1, features=False)]

        def once() -> float:
            began = self.effort.clock()
            observe(memory, seat, *seen)
            return self.effort.clock() - began

        return min(once() for _ in range(5))

    def environment(self) -> None:
        """The AEC environment as it is and in PettingZoo's wrappers, and a game of PettingZoo's beside it."""
        plays = {
            "AEC, raw": aec_player(TableEnv(self.game)),
            "AEC, wrapped": aec_player(wrapped(TableEnv(self.game))),
        }
        peers = AEC_PEERS if self.peers else {name: make for name, make in AEC_PEERS.items() if name.startswith(TEXAS)}
        rates = self._rates(plays, peers)
        for kind in ("raw", "wrapped"):
            if f"{TEXAS}, {kind}" in rates:
                self._ratio(f"AEC, {kind} / PettingZoo", rates[f"AEC, {kind}"], rates[f"{TEXAS}, {kind}"])

    def start(self) -> None:
        """First and later starts: whole fresh processes, the interpreter's own start included."""
        code = f"import tinhorn; env = tinhorn.make({self.game.id!r}); env.reset(seed=1); env.last(); "
        code += "env.step(int(env.last()[0]['action_mask'].argmax()))"
        with tempfile.TemporaryDirectory() as folder:
            here = {"TINHORN_CACHE_DIR": folder}
            first, *later = (self._seconds(code, here) for _ in range(self.effort.repetitions + 1))
        self.add("first compile", "s", [first])
        self.add("later start", "s", later)

    def memory(self) -> None:
        """What many tables add to a process that has played one."""
        own_pages = {"MALLOC_MMAP_THRESHOLD_": "65536"}  # glibc: arrays take no memory that was freed before
        out = fresh(_MEMORY.format(game=self.game.id, tables=MANY_TABLES), own_pages)[1]
        self.add("memory of 4,096 tables", "MB", [out["mb"]])

    def exported_bot(self) -> None:
        """One decision of a bundle through onnxruntime: ``bot``, or a network of the usual size that knows nothing."""
        with tempfile.TemporaryDirectory() as folder:
            bundle = self.bot or untrained_bundle(self.game, Path(folder) / "bot")
            bot = load_bundle(bundle, self.game)
            batch, streams = Batch(self.game, 1, seed=1), np.ones(1, np.uint64)

            def play(decisions: int) -> int:
                for _ in range(decisions):
                    bot.act(batch.views, batch.masks, streams)
                return decisions

            samples = [
                1000 / rate(play, self.effort.seconds, self.effort.clock) for _ in range(self.effort.repetitions + 1)
            ]
            self.add("exported bot, one decision", "ms", samples[1:])
            self.add("exported bot, size", "MB", [(bundle / POLICY).stat().st_size / 1e6])

    def training(self) -> None:
        """Self-play with the usual settings, the whole loop, in a process of its own."""
        arguments = f"{self.game.id!r}, {self.effort.training}, {self.effort.processor_time}"
        out = fresh(f"from tinhorn_training.bench.training import train; train({arguments})")[1]
        self.add("training", "decisions/s", out["rates"])
        self.add("memory of a training", "MB", [out["mb"]])

    def _seconds(self, code: str, environment: Mapping[str, str]) -> float:
        return fresh(code, environment, processor_time=self.effort.processor_time)[0]

    def _rates(
        self, plays: Mapping[str, Play], peers: Mapping[str, Callable[[], Play]]
    ) -> dict[str, tuple[float, ...]]:
        together = dict(plays)
        for name, make in peers.items():
            try:
                together[name] = load_peer(make)
            except PeerMissingError as missing:
                self.notes.append(f"{name}: {missing}")
        rates = in_turns({name: _timed(play, self.effort) for name, play in together.items()}, self.effort.repetitions)
        for name, samples in rates.items():
            self.add(name, "decisions/s", samples)
        return rates

    def _ratio(self, name: str, ours: tuple[float, ...], theirs: tuple[float, ...]) -> None:
        """Ours over theirs, turn by turn."""
        self.add(name, "x", [a / b for a, b in zip(ours, theirs, strict=True)])


def shared_report(effort: Effort = FULL, tell: Callable[[str], None] = lambda text: None) -> Report:
    """What is the same whatever the game: the import, and the ranking of five-card hands."""
    tell("All games: import, hand ranking")
    goals = targets()
    hands = np.argsort(np.random.default_rng(1).random((20_000, 52)), axis=1)[:, :5].astype(np.int8)
    out = np.zeros(len(hands), np.int16)

    def rank(_: int) -> int:
        strengths(hands, out)
        return len(hands)

    ranking = in_turns({"hand ranking": _timed(rank, effort)}, effort.repetitions)["hand ranking"]
    fresh("import tinhorn")  # the files are read once
    by_processor = effort.processor_time
    imports = [fresh("import tinhorn", processor_time=by_processor)[0] for _ in range(effort.repetitions)]
    figures = [
        Figure("import tinhorn", "s", tuple(imports), goals["import tinhorn"]),
        Figure("hand ranking", "hands/s", ranking, goals["hand ranking"]),
    ]
    return Report("All games", figures, [])


def _timed(play: Play, effort: Effort) -> Callable[[], float]:
    return lambda: rate(play, effort.seconds, effort.clock)


def fresh(
    code: str, environment: Mapping[str, str] | None = None, *, processor_time: bool = False
) -> tuple[float, Any]:
    """Run Python code in a process of its own: seconds, and the JSON that it printed last (None without).

    Raises RuntimeError with what the process wrote when it failed.
    """
    clock = _children if processor_time else time.perf_counter
    began = clock()
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **(environment or {})}, capture_output=True, text=True
    )
    passed = clock() - began
    if run.returncode:
        raise RuntimeError(f"a measuring process failed:\n{run.stderr}")
    lines = run.stdout.strip().splitlines()
    return passed, json.loads(lines[-1]) if lines else None


def _children() -> float:
    """Processor seconds of all child processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


_MEMORY = """
import json
import tinhorn
from tinhorn.core.batch import Batch
from tinhorn_training.bench.memory import resident_mb
game = tinhorn.get_game({game!r})
Batch(game, 1, seed=1, features=True).random_decisions(1000)
before = resident_mb()
many = Batch(game, {tables}, seed=1, features=True)
many.random_decisions(10 * {tables})
print(json.dumps(dict(mb=resident_mb() - before)))
"""


def untrained_bundle(game: Game, folder: Path) -> Path:
    """A bundle of a network of the usual size that has learnt nothing."""
    from tinhorn_training.config import Network
    from tinhorn_training.export.bundle import export_bundle
    from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of

    usual = Network()
    settings = policy_settings(game, usual.width, usual.policy, usual.value)
    spaces = spaces_of(game.layout, game.actions.count)
    return export_bundle(ViewPolicy(*spaces, lambda _: 0.0, **settings), game, folder)


def facts() -> dict[str, Any]:
    """When, where and with what the figures were measured."""
    import onnxruntime
    import torch

    versions = {name: version(name) for name in ("tinhorn", "numpy", "numba", "gymnasium", "stable-baselines3")}
    versions |= {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "onnxruntime": onnxruntime.__version__,
    }
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "system": platform.platform(),
            "load": load_average(),
        },
        "versions": versions | peer_versions(),
    }


def load_average() -> float | None:
    """How many processes wanted to run in the last minute; None where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
