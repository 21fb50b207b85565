"""A policy network that reads the view itself, in Stable-Baselines3's terms.

The first layer is a linear layer over the features that the game's `Layout` declares; it computes them from
the integers of the view, in torch, so that the same module trains and is exported.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from tinhorn.core.cards import JOKER
from tinhorn.core.game import Game
from tinhorn.core.layout import Layout
from tinhorn.poker.features import STRAIGHT_MASKS
from tinhorn_training.card_head import CardHead, WithCards, card_head

TAUGHT = 2  # in a mask: legal, and what a teacher would do
ILLEGAL = -1e9  # the logit of an illegal action; with -inf an empty mask would give NaN


class Inputs(NamedTuple):
    """How a view becomes features, as plain numbers: a checkpoint carries it and needs no game to be opened."""

    features: int
    lookups: list[tuple[int, ...]]  # place, low, feature, divide, modulus
    scalars: list[tuple[Any, ...]]  # place, low, feature, kind, scale, other
    patterns: list[tuple[str, int, int, int, int]]  # name, place, numbers read, feature, features

    @classmethod
    def of(cls, layout: Layout) -> "Inputs":
        """The inputs of a layout. Raises ValueError for a pattern that torch does not know (`PATTERNS`)."""
        patterns = [
            (part.name, layout.at(field.name), field.size, at, part.features) for field, at, part in layout.patterns
        ]
        for name, *_ in patterns:
            if name not in PATTERNS:
                raise ValueError(f"pattern {name!r} has no torch form; add it to tinhorn_training.policy.PATTERNS")
        return cls(
            layout.feature_size, [tuple(x) for x in layout.lookups], [tuple(x) for x in layout.scalars], patterns
        )


class ViewExtractor(BaseFeaturesExtractor):
    """View (int[B, V]) -> features -> linear layer -> ReLU, float32[B, width].

    Args:
        observation_space: Box int32[V]. inputs: the fields of `Inputs`. width: outputs of the layer.
        planes: first feature of each field with one for every kind of card; they follow the outputs as they are.
    """

    lookup_place: Tensor
    lookup_low: Tensor
    lookup_feature: Tensor
    lookup_divide: Tensor
    lookup_modulus: Tensor
    scalar_place: Tensor
    scalar_low: Tensor
    scalar_other: Tensor
    scalar_scale: Tensor
    computed_feature: Tensor
    card_features: Tensor

    def __init__(
        self, observation_space: spaces.Space, inputs: dict[str, Any], width: int = 256, planes: Sequence[int] = ()
    ) -> None:
        super().__init__(observation_space, width + JOKER * len(planes))
        cards = [plane + kind for plane in planes for kind in range(JOKER)]
        self.register_buffer("card_features", torch.tensor(cards, dtype=torch.int64), persistent=False)
        self.inputs = Inputs(**inputs)
        self.linear = nn.Linear(self.inputs.features, width)
        names = ("place", "low", "feature", "divide", "modulus")
        for name, values in zip(names, _columns(self.inputs.lookups, 5), strict=True):
            self.register_buffer(f"lookup_{name}", torch.tensor(values, dtype=torch.int64), persistent=False)
        self.lookup_modulus[self.lookup_modulus == 0] = 1 << 30  # 0 stands for none
        order = sorted(self.inputs.scalars, key=lambda scalar: KINDS.index(scalar[3]))
        self._kinds = [sum(scalar[3] == kind for scalar in order) for kind in KINDS]
        place, low, feature, _, scale, other = _columns(order, 6)
        for name, values in (("place", place), ("low", low), ("other", other)):
            self.register_buffer(f"scalar_{name}", torch.tensor(values, dtype=torch.int64), persistent=False)
        self.register_buffer("scalar_scale", torch.tensor(scale, dtype=torch.float32), persistent=False)
        computed = [*feature, *(at + k for *_, at, count in self.inputs.patterns for k in range(count))]
        self.register_buffer("computed_feature", torch.tensor(computed, dtype=torch.int64), persistent=False)

    def forward(self, view: Tensor) -> Tensor:
        """The layer's output."""
        return self.from_features(self.features(view))

    def from_features(self, features: Tensor) -> Tensor:
        """The same from features that are there already, as the engine writes them (float32[B, D])."""
        outputs = torch.relu(self.linear(features))
        if len(self.card_features) == 0:
            return outputs
        return torch.cat([outputs, features[:, self.card_features]], dim=1)

    def features(self, view: Tensor) -> Tensor:
        """The features (float32[B, D]) of a view, equal to those of the engine."""
        index, present, computed = self.sparse(view)
        features = torch.zeros(len(view), self.inputs.features, device=view.device)
        features.scatter_add_(1, index, present)
        features[:, self.computed_feature] = computed
        return features

    def sparse(self, view: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What is not zero in the features: (int64[B, L], float32[B, L]) for lookups, float32[B, C] for the rest."""
        value = view[:, self.lookup_place].long() - self.lookup_low
        present = (value >= 0).float()
        value = torch.relu(value).div(self.lookup_divide, rounding_mode="floor") % self.lookup_modulus
        parts = [self._scalars(view)]
        for name, place, numbers, _, _ in self.inputs.patterns:
            parts.append(PATTERNS[name](view[:, place : place + numbers]))
        return value + self.lookup_feature, present, torch.cat(parts, dim=1)

    def _scalars(self, view: Tensor) -> Tensor:
        value, other = view[:, self.scalar_place], view[:, self.scalar_other].float()
        number, scale = torch.relu(value.float()), self.scalar_scale
        linear, log, ratio = (slice(sum(self._kinds[:k]), sum(self._kinds[: k + 1])) for k in range(len(KINDS)))
        parts = [
            value[:, linear].float() / scale[linear],
            torch.log1p(number[:, log]) / torch.log1p(scale[log]),
            torch.minimum(value[:, ratio].float() / torch.clamp(other[:, ratio], min=1.0), scale[ratio]),
        ]
        return torch.cat(parts, dim=1) * (value >= self.scalar_low).float()


KINDS = ("linear", "log", "ratio")


def _columns(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[k] for row in rows] for k in range(width)]


# What each card code + 1 is: its rank (13) and its suit (4), one-hot; a row of zeros for no card.
_CODES = torch.arange(52)
_CARDS = torch.cat([nn.functional.one_hot(_CODES // 4, 13), nn.functional.one_hot(_CODES % 4, 4)], dim=1)
_CARDS = nn.functional.pad(_CARDS, (0, 0, 1, 0)).float()
_STRAIGHTS = torch.tensor([[mask >> rank & 1 for rank in range(13)] for mask in STRAIGHT_MASKS], dtype=torch.float32)
_HIGHER = torch.arange(len(_STRAIGHTS)) / 20  # of equals the higher straight
# Each feature is a figure that reaches a level: cards of each rank, of one suit, of one straight, then card by card.
_FIGURE = torch.tensor([*range(13)] * 3 + [13] * 3 + [14] * 3 + [*range(15, 25)])
_LEVEL = torch.tensor([2.0] * 13 + [3.0] * 13 + [4.0] * 13 + [3.0, 4.0, 5.0] * 2 + [4.0] * 10)


def five_card_pattern(cards: Tensor) -> Tensor:
    """The features (float32[B, 55]) of `tinhorn.poker.features.five_card_pattern` for cards int[B, 5]."""
    cards = nn.functional.embedding(cards + 1, _CARDS)  # [B, 5, 17]
    counts = cards.sum(1, keepdim=True)
    of_rank, of_suit = counts[:, :, :13], counts[:, :, 13:]
    held = torch.clamp(of_rank, max=1.0) @ _STRAIGHTS.t()  # ranks held of each straight, [B, 1, 10]
    length = held.amax(2, keepdim=True)
    straight = nn.functional.embedding((held + _HIGHER).argmax(2), _STRAIGHTS) * length
    in_suit = of_suit @ cards[:, :, 13:].transpose(1, 2)  # [B, 1, 5]
    in_straight = straight @ cards[:, :, :13].transpose(1, 2)
    figures = torch.cat([of_rank, of_suit.amax(2, keepdim=True), length, in_suit, in_straight], dim=2).squeeze(1)
    return (figures.index_select(1, _FIGURE) >= _LEVEL).float()


# The torch form of each `tinhorn.core.encoding.Pattern`, by its name.
PATTERNS: dict[str, Callable[[Tensor], Tensor]] = {"five_card_pattern": five_card_pattern}


class ViewPolicy(MaskableActorCriticPolicy):
    """SB3's maskable policy over the view as it is: integers, neither scaled nor converted.

    Args:
        card_head: ``first`` and ``width`` of a `CardHead`; None for a plain layer to the logits.

    ``imitation``: the weight of agreeing with a teacher, in units of the entropy coefficient. ``last_entropy``: the
    mean in the last call of `evaluate_actions`.
    """

    imitation = last_entropy = 0.0

    def __init__(self, *args: Any, card_head: dict[str, int] | None = None, **settings: Any) -> None:
        self.card_head = card_head
        super().__init__(*args, **settings)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return super()._get_constructor_parameters() | {"card_head": self.card_head}

    def _build_mlp_extractor(self) -> None:
        cards, wide = len(self._first.card_features), self.features_dim
        self.features_dim = wide - cards
        super()._build_mlp_extractor()
        self.features_dim = wide
        if cards:
            self.mlp_extractor: Any = WithCards(self.mlp_extractor, wide - cards, cards)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        if self.card_head is None:
            return
        cards = len(self._first.card_features)
        inputs, actions = self.mlp_extractor.latent_dim_pi - cards, self.action_net.out_features
        head = CardHead(inputs, int(actions), cards // JOKER, **self.card_head)
        nn.init.orthogonal_(head.linear.weight, 0.01)
        nn.init.zeros_(head.linear.bias)
        self.action_net: Any = head
        make_optimizer: Any = self.optimizer_class
        self.optimizer = make_optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    @property
    def _first(self) -> ViewExtractor:
        extractor = self.features_extractor
        assert isinstance(extractor, ViewExtractor)
        return extractor

    def extract_features(self, obs: Any, features_extractor: BaseFeaturesExtractor | None = None) -> Any:
        """The extractor's output for views int[B, V] or features float32[B, D]."""
        extractor: Any = features_extractor or self.features_extractor
        return extractor.from_features(obs) if obs.is_floating_point() else extractor(obs)

    def twin(self) -> "ViewPolicy":
        """Another network of the same shape, on the same torch random state as before."""
        with torch.random.fork_rng(devices=[]):
            return type(self)(**self._get_constructor_parameters())

    def logits_and_values(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Action logits, not masked (float32[B, A]), and values (float32[B]) of views or features."""
        policy, value = self.mlp_extractor(self.extract_features(views))
        return self.action_net(policy), self.value_net(value).flatten()

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Values [B, 1], log-probabilities [B] of the actions and entropies [B], without distribution objects.

        To the entropy, which a training adds to what it maximises, comes the log-probability of an action marked as
        `TAUGHT`, ``imitation`` times.
        """
        logits, values = self.logits_and_values(obs)
        masks = None
        if action_masks is not None:
            masks = torch.as_tensor(action_masks, device=logits.device).reshape(logits.shape)
            logits = torch.where(masks > 0, logits, ILLEGAL)
        log_probs = torch.log_softmax(logits, dim=1)
        chosen = log_probs.gather(1, actions.long().reshape(-1, 1)).flatten()
        bonus = -(log_probs.exp() * log_probs).sum(1)
        self.last_entropy = float(bonus.detach().mean())
        if self.imitation and masks is not None:
            bonus = bonus + self.imitation * (log_probs * (masks == TAUGHT)).sum(1)
        return values.unsqueeze(1), chosen, bonus


def policy_settings(game: Game, width: int, policy: list[int], value: list[int]) -> dict[str, Any]:
    """SB3's ``policy_kwargs`` for a `ViewPolicy` of that size."""
    inputs, head = {"inputs": Inputs.of(game.layout)._asdict(), "width": width}, card_head(game)
    if head is not None:
        inputs["planes"] = game.layout.card_planes
    return {
        "card_head": head,
        "net_arch": {"pi": policy, "vf": value},
        "activation_fn": nn.ReLU,
        "features_extractor_class": ViewExtractor,
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        "features_extractor_kwargs": inputs,
    }


def spaces_of(layout: Layout, actions: int) -> tuple[spaces.Box, spaces.Discrete]:
    """Observation and action space of a network for that layout."""
    return spaces.Box(layout.lows, layout.highs, dtype=np.int32), spaces.Discrete(actions)
