"""From a configuration to a bot that plays: train, evaluate, export, and one game played from the export."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from tinhorn import bots
from tinhorn.bots import Bot
from tinhorn.core.game import Game
from tinhorn.core.replay import Recorder, Replay
from tinhorn.core.rng import derive
from tinhorn.core.table import Table, move_text
from tinhorn_training.checkpoint import load_policy
from tinhorn_training.evaluate import Evaluation, evaluate
from tinhorn_training.export.bundle import export_bundle
from tinhorn_training.files import write_atomically
from tinhorn_training.matches import BOT_LUCK
from tinhorn_training.plots import evaluation_plot, png
from tinhorn_training.progress import counting
from tinhorn_training.reports import print_evaluation

OPPONENTS = ("house", "random")


def measure(bot: Bot, game: Game, sizes: Sequence[int], deals: int, folder: Path, console: Console) -> list[Evaluation]:
    """Evaluate a bot against house and random at every table size; writes ``evaluation.json`` and ``.png``."""
    results = []
    for players in sizes:
        options = game.options.make({"num_players": players})
        for opponent in OPPONENTS:
            with counting(f"games of {players} players against {opponent}", deals * players) as progress:
                against = [bots.load(opponent, game)]
                results.append(evaluate(game, bot, against, options, deals=deals, progress=progress))
            print_evaluation(console, results[-1])
    console.print("Strength is what the figures against house say; those against random show only that it learnt.")
    text = json.dumps([result.as_dict() for result in results], indent=2)
    write_atomically(folder / "evaluation.json", f"{text}\n".encode())
    write_atomically(folder / "evaluation.png", png(evaluation_plot(results)))
    return results


def export(checkpoint: Path, out: Path, evaluations: Sequence[Evaluation]) -> Path:
    """The bundle of a checkpoint with what was measured, over an older one if there is one."""
    policy, game, note = load_policy(checkpoint)
    measured = [result.as_dict() for result in evaluations]
    return export_bundle(policy, game, out, training=note.origin, evaluations=measured, force=True)


def play_one_game(bot: Bot, game: Game, players: int, console: Console, seed: int = 1) -> Replay:
    """One game of the bot, in seat 0, against the house bot, move by move on the console."""
    table = Table(game, game.options.make({"num_players": players}))
    recorder = Recorder(table, seed)
    seated = [bot, *[bots.load("house", game)] * (players - 1)]
    names = ["the bot", *["house"] * (players - 1)]
    luck = np.array([derive(np.uint64(seed), BOT_LUCK + seat) for seat in range(players)], np.uint64)
    while not table.finished:
        seat = table.actor
        action = int(seated[seat].act(table.view[None], table.mask[None], luck[seat : seat + 1])[0])
        move = move_text(game.actions.seen(table.state, action))
        console.print(f"  seat {seat} ({names[seat]}): {move}", highlight=False, markup=False)
        recorder.step(action)
    console.print(game.text(table.state, None), highlight=False, markup=False)
    rewards = ", ".join(f"seat {seat} {reward:+g}" for seat, reward in enumerate(recorder.replay.rewards or ()))
    console.print(f"rewards: {rewards}", highlight=False)
    return recorder.replay
