"""Golden rows: decisions of real games and what a policy answers, for any loader to compare itself with."""

from collections.abc import Iterator
from itertools import count as count_from
from itertools import islice
from typing import Any

import numpy as np
import torch

from tinhorn.bots import RandomBot
from tinhorn.core.batch import Batch
from tinhorn.core.game import Game
from tinhorn.core.rng import derive, uniform
from tinhorn_training.errors import InputError
from tinhorn_training.export.graph import OUTPUTS, feed
from tinhorn_training.policy import ILLEGAL, ViewPolicy

ROWS = 240
SEED = 20_260_701
PARITY = 1e-5


class ParityError(InputError):
    """The exported graph does not play like the policy."""


def golden_rows(policy: ViewPolicy, game: Game, count: int = ROWS) -> list[dict[str, Any]]:
    """Decisions of games played at random, for every player count, with the policy's answers.

    Any loader must reproduce them. ``greedy`` is None where rounding could turn it; ``uniform`` is drawn so that
    rounding cannot turn ``sampled``.
    """
    sizes = list(game.options.player_counts)
    rows: list[dict[str, Any]] = []
    for number, players in enumerate(sizes, start=1):
        due = count * number // len(sizes) - len(rows)
        rows += [_row(policy, game, *decision) for decision in islice(_decisions(game, players), due)]
    return rows


def check_parity(model: bytes, game: Game, rows: list[dict[str, Any]]) -> float:
    """The greatest difference of a probability or value between an exported graph and the golden rows.

    Raises ParityError when it is more than `PARITY` or a choice differs.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    views = np.stack([game.layout.from_json(row["table"]) for row in rows])
    masks = np.zeros((len(rows), game.actions.count), np.int8)
    expected = np.zeros(masks.shape)
    for row, mask, probabilities in zip(rows, masks, expected, strict=True):
        mask[row["legal"]] = 1
        probabilities[row["legal"]] = row["probabilities"]
    uniforms = np.array([row["uniform"] for row in rows], np.float32)
    outputs = session.run(list(OUTPUTS), feed(game.layout, views, masks, uniforms))
    found = dict(zip(OUTPUTS, outputs, strict=True))
    values = np.array([row["value"] for row in rows])
    difference = float(max(np.abs(found["probabilities"] - expected).max(), np.abs(found["value"] - values).max()))
    turned = [
        choice
        for k, row in enumerate(rows)
        for choice in ("greedy", "sampled")
        if row[choice] not in (None, int(found[choice][k]))
    ]
    if not difference <= PARITY or turned:
        raise ParityError(
            f"the exported graph differs from the policy by {difference:.1e} (at most {PARITY:g}) and in "
            f"{len(turned)} choices: its layers are not those of ViewPolicy"
        )
    return difference


def _decisions(game: Game, players: int, tables: int = 16) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """View (int32[V]) and mask (int8[A]) of one decision after another, and a stream for the row's own luck."""
    seed = np.uint64(SEED + players)
    options = game.options.make({"num_players": players})
    batch = Batch(game, tables, options, seed=int(seed), skip_forced=True)
    streams = np.array([derive(seed, table) for table in range(tables + 1)], np.uint64)
    for step in count_from(0):
        table = step % tables
        yield batch.views[table].copy(), batch.masks[table].copy(), streams[tables:]
        batch.step(RandomBot().act(batch.views, batch.masks, streams[:tables]))


def _row(policy: ViewPolicy, game: Game, view: np.ndarray, mask: np.ndarray, luck: np.ndarray) -> dict[str, Any]:
    with torch.no_grad():
        logits, value = policy.logits_and_values(torch.from_numpy(view[None]))
        probabilities = torch.softmax(torch.where(torch.from_numpy(mask) > 0, logits[0], ILLEGAL), 0).numpy()
    cumulative = probabilities.cumsum()
    number = np.float32(uniform(luck))
    while np.abs(cumulative - number).min() < 2 * PARITY:
        number = np.float32(uniform(luck))
    first, second = np.sort(probabilities)[::-1][:2]
    legal = np.flatnonzero(mask).tolist()
    table = game.layout.to_json(view)
    return {
        "table": {field.name: table[field.name] for field in game.layout.encoded},
        "legal": legal,
        "uniform": float(number),
        "probabilities": [round(float(probabilities[action]), 9) for action in legal],
        "value": round(float(value[0]), 9),
        "greedy": int(probabilities.argmax()) if first - second > 2 * PARITY else None,
        "sampled": int(np.searchsorted(cumulative, number, side="right")),
    }
