"""The engine beside the plain reference, step by step, on random matches over all four forms of the table."""

from random import Random

import pytest

from games.hand.engine import compare, compare_masks, move_id, pair

FORMS = {
    "two": {"num_players": 2},
    "three": {"num_players": 3},
    "four": {"num_players": 4},
    "teams": {"num_players": 4, "teams": True},
}


def choose(random, moves):
    """Mostly lays and takes what can be laid and taken, so that matches come to their end; sometimes anything."""
    if random.random() < 0.75:
        moves = [move for move in moves if move[0] not in ("throw", "back", "stock")] or moves
    return random.choice(moves)


def play_match(seed, **options):
    """Compare everything at every decision of a match; returns the number of decisions."""
    random = Random(seed)
    engine, plain = pair(seed, max_turns=random.choice((400, 400, 400, 30)), **options)
    count = 0
    while not plain.over:
        compare(engine, plain)
        move = choose(random, compare_masks(engine, plain))
        engine.step(move_id(move, plain.melds))
        plain.step(move)
        count += 1
    compare(engine, plain)
    assert engine.legal() == set()
    return count


@pytest.mark.parametrize("form", FORMS)
def test_a_few_random_matches_step_by_step(form):
    for seed in range(4):
        play_match(seed, **FORMS[form])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("form", FORMS)
def test_2000_random_matches_step_by_step(form, part):
    for seed in range(100 + 125 * part, 225 + 125 * part):
        play_match(seed, **FORMS[form])
