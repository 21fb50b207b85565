"""The engine beside the plain reference: the same moves, and everything about both tables compared."""

import numpy as np

from games.hand.reference import DECK, JOKER, RANKS, SUITS, Hand, meld_cards
from tinhorn.core.rng import as_seed
from tinhorn.games.hand import GAME

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
    """One state of the engine, driven by its bare kernels."""

    def __init__(self, seed=0, **options):
        self.states = GAME.new_states(1, GAME.options(**options))
        self.state = self.states[0]
        self.mask = np.zeros(GAME.actions.count, np.int8)
        GAME.new(self.state, as_seed(seed))

    def legal(self):
        GAME.legal(self.state, self.mask)
        return set(np.flatnonzero(self.mask).tolist())

    def step(self, action):
        self.state.rewards[:] = 0
        GAME.step(self.state, action)

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
    now = engine.facts()
    sides = 2 if plain.teams else plain.players
    assert now["over"] == plain.over
    assert now["truncated"] == plain.truncated
    assert now["scores"] == plain.scores[:sides]
    if plain.over:
        assert now["winners"] == (None if plain.truncated else plain.winners)
        return
    assert (now["turn"], now["phase"], now["starter"]) == (plain.turn, plain.phase, plain.starter)
    assert (now["deal"], now["turns"]) == (plain.deal + 1, plain.turns)
    assert now["hands"] == [sorted(hand, key=KINDS.index) for hand in plain.hands]
    assert (now["stock"], now["fire"]) == (plain.stock, plain.fire)
    assert [(meld["owner"], meld["cards"]) for meld in now["table"]] == [
        (meld[1], meld_cards(meld)) for meld in plain.melds
    ]
    assert now["opened"] == plain.opened
    assert now["staged"] == (0 if plain.opened[plain.turn] else plain.staged)
    assert (now["fire_card"], now["laid"]) == (plain.pending, plain.laid)
    assert now["known_jokers"] == plain.known_jokers
    if plain.result:
        assert now["result"] == plain.result | {"points": plain.result["points"][:sides]}


def compare_masks(engine, plain):
    """The exact mask (HA-21); returns the legal moves."""
    moves = plain.legal()
    wanted = {move_id(move, plain.melds): move for move in moves}
    found = engine.legal()
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
