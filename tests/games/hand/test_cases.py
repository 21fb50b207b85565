"""The engine plays the worked positions."""

import pytest

from games.hand.case import Case
from games.hand.cases import CASES
from games.hand.moves import as_action
from tinhorn.core.cards import card_text
from tinhorn.core.table import IllegalActionError, Table
from tinhorn.games.hand import GAME
from tinhorn.games.hand.actions import ADD, describe
from tinhorn.games.hand.text import hand_cards


def table_of(case: Case) -> Table:
    table = Table(GAME, GAME.options(num_players=case.players, teams=case.teams))
    table.reset(seed=1, position=case.position())
    return table


def expected_ids(table: Table, moves: tuple[str, ...]) -> set[int]:
    hand = hand_cards(table.state["hands"][table.actor])
    throws = [f"throw {card_text(card)}" for card in set(hand)] if "throws" in moves else []
    return {table.parse(as_action(move)) for move in [*moves, *throws] if move != "throws"}


def check(table: Table, name: str, value: object) -> None:
    now = GAME.facts(table.state)
    match name:
        case "hand":
            assert now["hands"][table.actor] == str(value).split()
        case "cards":
            assert [" ".join(meld["cards"]) for meld in now["table"]] == list(value)
        case "result":
            assert {key: now["result"][key] for key in value} == value
        case "rewards":
            assert table.state["rewards"][: len(value)].tolist() == value
        case _:
            assert now[name] == value, name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_worked_case(case):
    table = table_of(case)
    for move in case.play:
        table.step(table.parse(as_action(move)))
    if case.legal is not None:
        assert set(table.legal_ids()) == expected_ids(table, case.legal)
    for move, reason in case.refused.items():
        before = table.state.copy()
        with pytest.raises(IllegalActionError, match=reason):
            table.step(table.parse(as_action(move)))
        assert table.state == before, "a refusal changes nothing"
    for name, value in case.facts.items():
        check(table, name, value)


def test_every_action_is_described_and_parsed_back():
    """All lays, and at every step of a match all legal actions: id to JSON and back."""
    table = table_of(CASES[0])
    for action in range(ADD):
        assert table.parse(describe(table.state, action)) == action
    for seed in range(3):
        table.reset(seed=seed)
        step = 0
        while not table.finished and step < 300:
            for action in table.legal_ids():
                assert table.parse(table.describe(action)) == action
            table.step(table.legal_ids()[(7 * step + seed) % len(table.legal_ids())])
            step += 1
