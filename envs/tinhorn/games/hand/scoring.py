"""The end of a deal and of a match (HA-16 to HA-20)."""

from tinhorn.core.kernel import kernel
from tinhorn.games.hand.state import DEALS, OVER, POINTS
from tinhorn.games.hand.words import hand_points

OUT_POINTS = -30
UNOPENED_POINTS = 100


@kernel
def team_of(state, seat):
    """The team of a seat; each player is one without teams. Partners sit opposite."""
    return seat % 2 if state.teams else seat


@kernel
def score_deal(state, winner):
    """Points of the deal that ``winner`` has ended, added to the scores (HA-17 to HA-19)."""
    hand = state.opened_before == 0 and state.elsewhere == 0
    factor = 2 if hand else 1
    seats = state.num_seats
    state.deal_points[:] = 0
    for seat in range(seats):
        for other in range(seats):  # a team's points are those of both its players
            if team_of(state, other) == team_of(state, seat):
                state.deal_points[seat] += factor * player_points(state, other, winner)
    for seat in range(seats):
        state.scores[seat] += state.deal_points[seat]
    state.last_out = winner
    state.last_hand = hand
    if state.reward == POINTS:
        reward_deal(state)


@kernel
def player_points(state, seat, winner):
    """What a player's own cards count: nothing beside the partner who went out."""
    if seat == winner:
        return OUT_POINTS
    if team_of(state, seat) == team_of(state, winner):
        return 0
    return hand_points(state.hands[seat]) if state.opened[seat] else UNOPENED_POINTS


@kernel
def reward_deal(state):
    """Hundreds of points ahead of the mean of the others, of the other team in teams."""
    seats = state.num_seats
    for seat in range(seats):
        total, others = 0.0, 0
        for other in range(seats):
            if team_of(state, other) != team_of(state, seat):
                total += state.deal_points[other]
                others += 1
        state.rewards[seat] += (total / others - state.deal_points[seat]) / 100.0


@kernel
def end_match(state):
    """Five deals are over: the lowest total wins, shared by all who have it (HA-20)."""
    lowest, winners = state.scores[0], 0
    for seat in range(state.num_seats):
        lowest = min(lowest, state.scores[seat])
    for seat in range(state.num_seats):
        winners += state.scores[seat] == lowest
    losers = state.num_seats - winners
    for seat in range(state.num_seats):
        if state.reward != POINTS and losers > 0:
            state.rewards[seat] += 1.0 / winners if state.scores[seat] == lowest else -1.0 / losers
    close_match(state)


@kernel
def close_match(state):
    """Nobody acts any more."""
    state.phase = OVER
    state.finished = 1
    state.actor = -1
    state.out[:] = 1
    state.fire_card = -1
    state.truncated = state.deal < DEALS
