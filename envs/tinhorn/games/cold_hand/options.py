"""The options of Cold Hand."""

from dataclasses import dataclass
from typing import ClassVar

from tinhorn.core.options import Options


@dataclass(frozen=True)
class ColdHandOptions(Options):
    """Options of Cold Hand. The rules leave nothing else open."""

    player_counts: ClassVar[range] = range(2, 7)
    num_players: int = 4
