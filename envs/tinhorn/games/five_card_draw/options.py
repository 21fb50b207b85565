"""The options of Five Card Draw."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tinhorn.core.options import OptionError, Options
from tinhorn.poker.betting import MOST_CHIPS
from tinhorn.poker.sizes import DEFAULT_SIZES, SIZES_OPTION, check_sizes, write_sizes

EPISODES = ("game", "hand")
REWARDS = ("win", "rank", "chips")


@dataclass(frozen=True)
class FiveCardDrawOptions(Options):
    """Options of Five Card Draw (FD-1, FD-5, FD-17 to FD-20)."""

    player_counts: ClassVar[range] = range(2, 7)
    cut_off_by: ClassVar[str] = "max_hands"
    num_players: int = 4
    stack: int = field(default=1000, metadata={"help": "Chips each player starts with.", "low": 1, "high": MOST_CHIPS})
    ante: int = field(
        default=10,
        metadata={"help": "Chips posted before each hand; also the smallest bet.", "low": 1, "high": MOST_CHIPS},
    )
    episode: str = field(
        default="game", metadata={"help": "Play until one has all the chips, or one hand.", "choices": EPISODES}
    )
    reward: str = field(
        default="win",
        metadata={
            "help": "win: +1 and -1/(n-1); rank: by place, 1 to -1; chips: won in each hand, in antes.",
            "choices": REWARDS,
        },
    )
    starting_stacks: tuple[int, ...] | str = field(
        default=(),
        metadata={
            "help": "Chips of each seat instead of `stack`; 'random' shares out the same total anew in each episode.",
            "range": "chips by seat, or 'random'",
        },
    )
    max_hands: int = field(
        default=300, metadata={"help": "Hands after which a game is cut off.", "low": 1, "high": 1_000_000}
    )
    bet_sizes: tuple[str, ...] = field(default=DEFAULT_SIZES, metadata=SIZES_OPTION)
    fold_for_free: bool = field(default=False, metadata={"help": "Offer fold when there is nothing to call."})

    def __post_init__(self) -> None:
        """Check every option. Raises OptionError."""
        super().__post_init__()
        object.__setattr__(self, "bet_sizes", check_sizes(self.bet_sizes))
        stacks: Any = self.starting_stacks
        if stacks == "random":
            return
        if isinstance(stacks, list):
            stacks = tuple(stacks)
            object.__setattr__(self, "starting_stacks", stacks)
        right = isinstance(stacks, tuple) and len(stacks) in (0, self.num_players)
        if not right or not all(type(chips) is int and 0 <= chips <= MOST_CHIPS for chips in stacks):
            raise OptionError(
                f"starting_stacks={stacks!r}: 'random', or {self.num_players} numbers of 0 to {MOST_CHIPS} chips"
            )
        if stacks and sum(chips > 0 for chips in stacks) < 2:
            raise OptionError(f"starting_stacks={stacks!r}: at least two players need chips")

    def write(self, state: Any) -> None:
        """Write the options into a state record."""
        super().write(state)
        state["smallest_bet"] = self.ante
        state["random_stacks"] = self.starting_stacks == "random"
        given = () if self.starting_stacks == "random" else self.starting_stacks
        state["first_stacks"][: self.num_players] = given or (self.stack,) * self.num_players
        write_sizes(self.bet_sizes, state)
