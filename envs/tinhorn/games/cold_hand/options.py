"""The options of Cold Hand."""

from dataclasses import dataclass, field
from typing import ClassVar

from tinhorn.core.options import Options

REWARDS = ("win", "pulls")
WIN, PULLS = range(len(REWARDS))


@dataclass(frozen=True)
class ColdHandOptions(Options):
    """Options of Cold Hand. The rules leave nothing else open."""

    player_counts: ClassVar[range] = range(2, 7)
    num_players: int = 4
    reward: str = field(
        default="win",
        metadata={
            "choices": REWARDS,
            "help": "`win`: +1 for the survivor, -1/(n-1) for each other when it is eliminated. "
            "`pulls`, for training: after each hand, a sixth of (the mean of the other survivors' pulls due - own "
            "pulls due).",
        },
    )
