"""What the tests of every game share: which tables there are, and random play at them."""

import dataclasses

import numpy as np
import pytest

from tinhorn.core.options import OptionError, Options
from tinhorn.core.rng import new_stream
from tinhorn.core.table import Table
from tinhorn.registry import list_games


def variants(game):
    """Options of a game: every number of players, and every other value of a flag or a choice."""
    counts = game.options.player_counts
    found = [game.options(num_players=players) for players in counts]
    for field in dataclasses.fields(game.options):
        values = field.metadata.get("choices", (True, False) if isinstance(field.default, bool) else ())
        for players in counts[-1], counts[0]:
            for value in values:
                if value != field.default:
                    try:
                        found.append(game.options(num_players=players, **{field.name: value}))
                        break
                    except OptionError:  # not with so many players
                        continue
    return list(dict.fromkeys(found))


def name_of(game, options):
    """``"cold_hand-4"``, with whatever differs from the default."""
    default = type(options)(num_players=options.num_players).as_dict()
    changed = [f"{name}={value}" for name, value in options.as_dict().items() if default[name] != value]
    return "-".join([game.name, str(options.num_players), *changed])


def _params(few):
    for game in list_games():
        found = variants(game)
        for options in [found[0], found[len(game.options.player_counts) - 1]] if few else found:
            yield pytest.param(game, options, id=name_of(game, options))


every_game = pytest.mark.parametrize("game", list_games(), ids=lambda game: game.name)
every_table = pytest.mark.parametrize(("game", "options"), list(_params(few=False)))
smallest_and_largest = pytest.mark.parametrize(
    ("game", "options"), {param.id: param for param in _params(few=True)}.values()
)


def begin(game, options: Options, seed: int, *, skip_forced=False) -> Table:
    """A table before its first decision."""
    table = Table(game, options, skip_forced=skip_forced)
    table.reset(seed)
    return table


def walk(game, options, seed, *, every=1, most=400):
    """A random game: yields (table, rng) before every ``every``-th of at most ``most`` decisions."""
    table, rng = begin(game, options, seed), np.random.default_rng(seed)
    for decision in range(most):
        if table.finished:
            return
        if decision % every == 0:
            yield table, rng
        table.step(int(rng.choice(table.legal_ids())))


def positions(game, options, *, count=24, games=4, most=400):
    """About ``count`` different decisions of random games, spread over their whole length."""
    found = 0
    for seed in range(40):
        length = sum(1 for _ in walk(game, options, seed, most=most))
        every = max(1, length * games // count)
        for table, rng in walk(game, options, seed, every=every, most=most):
            yield table, rng
            found += 1
        if found >= count:
            return


def redealt(table, seat, seed):
    """The same table as far as ``seat`` can know, everything hidden dealt anew."""
    states = table.states.copy()
    table.game.redeal(states[0], seat, new_stream(int(seed)))
    world = table.clone()
    world.load(states[0])
    return world


def outlook(table):
    """Everything that a table shows of itself, as bytes and numbers: compare two of them."""
    seen = [[part.tobytes() for part in table.observe(seat)] for seat in range(table.options.num_players)]
    return seen, table.actor, table.finished, table.state.rewards.tolist(), int(table.state.ply)


def assert_same_future(one, two, rng, most=200):
    """Both tables show the same, now and after every one of the same random actions."""
    assert outlook(one) == outlook(two)
    for _ in range(most):
        if one.finished:
            return
        action = int(rng.choice(one.legal_ids()))
        one.step(action)
        two.step(action)
        assert outlook(one) == outlook(two)
