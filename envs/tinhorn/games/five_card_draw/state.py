"""The state of a table of Five Card Draw, a field a line."""

from tinhorn.core.game import MAX_SEATS, state_dtype
from tinhorn.poker.betting import BETTING_FIELDS
from tinhorn.poker.draw import DRAW_CHANCES, DRAW_FIELDS
from tinhorn.poker.pots import POT_FIELDS

BET_1, DRAW, BET_2, OVER = range(4)
PHASES = ("bet1", "draw", "bet2", "over")
GAME_EPISODE, HAND_EPISODE = range(2)
WIN, RANK, CHIPS = range(3)

CHANCES = DRAW_CHANCES

STATE = state_dtype(
    ("ante", "i4"),  # chips
    ("episode", "i1"),  # GAME_EPISODE or HAND_EPISODE
    ("reward", "i1"),  # WIN, RANK or CHIPS
    ("max_hands", "i4"),
    ("random_stacks", "u1"),
    ("first_stacks", "i4", (MAX_SEATS,)),  # chips of each seat at the start of the episode
    ("phase", "i1"),  # BET_1 .. OVER
    ("hands_played", "i4"),
    ("entrants", "i1"),  # players with chips at the start of the episode
    ("alive", "u1", (MAX_SEATS,)),  # has chips, or is still in the hand
    ("hand_stacks", "i4", (MAX_SEATS,)),  # chips at the start of this hand, before the ante
    ("places", "f4", (MAX_SEATS,)),  # 1 for the winner, tied places averaged; 0 while the player is in the game
    *BETTING_FIELDS,
    *DRAW_FIELDS,
    *POT_FIELDS,
    chances=CHANCES,
)
