"""Kuhn poker, written against the public contract alone: three cards, two players, an ante and one bet of one chip.

Seat 0 acts first and loses 1/18 of a chip a game when both play the equilibrium (Kuhn 1950).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tinhorn.core.chance import Chance, shuffle_cards
from tinhorn.core.encoding import FLAG, OneHot
from tinhorn.core.game import Actions, Block, Game, Measure, state_dtype
from tinhorn.core.kernel import kernel
from tinhorn.core.layout import Field, Layout
from tinhorn.core.options import Options
from tinhorn.core.rng import below, derive, next_bits, uniform
from tinhorn.registry import register

JACK, QUEEN, KING = range(3)
PASS, BET = range(2)  # check or fold; bet or call
CARDS = ("jack", "queen", "king")
MOVES = ("pass", "bet")
MOST_MOVES = 3  # pass, bet, and an answer


@dataclass(frozen=True)
class KuhnOptions(Options):
    """Two players, nothing to choose."""

    player_counts: ClassVar[range] = range(2, 3)
    num_players: int = 2


DECK = Chance("deck", 3, "numbers", "The cards of seat 0 and seat 1, and the one left over: 0 jack, 1 queen, 2 king.")
STATE = state_dtype(
    ("cards", "i1", (3,)),  # of seat 0, of seat 1, left over
    ("moves", "i1", (MOST_MOVES,)),  # -1 for none yet
    ("won", "i1", (6,)),  # chips, when finished
    chances=(DECK,),
)
LAYOUT = Layout(
    Field("first", "1 when this seat acted first.", 0, 1, encode=FLAG),
    Field("card", "Own card: 0 jack, 1 queen, 2 king.", JACK, KING, encode=OneHot()),
    Field("moves", "Moves so far: 0 pass, 1 bet.", 0, 1, (MOST_MOVES,), "not yet", OneHot()),
)
FIRST, CARD, SO_FAR = LAYOUT.at("first"), LAYOUT.at("card"), LAYOUT.at("moves")


@kernel
def new(state, seed):
    """Shuffle three cards; seat 0 acts."""
    state.seed = seed
    state.moves[:] = -1
    state.stream[0] = derive(seed, 0)
    for card in range(3):
        state.cards[card] = card
    shuffle_cards(state.deck, state.stream, state.cards, 3)


@kernel
def legal(state, mask):
    """Pass and bet are always possible."""
    mask[:] = state.finished == 0


@kernel
def step(state, action):
    """A bet is answered once; two passes or two bets go to the showdown."""
    state.moves[state.ply] = action
    state.ply += 1
    state.actor = 1 - state.actor
    if state.ply == 1 or (state.ply == 2 and state.moves[0] == PASS and action == BET):
        return
    winner = 0 if state.cards[0] > state.cards[1] else 1
    if action == PASS and state.moves[state.ply - 2] == BET:
        winner = state.actor  # the other one folded
    chips = 2 if action == BET else 1
    state.won[winner], state.won[1 - winner] = chips, -chips
    state.rewards[winner] += chips
    state.rewards[1 - winner] -= chips
    state.finished = 1
    state.actor = -1
    state.out[:] = 1


@kernel
def timeout_action(state):
    """Pass."""
    return PASS


@kernel
def view(state, seat, out):
    """The own card and the moves."""
    out[FIRST] = seat == 0
    out[CARD] = state.cards[seat]
    out[SO_FAR : SO_FAR + MOST_MOVES] = state.moves


@kernel
def bet_chance(first, card, facing_bet, alpha):
    """How often the equilibrium with parameter alpha (0 to 1/3) bets or calls."""
    if first:
        calls = 0.0 if card == JACK else (alpha + 1.0 / 3.0 if card == QUEEN else 1.0)
        bets = alpha if card == JACK else (0.0 if card == QUEEN else 3.0 * alpha)
    else:
        calls = 0.0 if card == JACK else (1.0 / 3.0 if card == QUEEN else 1.0)
        bets = 1.0 / 3.0 if card == JACK else (0.0 if card == QUEEN else 1.0)
    return calls if facing_bet else bets


@kernel
def house(view, mask, style, stream):
    """The equilibrium; ``style`` is its parameter alpha."""
    facing_bet = view[SO_FAR] == BET or view[SO_FAR + 1] == BET
    return BET if uniform(stream) < bet_chance(view[FIRST] != 0, view[CARD], facing_bet, style[0]) else PASS


@kernel
def redeal(state, seat, stream):
    """The other player's card and the one left over may change places."""
    state.seed = state.stream[0] = next_bits(stream)
    low, high = min(state.cards[1 - seat], state.cards[2]), max(state.cards[1 - seat], state.cards[2])
    swap = below(stream, 2) == 1
    state.cards[1 - seat] = high if swap else low
    state.cards[2] = low if swap else high


def facts(state):
    """Everything about the table as plain JSON."""
    moves = [MOVES[move] for move in state["moves"] if move >= 0]
    return {
        "cards": [CARDS[card] for card in state["cards"][:2]],
        "moves": moves,
        "won": state["won"][:2].tolist(),
    }


def text(state, seat):
    """The table as ``seat`` sees it."""
    now = facts(state)
    cards = [card if seat == k or state["finished"] else "?" for k, card in enumerate(now["cards"])]
    return f"Kuhn poker. Cards: {' '.join(cards)}. Moves: {' '.join(now['moves']) or 'none'}."


def _won(states, seats):
    return states.won[np.arange(len(seats)), seats].astype(np.float64)


GAME = Game(
    name="kuhn",
    version=0,
    title="Kuhn poker",
    summary="Three cards, one each, one bet.",
    options=KuhnOptions,
    state=STATE,
    layout=LAYOUT,
    actions=Actions(
        (Block("pass", 1, "Check, or fold to a bet."), Block("bet", 1, "Bet, or call a bet.")),
        describe=lambda state, action: {"type": MOVES[action]},
        parse=lambda state, action: MOVES.index(action["type"]),
    ),
    measures=(Measure("chips", "a game", _won, lambda players: 0.0),),
    new=new, legal=legal, step=step, timeout_action=timeout_action, view=view, house=house, redeal=redeal,
    styles={"house": (0.2,), "honest": (0.0,), "bold": (1 / 3,)},
    facts=facts,
    text=text,
    chances=(DECK,),
    sources=(__file__,),
)  # fmt: skip
register(GAME)
