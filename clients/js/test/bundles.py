"""Export an untrained bot of full size for every game, for the tests of the JavaScript loader: bundles.py FOLDER"""

import sys
from pathlib import Path

import torch

from tinhorn.registry import list_games
from tinhorn_training.export.bundle import export_bundle
from tinhorn_training.policy import ViewPolicy, policy_settings, spaces_of

for game in list_games():
    torch.manual_seed(1)
    settings = policy_settings(game, 256, [256], [256])
    policy = ViewPolicy(*spaces_of(game.layout, game.actions.count), lambda _: 1e-3, **settings)
    for weights in policy.action_net.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    export_bundle(policy, game, Path(sys.argv[1]) / game.name)
