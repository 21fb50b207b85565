"""One PettingZoo AEC environment for all games."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from tinhorn.core.game import Game, find_game
from tinhorn.core.table import IllegalActionError, Table
from tinhorn.pictures import picture
from tinhorn.spaces import ILLEGAL, OBSERVATIONS, RENDER_MODES, choose, observation_space

_Observation = dict[str, np.ndarray]


class ResetNeededError(IllegalActionError, AttributeError):
    """There is no game yet: call ``reset()``. An AttributeError too, as PettingZoo's own for ``agent_selection``."""


_SINCE_RESET = frozenset(
    (
        "agents",
        "num_agents",
        "agent_selection",
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "_cumulative_rewards",
    )
)


@dataclass(frozen=True)
class _Settings:
    """How a table is shown and played, apart from the game's options. Raises OptionError."""

    observation: str
    illegal: str
    early_termination: bool
    skip_forced: bool
    render_mode: str | None

    def __post_init__(self) -> None:
        choose("observation", self.observation, OBSERVATIONS)
        choose("illegal", self.illegal, ILLEGAL)
        choose("early_termination", self.early_termination, (True, False))
        choose("skip_forced", self.skip_forced, (True, False))
        choose("render_mode", self.render_mode, (None, *RENDER_MODES, "human"))


class TableEnv(AECEnv[str, _Observation, int]):
    """A table as an AEC environment; agents are ``player_0``, ``player_1``, ... in order of the seats.

    Observations are ``{"observation": float32[D], "action_mask": int8[A]}``; with ``observation="view"`` the first is
    the view's integers, int32[V]. The mask is all zeros for a seat that is not to act, and is also in
    ``infos[agent]["action_mask"]``. Rewards are those since the last decision.

    Args:
        game: the game, or its name.
        observation: ``"features"`` or ``"view"``.
        illegal: ``"raise"`` raises IllegalActionError and changes nothing; ``"lose"`` ends the game, -1 for the seat
            that did it and the same sum shared by the others.
        early_termination: an eliminated agent terminates at once, PettingZoo's other way. By default it keeps its place
            and is passed over until all end together, which every training library can take.
        skip_forced: play decisions with one legal action inside the engine.
        render_mode: ``"ansi"`` gives the table as text, ``"human"`` prints it, ``"rgb_array"`` gives a picture of it
            (uint8[560, 1000, 3], needs matplotlib); None.
        options: the game's options, see its ``options`` class.

    Raises:
        OptionError, UnknownGameError: with what is allowed.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        observation: str = "features",
        illegal: str = "raise",
        early_termination: bool = False,
        skip_forced: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = find_game(game) if isinstance(game, str) else game
        self._settings = _Settings(observation, illegal, early_termination, skip_forced, render_mode)
        self._build(self.game.options.make(options))
        self._began = False

    def _build(self, options: Any) -> None:
        """Everything that follows from game, options and settings."""
        game, settings = self.game, self._settings
        self.metadata = {
            "name": game.id,
            "render_modes": [*RENDER_MODES, "human"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = settings.render_mode
        self.table = Table(game, options, skip_forced=settings.skip_forced)
        self.possible_agents = [f"player_{seat}" for seat in range(options.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        inner = observation_space(game, settings.observation)
        mask = spaces.Box(0, 1, (game.actions.count,), np.int8)
        space = spaces.Dict({"observation": inner, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(game.actions.count) for agent in self.possible_agents}
        self._features = settings.observation == "features"
        self._no_mask = np.zeros(game.actions.count, np.int8)

    def __getattr__(self, name: str) -> Any:
        """What PettingZoo asks for before there is a game. Raises ResetNeededError."""
        if name in _SINCE_RESET:
            raise ResetNeededError(f"{name}: there is no game yet: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _need_reset(self, asked: str) -> None:
        if not self._began:
            raise ResetNeededError(f"{asked}(): there is no game yet: call reset() first")

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same space for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(A)``; ``sample(mask)`` takes the mask of the observation."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: any whole number; the same seed and actions give the same game. None: a seed from the system.
            options: ``{"chance": ..., "position": ...}``, see `Table.reset`.

        Raises:
            ChanceError, PositionError: an impossible outcome or position; the old game goes on.
        """
        given = dict(options or {})
        for name in given:
            if name not in ("chance", "position"):
                warnings.warn(
                    f"reset option {name!r} is not known and does nothing; there are: chance, position",
                    stacklevel=2,
                )
        self.table.reset(seed, given.get("chance"), given.get("position"))
        self._begin()

    def _begin(self) -> None:
        self._began = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._lost = False
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> _Observation:
        """What ``agent`` sees now, in arrays of its own. Raises ResetNeededError."""
        self._need_reset("observe")
        seat, table = self._seats[agent], self.table
        if seat == table._actors[0] and not self._lost:
            seen = table.features if self._features else table.view
            return {"observation": seen.copy(), "action_mask": table.mask.copy()}
        _, view, features = table.observe(seat)
        return {"observation": features if self._features else view, "action_mask": self._no_mask.copy()}

    def step(self, action: int | None) -> None:
        """Apply the action of ``agent_selection``; None for an agent that is done.

        Raises IllegalActionError, naming what is legal; nothing has changed then. ResetNeededError before `reset`.
        """
        self._need_reset("step")
        if not self.agents:
            raise IllegalActionError("the episode is over: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        if action is not None and self._settings.illegal == "lose" and not table.is_legal(action):
            self._lose(agent)
            return
        if action is None:
            raise IllegalActionError(f"{agent} is to act: {table.explain(action)}")
        table.step(action)
        self._cumulative_rewards[agent] = 0.0
        self._share_out(table._rewards[0].tolist())
        self.infos[agent] = {"action_mask": self._no_mask}
        self._select()
        if self.render_mode == "human":
            self.render()

    def _share_out(self, rewards: list[float]) -> None:
        if not any(rewards) and not any(self.rewards.values()):  # at most decisions
            return
        cumulative = self._cumulative_rewards
        for agent in self.agents:
            reward = rewards[self._seats[agent]]
            self.rewards[agent] = reward
            cumulative[agent] += reward

    def _select(self) -> None:
        """Whose turn it is, and who has ended."""
        table = self.table
        actor = int(table._actors[0])
        if actor >= 0:
            self.agent_selection = self.possible_agents[actor]
            self.infos[self.agent_selection] = {"action_mask": table.mask.copy()}
            if self._settings.early_termination:
                self._end_early()
        else:
            ended = self.truncations if table.state["truncated"] else self.terminations
            for agent in self.agents:
                ended[agent] = True
            self._end()

    def _end_early(self) -> None:
        out = self.table.state["out"]
        gone = [agent for agent in self.agents if out[self._seats[agent]]]
        for agent in gone:
            self.terminations[agent] = True
        if gone:
            self._deads_step_first()

    def _end(self) -> None:
        """All agents that are left step out, in order of the seats."""
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    def _lose(self, agent: str) -> None:
        """The penalty of ``illegal="lose"``."""
        self._lost = True
        self._cumulative_rewards[agent] = 0.0
        rewards = [1 / (len(self.possible_agents) - 1)] * len(self.possible_agents)
        rewards[self._seats[agent]] = -1.0
        self._share_out(rewards)
        for other in self.agents:
            self.terminations[other] = True
            self.infos[other] = {"action_mask": self._no_mask.copy()}
        self.infos[agent] = {"action_mask": self._no_mask.copy(), "illegal_action": True}
        self._end()

    def timeout(self) -> int:
        """Play what the rules play when the clock of ``agent_selection`` runs out; returns the action id."""
        self._need_reset("timeout")
        action = self.table.timeout_action()
        self.step(action)
        return action

    def apply(self, call: Callable[..., None], *values: Any) -> None:
        """Let an engine call of the game, ``call(state, *values)``, change the table between decisions.

        Masks in `infos` follow. Raises what the call raises, ResetNeededError before `reset`; nothing has changed then.
        """
        self._need_reset("apply")
        self.table.apply(call, *values)
        if not self.table.finished:
            self._select()

    def describe(self, action: int) -> dict[str, Any]:
        """An action id of the seat to act as JSON, ``{"type": "exchange", "cards": ["7d", "2c"]}``."""
        self._need_reset("describe")
        return self.table.describe(action)

    def parse(self, action: Mapping[str, Any]) -> int:
        """The id of an action written as JSON. Raises IllegalActionError."""
        self._need_reset("parse")
        return self.table.parse(action)

    def render(self) -> str | np.ndarray | None:
        """The table, as the seat to act sees it (everybody's part only when the game is over), see ``render_mode``."""
        if self.render_mode is None:
            return None
        self._need_reset("render")
        actor = self.table.actor
        shown = self.game.text(self.table.state, actor if actor >= 0 else None)
        if self.render_mode == "human":
            print(shown)
            return None
        return picture(shown) if self.render_mode == "rgb_array" else shown

    def close(self) -> None:
        """Nothing to release."""

    def clone(self) -> Self:
        """An independent copy that plays on exactly as this one would."""
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = self.__class__.__new__(self.__class__)
        twin.__setstate__(self.__getstate__())
        return twin

    _KEPT = (
        "agents",
        "rewards",
        "_cumulative_rewards",
        "terminations",
        "truncations",
        "agent_selection",
        "_lost",
    )

    def __getstate__(self) -> dict[str, Any]:
        kept = {"table": self.table.__getstate__(), "settings": self._settings, "began": self._began}
        if self._began:
            kept |= {name: _copied(getattr(self, name)) for name in (*self._KEPT, "_skip_agent_selection")}
            kept["infos"] = {
                agent: {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in info.items()}
                for agent, info in self.infos.items()
            }
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._settings, self._began = kept["settings"], kept["began"]
        self.game = find_game(kept["table"]["game"])
        self._build(kept["table"]["options"])
        self.table.__setstate__(kept["table"])
        for name, value in kept.items():
            if name not in ("table", "settings", "began"):
                setattr(self, name, _copied(value))


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (dict, list)) else value
