"""The state of a table of Hand, a field a line."""

import numpy as np

from tinhorn.core.chance import Chance
from tinhorn.core.game import state_dtype

DRAW, PLAY, OVER = range(3)
PHASES = ("draw", "play", "over")

SEATS = 4  # at most
KINDS = 53  # of cards: 52 and the joker; every kind comes twice (HA-1)
CARDS = 2 * KINDS
DEALT = 14  # cards each, one more to the first player (HA-2)
MELDS = 16  # places for melds on the table: four a player at most
DEALS = 5  # in a match (HA-20)
OPENING = 51  # points of the first lay-down (HA-13)
MATCH, POINTS = range(2)  # rewards

CHANCES = (
    Chance("deck", CARDS, "cards", "The deck's order before a deal, from the top.", copies=2),
    Chance("new_stock", CARDS, "cards", "The new stock's order when the fire is turned over (HA-7).", copies=2),
    Chance("first_player", 1, "numbers", "The first player of the match (HA-3)."),
)

STATE: np.dtype = state_dtype(
    ("teams", "u1"),
    ("reward", "i1"),  # MATCH or POINTS
    ("max_turns", "i4"),
    ("phase", "i1"),  # DRAW, PLAY, OVER
    ("deal", "i1"),  # deals completed, 0..5
    ("cancelled", "i2"),  # times the running deal was cancelled and dealt again (HA-7)
    ("starter", "i1"),  # of the running deal
    ("turns", "i4"),  # player turns completed in this deal
    ("hands", "i8", (SEATS, 3)),  # words of `cards.py`: kinds held, kinds held twice, jokers
    ("stock_cards", "i1", (CARDS,)),  # face down, from the top: places next_card .. stock_end - 1 are left
    ("next_card", "i1"),
    ("stock_end", "i1"),
    ("fire", "i1", (CARDS,)),  # places 0 .. fire_size - 1, the last is on top
    ("fire_size", "i1"),
    ("fire_kinds", "i8", (3,)),  # the same as words, like a hand
    ("table_kinds", "i8", (3,)),  # cards in melds, likewise, but for jokers
    ("melds", "i8", (MELDS,)),  # packed, see `melds.py`; 0 for a free place
    ("fits", "i8", (2,)),  # kinds that fit a meld now, as a word; 1 if a joker does
    ("opened", "u1", (SEATS,)),
    ("known_jokers", "i1", (SEATS,)),  # jokers a player is known to hold: taken from a meld
    ("took", "i1", (SEATS,)),  # last card each took from the fire in this deal, -1 for none
    ("threw", "i1", (SEATS,)),  # last card each threw in this deal, -1 for none
    # The turn
    ("opened_before", "u1"),  # the seat to act had opened before this turn
    ("staged", "i2"),  # points laid in an opening that has not reached 51, else 0
    ("laid", "i1"),  # moves that laid something in this turn
    ("elsewhere", "u1"),  # the seat to act has added to someone else's meld in this turn (HA-18)
    ("fire_card", "i1"),  # taken from the fire and still to be melded (HA-5), -1 for none
    # What the solver says of each hand, kept here because both mask and view need it
    ("best", "i2", (SEATS,)),  # greatest total of melds, points; the seat to act keeps a card to throw
    ("deadwood", "i2", (SEATS,)),  # points of the cards then left
    ("loose", "i8", (SEATS,)),  # their kinds but jokers, as a word
    # Scores, lower is better; in teams both partners have the team's
    ("scores", "i4", (SEATS,)),
    ("deal_points", "i4", (SEATS,)),  # of the last completed deal
    ("last_out", "i1"),  # who went out in it, -1 before the first
    ("last_hand", "u1"),  # it was a Hand (HA-18)
    chances=CHANCES,
)
