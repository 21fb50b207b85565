"""The options of Cowboy Draw."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tinhorn.core.options import Options
from tinhorn.games.cowboy_draw.state import ANTE, BUY_IN, SEATS, SMALLEST_BET
from tinhorn.poker.sizes import DEFAULT_SIZES, SIZES_OPTION, check_sizes, write_sizes

REWARDS = ("stars", "chips")
READOUTS = ("rebuy", "all")


@dataclass(frozen=True)
class CowboyDrawOptions(Options):
    """Options of Cowboy Draw (CD-1, CD-7)."""

    player_counts: ClassVar[range] = range(SEATS, SEATS + 1)
    num_players: int = SEATS
    account: int = field(
        default=2000, metadata={"help": "Stars of each account before the buy-in.", "low": BUY_IN, "high": 1_000_000}
    )
    readout: str = field(
        default="rebuy",
        metadata={
            "help": "rebuy: only seats that may rebuy are asked after a hand; all: every person is, and may leave.",
            "choices": READOUTS,
        },
    )
    reward: str = field(
        default="stars",
        metadata={
            "help": "stars: payout less buy-in and rebuys, in buy-ins, at the end; chips: won in each hand, in antes.",
            "choices": REWARDS,
        },
    )
    bet_sizes: tuple[str, ...] = field(default=DEFAULT_SIZES, metadata=SIZES_OPTION)
    fold_for_free: bool = field(default=False, metadata={"help": "Offer fold when there is nothing to call."})

    def __post_init__(self) -> None:
        """Check every option. Raises OptionError."""
        super().__post_init__()
        object.__setattr__(self, "bet_sizes", check_sizes(self.bet_sizes))

    def write(self, state: Any) -> None:
        """Write the options into a state record."""
        super().write(state)
        state["ante"] = ANTE
        state["smallest_bet"] = SMALLEST_BET
        write_sizes(self.bet_sizes, state)
