"""What a seat of Cold Hand may see, as named integers. Seats are relative: 0 is the seat that looks."""

from tinhorn.core.encoding import FLAG, CardSlots, MultiHot, OneHot
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.layout import Field, Layout
from tinhorn.games.cold_hand.penalty import hands_per_rise
from tinhorn.games.cold_hand.state import HAND, MOST_EXCHANGED, MOST_RAISES, MOST_STAKES, OVER
from tinhorn.poker.features import FIVE_CARD_PATTERN
from tinhorn.poker.seats import clockwise, relative

_SEATS = (MAX_SEATS,)
_NOT_YET = "not chosen yet, or not in"

LAYOUT = Layout(
    Field("num_players", "Players at the start of the game.", 2, 6, encode=OneHot()),
    Field(
        "phase",
        "0 first draw, 1 first betting, 2 second draw, 3 second betting.",
        0,
        3,
        none="the game is over",
        encode=OneHot(),
    ),
    Field("turn", "The seat to act.", 0, 5, none="the game is over"),
    Field("opening_seat", "The seat that opens this hand.", 0, 5, encode=OneHot()),
    Field("stakes", "Pulls at stake.", 1, MOST_STAKES, encode=OneHot()),
    Field("house_minimum", "Pulls that a fold costs.", 1, 3, encode=OneHot()),
    Field(
        "hands_to_next_rise",
        "Hands, this one included, until the house minimum rises.",
        1,
        4,
        none="it stays at three",
        encode=OneHot(),
    ),
    Field(
        "hand",
        "Own cards.",
        0,
        51,
        (HAND,),
        "not dealt in",
        (CardSlots(), FIVE_CARD_PATTERN),
        cards=True,
        order="grouped",
    ),
    Field(
        "thrown_first",
        "Own cards thrown in the first draw.",
        0,
        51,
        (MOST_EXCHANGED,),
        "none",
        MultiHot(),
        cards=True,
    ),
    Field("thrown_second", "Own cards thrown in the second draw.", 0, 51, (MOST_EXCHANGED,), "none", cards=True),
    Field("alive", "1 for a survivor.", 0, 1, _SEATS, encode=FLAG),
    Field("in_hand", "1 for a player dealt in who has not folded.", 0, 1, _SEATS, encode=FLAG),
    Field("folded", "1 for a player who folded this hand.", 0, 1, _SEATS),
    Field("to_decide", "1 for a player who still decides in this round.", 0, 1, _SEATS, encode=FLAG),
    Field("exchanged_first", "Cards exchanged in the first draw.", 0, MOST_EXCHANGED, _SEATS, _NOT_YET, OneHot()),
    Field(
        "exchanged_second",
        "Cards exchanged in the second draw.",
        0,
        MOST_EXCHANGED,
        _SEATS,
        _NOT_YET,
        OneHot(),
    ),
    Field("raise_seat", "Who raised in this hand, in order.", 0, 5, (MOST_RAISES,), "no raise", OneHot()),
    Field(
        "raise_round",
        "The betting round of that raise: 0 first, 1 second.",
        0,
        1,
        (MOST_RAISES,),
        "no raise",
        OneHot(),
    ),
    Field("shown", "Hands shown at the last reveal.", 0, 51, (MAX_SEATS, HAND), "covered", cards=True),
    Field("last_pulled", "Pulls made after the last hand.", 0, MOST_STAKES, _SEATS),
    Field("last_shot", "1 for a player eliminated after the last hand.", 0, 1, _SEATS),
)

_NUM_PLAYERS = LAYOUT.at("num_players")
_PHASE = LAYOUT.at("phase")
_TURN = LAYOUT.at("turn")
_OPENING_SEAT = LAYOUT.at("opening_seat")
_STAKES = LAYOUT.at("stakes")
_HOUSE_MINIMUM = LAYOUT.at("house_minimum")
_TO_RISE = LAYOUT.at("hands_to_next_rise")
_HAND = LAYOUT.at("hand")
_THROWN_FIRST = LAYOUT.at("thrown_first")
_THROWN_SECOND = LAYOUT.at("thrown_second")
_ALIVE = LAYOUT.at("alive")
_IN_HAND = LAYOUT.at("in_hand")
_FOLDED = LAYOUT.at("folded")
_TO_DECIDE = LAYOUT.at("to_decide")
_EXCHANGED_FIRST = LAYOUT.at("exchanged_first")
_EXCHANGED_SECOND = LAYOUT.at("exchanged_second")
_RAISE_SEAT = LAYOUT.at("raise_seat")
_RAISE_ROUND = LAYOUT.at("raise_round")
_SHOWN = LAYOUT.at("shown")
_LAST_PULLED = LAYOUT.at("last_pulled")
_LAST_SHOT = LAYOUT.at("last_shot")


@kernel
def view(state, seat, out):
    """Write what ``seat`` may see into ``out`` (int32[V])."""
    seats = state.num_seats
    out[_NUM_PLAYERS] = seats
    out[_PHASE] = state.phase if state.phase != OVER else -1
    out[_TURN] = relative(state.actor, seat, seats) if state.actor >= 0 else -1
    out[_OPENING_SEAT] = relative(state.opening_seat, seat, seats)
    out[_STAKES] = state.stakes
    out[_HOUSE_MINIMUM] = state.house_minimum
    out[_TO_RISE] = hands_to_next_rise(state)
    for place in range(HAND):
        out[_HAND + place] = state.hands[seat, place]
    for place in range(MOST_EXCHANGED):
        out[_THROWN_FIRST + place] = state.discards[seat, 0, place]
        out[_THROWN_SECOND + place] = state.discards[seat, 1, place]
    for k in range(MOST_RAISES):
        out[_RAISE_ROUND + k] = state.raise_round[k]
        out[_RAISE_SEAT + k] = relative(state.raise_seat[k], seat, seats) if k < state.num_raises else -1
    for step in range(MAX_SEATS):
        if step < seats:
            write_seat(state, clockwise(seat, step, seats), step, out)
        else:
            write_no_seat(step, out)


@kernel
def write_seat(state, seat, step, out):
    """The public facts of one seat, at its place ``step`` clockwise from the seat that looks."""
    out[_ALIVE + step] = state.alive[seat]
    out[_IN_HAND + step] = state.in_hand[seat]
    out[_FOLDED + step] = state.folded[seat]
    out[_TO_DECIDE + step] = state.pending[seat]
    out[_EXCHANGED_FIRST + step] = state.exchanged[seat, 0]
    out[_EXCHANGED_SECOND + step] = state.exchanged[seat, 1]
    for place in range(HAND):
        out[_SHOWN + HAND * step + place] = state.shown[seat, place]
    out[_LAST_PULLED + step] = state.pulled[seat]
    out[_LAST_SHOT + step] = state.shot[seat]


@kernel
def write_no_seat(step, out):
    """A place at the table that is not taken."""
    out[_ALIVE + step] = 0
    out[_IN_HAND + step] = 0
    out[_FOLDED + step] = 0
    out[_TO_DECIDE + step] = 0
    out[_EXCHANGED_FIRST + step] = -1
    out[_EXCHANGED_SECOND + step] = -1
    for place in range(HAND):
        out[_SHOWN + HAND * step + place] = -1
    out[_LAST_PULLED + step] = 0
    out[_LAST_SHOT + step] = 0


@kernel
def hands_to_next_rise(state):
    """Hands, the running one included, until the house minimum rises; 0 when it no longer does (CH-15)."""
    if state.house_minimum == 3:
        return 0
    per_rise = hands_per_rise(state.num_seats)
    return per_rise - state.hands_completed % per_rise
