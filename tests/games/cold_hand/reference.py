"""Cold Hand in plain Python, written from the rules CH-1 to CH-18 alone: the engine is compared with it.

It shares no code with the engine, not even the ranking. It is slow and meant to be read beside the rules.
"""

from itertools import combinations

from poker.oracle import hand_key

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
PHASES = ("draw1", "bet1", "draw2", "bet2")
MOST_PULLS = 4


class ColdHand:
    """One table, from the first deal until one survivor is left. Seats count clockwise, rounds from 0.

    ``chance`` decides all that luck decides. It knows the table as ``chance.table`` and has four methods, in
    which ``hand_number`` is the number of hands completed before:

    - ``opener()``: the first opening seat (CH-16)
    - ``deck(hand_number)``: 52 card codes in dealing order: one card at a time around the table from the
      opening seat, survivors only, five times; then the replacements in turn order
    - ``reshuffle(hand_number)``: deck and discards together in their new order (CH-4)
    - ``bullets(hand_number)``: for each seat the pull, 1 to 6, that fires (CH-14)

    ``hands_completed`` lets a table start later in the game.
    """

    def __init__(self, players, chance, hands_completed=0):
        self.players = players
        self.chance = chance
        chance.table = self
        self.alive = [True] * players
        self.rewards = [0.0] * players
        self.hands_completed = hands_completed
        self.opening_seat = chance.opener()
        self.winner = None
        self.penalties = []  # of the last settled hand, in the order settled: seat, pulls, pulled, died
        self.revealed = {}  # hands shown at the end of the last settled hand
        self._start_hand()

    # What everybody can count

    @property
    def hands_per_rise(self):
        return 3 if self.players <= 3 else 4  # CH-15: the players at the start

    @property
    def house_minimum(self):
        return min(3, 1 + self.hands_completed // self.hands_per_rise)  # CH-15

    @property
    def hands_to_next_rise(self):
        """None once the house minimum is three and rises no more (CH-15)."""
        if self.house_minimum == 3:
            return None
        return self.hands_per_rise - self.hands_completed % self.hands_per_rise

    @property
    def in_hand(self):
        return [alive and not folded for alive, folded in zip(self.alive, self.folded, strict=True)]

    def seen(self, seat):
        """Everything that ``seat`` may see: its own cards, and what lies open for all."""
        return {
            "cards": sorted(self.hands[seat]),
            "phase": self.phase,
            "turn": self.turn,
            "alive": list(self.alive),
            "in_hand": self.in_hand,
            "folded": list(self.folded),
            "exchanged": [list(counts) for counts in self.exchanged],  # CH-5: how many, not which
            "stakes": self.stakes,
            "house_minimum": self.house_minimum,
            "hands_completed": self.hands_completed,
            "hands_to_next_rise": self.hands_to_next_rise,
            "opening_seat": self.opening_seat,
            "raises": list(self.raises),
            "revealed": {shown: sorted(hand) for shown, hand in self.revealed.items()},
            "penalties": [dict(penalty) for penalty in self.penalties],
            "winner": self.winner,
        }

    # Decisions

    def legal(self):
        """Every action the seat in turn may play."""
        if self.phase in ("draw1", "draw2"):
            hand = [CARDS[card] for card in self.hands[self.turn]]
            return [
                {"type": "exchange", "cards": list(cards)}
                for count in range(4)  # CH-3
                for cards in combinations(hand, count)
            ]
        if self.phase in ("bet1", "bet2"):
            raising = [{"type": "raise"}] if self.stakes < MOST_PULLS else []  # CH-7
            return [{"type": "call"}, *raising, {"type": "fold"}]
        return []

    def step(self, action):
        """Play ``action`` for the seat in turn. Raises ValueError, and changes nothing, if it is illegal."""
        if self._plain(action) not in map(self._plain, self.legal()):
            raise ValueError(f"illegal in {self.phase} for seat {self.turn}: {action}")
        if action["type"] == "exchange":
            self._exchange([CARDS.index(text) for text in action["cards"]])
        else:
            self._bet(action["type"])

    def timeout_action(self):
        """What is played when the clock runs out (CH-18)."""
        if self.phase in ("draw1", "draw2"):
            return {"type": "exchange", "cards": []}
        return {"type": "call"}

    @staticmethod
    def _plain(action):
        return action["type"], sorted(action.get("cards", []))

    # The course of a hand

    def _start_hand(self):
        self.folded = [False] * self.players
        self.hands = [[] for _ in range(self.players)]
        self.exchanged = [[None, None] for _ in range(self.players)]
        self.raises = []
        self.discards = []
        self.stakes = self.house_minimum  # CH-6
        self.deck = list(self.chance.deck(self.hands_completed))
        assert sorted(self.deck) == list(range(52))  # CH-1
        for _ in range(5):
            for seat in self.clockwise_from(self.opening_seat):
                self.hands[seat].append(self.deck.pop(0))
        self._start_round("draw1")

    def clockwise_from(self, first):
        """Seats still in, in turn order from ``first``."""
        seats = [(first + step) % self.players for step in range(self.players)]
        return [seat for seat in seats if self.in_hand[seat]]

    def _start_round(self, phase):
        if phase == "draw2":
            together = self.deck + self.discards
            self.deck = list(self.chance.reshuffle(self.hands_completed))  # CH-4
            assert sorted(self.deck) == sorted(together)
            self.discards = []
        self.phase = phase
        self.waiting = self.clockwise_from(self.opening_seat)
        self.turn = self.waiting[0]

    def _end_turn(self):
        if self.waiting:
            self.turn = self.waiting[0]
        elif self.phase == "bet2":
            self._end_hand()
        else:
            self._start_round(PHASES[PHASES.index(self.phase) + 1])  # CH-2

    def _exchange(self, cards):
        seat = self.waiting.pop(0)
        for card in cards:
            self.hands[seat].remove(card)
        for _ in cards:
            self.hands[seat].append(self.deck.pop(0))
        self.discards += cards
        self.exchanged[seat][0 if self.phase == "draw1" else 1] = len(cards)
        self._end_turn()

    def _bet(self, what):
        seat = self.waiting.pop(0)
        if what == "fold":
            self.folded[seat] = True
        if what == "raise":
            self.stakes += 1
            self.raises.append((0 if self.phase == "bet1" else 1, seat))
            self.waiting = self.clockwise_from(seat)[1:]  # CH-8: all others still in, again
        if sum(self.in_hand) == 1:
            self._end_hand()  # CH-10
        else:
            self._end_turn()

    # The end of a hand

    def _end_hand(self):
        still_in = self.clockwise_from(0)
        owed = {seat: self.house_minimum for seat in range(self.players) if self.folded[seat]}  # CH-9, CH-13
        self.revealed = {}
        if len(still_in) > 1:
            self.revealed = {seat: list(self.hands[seat]) for seat in still_in}  # CH-11
            keys = {seat: hand_key(self.hands[seat]) for seat in still_in}
            weakest = [seat for seat in still_in if keys[seat] == min(keys.values())]
            pulls = self.stakes if len(weakest) == 1 else self.house_minimum  # CH-12
            owed |= dict.fromkeys(weakest, pulls)
        self._settle(owed)
        self.hands_completed += 1  # CH-15
        self.opening_seat = self._next_survivor(self.opening_seat)  # CH-16
        if self.winner is None:
            self._start_hand()

    def _settle(self, owed):
        bullets = self.chance.bullets(self.hands_completed)
        self.penalties = []
        for seat, pulls in sorted(owed.items()):  # CH-14: ascending seat number
            died = bullets[seat] <= pulls
            pulled = bullets[seat] if died else pulls
            self.penalties.append({"seat": seat, "pulls": pulls, "pulled": pulled, "died": died})
            if died:
                self.alive[seat] = False
                self.rewards[seat] -= 1 / (self.players - 1)
            if sum(self.alive) == 1:  # CH-17; what is not settled is dropped (CH-14)
                self.winner = self.alive.index(True)
                self.rewards[self.winner] += 1
                self.phase, self.turn = "over", None
                return

    def _next_survivor(self, seat):
        for step in range(1, self.players + 1):
            if self.alive[(seat + step) % self.players]:
                return (seat + step) % self.players
        raise AssertionError("somebody always survives")
