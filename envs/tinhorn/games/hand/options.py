"""The options of Hand."""

from dataclasses import dataclass, field
from typing import ClassVar

from tinhorn.core.options import OptionError, Options


@dataclass(frozen=True)
class HandOptions(Options):
    """Options of Hand. ``teams`` needs four players; partners sit opposite."""

    player_counts: ClassVar[range] = range(2, 5)
    cut_off_by: ClassVar[str] = "max_turns"
    num_players: int = 4
    teams: bool = field(default=False, metadata={"help": "Four players in two teams, partners opposite (HA-19)."})
    reward: str = field(
        default="match",
        metadata={
            "choices": ("match", "points"),
            "help": "match: +1 shared by the winners, -1 by the others. points: after each deal, hundreds of points "
            "ahead of the others' mean.",
        },
    )
    max_turns: int = field(
        default=400,
        metadata={"low": 1, "high": 100_000, "help": "Player turns in a deal before the match is truncated (HA-22)."},
    )

    def __post_init__(self) -> None:
        """Check every field, and that teams are four players. Raises OptionError."""
        super().__post_init__()
        if self.teams and self.num_players != 4:
            raise OptionError(f"teams=True with num_players={self.num_players}: teams need exactly 4 players")

    def side(self, seat: int) -> tuple[int, ...]:
        """A team sits opposite (HA-19)."""
        return (seat, (seat + 2) % 4) if self.teams else (seat,)
