"""Every game as a PettingZoo environment."""

import copy
import pickle
import random

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import tinhorn
from tinhorn.aec import ResetNeededError
from tinhorn.core.game import UnknownGameError
from tinhorn.core.options import OptionError
from tinhorn.core.table import IllegalActionError

GAMES = tinhorn.list_games()
games = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
OUTSIDE = 10**7  # no action of any game: all masks of Kuhn poker are full
quiet = pytest.mark.filterwarnings("ignore::UserWarning")  # of a Dict observation, and of api_test's own option


def play(env, luck, decisions=10**9):
    """Random legal play through ``last()`` until the episode or ``decisions`` end; returns each agent's total."""
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(decisions):
        observation, reward, terminated, truncated, info = env.last()
        totals[agent] += reward
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        done = terminated or truncated
        env.step(None if done else int(luck.choice(np.flatnonzero(observation["action_mask"]))))
    return totals


@quiet
@games
@pytest.mark.parametrize("early", [False, True], ids=["together", "early"])
@pytest.mark.parametrize("observation", ["features", "view"])
def test_pettingzoo_api(game, early, observation):
    api_test(tinhorn.make(game.id, early_termination=early, observation=observation), num_cycles=200)


@quiet
@games
def test_pettingzoo_seeds(game):
    seed_test(lambda: tinhorn.make(game.id), num_cycles=50)


@quiet
@games
def test_pettingzoo_makes_it_and_wraps_it(game):
    env = pettingzoo.make("aec", f"tinhorn/{game.name}-v{game.version}")
    api_test(OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env)), num_cycles=100)


def test_pettingzoo_performance_benchmark_runs(capsys):
    performance_benchmark(tinhorn.make(GAMES[0].id))
    assert "turns per second" in capsys.readouterr().out


@games
def test_rewards_add_up_to_the_states(game):
    """What agents get through `last` is what the rules gave, and sums to nothing."""
    for seed in range(20):
        for early in (False, True):
            env = tinhorn.make(game.id, early_termination=early)
            env.reset(seed=seed)
            totals = play(env, np.random.default_rng(seed))
            assert not env.agents
            assert sum(totals.values()) == pytest.approx(0.0)
            assert any(totals.values()) or env.table.state["truncated"] or game.measures[0].fair(2) == 0


@games
def test_a_seat_that_ended_early_is_not_asked_again(game):
    env = tinhorn.make(game.id, early_termination=True)
    for seed in range(20):
        env.reset(seed=seed)
        luck, left = np.random.default_rng(seed), set()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            assert agent not in left
            if terminated or truncated:
                left.add(agent)
                env.step(None)
            else:
                env.step(int(luck.choice(np.flatnonzero(observation["action_mask"]))))
        assert left == set(env.possible_agents)


@games
def test_the_mask_of_a_seat_not_to_act_is_empty(game):
    env = tinhorn.make(game.id)
    env.reset(seed=4)
    for agent in env.possible_agents:
        waits = agent != env.agent_selection
        assert (env.observe(agent)["action_mask"].sum() == 0) == waits
        assert (env.infos[agent]["action_mask"].sum() == 0) == waits
        assert env.observation_space(agent).contains(env.observe(agent))


@games
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()]
)
def test_copies_play_on_alike_and_apart(game, copied):
    env = tinhorn.make(game.id)
    env.reset(seed=7)
    play(env, np.random.default_rng(1), 3)
    twin = copied(env)
    kept = env.table.states.tobytes()
    assert twin.table.states.tobytes() == kept
    assert play(twin, np.random.default_rng(2)) == play(copied(env), np.random.default_rng(2))
    assert env.table.states.tobytes() == kept
    play(env, np.random.default_rng(2))
    assert env.table.states.tobytes() == twin.table.states.tobytes()


@games
def test_a_copy_before_reset_can_be_reset(game):
    twin = copy.deepcopy(tinhorn.make(game.id, observation="view"))
    twin.reset(seed=1)
    assert twin.observe(twin.agent_selection)["observation"].dtype == np.int32


@games
def test_an_illegal_action_changes_nothing(game):
    env = tinhorn.make(game.id)
    env.reset(seed=3)
    mask = env.last()[0]["action_mask"]
    kept = pickle.dumps(env)
    illegal = [*np.flatnonzero(mask == 0).tolist(), OUTSIDE, -1, None, "call", 1.5]
    for action in illegal:
        with pytest.raises(IllegalActionError, match=r"legal|action id|to act"):
            env.step(action)
        assert pickle.dumps(env) == kept


@games
def test_illegal_lose_ends_the_game(game):
    env = tinhorn.make(game.id, illegal="lose")
    env.reset(seed=3)
    loser = env.agent_selection
    env.step(OUTSIDE)
    assert all(env.terminations.values())
    assert env._cumulative_rewards[loser] == -1
    assert sum(env._cumulative_rewards.values()) == pytest.approx(0)
    assert env.infos[loser]["illegal_action"]
    play(env, np.random.default_rng(0))
    assert not env.agents


@games
def test_timeout_plays_a_legal_action(game):
    env = tinhorn.make(game.id)
    env.reset(seed=5)
    for _ in range(20):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        twin = env.clone()
        twin.step(env.table.timeout_action())  # raises if it were not legal
        env.timeout()
        assert twin.table.states.tobytes() == env.table.states.tobytes()


@games
def test_step_before_reset_and_after_the_end(game):
    env = tinhorn.make(game.id)
    with pytest.raises(IllegalActionError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    with pytest.raises(IllegalActionError, match="reset"):
        env.step(0)


@games
def test_it_renders_as_text(game):
    env = tinhorn.make(game.id, render_mode="ansi")
    env.reset(seed=2)
    assert game.title in env.render()
    assert tinhorn.make(game.id).render() is None


BEFORE_RESET = {
    "last": lambda env: env.last(),
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe("player_0"),
    "agent_iter": lambda env: list(env.agent_iter()),
    "render": lambda env: env.render(),
    "timeout": lambda env: env.timeout(),
    "parse": lambda env: env.parse({"type": "pass"}),
    "describe": lambda env: env.describe(0),
    "agents": lambda env: env.agents,
    "num_agents": lambda env: env.num_agents,
    "rewards": lambda env: env.rewards,
}


@pytest.mark.parametrize("asked", BEFORE_RESET)
def test_before_reset_it_says_so(asked):
    """Raw with one class; wrapped with PettingZoo's own, AttributeError and AssertionError."""
    env = tinhorn.make(GAMES[0].id, render_mode="ansi")
    with pytest.raises(ResetNeededError, match=r"there is no game yet: call reset\(\) first"):
        BEFORE_RESET[asked](env)
    with pytest.raises((AttributeError, AssertionError), match="reset"):
        BEFORE_RESET[asked](OrderEnforcingWrapper(env))
    assert issubclass(ResetNeededError, IllegalActionError)
    assert not hasattr(env, "agents")
    with pytest.raises(AttributeError, match="'TableEnv' object has no attribute 'agnets'"):
        _ = env.agnets


@games
def test_human_rendering_prints(game, capsys):
    env = tinhorn.make(game.id, render_mode="human")
    env.reset(seed=2)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert game.title in capsys.readouterr().out


def test_global_random_states_neither_matter_nor_change():
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), np.random.get_state()[1].tolist()
    env = tinhorn.make(GAMES[0].id)
    env.reset(seed=9)
    first = play(env, np.random.default_rng(3))
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before
    random.seed(2)
    np.random.seed(2)
    env.reset(seed=9)
    assert play(env, np.random.default_rng(3)) == first


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_players": 7}, "num_players=7"),
        ({"num_players": "4"}, "num_players='4'"),
        ({"players": 4}, "unknown option 'players'"),
        ({"observation": "pixels"}, "observation='pixels'"),
        ({"illegal": "ignore"}, "illegal='ignore'"),
        ({"render_mode": "svg"}, "render_mode='svg'.*'rgb_array'"),
        ({"skip_forced": "yes"}, "skip_forced='yes'"),
    ],
)
def test_wrong_settings_are_named(settings, says):
    with pytest.raises(OptionError, match=says):
        tinhorn.make(GAMES[0].id, **settings)


def test_an_unknown_game_is_answered_with_the_known_ones():
    with pytest.raises(UnknownGameError, match=f"unknown game 'poker'.*{GAMES[0].id}"):
        tinhorn.make("poker")


def test_an_unknown_reset_option_warns():
    with pytest.warns(UserWarning, match="'hands' is not known"):
        tinhorn.make(GAMES[0].id).reset(seed=1, options={"hands": []})
