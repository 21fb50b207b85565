"""Cowboy Draw in plain Python, written from the rules CD-1 to CD-14 alone: the engine is compared with it."""

from fractions import Fraction

from poker.hand_reference import Hand

BUY_IN = 100
SEATS = range(4)


def payouts(stacks, entitled, pot, button):
    """Each seat's stars (CD-8, CD-10 to CD-12)."""
    order = [(button + step) % 4 for step in range(1, 5)]
    paid = [0] * 4

    def share(seats, stars):
        for place, seat in enumerate(seat for seat in order if seat in seats):
            paid[seat] += stars // len(seats) + (place < stars % len(seats))

    ranked = [seat for seat in SEATS if entitled[seat] and stacks[seat] > 0]
    if not ranked:
        share([seat for seat in SEATS if entitled[seat]], pot)
        return paid
    first = [seat for seat in ranked if stacks[seat] == max(stacks[other] for other in ranked)]
    rest = [seat for seat in ranked if seat not in first]
    if len(first) > 1 or not rest:
        share(first, pot)
        return paid
    second = [seat for seat in rest if stacks[seat] == max(stacks[other] for other in rest)]
    share(first, pot * 3 // 4)
    share(second, pot // 4)
    return paid


class CowboyDraw:
    """One tournament.

    ``chance`` decides all that luck decides: ``button()`` is the first button, ``deck(hand)`` the deck of hand number
    ``hand`` (from 0). The decisions of seats that the house bot plays are handed in like all others, with
    ``by_house=True``. ``stacks`` and ``hands_played`` start it later.
    """

    def __init__(self, chance, account=2000, readout="rebuy", reward="stars", stacks=(1000,) * 4, hands_played=0):
        self.chance, self.account, self.readout, self.reward = chance, account, readout, reward
        self.pot = 4 * BUY_IN  # CD-1
        self.stars = [account - BUY_IN] * 4
        self.gone = 0
        self.paid = [BUY_IN] * 4
        self.stacks = list(stacks)
        self.house_bot = [False] * 4
        self.entitled = [True] * 4
        self.streak = [0] * 4
        self.rebuys = [0] * 4
        self.payouts = [0] * 4
        self.rewards = [Fraction(0)] * 4
        self.hands_played = hands_played
        self.over = False
        self.waiting = []  # still to be asked in the readout
        self.last = None
        self.button = chance.button()
        self._deal()

    @property
    def phase(self):
        return "over" if self.over else "readout" if self.waiting else self.hand.phase

    @property
    def turn(self):
        return None if self.over else self.waiting[0] if self.waiting else self.hand.turn

    def order(self):
        return [(self.button + step) % 4 for step in range(1, 5)]

    def _deal(self):
        deck = self.chance.deck(self.hands_played)
        self.hand = Hand(self.stacks, self.button, 25, 50, deck, None, most_thrown=3, together=True)  # CD-2, CD-5

    def _next_hand(self):
        for seat in self.order():
            if self.streak[seat] >= 3 and sum(self.entitled) > 1:  # CD-14, CD-8
                self._to_house(seat)
        while True:  # CD-3
            self.button = (self.button + 1) % 4
            if self.stacks[self.button]:
                break
        self._deal()

    def _to_house(self, seat):
        self.house_bot[seat], self.entitled[seat], self.streak[seat] = True, False, 0

    def may_rebuy(self, seat):
        return not self.house_bot[seat] and self.stacks[seat] == 0 and self.stars[seat] >= BUY_IN  # CD-7

    def legal(self):
        if not self.waiting:
            return self.hand.legal()
        kinds = [{"type": "pass"}]
        if self.may_rebuy(self.turn):
            kinds.append({"type": "rebuy"})
        if self.readout == "all" and sum(self.entitled) > 1:  # CD-8
            kinds.append({"type": "leave"})
        return kinds

    def clock(self):
        """What the rules give when the clock has run out (CD-13)."""
        return {"type": "pass"} if self.waiting else self.hand.clock()

    def step(self, action, by_house=False):
        seat = self.turn
        if action["type"] == "clock":
            action = self.clock()
            self.streak[seat] += action["type"] == "fold"  # CD-14
        elif not by_house:
            self.streak[seat] = 0
        if self.waiting:
            self._answer(self.waiting.pop(0), action["type"])
            if not self.waiting:
                self._end_readout()
            return
        self.hand.step(action)
        if self.hand.phase == "over":
            self._end_hand()

    def _answer(self, seat, kind):
        if kind == "rebuy":
            self._pay(seat)
            self.stacks[seat] = 1000
            self.rebuys[seat] += 1
        elif kind == "leave":
            self._to_house(seat)

    def _pay(self, seat):
        self.stars[seat] -= BUY_IN
        self.paid[seat] += BUY_IN
        self.pot += BUY_IN

    def _end_hand(self):
        self.last = self.hand
        self.stacks = list(self.hand.stacks)
        self.hands_played += 1
        if self.reward == "chips":
            for seat in SEATS:
                self.rewards[seat] += Fraction(self.stacks[seat] - self.hand.start[seat], 25)
        if self.hands_played < 6:
            asked = self.may_rebuy if self.readout == "rebuy" else lambda seat: not self.house_bot[seat]
            self.waiting = [seat for seat in self.order() if asked(seat)]
        if not self.waiting:
            self._end_readout()

    def _end_readout(self):
        if self.hands_played < 6 and sum(chips > 0 for chips in self.stacks) > 1:  # CD-10
            self._next_hand()
            return
        self.over = True
        self.payouts = payouts(self.stacks, self.entitled, self.pot, self.button)
        self.pot = 0
        for seat in SEATS:
            self.stars[seat] += self.payouts[seat]
            if self.reward == "stars":
                self.rewards[seat] += Fraction(self.payouts[seat] - self.paid[seat], BUY_IN)

    def join(self, seat):
        """A person with an account of its own takes over a bot's seat (CD-9)."""
        assert self.waiting
        assert self.house_bot[seat]
        self.gone += self.stars[seat]
        self.stars[seat] = self.account
        self._pay(seat)
        self.stacks[seat] = self.stacks[seat] or 1000
        self.house_bot[seat], self.entitled[seat], self.streak[seat] = False, True, 0

    def resume(self, seat):
        """An absent person is back (CD-14)."""
        assert not self.house_bot[seat]
        self.streak[seat] = 0
