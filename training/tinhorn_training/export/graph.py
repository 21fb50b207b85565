"""A policy as the graph that frontends call: encoder, mask and choice included."""

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import torch
from onnx import ModelProto
from torch import Tensor, nn

from tinhorn.core.cards import JOKER
from tinhorn.core.game import Game
from tinhorn.core.layout import Layout
from tinhorn_training.policy import ILLEGAL, PATTERNS, Inputs, ViewExtractor, ViewPolicy

OUTPUTS = ("probabilities", "value", "greedy", "sampled")
OPSET, IR_VERSION = 18, 8  # newer ones do not load in the JavaScript runtimes
BELOW_ONE = 1 - 2.0**-23  # a uniform number rounded up to 1 would pick nothing


class TablePolicy(nn.Module):
    """A policy for few rows at a time: named integers, what is legal and a uniform number in, a choice out."""

    def __init__(self, policy: ViewPolicy, layout: Layout) -> None:
        super().__init__()
        self.first = FirstLayer(policy.features_extractor, layout)
        self.hidden, self.policy, self.value = policy.mlp_extractor, policy.action_net, policy.value_net

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Encoded fields int32[B, ...] in order, legal uint8[B, A], uniform float32[B]; gives `OUTPUTS`."""
        *fields, legal, uniforms = inputs
        columns = [field.unsqueeze(1) if field.dim() == 1 else field.flatten(1) for field in fields]
        for_policy, for_value = self.hidden(self.first(torch.cat(columns, dim=1)))
        probabilities = torch.softmax(torch.where(legal.bool(), self.policy(for_policy), ILLEGAL), dim=1)
        cumulative = probabilities.cumsum(dim=1)
        threshold = uniforms.clamp(0.0, BELOW_ONE).unsqueeze(1) * cumulative[:, -1:]
        sampled = (cumulative <= threshold).sum(dim=1)  # the first that goes beyond: never an illegal one
        greedy = probabilities.argmax(dim=1)
        return probabilities, self.value(for_value).squeeze(1), greedy.to(torch.int32), sampled.to(torch.int32)


class FirstLayer(nn.Module):
    """`ViewExtractor` as rows of its matrix, looked up in one table and added; flags are lookups, too.

    It reads the encoded fields alone, side by side (int32[B, E]). A table takes fewer nodes, so less time for one row,
    than the arithmetic that is best for the large batches of training.
    """

    columns: Tensor
    offsets: Tensor
    table: Tensor
    rows: Tensor
    bias: Tensor
    computed: Tensor

    def __init__(self, extractor: Any, layout: Layout) -> None:
        super().__init__()
        encoded = np.repeat([bool(f.encodings) for f in layout.fields], [f.size for f in layout.fields])
        lows, highs = layout.lows[encoded].tolist(), layout.highs[encoded].tolist()
        column = (encoded.cumsum() - 1).tolist()  # of each place of the view
        inputs = extractor.inputs
        scalars = [(column[s[0]], *s[1:5], column[s[5]]) for s in inputs.scalars]
        flags = [s for s in scalars if s[3:5] == ("linear", 1) and lows[s[0]] == 0 and highs[s[0]] == 1]
        lookups = [(column[entry[0]], *entry[1:]) for entry in inputs.lookups]
        lookups += [(place, 1, feature, 1, 0) for place, _, feature, *_ in flags]  # only a 1 adds its row

        table: list[int] = []  # feature by value, one lookup after another; the last row is zeros
        offsets = []
        for place, low, feature, divide, modulus in lookups:
            offsets.append(len(table) - lows[place])
            for value in range(lows[place], highs[place] + 1):
                step = (value - low) // divide
                step = step % modulus if modulus else step
                table.append(feature + step if value >= low else inputs.features)
        used, entries = np.unique(table, return_inverse=True)
        for name, values in (("columns", [x[0] for x in lookups]), ("offsets", offsets), ("table", entries)):
            self.register_buffer(name, torch.tensor(values, dtype=torch.int64))

        matrix = extractor.linear.weight.detach().t()
        self.register_buffer("rows", torch.cat([matrix, torch.zeros(1, matrix.shape[1])])[used])
        self.register_buffer("bias", extractor.linear.bias.detach())
        self.patterns = [(name, column[place], numbers) for name, place, numbers, *_ in inputs.patterns]
        computed = [feature + k for *_, feature, count in inputs.patterns for k in range(count)]
        scaled = [s for s in scalars if s not in flags]
        self.scaled = None
        if scaled:
            part = Inputs(inputs.features, [], scaled, [])._asdict()
            with torch.random.fork_rng(devices=[]):
                self.scaled = ViewExtractor(extractor._observation_space, part, matrix.shape[1])
            computed += self.scaled.computed_feature.tolist()
        self.register_buffer("computed", matrix[computed].contiguous())
        self.cards = _Cards(extractor, column) if len(extractor.card_features) else None

    def forward(self, codes: Tensor) -> Tensor:
        """The extractor's output: the first layer's, float32[B, width], and the numbers of the cards if it has them."""
        index = self.table[codes.index_select(1, self.columns) + self.offsets]
        ones = torch.ones(1, len(self.columns))  # onnxruntime multiplies faster than it adds up
        total = (ones @ nn.functional.embedding(index, self.rows)).squeeze(1) + self.bias
        parts = [PATTERNS[name](codes[:, place : place + numbers]) for name, place, numbers in self.patterns]
        if self.scaled is not None:
            parts.append(self.scaled.sparse(codes)[2])
        if parts:
            total = total + torch.cat(parts, dim=1) @ self.computed
        outputs = torch.relu(total)
        return outputs if self.cards is None else torch.cat([outputs, self.cards(codes)], dim=1)


class _Cards(nn.Module):
    """What the view says of each kind of card, float32[B, planes x 52], from the encoded fields side by side."""

    marks: Tensor
    taken: Tensor
    scale: Tensor
    order: Tensor

    def __init__(self, extractor: Any, column: list[int]) -> None:
        super().__init__()
        places = {feature: place for place, feature in enumerate(extractor.card_features.tolist())}
        scalars = [scalar for scalar in extractor.inputs.scalars if scalar[2] in places]  # a number for each kind
        lookups = [entry for entry in extractor.inputs.lookups if entry[2] in places]  # cards counted among all kinds
        starts = sorted({entry[2] for entry in lookups})
        self.counted = [[column[entry[0]] for entry in lookups if entry[2] == start] for start in starts]
        # A row for each code from "no card" to the joker: where it counts.
        self.register_buffer("marks", nn.functional.pad(torch.eye(JOKER), (0, 0, 1, 1)))
        self.register_buffer("taken", torch.tensor([column[scalar[0]] for scalar in scalars]))
        self.register_buffer("scale", torch.tensor([scalar[4] for scalar in scalars]))
        found = [places[scalar[2]] for scalar in scalars]
        found += [places[start + kind] for start in starts for kind in range(JOKER)]
        self.register_buffer("order", torch.tensor(found).argsort())

    def forward(self, codes: Tensor) -> Tensor:
        """See the class."""
        parts = [codes.index_select(1, self.taken) / self.scale]
        parts += [nn.functional.embedding(codes[:, columns] + 1, self.marks).sum(1) for columns in self.counted]
        return torch.cat(parts, dim=1).index_select(1, self.order)


def feed(layout: Layout, views: np.ndarray, masks: np.ndarray, uniforms: np.ndarray) -> dict[str, np.ndarray]:
    """The inputs of `TablePolicy` by name, in order."""
    fields = {
        field.name: views[:, layout.at(field.name) :][:, : field.size].reshape(-1, *field.shape)
        for field in layout.encoded
    }
    return fields | {"legal": masks.astype(np.uint8), "uniform": uniforms}


def make_model(policy: ViewPolicy, game: Game) -> ModelProto:
    """The policy as an ONNX graph that every runtime loads and that says nothing of this machine."""
    views, masks = np.stack([game.layout.lows] * 2), np.ones((2, game.actions.count), np.int8)
    inputs = feed(game.layout, views, masks, np.zeros(2, np.float32))
    batch = torch.export.Dim("batch")
    with _quiet():
        program = torch.onnx.export(
            TablePolicy(policy, game.layout).eval(),
            tuple(map(torch.from_numpy, inputs.values())),
            input_names=list(inputs),
            output_names=list(OUTPUTS),
            dynamic_shapes={"inputs": tuple({0: batch} for _ in inputs)},
            opset_version=OPSET,
            external_data=False,
            dynamo=True,
            verbose=False,
        )
    assert program is not None  # as dynamo=True returns one
    model = ModelProto.FromString(program.model_proto.SerializeToString())
    model.ir_version = IR_VERSION
    _strip(model)
    onnx.checker.check_model(model, full_check=True)
    return model


def _strip(model: ModelProto) -> None:
    """Remove what the exporter noted for itself: stack traces with the paths of this machine."""
    del model.metadata_props[:], model.graph.metadata_props[:], model.graph.value_info[:]
    model.doc_string = model.graph.doc_string = ""
    graph = model.graph
    for part in (*graph.node, *graph.input, *graph.output, *graph.initializer):
        del part.metadata_props[:]
        part.doc_string = ""


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The exporter prints progress, warnings and log lines; none of it is of use to whoever exports a bot."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
