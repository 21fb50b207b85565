"""No seat, and no bot that plays for it, sees what it may not; dealing the hidden cards anew shows it."""

import numpy as np
import pytest

from contract.play import (
    assert_same_future,
    every_game,
    every_table,
    positions,
    redealt,
    smallest_and_largest,
)
from tinhorn.bots import HouseBot, RandomBot, SearchBot
from tinhorn.core.rng import new_stream


@every_table
def test_hidden_cards_change_nothing_that_a_seat_sees(game, options):
    for table, _ in positions(game, options):
        for seat in range(options.num_players):
            world = redealt(table, seat, seed=table.state.ply + 7)
            for before, after in zip(table.observe(seat), world.observe(seat), strict=True):
                assert before.tobytes() == after.tobytes()
            assert game.text(table.state, seat) == game.text(world.state, seat)
            assert game.text(table.state, None) == game.text(world.state, None)
            if game.advice is not None:
                assert game.advice(table.state, seat) == game.advice(world.state, seat)
            if seat == table.actor:
                assert table.legal_actions() == world.legal_actions()
            assert (table.actor, table.finished) == (world.actor, world.finished)


@smallest_and_largest
def test_hidden_cards_change_no_bot_s_answer(game, options):
    bots = [RandomBot(), *(HouseBot(game, style) for style in game.styles)]
    for table, _ in positions(game, options, count=16):
        worlds = [table, *(redealt(table, table.actor, seed) for seed in range(3))]
        for bot in bots:
            assert len({answer(bot, world) for world in worlds}) == 1, bot.name


@smallest_and_largest
def test_hidden_cards_do_not_change_what_search_finds(game, options):
    bot = SearchBot(game, 2)
    for table, _ in positions(game, options, count=6, games=2):
        worlds = [table, *(redealt(table, table.actor, seed) for seed in range(2))]
        assert len({answer(bot, world) for world in worlds}) == 1


def answer(bot, table):
    """What a bot plays at a table, with the same luck each time."""
    before = table.states.tobytes()
    states = table.states if bot.needs_states else None
    actions = bot.act(table.view[None], table.mask[None], new_stream(3), states)
    assert table.states.tobytes() == before
    assert table.is_legal(int(actions[0]))
    return int(actions[0])


@every_game
def test_house_styles_have_as_many_parameters_each(game):
    assert len({len(style) for style in game.styles.values()}) == 1
    assert next(iter(game.styles)) == "house"


@every_table
def test_a_redealt_table_is_another_one_and_plays_to_the_end(game, options):
    changed = []
    for table, rng in positions(game, options, count=20):
        seat = int(rng.integers(options.num_players))
        world = redealt(table, seat, seed=int(rng.integers(1000)))
        changed.append(game.facts(world.state) != game.facts(table.state))
        assert world.state.seed != table.state.seed
        for _ in range(20_000):
            if world.finished:
                break
            world.step(int(rng.choice(world.legal_ids())))
            assert (world.view >= game.layout.lows).all()
            assert (world.view <= game.layout.highs).all()
        assert world.finished
    assert np.mean(changed) >= 0.25


@smallest_and_largest
def test_a_redealt_table_knows_nothing_of_the_first_deal(game, options):
    """Dealt anew by the same luck, two tables that look alike to a seat have the same future."""
    for table, rng in positions(game, options, count=12):
        seat = table.actor
        other = redealt(table, seat, seed=5)
        assert_same_future(redealt(table, seat, seed=9), redealt(other, seat, seed=9), rng)


@smallest_and_largest
def test_redealing_is_the_stream_s_doing(game, options):
    """The same stream deals the same world; the stream moves on."""
    for table, _ in positions(game, options, count=4, games=1):
        one, two = table.states.copy(), table.states.copy()
        luck, same = new_stream(1), new_stream(1)
        game.redeal(one[0], table.actor, luck)
        game.redeal(two[0], table.actor, same)
        assert one.tobytes() == two.tobytes()
        assert luck[0] == same[0] != new_stream(1)[0]


@every_game
def test_search_needs_states(game):
    from tinhorn.bots import BotError

    table = next(positions(game, game.options(), count=1))[0]
    with pytest.raises(BotError, match="needs the states"):
        SearchBot(game, 1).act(table.view[None], table.mask[None], new_stream(0))
