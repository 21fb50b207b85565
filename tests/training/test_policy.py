"""The network's own reading of a view equals the engine's features."""

import numpy as np
import pytest
import torch

from kuhn import GAME as KUHN
from tinhorn.core.batch import Batch
from tinhorn.core.encoder import make_encoder
from tinhorn.core.encoding import FLAG, Logarithm, OneHot, Pattern, Ratio, Scaled
from tinhorn.core.layout import Field, Layout
from tinhorn.core.rng import choose
from tinhorn.poker.features import FIVE_CARD_PATTERN
from tinhorn.registry import list_games
from tinhorn_training.policy import Inputs, ViewExtractor, ViewPolicy, five_card_pattern, policy_settings, spaces_of

GAMES = [KUHN, *[game for game in list_games() if game is not KUHN]]


def played_views(game, decisions=60, tables=32):
    """Views of random play and their features by the engine's encoder."""
    batch = Batch(game, tables, seed=5, features=True)
    stream = np.array([3], np.uint64)
    views, features = [], []
    for _ in range(decisions):
        views.append(batch.views.copy())
        features.append(batch.features.copy())
        batch.step(np.array([choose(stream, mask) for mask in batch.masks]))
    return np.concatenate(views), np.concatenate(features)


def extractor(layout, width=64):
    torch.manual_seed(1)
    space, _ = spaces_of(layout, 2)
    return ViewExtractor(space, Inputs.of(layout)._asdict(), width)


def assert_equal_product(layout, views, features):
    module = extractor(layout)
    product = torch.relu(torch.from_numpy(features) @ module.linear.weight.t() + module.linear.bias)
    with torch.no_grad():
        assert torch.allclose(module.features(torch.from_numpy(views)), torch.from_numpy(features), atol=1e-6)
        assert torch.allclose(module(torch.from_numpy(views)), product, atol=1e-5)
        assert torch.allclose(module.from_features(torch.from_numpy(features)), product, atol=1e-5)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_extractor_is_features_times_matrix(game):
    views, features = played_views(game)
    assert_equal_product(game.layout, views, features)


def test_every_encoding_and_every_kind_of_none():
    layout = Layout(
        Field("flag", "A flag.", 0, 1, (2,), encode=FLAG),
        Field("chips", "Chips.", 0, 100_000, none="not in", encode=(Scaled(50.0), Logarithm(100_000.0))),
        Field("bet", "Against the chips.", 0, 100_000, (2,), "none", Ratio(4.0, to="chips")),
        Field("below", "Values below zero.", -5, 5, none="none", encode=(OneHot(), Scaled(5.0))),
        Field("hand", "Cards.", 0, 51, (5,), "none", FIVE_CARD_PATTERN, cards=True),
    )
    random = np.random.default_rng(0)
    views = random.integers(layout.lows, layout.highs + 1, (400, layout.size)).astype(np.int32)
    views[:50] = layout.lows
    at = layout.at("hand")
    for row in views[50:]:
        row[at : at + 5] = random.permutation(52)[:5]
    features = np.zeros((len(views), layout.feature_size), np.float32)
    encode = make_encoder(layout)
    for view, out in zip(views, features, strict=True):
        encode(view, out)
    assert_equal_product(layout, views, features)


def test_five_card_pattern_equals_the_kernel():
    random = np.random.default_rng(2)
    hands = np.argsort(random.random((20_000, 52)), axis=1)[:, :5].astype(np.int32)
    hands[:4000] = random.integers(0, 4, (4000, 1)) + 4 * np.argsort(random.random((4000, 13)), axis=1)[:, :5]
    starts = random.integers(-1, 9, (4000, 1))  # straights, ace low among them
    hands[4000:8000] = 4 * ((starts + np.arange(5)) % 13) + random.integers(0, 4, (4000, 5))
    hands[8000:9000, 1:] = np.arange(4) + 4 * ((hands[8000:9000, :1] // 4 + 1) % 13)  # four of a kind
    hands[-1] = -1
    expected = np.zeros((len(hands), FIVE_CARD_PATTERN.features), np.float32)
    for hand, out in zip(hands, expected, strict=True):
        FIVE_CARD_PATTERN.kernel(hand, 0, out, 0)
    assert np.array_equal(five_card_pattern(torch.from_numpy(hands)).numpy(), expected)
    assert (expected.sum(0) > 0).all()


def test_a_pattern_without_a_torch_form_is_named():
    odd = Pattern("odd_pattern", 3, FIVE_CARD_PATTERN.kernel, "odd")
    with pytest.raises(ValueError, match="odd_pattern"):
        Inputs.of(Layout(Field("x", "X.", 0, 5, encode=odd)))


def test_log_probabilities_and_entropy_equal_those_of_the_stock_policy():
    game = KUHN
    space, actions = spaces_of(game.layout, game.actions.count)
    torch.manual_seed(0)
    policy = ViewPolicy(space, actions, lambda _: 1e-3, **policy_settings(game, 32, [32], [32]))
    torch.nn.init.normal_(policy.action_net.weight)
    played = played_views(game)
    views, features = torch.from_numpy(played[0]), torch.from_numpy(played[1])
    masks = torch.randint(0, 2, (len(views), 2))
    masks[masks.sum(1) == 0] = 1
    chosen = torch.where(masks[:, 0] > 0, 0, 1)
    with torch.no_grad():
        mine = policy.evaluate_actions(views, chosen, masks.float())
        stock = super(ViewPolicy, policy).evaluate_actions(views, chosen, masks.float())
        assert torch.allclose(mine[0], policy.predict_values(views))
        for ours, same in zip(mine, policy.evaluate_actions(features, chosen, masks), strict=True):
            assert torch.allclose(ours, same, atol=1e-6)
    for ours, theirs in zip(mine, stock, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)
