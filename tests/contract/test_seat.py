"""Every game as a Gymnasium environment with one learning seat."""

import copy
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tinhorn
from tinhorn.bots import BotError
from tinhorn.core.options import OptionError
from tinhorn.core.table import IllegalActionError
from tinhorn.pictures import HEIGHT, WIDTH
from tinhorn.seat import SeatEnv, SeatVectorEnv

GAMES = tinhorn.list_games()
OUTSIDE = 10**7  # no action of any game: all masks of Kuhn poker are full
games = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def gymnasium_id(game):
    return f"tinhorn/{''.join(part.capitalize() for part in game.name.split('_'))}-v{game.version}"


def random_actions(masks, luck):
    return (luck.random(masks.shape) * masks).argmax(axis=-1)


@games
@pytest.mark.parametrize("observation", ["features", "view"])
def test_gymnasium_checker_is_clean(game, observation, recwarn):
    env = gymnasium.make(gymnasium_id(game), opponents="house", observation=observation, render_mode="ansi")
    check_env(env.unwrapped)
    assert [str(warning.message) for warning in recwarn] == []


@games
def test_rewards_are_all_that_came_in_since_the_last_decision(game):
    """What a learner got in an episode is what its seat got in the same game, move by move (design 11)."""
    for seed in range(30):
        env = SeatEnv(game, opponents="random", skip_forced=False)
        _, info = env.reset(seed=seed)
        seats, total, done = env._vector.seats, 0.0, False
        twin = Recorded(seats)
        while not done:
            action = int(random_actions(info["action_mask"], np.random.default_rng(seed)))
            _, reward, terminated, truncated, info = env.step(action)
            total, done = total + reward, terminated or truncated
        assert total == pytest.approx(twin.total)


class Recorded:
    """Adds up, beside the environment, what the learner's seat gets at every single move of the batch."""

    def __init__(self, seats):
        self.total, self._seats, self._step = 0.0, seats, seats.batch.step
        seats.batch.step = self

    def __call__(self, actions, tables):
        self._step(actions, tables)
        self.total += float(self._seats.batch.states[0].rewards[self._seats.learners[0]])


@games
def test_one_table_agrees_with_the_vector(game):
    single, vector = SeatEnv(game, opponents="house"), SeatVectorEnv(game, 1, opponents="house")
    one, info = single.reset(seed=11)
    many, _ = vector.reset(seed=11)
    luck = np.random.default_rng(2)
    for _ in range(200):
        assert np.array_equal(one["observation"], many["observation"][0])
        assert np.array_equal(one["action_mask"], single.action_masks())
        action = int(random_actions(info["action_mask"], luck))
        one, reward, ended, cut, info = single.step(action)
        many, rewards, terminated, truncated, infos = vector.step(np.array([action]))
        assert (reward, ended, cut) == (rewards[0], terminated[0], truncated[0])
        if ended or cut:
            assert np.array_equal(infos["final_obs"][0]["observation"], one["observation"])
            one, info = single.reset()


@games
def test_it_is_the_learners_turn_unless_it_has_ended(game):
    env = SeatVectorEnv(game, 8, opponents="random")
    luck = np.random.default_rng(3)
    observations, _ = env.reset(seed=1)
    for _ in range(100):
        assert (env.seats.batch.actors == env.seats.learners).all()
        assert observations["action_mask"].any(axis=1).all()
        assert env.observation_space.contains(observations)
        observations, *_ = env.step(random_actions(observations["action_mask"], luck))


@games
def test_the_same_seed_gives_the_same_episodes(game):
    seen = []
    for _ in range(2):
        env = gymnasium.make_vec(gymnasium_id(game), num_envs=4, opponents="house")
        observations, _ = env.reset(seed=8)
        luck = np.random.default_rng(4)
        for _ in range(50):
            observations, rewards, *_ = env.step(random_actions(observations["action_mask"], luck))
        seen.append((observations["observation"].tobytes(), rewards.tobytes()))
    assert seen[0] == seen[1]


@games
def test_a_fixed_seat_and_drawn_seats(game):
    fixed = SeatVectorEnv(game, 32, opponents="house", seat=1)
    fixed.reset(seed=1)
    assert set(fixed.seats.learners) == {1}
    drawn = SeatVectorEnv(game, 32, opponents="house")
    drawn.reset(seed=1)
    assert set(drawn.seats.learners) == set(range(drawn.seats.batch.options[0].num_players))


@games
def test_illegal_actions_lose_or_raise(game):
    env = SeatEnv(game, opponents="house")
    env.reset(seed=2)
    _, reward, terminated, truncated, info = env.step(OUTSIDE)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    with pytest.raises(IllegalActionError, match="reset"):
        env.step(0)
    strict = SeatEnv(game, opponents="house", illegal="raise")
    observation, _ = strict.reset(seed=2)
    with pytest.raises(IllegalActionError, match="legal"):
        strict.step(OUTSIDE)
    assert np.array_equal(strict.action_masks(), observation["action_mask"])


@games
def test_an_illegal_action_ends_only_its_own_table(game):
    env = SeatVectorEnv(game, 4, opponents="house")
    observations, _ = env.reset(seed=3)
    actions = observations["action_mask"].argmax(axis=1)
    actions[2] = OUTSIDE
    _, rewards, terminated, _, infos = env.step(actions)
    assert terminated[2]
    assert rewards[2] == -1
    assert infos["illegal_action"].tolist() == [False, False, True, False]


def test_wrong_settings_are_named():
    game = GAMES[0]
    with pytest.raises(OptionError, match="seat=9"):
        SeatEnv(game, seat=9)
    with pytest.raises(OptionError, match="at least one bot"):
        SeatEnv(game, opponents=[])
    with pytest.raises(BotError, match="unknown bot 'nobody'"):
        SeatEnv(game, opponents="nobody")
    with pytest.raises(BotError, match=r"no house style 'wild'.*tight"):
        SeatEnv(game, opponents="house:wild")
    with pytest.raises(OptionError, match="unknown option"):
        SeatEnv(game, stakes=4)


def test_sb3_makes_vector_environments_of_it():
    """`make_vec_env` asks for pictures, and puts those of its tables side by side."""
    from stable_baselines3.common.env_util import make_vec_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make_vec_env("tinhorn/ColdHand-v0", n_envs=2, env_kwargs={"opponents": "house"})
    assert env.reset()["action_mask"].shape == (2, tinhorn.get_game("cold_hand").actions.count)
    assert env.render().shape == (2 * HEIGHT, WIDTH, 3)


COPIES = {"pickle": lambda env: pickle.loads(pickle.dumps(env)), "deepcopy": copy.deepcopy}


@games
@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_copy_goes_on_alike_and_alone(game, make):
    env = SeatVectorEnv(game, 3, opponents=["house", "random"])
    seen, _ = env.reset(seed=8)
    luck = np.random.default_rng(1)
    for _ in range(20):
        seen, *_ = env.step(random_actions(seen["action_mask"], luck))
    twin, luck_of_twin = make(env), copy.deepcopy(luck)
    seen_by_twin = seen
    for _ in range(40):
        seen, rewards, *_ = env.step(random_actions(seen["action_mask"], luck))
    for _ in range(40):
        seen_by_twin, rewards_of_twin, *_ = twin.step(random_actions(seen_by_twin["action_mask"], luck_of_twin))
    assert np.array_equal(seen["observation"], seen_by_twin["observation"])
    assert np.array_equal(rewards, rewards_of_twin)
    assert env.seats.batch.states.tobytes() == twin.seats.batch.states.tobytes()


def test_a_single_environment_is_pickled_with_its_wrappers_into_another_process(tmp_path):
    env = gymnasium.make("tinhorn/ColdHand-v0", opponents="search:2")
    env.reset(seed=3)
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    program = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).unwrapped._vector.render()[0])"
    found = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "env"], capture_output=True, text=True, check=True, timeout=300
    )
    assert found.stdout.strip() == env.unwrapped._vector.render()[0].strip()
