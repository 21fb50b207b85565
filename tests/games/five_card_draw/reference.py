"""Five Card Draw in plain Python, written from the rules FD-1 to FD-21 alone: the engine is compared with it."""

from fractions import Fraction

from poker.hand_reference import Hand


class FiveCardDraw:
    """One episode.

    ``chance`` decides all that luck decides: ``button()`` is the first button, ``deck(hand)`` the deck of hand number
    ``hand`` (from 0) in dealing order, ``reshuffle(muck)`` the muck in its new order.
    """

    def __init__(self, stacks, chance, ante=10, reward="win", episode="game", max_hands=300, fold_for_free=False):
        self.stacks, self.chance, self.ante = list(stacks), chance, ante
        self.reward, self.episode, self.max_hands = reward, episode, max_hands
        self.fold_for_free = fold_for_free
        self.players = [seat for seat, chips in enumerate(stacks) if chips]
        self.places = {}
        self.rewards = [Fraction(0)] * len(stacks)
        self.hands_played = 0
        self.over = self.truncated = False
        self.last = None  # the hand just finished
        self.button = chance.button()
        self._deal()

    def live(self):
        return [seat for seat in self.players if seat not in self.places]

    def _deal(self):
        deck = self.chance.deck(self.hands_played)
        self.hand = Hand(
            self.stacks,
            self.button,
            self.ante,
            self.ante,
            deck,
            self.chance.reshuffle,
            fold_for_free=self.fold_for_free,
        )
        self._run_on()

    def step(self, action):
        self.hand.step(action)
        self._run_on()

    def _run_on(self):
        if self.hand.phase != "over":
            return
        self.last = self.hand
        self.stacks = list(self.hand.stacks)
        self.hands_played += 1
        if self.reward == "chips":  # FD-19
            for seat in self.players:
                self.rewards[seat] += Fraction(self.stacks[seat] - self.hand.start[seat], self.ante)
        live = self.live()
        bust = [seat for seat in live if self.stacks[seat] == 0]
        self._rank(bust, self.hand.start, first=len(live) - len(bust) + 1)  # FD-16
        live = self.live()
        if len(live) == 1 or self.episode == "hand" or self.hands_played == self.max_hands:
            self.truncated = len(live) > 1 and self.episode == "game"  # FD-20
            self._rank(live, self.stacks, first=1)
            self.over = True
        else:
            while True:  # FD-3
                self.button = (self.button + 1) % len(self.stacks)
                if self.button in live:
                    break
            self._deal()

    def _rank(self, seats, chips, first):
        """Give places from ``first`` on by chips; equal ones share the mean. Pays what depends on the place."""
        n = len(self.players)
        ranked = sorted(seats, key=lambda seat: -chips[seat])
        for seat in seats:
            shared = [first + k for k, other in enumerate(ranked) if chips[other] == chips[seat]]
            self.places[seat] = Fraction(sum(shared), len(shared))
            if self.reward == "rank":
                self.rewards[seat] += (n + 1 - 2 * self.places[seat]) / (n - 1)
            elif self.reward == "win":
                share = Fraction(self.stacks[seat], sum(self.stacks))
                self.rewards[seat] += (n * share - 1) / (n - 1)
