"""One hand of no-limit draw poker in plain Python, written from FD-1 to FD-16 and CD-5 alone.

It shares no code with the engine, not even the ranking. It is slow and meant to be read beside the rules.
"""

from itertools import combinations

from poker.oracle import hand_key

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


class Hand:
    """One hand, from the antes to the last pot. Seats count clockwise; a seat without chips is not dealt in.

    Args:
        stacks: chips of each seat before the antes. button: its seat. ante, smallest_bet: chips.
        deck: 52 card texts in dealing order. reshuffle: ``(muck) -> list``, the muck in its new order (FD-13).
        most_thrown: cards in one exchange. together: all choose before anyone draws (CD-5).
    """

    def __init__(
        self, stacks, button, ante, smallest_bet, deck, reshuffle, most_thrown=5, together=False, fold_for_free=False
    ):
        self.seats = range(len(stacks))
        self.stacks, self.button = list(stacks), button
        self.start = list(stacks)
        self.smallest_bet, self.reshuffle = smallest_bet, reshuffle
        self.most_thrown, self.together, self.fold_for_free = most_thrown, together, fold_for_free
        self.deck = list(deck)
        assert sorted(self.deck) == sorted(CARDS)  # PK-1
        self.dealt = [seat for seat in self.order() if stacks[seat] > 0]
        self.folded = set()
        self.total = [0] * len(stacks)
        for seat in self.dealt:  # FD-1, FD-2
            self.total[seat] = min(ante, self.stacks[seat])
            self.stacks[seat] -= self.total[seat]
        self.cards = {seat: [] for seat in self.dealt}
        for _ in range(5):  # FD-4
            for seat in self.dealt:
                self.cards[seat].append(self.deck.pop(0))
        self.muck, self.thrown, self.drawn, self.chosen = [], {}, {}, {}
        self.moves = {"bet1": {}, "bet2": {}}
        self.raises = {"bet1": [], "bet2": []}  # who bet or raised, in order
        self.pots, self.won, self.shown = [], [0] * len(stacks), {}
        self._begin_betting("bet1")

    def order(self):
        """All seats from the button's left (FD-3)."""
        return [(self.button + step) % len(self.seats) for step in range(1, len(self.seats) + 1)]

    def still_in(self):
        return [seat for seat in self.dealt if seat not in self.folded]

    # Betting

    def _begin_betting(self, phase):
        self.phase = phase
        self.bets = [0] * len(self.seats)
        self.highest = 0
        self.last_full = self.smallest_bet
        self.seen = {}  # the highest bet when a seat last acted
        able = [seat for seat in self.still_in() if self.stacks[seat] > 0]
        self._next_better(self.button) if len(able) > 1 else self._end_betting()  # FD-11

    def _next_better(self, after):
        if len(self.still_in()) == 1:  # FD-10
            self._end_betting()
            return
        for step in range(1, len(self.seats) + 1):
            seat = (after + step) % len(self.seats)
            waiting = seat not in self.seen or self.bets[seat] < self.highest
            if seat in self.still_in() and self.stacks[seat] > 0 and waiting:  # FD-9
                self.turn = seat
                return
        self._end_betting()

    def _end_betting(self):
        for seat in self.still_in():  # FD-15: what nobody could match goes back
            matched = max(self.total[other] for other in self.dealt if other != seat)
            back = max(0, self.total[seat] - matched)
            self.total[seat] -= back
            self.stacks[seat] += back
        if len(self.still_in()) == 1 or self.phase == "bet2":
            self._end()
        else:
            self.phase = "draw"
            self.bets = [0] * len(self.seats)
            self.highest = 0
            self.turn = self.still_in()[0]

    def call_price(self):
        return min(self.highest - self.bets[self.turn], self.stacks[self.turn])  # FD-7

    def raise_limits(self):
        """The smallest and the largest total of a bet or raise; None if there is none."""
        seat = self.turn
        most = self.bets[seat] + self.stacks[seat]
        if most <= self.highest:
            return None
        others = [self.bets[other] + self.stacks[other] for other in self.still_in() if other != seat]
        if max(others) <= self.highest:  # FD-7: no opponent could put in more
            return None
        if seat in self.seen and self.highest - self.seen[seat] < self.last_full:  # FD-8
            return None
        return min(most, self.highest + self.last_full), most  # FD-6, FD-7

    def legal(self):
        """Every kind of action the seat in turn may play; a bet or raise with its limits."""
        if self.phase == "draw":
            hand = self.cards[self.turn]
            return [
                {"type": "exchange", "cards": list(cards)}
                for count in range(self.most_thrown + 1)
                for cards in combinations(hand, count)
            ]
        price, limits = self.call_price(), self.raise_limits()
        kinds = []
        if price == 0:
            kinds.append({"type": "check"})
        if price > 0 or self.fold_for_free:
            kinds.append({"type": "fold"})
        if price > 0:
            kinds.append({"type": "call"})
        if limits:
            low, high = limits
            if low < high:
                kinds.append({"type": "raise" if self.highest else "bet", "min": low, "max": high})
            kinds.append({"type": "all_in"})
        return kinds

    def sizes(self, shares):
        """The totals that the action table offers, None where a size is masked (FD-18). The first is the smallest."""
        limits = self.raise_limits()
        if not limits or limits[0] == limits[1]:
            return [None] * (len(shares) + 1)
        low, high = limits
        pot = sum(self.total) + self.call_price()
        offered = [low]
        for share in shares:
            amount = self.highest + int(share * pot)
            offered.append(amount if low < amount < high and amount not in offered else None)
        return offered

    def step(self, action):
        """Play an action of the seat in turn; a bet or raise names its total as ``to``."""
        kind, seat = action["type"], self.turn
        if kind == "exchange":
            self._choose(action["cards"])
            return
        moves = self.moves[self.phase]
        if kind == "fold":
            self.folded.add(seat)
            moves[seat] = "fold"
        elif kind in ("check", "call"):
            self._pay(self.bets[seat] + self.call_price())
            moves[seat] = kind
        else:
            to = self.bets[seat] + self.stacks[seat] if kind == "all_in" else action["to"]
            low, high = self.raise_limits()
            assert low <= to <= high
            self._pay(to)
            if to - self.highest >= self.last_full:
                self.last_full = to - self.highest
            self.highest = to
            moves[seat] = "raise"
            self.raises[self.phase].append(seat)
        self.seen[seat] = self.highest
        self._next_better(seat)

    def _pay(self, to):
        chips = to - self.bets[self.turn]
        self.stacks[self.turn] -= chips
        self.bets[self.turn] += chips
        self.total[self.turn] += chips

    def clock(self):
        """What the clock plays (FD-21)."""
        if self.phase == "draw":
            return {"type": "exchange", "cards": []}
        return {"type": "check" if self.call_price() == 0 else "fold"}

    # The draw

    def _choose(self, cards):
        seat = self.turn
        self.chosen[seat] = list(cards)
        waiting = [other for other in self.still_in() if other not in self.chosen]
        if not self.together:
            self._exchange(seat)
        elif not waiting:
            for other in self.still_in():
                self._exchange(other)
        if waiting:
            self.turn = waiting[0]
        else:
            self._begin_betting("bet2")

    def _exchange(self, seat):
        cards = self.chosen[seat]
        self.thrown[seat] = cards
        self.drawn[seat] = len(cards)
        self.cards[seat] = [card for card in self.cards[seat] if card not in cards]
        self.muck += cards
        for _ in cards:
            if not self.deck:  # FD-13: only on demand
                self.deck = list(self.reshuffle(self.muck))
                assert sorted(self.deck) == sorted(self.muck)
                self.muck = []
            self.cards[seat].append(self.deck.pop(0))

    # The end

    def _end(self):
        still_in = self.still_in()
        if len(still_in) > 1:
            self.shown = {seat: sorted(self.cards[seat]) for seat in still_in}
        levels = sorted({self.total[seat] for seat in still_in})  # FD-15
        below = 0
        for level in levels:
            top = sum(self.total) if level == levels[-1] else level
            chips = sum(min(max(total - below, 0), top - below) for total in self.total)
            eligible = [seat for seat in still_in if self.total[seat] >= level]
            self._pay_pot(chips, eligible)
            below = level
        assert sum(self.stacks) == sum(self.start)
        self.phase, self.turn = "over", None

    def _pay_pot(self, chips, eligible):
        keys = {seat: hand_key([CARDS.index(card) for card in self.cards[seat]]) for seat in eligible}
        winners = [seat for seat in self.order() if seat in eligible and keys[seat] == max(keys.values())]
        for place, seat in enumerate(winners):  # FD-14: odd chips from the button's left
            share = chips // len(winners) + (place < chips % len(winners))
            self.stacks[seat] += share
            self.won[seat] += share
        self.pots.append({"chips": chips, "eligible": sorted(eligible), "winners": sorted(winners)})
