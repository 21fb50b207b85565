"""One set of weights for all cards: the part of a policy that judges moves of one card, such as throws.

For each kind of card it reads what the view says of that kind, of its neighbours in suit and of the other suits of
its rank, and what the rest of the network makes of the table. So what is learnt of one card holds for all.
"""

from typing import Any

import torch
from torch import Tensor, nn

from tinhorn.core.cards import JOKER, RANKS, SUITS
from tinhorn.core.game import Game

_SUITS, _RANKS = len(SUITS), len(RANKS)
_NEAR = 6  # the kind itself, two ranks lower to two higher in its suit, and the sum of its other suits
_STEPS = ((0, 0), (-2, 0), (-1, 0), (1, 0), (2, 0), (0, 1), (0, 2), (0, 3))  # in rank and in suit; ace next to 2


def card_head(game: Game, width: int = 16) -> dict[str, int] | None:
    """What a `CardHead` of that game takes; None where no block of actions is one move for each card."""
    blocks = [block.name for block in game.actions.blocks if block.one_card]
    return {"first": game.actions.start(blocks[0]), "width": width} if blocks and game.layout.card_planes else None


class CardHead(nn.Module):
    """A linear layer to the logits of all actions, plus a judgement of each card for those of one card.

    Args:
        inputs: width of what the network makes of the table. actions: how many there are.
        planes: how many numbers the view has for each kind of card. first: the action for the first kind, 2c.
        width: hidden units for a kind.
    """

    around: Tensor

    def __init__(self, inputs: int, actions: int, planes: int, first: int, width: int) -> None:
        super().__init__()
        self.inputs, self.first = inputs, first
        self.linear = nn.Linear(inputs, actions)
        self.near = nn.Parameter(torch.randn(width, planes, _NEAR) / (planes * _NEAR) ** 0.5)
        self.kind = nn.Parameter(torch.zeros(JOKER, width))
        self.table = nn.Linear(inputs, width)
        self.judge = nn.Linear(width, 1, bias=False)
        nn.init.zeros_(self.judge.weight)
        self.rest = actions - first - JOKER
        self.register_buffer("around", _around(planes), persistent=False)

    def forward(self, latent: Tensor) -> Tensor:
        """Logits float32[B, A] of float32[B, inputs + planes x 52]."""
        table, cards = latent[:, : self.inputs], latent[:, self.inputs :].detach()  # numbers of the view: no gradient
        near = torch.cat([self.near, self.near[:, :, -1:], self.near[:, :, -1:]], dim=2).flatten(1)
        around = cards.index_select(1, self.around.flatten()).unflatten(1, self.around.shape)
        hidden = nn.functional.linear(around, near).add_(self.kind).add_(self.table(table).unsqueeze(1)).relu_()
        judged = self.judge(hidden).squeeze(2)
        return self.linear(table) + nn.functional.pad(judged, (self.first, self.rest))


def _around(planes: int) -> Tensor:
    """Where the numbers around each kind lie among planes x 52: int64[52, planes x 8]."""
    kinds = torch.arange(JOKER)
    rank, suit = kinds // _SUITS, kinds % _SUITS
    near = torch.stack([(rank + up) % _RANKS * _SUITS + (suit + over) % _SUITS for up, over in _STEPS], dim=1)
    return (torch.arange(planes)[None, :, None] * JOKER + near[:, None, :]).flatten(1)


class WithCards(nn.Module):
    """Stable-Baselines3's layers between features and outputs, past which the numbers of the cards are handed on."""

    def __init__(self, layers: Any, width: int, cards: int) -> None:
        super().__init__()
        self.layers, self.width = layers, width
        self.latent_dim_pi, self.latent_dim_vf = layers.latent_dim_pi + cards, layers.latent_dim_vf

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Latents of the policy, with the cards, and of the value."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: Tensor) -> Tensor:
        """Latents of the policy, with the cards."""
        return torch.cat([self.layers.forward_actor(features[:, : self.width]), features[:, self.width :]], dim=1)

    def forward_critic(self, features: Tensor) -> Tensor:
        """Latents of the value."""
        latent: Tensor = self.layers.forward_critic(features[:, : self.width])
        return latent
