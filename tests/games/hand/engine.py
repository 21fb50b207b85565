"""The engine beside the plain reference: the same moves, and everything about both tables compared."""

from functools import cache, lru_cache

import numpy as np

from games.hand.reference import DECK, JOKER, RANKS, SUITS, Hand, meld_cards
from tinhorn.core.driver import as_bytes, driver, outputs
from tinhorn.core.rng import as_seed
from tinhorn.games.hand import GAME
from tinhorn.games.hand.actions import meld_cards as packed_cards
from tinhorn.games.hand.melds import owner_of
from tinhorn.games.hand.state import PHASES
from tinhorn.games.hand.text import hand_cards

WAYS = {
    "run": ("below", "above", "joker below", "joker above", None, "take"),
    "set": ("c", "d", "h", "s", "joker", "take"),
}
KINDS = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER]
SET_SUITS = ("dhs", "chs", "cds", "cdh", "cd", "ch", "cs", "dh", "ds", "hs")


def move_id(move, melds):
    """The action id of a move, by the order that the rules page gives (Actions, as decisions)."""
    match move:
        case ("stock",):
            return 0
        case ("fire",):
            return 1
        case ("back",):
            return 2
        case ("run", suit, low, joker):
            return 3 + (SUITS.index(suit) * 12 + low - 1) * 4 + (0 if joker is None else joker + 1)
        case ("set", rank, suits):
            return 195 + RANKS.index(rank) * 10 + SET_SUITS.index(suits)
        case ("add", place, way):
            return 325 + 6 * place + WAYS[melds[place][0]].index(way)
        case ("throw", card):
            return 421 + KINDS.index(card)


class Engine:
    """One state of the engine, driven as all tables are. ``now`` has its fields, as arrays that move with it."""

    def __init__(self, seed=0, **options):
        self.states = GAME.new_states(1, GAME.options(**options))
        self.state = self.states[0]
        self.now = {name: self.states[name] for name in self.states.dtype.names}
        arrays = outputs(GAME, 1, features=False)
        self.mask = arrays[0][0]
        self._memory, self._out = as_bytes(self.states), [as_bytes(array) for array in arrays]
        self._driver, self._table, self._action = driver(GAME), np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._driver.begin(self._memory, self._table, np.array([as_seed(seed)]), False, *self._out)

    def legal(self):
        """The ids of the mask, written anew, as the state may have been changed by hand."""
        self._driver.observe(self._memory, max(self.number("actor"), 0), *self._out)
        return set(np.flatnonzero(self.mask).tolist())

    def step(self, action):
        """Play, and write the mask."""
        self._action[0] = action
        self._driver.play(self._memory, self._table, self._action, False, *self._out)

    def number(self, name):
        """A field of the state that is one number."""
        return self.now[name].item()

    def numbers(self, name):
        """A field of the state that is an array."""
        return self.now[name][0].tolist()

    def facts(self):
        return GAME.facts(self.state)


class EngineChance:
    """The luck of an engine's table, handed to the reference."""

    def __init__(self, engine):
        self.state = engine.state

    def first_player(self):
        return int(self.state.first_player["values"][0])

    def deck(self, deal):
        return self._cards("deck")

    def new_stock(self, cards):
        new = self._cards("new_stock")
        assert sorted(new) == sorted(cards), "HA-7"
        return new

    def _cards(self, name):
        record = self.state[name]
        return [KINDS[card] for card in record["values"][: record["count"]]]


def pair(seed, **options):
    """An engine and a reference at the same fresh table."""
    engine = Engine(seed, **options)
    plain = {name: options[name] for name in ("teams", "max_turns") if name in options}
    return engine, Hand(options["num_players"], EngineChance(engine), **plain)


def compare(engine, plain):
    """Every public and hidden fact of both tables."""
    number, numbers, players = engine.number, engine.numbers, plain.players
    assert number("finished") == plain.over
    assert number("truncated") == plain.truncated
    assert numbers("scores")[:players] == plain.scores
    if plain.over:
        assert engine.facts()["winners"] == (None if plain.truncated else plain.winners)
        return
    assert (number("actor"), PHASES[number("phase")], number("starter")) == (plain.turn, plain.phase, plain.starter)
    assert (number("deal"), number("turns")) == (plain.deal, plain.turns)
    new_turn = plain.phase == "draw" or not plain.fire  # within a turn only the own hand changes, and the stock's size
    hands = numbers("hands")
    for seat in range(players) if new_turn else (plain.turn,):
        assert hand_of(*hands[seat]) == tuple(sorted(plain.hands[seat]))
    first, end = number("next_card"), number("stock_end")
    assert end - first == len(plain.stock)
    if new_turn:
        assert [KINDS[card] for card in numbers("stock_cards")[first:end]] == plain.stock
    assert [KINDS[card] for card in numbers("fire")[: number("fire_size")]] == plain.fire
    assert [meld_of(meld) for meld in numbers("melds") if meld] == [
        (meld[1], tuple(meld_cards(meld))) for meld in plain.melds
    ]
    assert numbers("opened")[:players] == plain.opened
    assert number("staged") == (0 if plain.opened[plain.turn] else plain.staged)
    assert number("fire_card") == (-1 if plain.pending is None else KINDS.index(plain.pending))
    assert number("laid") == plain.laid
    assert numbers("known_jokers")[:players] == plain.known_jokers
    if plain.result:
        result = {"out": number("last_out"), "hand": number("last_hand"), "points": numbers("deal_points")[:players]}
        assert result == plain.result


@lru_cache(1000)
def hand_of(*words):
    """A hand of the engine as the reference's cards, sorted."""
    return tuple(sorted(KINDS[card] for card in hand_cards(words)))


@cache
def meld_of(meld):
    """Owner and cards of a meld of the engine."""
    return int(owner_of(meld)), tuple(KINDS[card] for card in packed_cards(meld))


def compare_masks(engine, plain):
    """The exact mask (HA-21); returns the legal moves."""
    moves = plain.legal()
    wanted = {move_id(move, plain.melds): move for move in moves}
    found = set(np.flatnonzero(engine.mask).tolist())
    if found != set(wanted):
        extra = [GAME.actions.describe(engine.state, action) for action in sorted(found - set(wanted))]
        missing = [wanted[action] for action in sorted(set(wanted) - found)]
        raise AssertionError(f"not legal: {extra}; missing: {missing}; at {plain.now()}")
    return moves


def place(engine, plain, position):
    """Put a position before both, see the game's `position`."""
    GAME.position(engine.state, position)
    now = engine.facts()
    plain.hands, plain.stock, plain.fire = now["hands"], now["stock"], now["fire"]
    plain.melds = [as_meld(meld["owner"], meld["cards"]) for meld in now["table"]]
    plain.opened, plain.scores = now["opened"], engine.state["scores"][: plain.players].tolist()
    plain.deal, plain.starter, plain.turns = now["deal"] - 1, now["starter"], now["turns"]
    plain.known_jokers = now["known_jokers"]
    plain._start_turn(now["turn"], now["phase"])
    engine.legal()


def as_meld(owner, cards):
    """The reference's meld of the engine's cards."""
    natural = [card for card in cards if card != JOKER]
    if natural[0][0] == natural[1][0]:
        return "set", owner, natural[0][0], "".join(card[1] for card in natural), JOKER in cards
    first = cards.index(natural[0])
    rank = " A23456789TJQK".index(natural[0][0])
    if (rank == 1 and first + 1 == len(cards)) or (rank == 1 and first > 0):
        rank = 14
    low = rank - first
    joker = low + cards.index(JOKER) if JOKER in cards else None
    return "run", owner, natural[0][1], low, low + len(cards) - 1, joker


assert len(DECK) == 106
