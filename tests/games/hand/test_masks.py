"""The engine's masks against the plain exhaustive search, on positions made to be difficult (HA-21)."""

from random import Random

import pytest

from games.hand.engine import compare_masks, move_id, pair, place
from games.hand.reference import BY_POSITION, DECK, JOKER, RANKS, SUITS


def some_cards(random, count, jokers=0):
    """Cards close to each other, twins, neighbours, the same ranks; most of them, the rest is chance."""
    suits = random.sample(SUITS, random.choice((1, 2, 2, 3, 4)))
    low, width = random.randrange(13), random.choice((4, 5, 6, 8, 13))
    ranks = [RANKS[(low + step) % 13] for step in range(width)]
    left = [card for card in random.sample(DECK, len(DECK)) if card != JOKER]
    left.sort(key=lambda card: card[0] not in ranks or card[1] not in suits)
    natural = count - jokers
    near = max(0, natural - random.choice((0, 1, 2, 4)))
    return left[:near] + random.sample(left[near:], natural - near) + [JOKER] * jokers


def some_melds(random, left, owners, count):
    """Melds from the cards ``left``, which they are taken out of; some with a joker."""
    melds = []
    for _ in range(count):
        a_run = random.random() < 0.6
        cards = some_run(random) if a_run else some_set(random)
        if random.random() < 0.35:
            cards[random.randrange(len(cards)) if a_run else -1] = JOKER
        if all(left.count(card) >= cards.count(card) for card in cards):
            for card in cards:
                left.remove(card)
            melds.append({"owner": random.choice(owners), "cards": cards})
    return melds


def some_run(random):
    length = random.choice((3, 3, 3, 4, 5, 7, 12, 13))
    low = random.randint(1, 15 - length)
    suit = random.choice(SUITS)
    return [BY_POSITION[place] + suit for place in range(low, low + length)]


def some_set(random):
    rank = random.choice(RANKS)
    return [rank + suit for suit in random.sample(SUITS, random.choice((3, 3, 4)))]


def near_melds(random, left, melds, count):
    """Cards that fit the melds or come close to it, and jokers' cards; the rest is chance."""
    cards = []
    wanted = []
    for meld in melds:
        natural = [card for card in meld["cards"] if card != JOKER]
        if natural[0][0] == natural[1][0]:
            wanted += [natural[0][0] + suit for suit in SUITS]
        else:
            places = [RANKS.index(card[0]) for card in natural]
            wanted += [RANKS[(place + step) % 13] + natural[0][1] for place in places for step in (-3, -2, -1, 1, 2, 3)]
    random.shuffle(wanted)
    for card in wanted + random.sample(left, len(left)):
        if len(cards) < count and card in left and (card != JOKER or random.random() < 0.5):
            cards.append(card)
            left.remove(card)
    return cards


def walk(random, engine, plain):
    """Compare masks until the turn is over; returns how many were compared. Lays rather than throws."""
    count, seat, deal = 0, plain.turn, plain.deal
    while not plain.over and (plain.turn, plain.deal) == (seat, deal) and (count == 0 or plain.phase == "play"):
        moves = compare_masks(engine, plain)
        assert moves, "a dead end (HA-21)"
        count += 1
        on = [move for move in moves if move[0] not in ("throw", "stock", "back")]
        move = random.choice(on or moves) if random.random() < 0.9 else random.choice(moves)
        if move[0] == "throw":
            break
        engine.step(move_id(move, plain.melds))
        plain.step(move)
    return count


def play_positions(seed, make, masks):
    """Compare so many masks on positions made by ``make(random)``, each played on to the end of the turn."""
    random = Random(seed)
    engine, plain = pair(0, num_players=2)
    done = 0
    while done < masks:
        place(engine, plain, make(random))
        done += walk(random, engine, plain)


def opening(random):
    """Fifteen cards, nothing on the table but perhaps melds of another."""
    return {"phase": "play", "hands": [some_cards(random, 15, random.choice((0, 0, 0, 1))), None]}


def opening_with_two_jokers(random):
    return {"phase": "play", "hands": [some_cards(random, random.choice((8, 10, 12)), 2), None]}


def opening_with_the_fire_card(random):
    """Fourteen cards and one of the fire; another's melds with jokers."""
    left = DECK.copy()
    melds = some_melds(random, left, [1], random.choice((0, 1, 2, 3)))
    size = random.choice((9, 11, 14))
    hand = [card for card in some_cards(random, size) if left.count(card)]
    hand = [card for k, card in enumerate(hand) if hand[: k + 1].count(card) <= left.count(card)]
    for card in hand:
        left.remove(card)
    if JOKER in left and random.random() < 0.3 and len(hand) < 14:
        left.remove(JOKER)
        hand.append(JOKER)
    hand += near_melds(random, left, melds, min(14 - len(hand), random.choice((1, 2, 3))))
    natural = [card for card in hand if card != JOKER]
    pairs = [{"cards": random.sample(natural, 2)} for _ in range(4)]
    fire = near_melds(random, left, [*melds, *pairs], 1)
    return {"phase": "draw", "hands": [hand, []], "table": melds, "fire": fire}


def opened_with_the_fire_card(random):
    """Few cards, many melds, a card of the fire near them."""
    left = DECK.copy()
    melds = [{"owner": 0, "cards": ["Tc", "Jc", "Qc"]}]
    for card in melds[0]["cards"]:
        left.remove(card)
    melds += some_melds(random, left, [1], random.choice((1, 2, 3, 4)))
    hand = near_melds(random, left, melds, random.choice((1, 1, 2, 3, 4, 5, 6)))
    fire = near_melds(random, left, melds, 1)
    return {"phase": "draw", "hands": [hand, []], "table": melds, "fire": fire}


MAKERS = (opening, opening_with_two_jokers, opening_with_the_fire_card, opened_with_the_fire_card)


every_maker = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


@pytest.mark.plain_python
@every_maker
def test_ha_21_masks_are_exact_on_some_difficult_positions(make):
    play_positions(f"some {make.__name__}", make, 60)


@pytest.mark.slow
@every_maker
def test_ha_21_masks_are_exact_on_20_800_difficult_positions(make):
    play_positions(make.__name__, make, 5_200)
