"""The state of a Cowboy Draw tournament, a field a line."""

from tinhorn.core.game import MAX_SEATS, state_dtype
from tinhorn.poker.betting import BETTING_FIELDS
from tinhorn.poker.draw import DRAW_CHANCES, DRAW_FIELDS
from tinhorn.poker.pots import POT_FIELDS

BET_1, DRAW, BET_2, READOUT, OVER = range(5)
PHASES = ("bet1", "draw", "bet2", "readout", "over")
READOUT_REBUY, READOUT_ALL = range(2)
STARS, CHIPS = range(2)

SEATS = 4
HANDS = 6  # in a tournament (CD-1)
BUY_IN = 100  # stars; a rebuy and a joining cost the same
STACK = 1000  # chips for a buy-in
ANTE = 25  # chips (CD-2)
SMALLEST_BET = 50  # chips
MOST_THROWN = 3  # cards (CD-5)
MOST_CLOCK_FOLDS = 3  # hands in a row (CD-14)

CHANCES = DRAW_CHANCES
_EACH = (MAX_SEATS,)

STATE = state_dtype(
    ("ante", "i4"),  # chips
    ("account", "i4"),  # stars, before the buy-in
    ("reward", "i1"),  # STARS or CHIPS
    ("readout", "i1"),  # READOUT_REBUY or READOUT_ALL
    ("phase", "i1"),  # BET_1 .. OVER
    ("hands_played", "i1"),
    ("hand_stacks", "i4", _EACH),  # chips at the start of this hand, before the ante
    ("choices", "i1", _EACH),  # the exchange chosen in this draw, its action id; -1 before
    ("pending", "u1", _EACH),  # still to be asked in this readout
    ("tournament_pot", "i4"),  # stars
    ("stars", "i4", _EACH),  # the account of whoever sits there
    ("gone_stars", "i4"),  # accounts of persons whose seat another has joined
    ("paid", "i4", _EACH),  # stars paid into the pot from this seat
    ("rebuys", "i1", _EACH),
    ("payouts", "i4", _EACH),  # stars, at the end
    ("house_seat", "u1", _EACH),  # the house bot plays it
    ("entitled", "u1", _EACH),  # takes part in the payout
    ("streak", "i1", _EACH),  # hands in a row in which the clock folded this seat
    ("house_stream", "u8", (1,)),  # the luck of house bots, apart from that of the cards
    *BETTING_FIELDS,
    *DRAW_FIELDS,
    *POT_FIELDS,
    chances=CHANCES,
)
