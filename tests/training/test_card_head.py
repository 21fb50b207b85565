"""One set of weights for all cards: what it reads, what it shares, and where it is used."""

import pytest
import torch
from torch import nn

import tinhorn
from kuhn import GAME as KUHN
from tinhorn.core.cards import JOKER, parse_card
from tinhorn.core.game import Block
from tinhorn_training.card_head import CardHead, card_head
from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of

GAMES = [KUHN, *tinhorn.list_games()]
WITH_HEAD = [game for game in GAMES if card_head(game) is not None]


def random_head(planes=2, actions=70, first=5):
    torch.manual_seed(3)
    head = CardHead(inputs=4, actions=actions, planes=planes, first=first, width=8)
    for weight in head.parameters():
        nn.init.normal_(weight)
    nn.init.zeros_(head.kind)
    nn.init.zeros_(head.linear.weight)
    nn.init.zeros_(head.linear.bias)
    return head


def judged(head, planes):
    """The logits of the 52 cards for planes float32[P, 52]."""
    with torch.no_grad():
        logits = head(torch.cat([torch.ones(1, 4), planes.reshape(1, -1)], dim=1))[0]
    outside = torch.cat([logits[: head.first], logits[head.first + JOKER :]])
    assert not outside.any(), "only moves of one card are judged"
    return logits[head.first : head.first + JOKER].tolist()


def test_games_with_a_block_of_single_cards_have_a_head():
    for game in GAMES:
        blocks = [block for block in game.actions.blocks if block.one_card]
        assert (card_head(game) is not None) == bool(blocks), game.name
        for block in blocks:
            assert block.size >= JOKER
    assert WITH_HEAD
    assert not Block("fold", 1, "Give up.").one_card


def test_what_is_learnt_of_one_card_holds_for_all():
    """Cards that look alike from where they are, in any suit and rank, are judged alike."""
    head, planes = random_head(), torch.zeros(2, JOKER)
    planes[0, parse_card("7h")] = planes[0, parse_card("8h")] = planes[1, parse_card("7s")] = 1
    moved = torch.zeros(2, JOKER)
    moved[0, parse_card("Jc")] = moved[0, parse_card("Qc")] = moved[1, parse_card("Jd")] = 1
    before, after = judged(head, planes), judged(head, moved)
    for card, twin in (("7h", "Jc"), ("8h", "Qc"), ("9h", "Kc"), ("5h", "9c"), ("7s", "Jd"), ("2d", "2h")):
        assert before[parse_card(card)] == pytest.approx(after[parse_card(twin)], abs=1e-5)
    assert before[parse_card("7h")] != pytest.approx(before[parse_card("8h")], abs=1e-3)


@pytest.mark.parametrize(
    ("card", "near", "far"),
    [
        ("7h", ["7h", "5h", "6h", "8h", "9h", "7c", "7d", "7s"], ["Th", "4h", "8s"]),
        ("As", ["As", "Qs", "Ks", "2s", "3s", "Ac"], ["4s", "Js", "2c"]),  # the ace is low and high
    ],
)
def test_a_card_is_judged_by_itself_its_neighbours_and_its_rank(card, near, far):
    head, place = random_head(planes=1), parse_card(card)
    nothing = judged(head, torch.zeros(1, JOKER))[place]
    for other in near + far:
        planes = torch.zeros(1, JOKER)
        planes[0, parse_card(other)] = 1
        changed = judged(head, planes)[place] != pytest.approx(nothing, abs=1e-6)
        assert changed == (other in near), other


@pytest.mark.parametrize("game", WITH_HEAD, ids=lambda game: game.name)
def test_all_ways_through_the_policy_agree(game):
    torch.manual_seed(0)
    settings = policy_settings(game, 16, [16], [16])
    policy = ViewPolicy(*spaces_of(game.layout, game.actions.count), lambda _: 1e-3, **settings)
    for weight in policy.action_net.parameters():
        nn.init.normal_(weight, std=0.3)
    table = tinhorn.core.table.Table(game)
    table.reset(4)
    view, features = torch.from_numpy(table.view[None]), torch.from_numpy(table.features[None])
    mask = torch.from_numpy(table.mask[None])
    with torch.no_grad():
        logits, value = policy.logits_and_values(view)
        assert torch.allclose(policy.logits_and_values(features)[0], logits, atol=1e-5)
        stock = policy.get_distribution(view, mask.numpy()).distribution
        ours = torch.softmax(torch.where(mask > 0, logits, -1e9), dim=1)
        assert torch.allclose(stock.probs, ours, atol=1e-5)
        assert torch.allclose(policy.predict_values(view).flatten(), value, atol=1e-5)
        assert torch.allclose(policy.twin().action_net.linear.weight.detach().std(), torch.tensor(0.0), atol=0.1)


@pytest.mark.parametrize("game", WITH_HEAD, ids=lambda game: game.name)
def test_the_numbers_of_the_cards_are_no_way_back(game):
    """They come from the view and are learnt from, not changed."""
    head = random_head(planes=1)
    latent = torch.rand(3, 4 + JOKER, requires_grad=True)
    head(latent).sum().backward()
    assert latent.grad is not None
    assert not latent.grad[:, 4:].any()
    assert latent.grad[:, :4].any()
