"""Chance by name: prescribed, recorded, refused when it cannot be."""

import numpy as np
import pytest

from tinhorn.core.batch import Batch
from tinhorn.core.cards import CARD_TEXTS
from tinhorn.core.chance import Chance
from tinhorn.core.table import ChanceError, Table
from tinhorn.games.cold_hand import GAME, ColdHandOptions

KINDS = {chance.name: chance for chance in GAME.chances}


def table_of(seed=1, players=3, **settings):
    table = Table(GAME, ColdHandOptions(players))
    table.reset(seed, **settings)
    return table


def outcomes(table):
    return {name: chance.outcome(table.state) for name, chance in KINDS.items()}


def play_all(table, rng):
    """Play on at random; returns everything that chance did, draw by draw, and the final facts."""
    script = [{} for _ in range(200)]
    counts = dict.fromkeys(KINDS, 0)
    actions = []
    while True:
        for name in KINDS:
            drawn = int(table.state[name]["drawn"])
            if drawn > counts[name]:
                script[drawn - 1][name] = KINDS[name].outcome(table.state)
                counts[name] = drawn
        if table.finished:
            return script, actions, GAME.facts(table.state)
        actions.append(int(rng.choice(table.legal_ids())))
        table.step(actions[-1])


def test_a_game_can_be_replayed_from_its_chance_under_any_seed():
    script, actions, end = play_all(table_of(3), np.random.default_rng(2))
    again = table_of(99, chance=script)
    for action in actions:
        again.step(action)
    assert GAME.facts(again.state) == end


def test_prescribing_what_the_seed_gives_changes_no_byte():
    table = table_of(3)
    script, actions, _ = play_all(table, np.random.default_rng(2))
    again = table_of(3, chance=script)
    for action in actions:
        again.step(action)
    assert again.states.tobytes() == table.states.tobytes()


def test_what_is_not_named_is_left_to_the_seed():
    """A prescribed card moves another one only."""
    deck = outcomes(table_of(5))["deck"]
    wanted = next(card for card in CARD_TEXTS[:52] if card != deck[0])
    changed = outcomes(table_of(5, chance={"deck": [wanted]}))
    assert changed["deck"][0] == wanted
    assert changed["deck"][deck.index(wanted)] == deck[0]
    same = [place for place in range(52) if deck[place] not in (wanted, deck[0])]
    assert [changed["deck"][place] for place in same] == [deck[place] for place in same]
    assert changed["bullets"] == outcomes(table_of(5))["bullets"]


def test_gaps_may_be_anything():
    found = outcomes(table_of(1, chance={"bullets": [None, 4], "deck": [None, "As", None, "Kd"]}))
    assert found["bullets"][1] == 4
    assert found["deck"][1:4:2] == ["As", "Kd"]
    assert sorted(found["deck"]) == sorted(CARD_TEXTS[:52])


def test_a_list_names_the_draws_one_after_the_other():
    table = table_of(1, players=2, chance=[{"bullets": [6, 6]}, {}, {"bullets": [5, 4]}])
    bullets = []
    while int(table.state["bullets"]["drawn"]) < 4:
        hand = int(table.state["bullets"]["drawn"])
        if len(bullets) < hand:
            bullets.append(outcomes(table)["bullets"])
            if hand == 2:  # whatever the second draw gave, survive it
                table.state["bullets"]["values"][:] = 6
        table.step(table.timeout_action())
    assert bullets[0] == [6, 6]
    assert bullets[2] == [5, 4]


IMPOSSIBLE = {
    "a number too high": {"bullets": [7, 1, 1]},
    "a number too low": {"bullets": [0]},
    "a seat that is not there": {"opener": [3]},
    "too many bullets": {"bullets": [1, 1, 1, 1]},
    "a joker": {"deck": ["Jo"]},
    "more than fits": {"opener": [0, 1]},
    "a card twice": {"deck": ["As", "As"]},
    "no card": {"deck": ["Xx"]},
    "no card but a number": {"deck": [5]},
    "no number": {"bullets": ["one"]},
    "true is no number": {"bullets": [True]},
    "half a number": {"bullets": [1.5]},
    "a number alone": {"opener": 0},
    "numbers as one text": {"bullets": "66"},
    "no list": {"deck": {"As": 1}},
    "nothing": {"deck": None},
    "no card in one text": {"deck": "As Kdd"},
    "a number that no byte holds": {"opener": [200]},
}


@pytest.mark.parametrize("chance", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_outcomes_are_refused_and_nothing_changes(chance):
    table = table_of(1)
    for _ in range(5):
        table.step(table.timeout_action())
    before = table.states.tobytes(), table.view.tobytes(), table.mask.tobytes(), table.actor
    with pytest.raises(ChanceError, match=f"^chance '{next(iter(chance))}': "):
        table.reset(2, chance=chance)
    assert (table.states.tobytes(), table.view.tobytes(), table.mask.tobytes(), table.actor) == before
    table.step(table.timeout_action())


@pytest.mark.parametrize("chance", ["As Kd", 5, [3], [{"deck": ["As"]}, None], {5: [1]}])
def test_chance_is_outcomes_by_name(chance):
    with pytest.raises(ChanceError, match=r"like {'deck': |unknown chance 5"):
        table_of(1, chance=chance)


def test_refusals_name_the_cure():
    for chance, cure in {
        "As As": "As is named twice, more often than it is there; None, or -- in a text, leaves",
        "-- Jo": "'Jo' at place 1 is not in this deck, it came out as '.*': name another one; None, or -- in",
        "Xx": "'Xx' is no card: write rank and suit like 'Td', 'As', or 'Jo'; None, or -- in a text",
    }.items():
        with pytest.raises(ChanceError, match=cure):
            table_of(1, chance={"deck": chance})
    with pytest.raises(ChanceError, match=r"'bullets': 7 at place 0 cannot be .For each seat the pull, 1 to 6"):
        table_of(1, chance={"bullets": [7]})
    with pytest.raises(ChanceError, match=r"'bullets': 1 is named at place 3, .* places 0 to 2 only: leave it out"):
        table_of(1, chance={"bullets": [None, None, None, 1]})


def test_cards_may_be_one_text_and_numbers_an_array():
    found = outcomes(table_of(1, chance={"deck": "As -- Kd", "bullets": np.array([6, 5])}))
    assert (found["deck"][0], found["deck"][2], found["bullets"][:2]) == ("As", "Kd", [6, 5])


def test_an_outcome_that_turns_out_impossible_later_undoes_the_step():
    """A card that somebody holds cannot be in the second deck."""
    table = table_of(1, players=2)
    held = GAME.facts(table.state)["cards"]["0"][0]
    table.reset(1, chance={"second_deck": [held]})
    for _ in range(3):
        table.step(table.timeout_action())
    before = table.states.tobytes(), table.view.tobytes(), table.mask.tobytes(), table.actor
    for _ in range(2):
        with pytest.raises(ChanceError, match="second_deck"):
            table.step(table.timeout_action())
        assert (table.states.tobytes(), table.view.tobytes(), table.mask.tobytes(), table.actor) == before
    fold = table.legal_ids()[-1]
    table.step(fold)  # without a second draw the hand ends well


def test_an_unknown_kind_is_refused_by_name():
    table = table_of(1)
    before = table.states.tobytes()
    with pytest.raises(ChanceError, match="unknown chance 'dice'; this game has: deck, second_deck, bullets, opener"):
        table.reset(2, chance={"dice": [1]})
    with pytest.raises(ChanceError, match="unknown chance 'dice'"):
        table.reset(2, chance=[{}, {"dice": [1]}])
    assert table.states.tobytes() == before


def test_a_copy_keeps_the_chance_to_come_and_the_state_does_not_tell():
    table = table_of(1, players=2, chance={"second_deck": ["2c"]})
    held = [card for hand in GAME.facts(table.state)["cards"].values() for card in hand]
    wanted = next(card for card in CARD_TEXTS if card not in held)
    table.reset(1, chance={"second_deck": [wanted]})
    plain = table_of(1, players=2)
    for copy in (table.clone(), table):
        for _ in range(4):
            assert copy.states.tobytes() != b""
            copy.step(copy.timeout_action())
        assert outcomes(copy)["second_deck"][0] == wanted
    table.reset(1, chance={"second_deck": [wanted]})
    for _ in range(3):
        table.step(table.timeout_action())
        plain.step(plain.timeout_action())
        assert table.states.tobytes() == plain.states.tobytes()


def test_decks_of_a_hand_do_not_depend_on_what_was_played_before():
    """Duplicate deals stay duplicate: hand k has the same deck, bullets and opener for a seed."""
    decks = {}
    for players_luck in (1, 2, 3):
        batch = Batch(GAME, 1, ColdHandOptions(6), seed=4, autoreset=False)
        rng = np.random.default_rng(players_luck)
        while not batch.finished[0]:
            state = batch.states[0]
            hand = int(state["hands_completed"])
            drawn = [*KINDS["deck"].outcome(state), *KINDS["bullets"].outcome(state)]
            assert decks.setdefault(hand, drawn) == drawn
            batch.step(rng.choice(np.flatnonzero(batch.masks[0]), 1))
    assert len(decks) > 2


def test_a_kind_says_what_it_holds():
    chance = Chance("dice", 2, "numbers", "Two dice.")
    name, dtype = chance.field
    assert name == "dice"
    assert dtype["values"].shape == (2,)
    assert [kind.meaning[-1] for kind in GAME.chances] == ["."] * 4
