"""Nothing that a caller hands over reaches a compiled loop unchecked: an error, and all is as it was."""

import numpy as np
import pytest

import tinhorn
from contract.play import every_game
from tinhorn.bots import BotError, HouseBot, RandomBot, SearchBot
from tinhorn.core.batch import Batch
from tinhorn.core.options import OptionError
from tinhorn.core.table import IllegalActionError, Table
from tinhorn.seat import SeatEnv, SeatVectorEnv

TABLES = 4
NO_SEATS = (-1, 6, 99, 10**9, 1.5, True, "0", None)
NO_ACTIONS = (-1, 5000, 10**18, -(10**9))


def others(game):
    return [other for other in tinhorn.list_games() if other is not game]


@every_game
def test_a_seat_that_is_not_there(game):
    table = Table(game)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        table.observe(0)
    table.reset(seed=1)
    for seat in (*NO_SEATS, table.options.num_players):
        with pytest.raises(ValueError, match="the seats are 0 to"):
            table.observe(seat)


@every_game
def test_a_table_before_its_reset_has_no_moves(game):
    table = Table(game)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        table.timeout_action()
    with pytest.raises(IllegalActionError, match=r"call reset\(\) first"):
        table.step(0)


@every_game
def test_a_state_that_has_not_begun_is_not_loaded(game):
    table = Table(game)
    table.reset(seed=1)
    before = table.states.tobytes()
    for state in (Table(game).state, np.zeros(1, game.state)[0]):
        with pytest.raises(ValueError, match="has not begun"):
            table.load(state)
    for state in (None, np.zeros(3), *(Table(other).state for other in others(game)[:1])):
        with pytest.raises(ValueError, match="no state of"):
            table.load(state)
    assert table.states.tobytes() == before


@every_game
def test_truth_values_are_no_actions(game):
    table = Table(game)
    table.reset(seed=1)
    for action in (True, False, np.bool_(True)):
        assert not table.is_legal(action)
        with pytest.raises(IllegalActionError):
            table.step(action)


@every_game
def test_a_batch_refuses_illegal_actions_and_changes_nothing(game):
    batch = Batch(game, TABLES, seed=1)
    legal = batch.masks.argmax(axis=1)
    before = batch.states.tobytes()
    for action in NO_ACTIONS:
        for table in range(TABLES):
            actions = legal.copy()
            actions[table] = action
            with pytest.raises(IllegalActionError, match=f"table {table}: "):
                batch.step(actions)
    forbidden = batch.masks.argmin(axis=1)
    if (batch.masks[0] == 0).any():
        with pytest.raises(IllegalActionError, match="is not legal"):
            batch.step(np.where(np.arange(TABLES) == 0, forbidden, legal))
    for actions in (legal * 1.0, legal > 0, [str(k) for k in legal], [None] * TABLES, legal[:2], legal[:, None]):
        with pytest.raises(ValueError, match="actions"):
            batch.step(actions)
    assert batch.states.tobytes() == before
    batch.step(legal)
    assert batch.states.tobytes() != before


@every_game
def test_a_batch_refuses_tables_and_seeds_that_are_none(game):
    batch = Batch(game, TABLES, seed=1)
    legal = batch.masks.argmax(axis=1)
    before = batch.states.tobytes()
    for tables in ([TABLES], [-1], [10**9], [1.7], [True], ["0"]):
        with pytest.raises(ValueError, match="tables"):
            batch.step(legal[:1], tables)
        with pytest.raises(ValueError, match="tables"):
            batch.restart(tables)
    with pytest.raises(ValueError, match="named twice"):
        batch.step(legal[[0, 0]], [0, 0])
    for seeds in ([1], np.arange(5), 1.5):
        with pytest.raises(ValueError, match="seeds"):
            batch.reset(seeds=seeds)
        with pytest.raises(ValueError, match="seeds"):
            batch.restart(np.arange(TABLES), seeds)
    assert batch.states.tobytes() == before
    batch.reset(seeds=[5] * TABLES)
    assert len({state.tobytes() for state in batch.states}) == 1


@every_game
def test_a_batch_takes_every_legal_amount(game):
    """What lies beyond the action table is checked by the game, table by table."""
    batch = Batch(game, 1, seed=1)
    edge = batch.table(0)
    amounts = [k for k in range(game.actions.count, game.actions.count + 400) if edge.is_legal(k)]
    for amount in amounts[:3]:
        batch.reset(seeds=[edge.state["seed"]])
        batch.step([amount])
    refused = [k for k in range(game.actions.count, game.actions.count + 5) if not edge.is_legal(k)]
    for amount in refused:
        batch.reset(seeds=[edge.state["seed"]])
        with pytest.raises(IllegalActionError):
            batch.step([amount])


@every_game
def test_options_of_another_game_or_none_at_all(game):
    foreign = others(game)[0].options()
    for options in (foreign, {"num_players": 2}, 4):
        with pytest.raises(OptionError, match="no options of"):
            Table(game, options)
    for options in ([foreign], [{"num_players": 2}]):
        with pytest.raises(OptionError, match="no options of"):
            Batch(game, TABLES, options)
    with pytest.raises(OptionError, match=r"options=\[\]"):
        Batch(game, TABLES, [])
    most = game.options.player_counts[-1]
    assert game.options.make({"num_players": np.int64(most)}) == game.options(num_players=most)


@every_game
def test_an_opponent_of_another_game_or_none_at_all(game):
    other = others(game)[0]
    for bot in (HouseBot(other), SearchBot(other, 1)):
        with pytest.raises(BotError, match=f"plays {other.title}, not {game.title}"):
            SeatEnv(game, opponents=bot)
    for bot in (5, None, {"house"}, [5]):
        with pytest.raises(BotError, match="give bots or their names"):
            SeatEnv(game, opponents=bot)
    for seat in ("0", True, 1.0, 99):
        with pytest.raises(OptionError, match="seat="):
            SeatEnv(game, seat=seat)


@every_game
def test_odd_actions_of_a_seat_are_illegal_ones(game):
    for action in (1.7, "1", None, "x", 10**30, True, float("nan"), -1):
        loses, raises = SeatEnv(game, opponents="random"), SeatEnv(game, opponents="random", illegal="raise")
        loses.reset(seed=1)
        _, reward, terminated, _, info = loses.step(action)
        assert (reward, terminated, info["illegal_action"]) == (-1.0, True, True)
        raises.reset(seed=1)
        before = raises._vector.seats.batch.states.tobytes()
        with pytest.raises(IllegalActionError):
            raises.step(action)
        assert raises._vector.seats.batch.states.tobytes() == before
    vector = SeatVectorEnv(game, 2, opponents="random")
    with pytest.raises(IllegalActionError, match=r"call reset\(\) first"):
        vector.step(np.zeros(2, np.int64))
    vector.reset(seed=1)
    for actions in ([0], [0, 0, 0], [[0], [0]], 0, [0.5, 0.5], [True, True]):
        with pytest.raises(ValueError, match="2 whole numbers"):
            vector.step(actions)


@every_game
def test_bots_refuse_arrays_that_are_none_of_their_game(game):
    batch = Batch(game, TABLES, seed=1)
    views, masks, streams = batch.views, batch.masks, np.arange(1, TABLES + 1, dtype=np.uint64)
    bots = [HouseBot(game), RandomBot(), SearchBot(game, 1)]
    for bot in bots:
        states = batch.states if bot.needs_states else None
        for odd in ((views[:1], masks, streams), (views, masks, streams[:1]), (views, masks, streams.astype(np.int64))):
            with pytest.raises(ValueError, match="a bot takes views"):
                bot.act(*odd, states)
        with pytest.raises(ValueError, match="mask of zeros"):
            bot.act(views, np.zeros_like(masks), streams, states)
        legal = bot.act(views, masks, streams.copy(), states)
        assert (masks[np.arange(TABLES), legal] == 1).all()
    for bot in (HouseBot(game), SearchBot(game, 1)):
        for odd in (np.full_like(views, 10**9), np.full_like(views, -5)):
            with pytest.raises(ValueError, match="out of range"):
                bot.act(odd, masks, streams, batch.states)
        with pytest.raises(ValueError, match="are not those of"):
            bot.act(views[:, 1:], masks, streams, batch.states)
    with pytest.raises(ValueError, match="states for"):
        SearchBot(game, 1).act(views, masks, streams, batch.states[:1])
