"""What a seat of Five Card Draw may see, as named integers. Seats are relative: 0 is the seat that looks."""

from tinhorn.core.encoding import FLAG, OneHot
from tinhorn.core.game import MAX_SEATS
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import around, write
from tinhorn.core.layout import Field, Layout
from tinhorn.games.five_card_draw.state import BET_1, BET_2, DRAW, OVER
from tinhorn.poker.view import TABLE_FIELDS, view_table

_HANDS = 1_000_000

LAYOUT = Layout(
    *TABLE_FIELDS,
    Field("phase", "0 first betting, 1 draw, 2 second betting.", 0, 2, none="the game is over", encode=OneHot()),
    Field("alive", "1 for a player in the game.", 0, 1, (MAX_SEATS,), encode=FLAG),
    Field("hands_played", "Hands finished in this game.", 0, _HANDS),
    Field("hands_left", "Hands until the game is cut off, this one included.", 0, _HANDS),
)

_PHASE = LAYOUT.at("phase")
_ALIVE = LAYOUT.at("alive")
_HANDS_PLAYED = LAYOUT.at("hands_played")
_HANDS_LEFT = LAYOUT.at("hands_left")


@kernel
def view(state, seat, out):
    """Write what ``seat`` may see into ``out`` (int32[V])."""
    view_table(state, seat, state.phase == BET_1 or state.phase == BET_2, state.phase == DRAW, out)
    out[_PHASE] = state.phase if state.phase != OVER else -1
    out[_HANDS_PLAYED] = state.hands_played
    out[_HANDS_LEFT] = max(state.max_hands - state.hands_played, 0)
    write(out, _ALIVE, around(state.alive, seat, state.num_seats, 0))
