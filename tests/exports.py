"""What tests of exported bots share: a small policy, and a measured strength."""

import torch

from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of

EVALUATION = {
    "game": "kuhn_v0",
    "bot": "/home/someone/runs/7/best.zip",
    "against": ["house", "/home/someone/other.zip"],
    "options": {"num_players": 2},
    "deals": 500,
    "seed": 1,
    "seconds": 3.25,
    "scores": [
        {"name": "chips", "unit": "a game", "fair": 0.0, "mean": {"value": 0.0512, "low": 0.0211, "high": 0.0813}}
    ],
}


def tiny_policy(game, width=16):
    """Untrained, but far from uniform."""
    torch.manual_seed(7)
    settings = policy_settings(game, width, [width], [width])
    policy = ViewPolicy(*spaces_of(game.layout, game.actions.count), lambda _: 1e-3, **settings)
    for weight in policy.action_net.parameters():
        torch.nn.init.normal_(weight, std=0.5)
    return policy
