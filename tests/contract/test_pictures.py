"""Tables as pictures, ``render_mode="rgb_array"``."""

import sys

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import render_test

import tinhorn
from tinhorn.pictures import HEIGHT, WIDTH, picture

GAMES = tinhorn.list_games()
games = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def white(image):
    return (image == 255).all(axis=2).sum()


@games
def test_every_game_as_a_picture(game):
    env = tinhorn.make(game.id, render_mode="rgb_array")
    env.reset(seed=3)
    image, text = env.render(), game.text(env.table.state, env.table.actor)
    assert (image.shape, image.dtype) == ((HEIGHT, WIDTH, 3), np.uint8)
    assert np.array_equal(image, env.render())
    assert np.array_equal(image, picture(text))


def test_pettingzoo_renders_it():
    render_test(lambda render_mode: tinhorn.make("cold_hand_v0", render_mode=render_mode))


def test_gymnasium_renders_it():
    env = gymnasium.make("tinhorn/Hand-v0", opponents="house", render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (HEIGHT, WIDTH, 3)


def test_cards_are_white_and_the_mover_is_yellow():
    plain, cards = picture("seat 0  Kings"), picture("seat 0  Kh Jo")
    assert white(plain) == 0
    assert white(cards) > 300
    assert not np.array_equal(picture("  seat 0"), picture("> seat 0"))


def test_a_long_text_is_drawn_smaller_never_cut():
    """A picture of 60 lines has something on its last line, as one of 300 columns at its end."""
    tall, wide = picture("\n".join(["x"] * 60)), picture("x" * 300)
    felt = picture("")[0, 0]
    drawn = [np.argwhere((image != felt).any(axis=2)) for image in (tall, wide)]
    assert HEIGHT * 0.95 < drawn[0][:, 0].max() < HEIGHT - 1
    assert WIDTH * 0.85 < drawn[1][:, 1].max() < WIDTH - 1


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    env = tinhorn.make(GAMES[0].id, render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(ImportError, match=r"needs the train extra: .* pip install '\.\[train\]'"):
        env.render()
