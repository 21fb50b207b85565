"""The configuration of a training: YAML, checked in full before anything starts."""

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tinhorn.core.game import Game
from tinhorn.core.options import OptionError, Options
from tinhorn.registry import get_game
from tinhorn_training.errors import InputError


class ConfigError(InputError):
    """A configuration that will not do; the message names the file, the key and the cure."""


class Section(BaseModel):
    """What all parts of a configuration share: unknown keys are refused, numbers are not made from text."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _both(value: Any) -> Any:
    return [value, value] if isinstance(value, (int, float)) else value


# One number, or two: from the first decision to the last, in a straight line.
Anneal = Annotated[list[Rate], Field(min_length=2, max_length=2), BeforeValidator(_both)]


class Network(Section):
    """One network plays every seat and table size."""

    width: Positive = Field(default=256, description="Outputs of the first layer, which reads the view.")
    policy: list[Positive] = Field(default=[256], description="Layers between the first layer and the action logits.")
    value: list[Positive] = Field(default=[256], description="Layers between the first layer and the value.")


class Imitation(Section):
    """A start in games where luck teaches slowly: the network is also drawn to what the house bot would do."""

    weight: Rate = Field(default=0.0, description="Weight of agreeing with the house bot, at the start.")
    until: Share = Field(default=0.3, gt=0, description="Part of the training in which the weight falls to 0.")


class Learning(Section):
    """PPO. Two numbers: the figure moves from the first to the second during the training."""

    rollout: Positive = Field(default=32768, description="Decisions collected between two updates.")
    minibatch: Positive = Field(default=4096, description="Decisions in one step of the optimiser.")
    epochs: Positive = Field(default=3, description="Times each decision is learnt from.")
    learning_rate: Anneal = Field(default=[5e-4, 0.0], description="Of Adam.")
    clip_range: Anneal = Field(default=[0.2, 0.1], description="How far one update may move a probability.")
    entropy: Anneal = Field(default=[0.05, 0.002], description="Weight of the bonus for playing unpredictably.")
    gamma: Share = Field(default=1.0, description="Discount of rewards from one decision to the next.")
    gae_lambda: Share = Field(default=0.95, description="Less trusts the value sooner: less noise, more bias.")
    reward_scale: Rate = Field(default=1.0, description="Rewards times this; totals of about 1 are learnt best.")
    value_weight: Rate = Field(default=0.5, description="Weight of the loss of the value.")
    average_over: Positive = Field(default=20, description="Updates over which the weights of the bot are averaged.")
    max_grad_norm: Rate = Field(default=0.5, description="Gradients are cut to this length.")
    imitation: Imitation = Imitation()


class Opponents(Section):
    """Who sits in the other seats. The rest of the tables are played by the current network in every seat."""

    snapshots: Share = Field(default=0.1, description="Share of tables against earlier states of the network.")
    house: Share = Field(default=0.1, description="Share of tables against the house bot, in the styles below.")
    styles: list[str] = Field(default=[], description="House styles; an empty list takes them all.")
    snapshot_every: Positive = Field(default=10, description="Updates between two snapshots.")

    @model_validator(mode="after")
    def _shares_fit(self) -> Self:
        if self.snapshots + self.house > 1:
            raise ValueError("the shares of snapshots and house are more than 1 together")
        return self


class Validation(Section):
    """How the best checkpoint is found: games against the house bot on deals of their own."""

    every: Positive = Field(default=10, description="Updates between two validations.")
    deals: Positive = Field(default=1000, description="Deals, each played from every seat.")
    options: dict[str, Any] = Field(default={}, description="Options of the games that are played; not those above.")
    seed: int = Field(default=1_000_003, description="Of the deals.")


class TrainConfig(Section):
    """One training run."""

    game: str = Field(description="As `tinhorn games` lists it.")
    trainer: Literal["self_play", "maskable_ppo"] = Field(
        default="self_play", description="`maskable_ppo`: stock, one seat learns against house bots."
    )
    players: list[Positive] = Field(default=[2], min_length=1, description="Table sizes; one network learns them all.")
    options: dict[str, Any] = Field(default={}, description="Options of the game besides the number of players.")
    variants: list[dict[str, Any]] = Field(
        default=[], description="Further tables: the options above with these changes, such as `num_players`."
    )
    decisions: Positive = Field(description="Decisions of the network to learn from.")
    start: str | None = Field(default=None, description="A checkpoint whose network this one begins as.")
    tables: Positive = Field(default=512, description="Tables played at the same time.")
    seed: int = Field(default=0, description="All luck of the training.")
    threads: Positive = Field(default=1, description="Threads of torch.")
    checkpoint_every: Positive = Field(default=10, description="Updates between two checkpoints.")
    network: Network = Network()
    learning: Learning = Learning()
    opponents: Opponents = Opponents()
    validation: Validation = Validation()

    @property
    def the_game(self) -> Game:
        """The game itself."""
        return get_game(self.game)

    @property
    def table_sizes(self) -> list[Options]:
        """The options of the tables that are played in turn. Raises OptionError."""
        return [self.the_game.options.make({**self.options, **each}) for each in self._sizes]

    @property
    def validated_games(self) -> dict[str, Options]:
        """The options of the games by which the network is judged, by a name for each."""
        make, base = self.the_game.options.make, self.validation.options
        return {_name(each): make({**base, **each}) for each in self._sizes}

    @property
    def _sizes(self) -> list[dict[str, Any]]:
        return [{"num_players": count} for count in self.players] + self.variants


def _name(size: dict[str, Any]) -> str:
    """``4_players``, ``4_players_teams``: a table by what is special about it."""
    others = [key if value is True else f"{key}_{value}" for key, value in size.items() if key != "num_players"]
    return "_".join([f"{size['num_players']}_players"] * ("num_players" in size) + others)


class _Judged(BaseModel):
    options: dict[str, Any] = {}


class TrainedOn(BaseModel):
    """What of a checkpoint's configuration is asked for later; other keys may be missing or another version's."""

    model_config = ConfigDict(strict=True)

    players: list[Positive] = []
    variants: list[dict[str, Any]] = []
    validation: _Judged = _Judged()


def load_config(path: str | Path, overrides: Iterable[str] = ()) -> TrainConfig:
    """The configuration of a YAML file with ``a.b=c`` overrides. Raises ConfigError."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return parse_config(text, str(path), overrides)


def parse_config(text: str, source: str, overrides: Iterable[str] = ()) -> TrainConfig:
    """The configuration of a YAML text; ``source`` is how errors call it. Raises ConfigError."""
    values = _yaml(text, source)
    if not isinstance(values, dict):
        raise ConfigError(f"{source}: a configuration is a list of `key: value` lines")
    for override in overrides:
        _override(values, override)
    try:
        config = TrainConfig.model_validate(values)
        names = list(config.the_game.styles)
        for style in config.opponents.styles:
            if style not in names:
                raise ConfigError(f"{source}: opponents.styles: no house style {style!r}{_near(style, names)}")
        _ = config.table_sizes, config.validated_games
    except ValidationError as error:
        raise ConfigError(f"{source}: {plain_error(error)}") from None
    except (KeyError, OptionError) as error:
        raise ConfigError(f"{source}: {error}") from None
    return config


def to_yaml(config: TrainConfig) -> str:
    """A configuration as YAML, defaults written out."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False)


def _yaml(text: str, source: str) -> Any:
    try:
        return yaml.load(text, _Loader)  # a SafeLoader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not readable as YAML"
        raise ConfigError(f"{source}{where}: {problem}") from None
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise ConfigError(f"{source}: not readable as YAML ({error})") from None


class _Loader(yaml.SafeLoader):
    """The safe loader, which refuses a key that stands twice and takes ``3e-4`` as the number it is."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f"{key.value!r} is given twice", problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def _override(values: dict[str, Any], override: str) -> None:
    """Set one ``a.b=c`` in place."""
    path, equals, text = override.partition("=")
    if not equals or not path:
        raise ConfigError(f"--set {override}: write it as key=value, for example learning.epochs=4")
    *sections, key = path.strip().split(".")
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise ConfigError(f"--set {override}: {section!r} has no parts")
    values[key] = _yaml(text, f"--set {override}")


def plain_error(error: ValidationError) -> str:
    """The first problem in words: where, what, and the near miss."""
    problem = error.errors()[0]
    where = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = list(_section(problem["loc"][:-1]).model_fields)
        return f"unknown key {where!r}{_near(str(problem['loc'][-1]), known)}"
    if problem["type"] == "missing":
        return f"{where!r} is missing"
    if problem["type"] == "value_error":
        return f"{where}: {_plain(problem)}"
    return f"{where}: {_plain(problem)}, not {problem['input']!r}"


def _plain(problem: Mapping[str, Any]) -> str:
    if problem["type"] in ("model_type", "model_attributes_type"):
        return "a section with keys of its own"
    words = problem["msg"].removeprefix("Value error, ").removeprefix("Input should be ").replace("valid ", "")
    for technical, plain in _WORDS.items():
        words = words.replace(technical, plain)
    return words


def _section(location: Iterable[int | str]) -> type[BaseModel]:
    section: type[BaseModel] = TrainConfig
    for name in location:
        section = section.model_fields[str(name)].annotation  # type: ignore[assignment]
    return section


_WORDS = {
    "a integer": "a whole number",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "a string": "text",
}


def _near(name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = difflib.get_close_matches(name, names, 1, 0.6)
    return f"; did you mean {near[0]!r}?" if near else f"; choose from {', '.join(names)}"


def flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested values by dotted names, to compare two configurations."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return found
