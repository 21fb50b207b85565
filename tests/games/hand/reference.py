"""Hand in plain Python, written from the rules HA-1 to HA-22 alone: the engine is compared with it.

It shares no code with the engine. Whether a turn can be finished it finds by trying every move, then every move after
it, and so on. It is slow and meant to be read beside the rules.

A meld is a tuple: ``("run", owner, suit, low, high, joker)`` with positions 1 (ace) to 14 (ace) and the joker's
position or None, or ``("set", owner, rank, suits, joker)`` with the suits as a string and the joker as a bool.

Moves are tuples: ``("stock",)``, ``("fire",)``, ``("back",)``, ``("run", suit, low, joker)`` with a place 0,
1, 2 or None, ``("set", rank, suits)`` with a joker where two suits are named, ``("add", meld, way)``,
``("throw", card)``.
The ways are below, above, joker below, joker above, take (of a run) and c, d, h, s, joker, take (of a set).
"""

from collections import Counter
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import NamedTuple

SUITS = "cdhs"
RANKS = "23456789TJQKA"
JOKER = "Jo"
DECK = [rank + suit for rank in RANKS for suit in SUITS for _ in range(2)] + [JOKER, JOKER]  # HA-1
BY_POSITION = " A23456789TJQKA"
OPENING = 51


def points(card):
    """HA-13; a joker counts as the card it stands for, so it has no points of its own here."""
    return 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def cost(card):
    """HA-17."""
    return 15 if card == JOKER else points(card)


@cache
def run_cards(suit, low, high, joker):
    return tuple(JOKER if place == joker else BY_POSITION[place] + suit for place in range(low, high + 1))


ALL_RUNS = [
    (("run", suit, low, joker), run_cards(suit, low, low + 2, None if joker is None else low + joker), low)
    for suit in SUITS
    for low in range(1, 13)
    for joker in (None, 0, 1, 2)
]
ALL_SETS = [
    (("set", rank, "".join(suits)), tuple(rank + suit for suit in suits) + (JOKER,) * (3 - len(suits)))
    for rank in RANKS
    for count in (3, 2)
    for suits in combinations(SUITS, count)
]
ALL_LAYS = [(move, cards) for move, cards, _ in ALL_RUNS] + ALL_SETS
LAYS_FROM = {card: [(*entry, {*entry[1]}) for entry in ALL_LAYS if card == entry[1][0]] for card in {*DECK}}


def meld_cards(meld):
    if meld[0] == "run":
        return list(run_cards(*meld[2:]))
    return [meld[2] + suit for suit in meld[3]] + [JOKER] * meld[4]


@cache
def additions(meld):
    """Each way to add to a meld: the card laid, its points, the meld then (HA-8 to HA-10)."""
    ways = {}
    if meld[0] == "run":
        _, owner, suit, low, high, joker = meld
        if high - low + 1 == 13:
            return ways  # HA-8
        for way, place, span in (("below", low - 1, (low - 1, high)), ("above", high + 1, (low, high + 1))):
            if 1 <= place <= 14:
                card = BY_POSITION[place] + suit
                ways[way] = card, points(card), ("run", owner, suit, *span, joker)
                if joker is None:
                    ways["joker " + way] = JOKER, points(card), ("run", owner, suit, *span, place)
        return ways
    _, owner, rank, suits, joker = meld
    if len(suits) + joker == 4:
        return ways  # HA-9
    for suit in SUITS:
        if suit not in suits:
            more = "".join(sorted(suits + suit))
            ways[suit] = rank + suit, points(rank + suit), ("set", owner, rank, more, joker)
    if not joker:
        ways["joker"] = JOKER, points(rank + "c"), ("set", owner, rank, suits, True)
    return ways


@cache
def joker_taken(meld):
    """The card to lay for a meld's joker and the meld then, or None (HA-11, HA-12)."""
    if meld[0] == "run":
        _, owner, suit, low, high, joker = meld
        return joker and (BY_POSITION[joker] + suit, ("run", owner, suit, low, high, None))
    _, owner, rank, suits, joker = meld
    if not joker or len(suits) < 3:
        return None
    return next(rank + suit for suit in SUITS if suit not in suits), ("set", owner, rank, SUITS, False)


@lru_cache(10_000)
def lays_of(kinds):
    """The lays that can be made of some kinds of cards (a frozenset), each with its cards."""
    return [(move, cards) for card in sorted(kinds) for move, cards, needed in LAYS_FROM[card] if needed <= kinds]


def less(hand, cards):
    """A hand (sorted tuple) without some of its cards."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


class Turn(NamedTuple):
    """What matters for the rest of a turn. ``pending``: the card of the fire still to be melded (HA-5)."""

    seat: int
    hand: tuple
    melds: tuple
    opened_before: bool
    staged: int  # points laid in this opening
    pending: str | None

    @property
    def opened(self):
        return self.opened_before or self.staged >= OPENING

    @lru_cache(1000)  # noqa: B019  (turns are tuples)
    def moves(self):
        """Every lay, addition and taking of a joker that leaves a card to throw; with what gives the turn then."""
        found = {}
        held = Counter(self.hand)
        if len(self.hand) > 3:  # HA-6
            for move, cards in lays_of(frozenset(held)):
                found[move] = partial(self._lay, move, cards)
        for place, meld in enumerate(self.melds):
            if not self.opened and meld[1] != self.seat:
                continue  # HA-14
            if not (self.opened_before or self.staged):
                continue
            if len(self.hand) > 1:  # HA-6
                for way, (card, value, then) in additions(meld).items():
                    if held[card]:
                        found["add", place, way] = partial(self._put, place, card, value, then)
            taken = joker_taken(meld)
            if self.opened and taken and held[taken[0]]:  # HA-11
                found["add", place, "take"] = partial(self._take, place, *taken)
        return found

    def _lay(self, move, cards):
        if move[0] == "run":
            _, suit, low, joker = move
            meld = ("run", self.seat, suit, low, low + 2, None if joker is None else low + joker)
            value = sum(map(points, run_cards(suit, low, low + 2, None)))
        else:
            meld = ("set", self.seat, move[1], move[2], len(move[2]) == 2)
            value = 3 * points(move[1] + "c")
        return self._replace(
            hand=less(self.hand, cards),
            melds=(*self.melds, meld),
            staged=self.staged + (0 if self.opened_before else value),
            pending=None if self.pending in cards else self.pending,
        )

    def _put(self, place, card, value, meld):
        own = meld[1] == self.seat
        met = card == self.pending and (own or self.opened_before)  # HA-5
        return self._replace(
            hand=less(self.hand, [card]),
            melds=(*self.melds[:place], meld, *self.melds[place + 1 :]),
            staged=self.staged + (0 if self.opened_before else value),
            pending=None if met else self.pending,
        )

    def _take(self, place, card, meld):
        turn = self._put(place, card, 0, meld)
        return turn._replace(hand=tuple(sorted((*turn.hand, JOKER))))

    def may_throw(self):
        return self.pending is None and (self.opened or not self.staged)

    def can_finish(self, known=None):
        """Whether some moves lead to a throw: every one is tried."""
        if self.may_throw():
            return bool(self.hand)
        if self.pending is not None and self.pending not in self.hand:
            return False
        if not self.may_reach():
            return False
        known = {} if known is None else known
        key = (self.hand, self.melds, min(self.staged, OPENING), self.pending)
        if key not in known:
            known[key] = any(then().can_finish(known) for then in self.moves().values())
        return known[key]

    def may_reach(self):
        """False only if an opening cannot come to 51."""
        return self.opened or self.staged + self._at_most() >= OPENING

    def _at_most(self):
        """No more points can be laid before 51 is reached: those of cards that are part of a possible meld."""
        held = Counter(self.hand)
        of_use = {card for _, cards in lays_of(frozenset(held)) for card in cards}
        for meld in self.melds:
            if meld[1] == self.seat:
                of_use |= self._reached(meld, held)
        return sum(11 if card == JOKER else points(card) for card in self.hand if card in of_use)

    @staticmethod
    def _reached(meld, held):
        """Cards of the hand that could come to lie in a meld after others."""
        if meld[0] == "run":
            return {card for card in held if card == JOKER or card[1] == meld[2]}
        return {card for card in held if card == JOKER or card[0] == meld[2]}


class Hand:
    """One match. ``chance`` decides: ``first_player()``, ``deck(deal)``, ``new_stock(cards)`` as lists from the top."""

    def __init__(self, players, chance, teams=False, max_turns=400):
        self.players, self.chance, self.teams, self.max_turns = players, chance, teams, max_turns
        self.deal = 0  # completed
        self.scores = [0] * players
        self.starter = chance.first_player()  # HA-3
        self.result = self.phase = None
        self.over = self.truncated = False
        self._start_deal()

    def _start_deal(self):
        self.stock = list(self.chance.deck(self.deal))
        self.hands = [[] for _ in range(self.players)]
        for place in range(14 * self.players + 1):  # HA-2
            self.hands[(self.starter + place) % self.players].append(self.stock.pop(0))
        self.fire, self.melds = [], []
        self.opened = [False] * self.players
        self.known_jokers = [0] * self.players
        self.turns = 0
        self._start_turn(self.starter, "play")  # HA-3

    def _start_turn(self, seat, phase):
        self.turn, self.phase = seat, phase
        self.opened_before = self.opened[seat]
        self.staged, self.laid, self.elsewhere, self.pending = 0, 0, False, None

    def now(self):
        """The turn as it stands."""
        return Turn(
            self.turn,
            tuple(sorted(self.hands[self.turn])),
            tuple(self.melds),
            self.opened_before,
            self.staged,
            self.pending,
        )

    def legal(self):
        """Every legal move (HA-4 to HA-14, HA-21)."""
        if self.over:
            return []
        turn = self.now()
        if self.phase == "draw":
            return [("stock",), ("fire",)] if self.fire and self._fire_is_of_use(turn) else [("stock",)]
        known = {}
        moves = turn.moves() if turn.may_reach() else {}
        sure = turn.opened and turn.pending is None  # a card is left, and may be thrown
        found = [move for move, then in moves.items() if sure or then().can_finish(known)]
        if turn.may_throw():
            found += [("throw", card) for card in sorted({*turn.hand})]
        if self.pending and not self.laid:
            found.append(("back",))
        return found

    def _fire_is_of_use(self, turn):
        card = self.fire[-1]
        return turn._replace(hand=tuple(sorted((*turn.hand, card))), pending=card).can_finish()

    def step(self, move):
        hand = self.hands[self.turn]
        if move == ("stock",):
            hand.append(self.stock.pop(0))
            self.phase = "play"
        elif move == ("fire",):
            self.pending = self.fire.pop()
            hand.append(self.pending)
            self.phase = "play"
        elif move == ("back",):
            hand.remove(self.pending)
            self.fire.append(self.pending)
            self.pending = None
            hand.append(self.stock.pop(0))
        elif move[0] == "throw":
            self._throw(move[1])
        else:
            self._lay(move)

    def _lay(self, move):
        seat = self.turn
        before = self.now()
        then = before.moves()[move]()
        jokers = then.hand.count(JOKER) - before.hand.count(JOKER)
        self.known_jokers[seat] = max(0, self.known_jokers[seat] + jokers)
        self.hands[seat], self.melds = list(then.hand), list(then.melds)
        self.staged, self.pending = then.staged, then.pending
        self.opened[seat] = then.opened
        self.laid += 1
        if move[0] == "add" and before.melds[move[1]][1] != seat:
            self.elsewhere = True

    def _throw(self, card):
        seat = self.turn
        self.hands[seat].remove(card)
        self.fire.append(card)
        if card == JOKER:
            self.known_jokers[seat] = max(0, self.known_jokers[seat] - 1)
        self.turns += 1
        if not self.hands[seat]:
            self._end_deal(seat)  # HA-16
        elif self.turns == self.max_turns:
            self.over = self.truncated = True  # HA-22
        else:
            self._next_turn((seat + 1) % self.players)

    def _next_turn(self, seat):
        if not self.stock:  # HA-7
            top = self.fire.pop()
            assert self.fire, "cannot come up in play"
            self.stock, self.fire = list(self.chance.new_stock(self.fire)), [top]
        self._start_turn(seat, "draw")

    def _end_deal(self, winner):
        hand = not self.opened_before and not self.elsewhere  # HA-18
        alone = []
        for seat in range(self.players):
            if seat == winner:
                alone.append(-30)
            elif self.teams and seat % 2 == winner % 2:
                alone.append(0)
            else:
                alone.append(sum(map(cost, self.hands[seat])) if self.opened[seat] else 100)  # HA-17
        if hand:
            alone = [2 * value for value in alone]
        if self.teams:  # HA-19
            alone = [alone[seat] + alone[(seat + 2) % 4] for seat in range(4)]
        self.scores = [total + value for total, value in zip(self.scores, alone, strict=True)]
        self.result = {"out": winner, "hand": hand, "points": alone}
        self.deal += 1
        if self.deal == 5:  # HA-20
            self.over = True
        else:
            self.starter = (self.starter + 1) % self.players
            self._start_deal()

    @property
    def winners(self):
        return [seat for seat in range(self.players) if self.scores[seat] == min(self.scores)]
