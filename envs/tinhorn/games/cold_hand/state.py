"""The state of a Cold Hand table, a field a line."""

from tinhorn.core.chance import Chance
from tinhorn.core.game import MAX_SEATS, state_dtype

DRAW_1, BET_1, DRAW_2, BET_2, OVER = range(5)
PHASES = ("draw1", "bet1", "draw2", "bet2", "over")

HAND = 5  # cards
MOST_EXCHANGED = 3  # cards in one draw (CH-3)
MOST_STAKES = 4  # pulls (CH-7)
MOST_RAISES = MOST_STAKES - 1  # in one hand, as stakes start at 1 or more
CHAMBERS = 6

CHANCES = (
    Chance("deck", 52, "cards", "The deck's order before the deal, from the top."),
    Chance("second_deck", 52, "cards", "The deck's order before the second draw, discards shuffled in (CH-4)."),
    Chance("bullets", MAX_SEATS, "numbers", "For each seat the pull, 1 to 6, that would fire (CH-14)."),
    Chance("opener", 1, "numbers", "The first opening seat (CH-16)."),
)

STATE = state_dtype(
    ("reward", "i1"),  # the option: WIN or PULLS
    ("phase", "i1"),  # DRAW_1 .. OVER
    ("opening_seat", "i1"),
    ("stakes", "i1"),  # pulls, 1..4
    ("house_minimum", "i1"),  # pulls, 1..3
    ("hands_completed", "i4"),
    ("alive", "u1", (MAX_SEATS,)),
    ("in_hand", "u1", (MAX_SEATS,)),  # dealt in and not folded
    ("folded", "u1", (MAX_SEATS,)),
    ("pending", "u1", (MAX_SEATS,)),  # still to decide in this round
    ("hands", "i1", (MAX_SEATS, HAND)),  # cards in grouped order, -1 when not dealt in
    ("cards", "i1", (52,)),  # the deck, from the top: places next_card .. deck_end - 1 are left
    ("next_card", "i1"),
    ("deck_end", "i1"),
    ("discards", "i1", (MAX_SEATS, 2, MOST_EXCHANGED)),  # per draw round, -1 for none
    ("exchanged", "i1", (2, MAX_SEATS)),  # cards, per draw round; -1 before the choice
    ("num_raises", "i1"),  # in this hand
    ("raise_round", "i1", (MOST_RAISES,)),  # 0 or 1, -1 for none
    ("raise_seat", "i1", (MOST_RAISES,)),  # -1 for none
    ("shown", "i1", (MAX_SEATS, HAND)),  # hands shown at the last reveal, -1 for covered
    ("penalty", "i1", (MAX_SEATS,)),  # pulls due after the last hand; 0 for none, -1 for dropped (CH-14)
    ("pulled", "i1", (MAX_SEATS,)),  # pulls made after the last hand
    ("shot", "u1", (MAX_SEATS,)),  # eliminated after the last hand
    chances=CHANCES,
)
