"""The plain reference of Cold Hand plays the worked cases, and keeps its promises on random games."""

from copy import deepcopy
from random import Random

import pytest

from games.cold_hand.cases import CASES, Turn
from games.cold_hand.reference import CARDS, ColdHand


class RandomChance:
    """All that luck decides, from one seed; ``first_bullets`` fixes those of the first hand."""

    def __init__(self, seed, opening_seat=None, first_bullets=None):
        self.random = Random(seed)
        self.opening_seat = opening_seat
        self.first_bullets = first_bullets

    def opener(self):
        seat = self.random.randrange(self.table.players)
        return seat if self.opening_seat is None else self.opening_seat

    def deck(self, hand_number):
        return self.random.sample(range(52), 52)

    def reshuffle(self, hand_number):
        together = self.table.deck + self.table.discards
        return self.random.sample(together, len(together))

    def bullets(self, hand_number):
        drawn = [self.random.randint(1, 6) for _ in range(self.table.players)]
        return self.first_bullets if hand_number == 0 and self.first_bullets else drawn


class CaseChance(RandomChance):
    """The cards and bullets that a case names; the rest is luck."""

    def __init__(self, case):
        super().__init__(seed=case.id, opening_seat=case.opening_seat)
        self.case = case

    def deck(self, hand_number):
        table = self.table
        order = table.clockwise_from(table.opening_seat)
        return self._complete(self.case.deck(self._hand(hand_number), order), super().deck(hand_number))

    def reshuffle(self, hand_number):
        on_top = self.case.second_deck.split() if self._hand(hand_number) == 0 else []
        return self._complete(on_top, super().reshuffle(hand_number))

    def bullets(self, hand_number):
        drawn = super().bullets(hand_number)
        named = [self.case.bullet(self._hand(hand_number), seat) for seat in range(self.case.players)]
        return [bullet or other for bullet, other in zip(named, drawn, strict=True)]

    def _hand(self, hand_number):
        return hand_number - self.case.hands_completed

    @staticmethod
    def _complete(named, cards):
        named = [text and CARDS.index(text) for text in named]
        others = [card for card in cards if card not in named]
        return [others.pop() if card is None else card for card in named] + others


def fact(table, name):
    """One fact of a case, as the case writes it."""
    match name:
        case "legal":
            return sorted(action["type"] for action in table.legal())
        case "deck_size":
            return len(table.deck)
        case "discards":
            return sorted(CARDS[card] for card in table.discards)
        case "penalties":
            return [tuple(penalty.values()) for penalty in table.penalties]
        case _:
            return getattr(table, name)


def check(table, facts):
    for name, expected in facts.items():
        if name in ("cards", "revealed"):
            hands = table.revealed if name == "revealed" else {seat: table.hands[seat] for seat in expected}
            found = {seat: sorted(CARDS[card] for card in hand) for seat, hand in hands.items()}
            assert found == {seat: sorted(text.split()) for seat, text in expected.items()}, name
        elif name == "discards":
            assert fact(table, name) == sorted(expected.split())
        else:
            assert fact(table, name) == expected, name


def refuse(table, action):
    before = deepcopy(vars(table) | {"chance": None})
    with pytest.raises(ValueError, match="illegal"):
        table.step(action)
    assert vars(table) | {"chance": None} == before


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_worked_case(case):
    table = ColdHand(case.players, CaseChance(case), hands_completed=case.hands_completed)
    for step in case.steps():
        if not isinstance(step, Turn):
            check(table, step)
            continue
        assert table.turn == step.seat, step
        if step.how == "is refused":
            refuse(table, step.action)
        else:
            table.step(table.timeout_action() if step.how == "clock" else step.action)


def stand_pat(table):
    while table.phase in ("draw1", "draw2"):
        table.step({"type": "exchange", "cards": []})


def play(table, *words):
    """Play betting words; draws in between stand pat."""
    for word in words:
        stand_pat(table)
        table.step({"type": word})


@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_keep_the_rules(players):
    random = Random(players)
    for game in range(15):
        table = ColdHand(players, RandomChance(f"{players} {game}"))
        while table.winner is None:
            hand, opener, survivors = table.hands_completed, table.opening_seat, table.alive[:]
            assert table.phase in ("draw1", "bet1", "draw2", "bet2")
            assert table.in_hand[table.turn]
            cards = sum(table.hands, table.deck + table.discards)
            assert sorted(cards) == list(range(52)), "CH-1"
            assert table.house_minimum <= table.stakes <= 4, "CH-6, CH-7"
            assert len(table.legal()) in (26, 2, 3), "CH-3, CH-7"
            table.step(random.choice(table.legal()))
            if table.hands_completed > hand:
                seats = [penalty["seat"] for penalty in table.penalties]
                assert seats == sorted(seats), "CH-14"
                assert seats, "somebody always pays"
                assert all(survivors[seat] for seat in seats)
                assert len(seats) == len(set(seats))
                seats = [(opener + step) % players for step in range(1, players + 1)]
                assert table.opening_seat == next(seat for seat in seats if table.alive[seat]), "CH-16"
        assert table.alive.count(True) == 1, "CH-17"
        assert table.rewards[table.winner] == 1
        assert sum(table.rewards) == pytest.approx(0)
        assert table.legal() == []


@pytest.mark.parametrize("pulls", range(1, 5))
def test_ch_14_n_pulls_kill_in_n_of_six_chambers(pulls):
    deaths = 0
    for bullet in range(1, 7):
        table = ColdHand(2, RandomChance(5, opening_seat=0, first_bullets=[bullet, bullet]))
        play(table, *["raise"] * (pulls - 1), "call", *(["call"] if pulls == 1 else []), "call", "call")
        (penalty,) = table.penalties
        assert penalty["pulls"] == pulls
        assert penalty["pulled"] == min(pulls, bullet)
        deaths += penalty["died"]
    assert deaths == pulls


def test_ch_14_penalties_after_the_winner_is_known_are_dropped():
    table = ColdHand(3, RandomChance(1, opening_seat=2, first_bullets=[1, 1, 1]))
    play(table, "fold", "fold")  # seats 2 and 0; seat 1 is left
    assert [penalty["seat"] for penalty in table.penalties] == [0, 2]
    table = ColdHand(2, RandomChance(1, opening_seat=0, first_bullets=[1, 1]))
    same = table.hands[0][:]
    table.hands[1] = [card ^ 1 for card in same]  # the same ranks: a tie
    play(table, "call", "call", "call", "call")
    assert [penalty["seat"] for penalty in table.penalties] == [0], "CH-12 owes both, CH-14 drops seat 1's"
    assert table.winner == 1


def test_ch_8_a_raise_asks_all_others_again_and_the_raiser_not():
    table = ColdHand(4, RandomChance(2, opening_seat=1))
    asked = []
    stand_pat(table)
    for word in ("call", "call", "raise", "fold", "call", "raise", "call", "call"):
        asked.append(table.turn)
        table.step({"type": word})
    assert asked == [1, 2, 3, 0, 1, 2, 3, 1]
    assert table.phase == "draw2"
    assert table.raises == [(0, 3), (0, 2)]
    assert table.stakes == 3


def test_ch_8_the_second_rounds_start_at_the_next_seat_still_in():
    table = ColdHand(4, RandomChance(2, opening_seat=1))
    play(table, "fold", "call", "call", "call")
    assert (table.phase, table.turn) == ("draw2", 2)
    stand_pat(table)
    assert (table.phase, table.turn, table.stakes) == ("bet2", 2, 1)


@pytest.mark.parametrize("second_round", [False, True])
def test_ch_10_and_13_the_last_one_in_is_safe_and_not_shown(second_round):
    table = ColdHand(3, RandomChance(3, opening_seat=0, first_bullets=[6, 6, 1]))
    if second_round:
        play(table, "raise", "call", "call")
    play(table, "fold", "fold")
    assert table.penalties == [
        {"seat": 0, "pulls": 1, "pulled": 1, "died": False},
        {"seat": 1, "pulls": 1, "pulled": 1, "died": False},
    ]
    assert table.revealed == {}
    assert (table.hands_completed, table.phase, table.opening_seat) == (1, "draw1", 1)


@pytest.mark.parametrize(("players", "per_rise"), [(2, 3), (3, 3), (4, 4), (5, 4), (6, 4)])
def test_ch_15_the_house_minimum_rises_to_three(players, per_rise):
    for hands, minimum, left in (
        (0, 1, per_rise),
        (per_rise - 1, 1, 1),
        (per_rise, 2, per_rise),
        (2 * per_rise - 1, 2, 1),
        (2 * per_rise, 3, None),
        (9 * per_rise, 3, None),
    ):
        table = ColdHand(players, RandomChance(4), hands_completed=hands)
        assert (table.house_minimum, table.stakes, table.hands_to_next_rise) == (minimum, minimum, left)


def test_ch_4_discards_of_the_first_draw_come_back_and_folded_hands_do_not():
    table = ColdHand(3, RandomChance(6, opening_seat=0))
    thrown = table.hands[0][:3]
    table.step({"type": "exchange", "cards": [CARDS[card] for card in thrown]})
    assert not set(thrown) & set(table.deck)
    play(table, "fold", "call", "call")
    assert table.phase == "draw2"
    assert set(thrown) <= set(table.deck), "seat 0's discards are back although it folded"
    assert not set(table.hands[0]) & set(table.deck), "its hand is not"
    assert table.exchanged == [[3, None], [0, None], [0, None]], "CH-5"


@pytest.mark.parametrize("seat", range(3))
def test_a_seat_sees_no_covered_card(seat):
    """The view of a seat is the same whatever is dealt to the others."""
    views = []
    for swap in (False, True):
        table = ColdHand(3, RandomChance(7, opening_seat=0))
        if swap:
            other, third = (place for place in range(3) if place != seat)
            table.hands[other], table.hands[third] = table.hands[third], table.deck[:5]
            table.deck[:5] = []
        play(table, "raise", "call")
        views.append(table.seen(seat))
    assert views[0] == views[1]


def test_the_reward_of_a_dead_seat_comes_at_once():
    table = ColdHand(3, RandomChance(8, opening_seat=0, first_bullets=[1, 6, 6]))
    play(table, "fold", "fold")
    assert table.alive == [False, True, True]
    assert table.rewards == [-0.5, 0, 0]
    assert table.winner is None
