"""The options of a game: a frozen dataclass, validated when made, written into the state record."""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np


class OptionError(ValueError):
    """An option is unknown, of the wrong type or out of range; the message names what is allowed."""


@dataclass(frozen=True)
class Options:
    """Base of every game's options.

    A subclass is a frozen dataclass whose fields are the options with their defaults; ``field(metadata={"help":
    ..., "low": ..., "high": ..., "choices": ...})`` bounds a field and documents it; ``"range"`` words what cannot
    be bounded so. ``player_counts`` says how many may sit at the table. Fields with the name of a state field are
    written into the state. ``cut_off_by`` names the option that cuts long games off, if there is one.
    """

    player_counts: ClassVar[range]
    cut_off_by: ClassVar[str] = ""
    num_players: int

    def __post_init__(self) -> None:
        """Check every field. Raises OptionError."""
        if not _is_int(self.num_players) or self.num_players not in self.player_counts:
            counts = self.player_counts
            seats = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"exactly {counts[0]}"
            raise OptionError(f"num_players={self.num_players!r}: this game seats {seats}, a whole number")
        for field in dataclasses.fields(self):
            _check(field, getattr(self, field.name))

    @classmethod
    def make(cls, options: dict[str, Any]) -> Self:
        """Options from keyword arguments. Raises OptionError for an unknown name, with the known ones."""
        known = [field.name for field in dataclasses.fields(cls)]
        for name in options:
            if name not in known:
                raise OptionError(f"unknown option {name!r}; the options are: {', '.join(known)}")
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in options.items()}
        return cls(**plain)

    def write(self, state: Any) -> None:
        """Write the options into a state record."""
        state["num_seats"] = self.num_players
        for field in dataclasses.fields(self):
            if field.name in state.dtype.names:
                value = getattr(self, field.name)
                choices = field.metadata.get("choices")
                state[field.name] = choices.index(value) if choices else value

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that win and lose with ``seat``, itself included: its partners where a game has teams."""
        return (seat,)

    def as_dict(self) -> dict[str, Any]:
        """The options by name."""
        return dataclasses.asdict(self)

    @property
    def unusual(self) -> dict[str, str]:
        """The options besides the number of players that are not the defaults, as they are typed."""
        fields = [field for field in dataclasses.fields(self) if field.name != "num_players"]
        changed = {field.name: getattr(self, field.name) for field in fields}
        changed = {field.name: changed[field.name] for field in fields if changed[field.name] != field.default}
        return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in changed.items()}

    @property
    def words(self) -> str:
        """The table in words: ``4 players``, or ``4 players, teams=true``."""
        return ", ".join([f"{self.num_players} players", *(f"{key}={text}" for key, text in self.unusual.items())])

    @classmethod
    def describe(cls) -> list[dict[str, Any]]:
        """Name, default, range and meaning of every option, for help texts and docs tables."""
        return [
            {
                "name": field.name,
                "default": field.default,
                "range": _range(cls, field),
                "meaning": field.metadata.get("help", "Players at the table."),
            }
            for field in dataclasses.fields(cls)
        ]


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check(field: "dataclasses.Field[Any]", value: Any) -> None:
    bounds = field.metadata
    if "choices" in bounds and value not in bounds["choices"]:
        raise OptionError(f"{field.name}={value!r}: choose from {', '.join(map(repr, bounds['choices']))}")
    if isinstance(field.default, bool) and not isinstance(value, bool):
        raise OptionError(f"{field.name}={value!r}: must be True or False")
    if "low" in bounds and (not _is_int(value) or not bounds["low"] <= value <= bounds["high"]):
        raise OptionError(f"{field.name}={value!r}: must be a whole number of {bounds['low']} to {bounds['high']}")


def _range(cls: type[Options], field: "dataclasses.Field[Any]") -> str:
    if field.name == "num_players":
        return f"{cls.player_counts[0]} to {cls.player_counts[-1]}"
    if "choices" in field.metadata:
        return ", ".join(map(repr, field.metadata["choices"]))
    if "low" in field.metadata:
        return f"{field.metadata['low']} to {field.metadata['high']}"
    return "true, false" if isinstance(field.default, bool) else str(field.metadata["range"])
