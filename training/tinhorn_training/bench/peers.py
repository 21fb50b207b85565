"""Other libraries, played beside Tinhorn in the same run: each gives a function that plays so many random decisions.

A decision is one player's choice; what chance does and new games are not counted, but their time is. Every
library gets its own fastest way to a random legal action.
"""

import random
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

HOW_TO_INSTALL = 'pip install "tinhorn[peers]"'

Play = Callable[[int], int]
"""Plays at least so many random legal decisions; returns how many."""
MakePlay = Callable[[], Play]


class PeerMissingError(Exception):
    """A peer, or this game of it, is not installed; the message is one line."""


def aec_player(env: Any, seed: int = 0) -> Play:
    """`last()`, a random legal action, `step()`: the loop of every AEC environment."""
    luck = random.Random(seed)
    env.reset(seed=seed)

    def play(decisions: int) -> int:
        done = 0
        while done < decisions:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(luck.random() * len(legal))]))
            done += 1
        return done

    return play


def wrapped(env: Any) -> Any:
    """An AEC environment in the wrappers that PettingZoo puts around its own card games."""
    from pettingzoo.utils import wrappers

    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def _pettingzoo(name: str, *, raw: bool) -> Play:
    from importlib import import_module

    try:
        module = import_module(f"pettingzoo.classic.{name}")
    except ImportError as error:
        if "pettingzoo.classic" in str(error):
            raise PeerMissingError(f"PettingZoo {version('pettingzoo')} has no {name}") from None
        raise
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return aec_player(module.raw_env() if raw else module.env())


def _rlcard(name: str) -> Play:
    import rlcard

    luck = random.Random(0)
    env = rlcard.make(name, config={"seed": 0})
    state, _ = env.reset()

    def play(decisions: int) -> int:
        nonlocal state
        for _ in range(decisions):
            state, _ = env.step(luck.choice(list(state["legal_actions"])))
            if env.is_over():
                state, _ = env.reset()
        return decisions

    return play


def _openspiel(text: str, *, tensors: bool) -> Play:
    import pyspiel

    luck = random.Random(0)
    game = pyspiel.load_game(text)
    by_history = game.get_type().provides_information_state_tensor

    def play(decisions: int) -> int:
        done, state = 0, game.new_initial_state()
        while done < decisions:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                state.apply_action(luck.choice(state.legal_actions()))  # uniform here: the fastest way to deal
            else:
                if tensors:
                    player = state.current_player()
                    state.information_state_tensor(player) if by_history else state.observation_tensor(player)
                    state.legal_actions_mask()
                state.apply_action(luck.choice(state.legal_actions()))
                done += 1
        return done

    return play


_HOLDEM = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack=20000 20000,bettingAbstraction=fcpa)"
)

TEXAS = "PettingZoo texas_holdem_no_limit_v6"
AEC_PEERS: dict[str, MakePlay] = {
    f"{TEXAS}, raw": lambda: _pettingzoo("texas_holdem_no_limit_v6", raw=True),
    f"{TEXAS}, wrapped": lambda: _pettingzoo("texas_holdem_no_limit_v6", raw=False),
    "PettingZoo gin_rummy_v4, raw": lambda: _pettingzoo("gin_rummy_v4", raw=True),
    "PettingZoo gin_rummy_v4, wrapped": lambda: _pettingzoo("gin_rummy_v4", raw=False),
}
BATCH_PEERS: dict[str, MakePlay] = {
    "OpenSpiel universal_poker, bare": lambda: _openspiel(_HOLDEM, tensors=False),
    "OpenSpiel universal_poker, tensors": lambda: _openspiel(_HOLDEM, tensors=True),
    "OpenSpiel gin_rummy, bare": lambda: _openspiel("gin_rummy", tensors=False),
    "OpenSpiel gin_rummy, tensors": lambda: _openspiel("gin_rummy", tensors=True),
    "RLCard no-limit-holdem": lambda: _rlcard("no-limit-holdem"),
    "RLCard gin-rummy": lambda: _rlcard("gin-rummy"),
}


def load_peer(make: MakePlay) -> Play:
    """The play function of a peer. Raises PeerMissingError with one line that says what to install."""
    try:
        return make()
    except ModuleNotFoundError as error:
        raise PeerMissingError(f"{error.name} is not installed: {HOW_TO_INSTALL}") from None


def peer_versions() -> dict[str, str]:
    """The versions of the peers that are installed."""
    found = {}
    for name in ("pettingzoo", "open_spiel", "rlcard"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
