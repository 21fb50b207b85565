"""The same random hands in the engine and in PokerKit: legal intervals, stacks after, winners.

Where PokerKit 0.7.7 plays another rule than ours, the test says which number and why; everything else must be equal:

- FD-14: PokerKit gives all odd chips of a pot to the first tied player.
- FD-15: it takes losing hands out before it cuts the pots, so that side pots merge; odd chips fall otherwise.
- FD-8: after an opening all-in of less than the smallest bet it lets those who have acted raise, and counts every
  all-in of at least that much as a full raise.
- FD-8: it adds short all-ins up since the last full raise, for all seats together; we since the seat last acted. And a
  further short all-in after the sum has been reached closes the betting again.
- FD-13: it shuffles folded hands back, too. The cards drawn are handed to it, so that nothing here depends on that.
"""

import warnings
from collections import Counter
from random import Random

import pytest
from pokerkit import Automation, BettingStructure, Deck, Opening, StandardHighHand, State, Street

from parts import parts
from tinhorn.core.table import Table
from tinhorn.games.five_card_draw import GAME
from tinhorn.games.five_card_draw.options import FiveCardDrawOptions

HANDS = 20_000
PARTS = 4
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
CALL, ALL_IN = 34, 41


def pokerkit_hand(stacks, ante):
    """A hand of no-limit five card draw with antes; players in order from the button's left."""
    streets = (
        Street(False, (False,) * 5, 0, False, Opening.POSITION, ante, None),
        Street(False, (), 0, True, Opening.POSITION, ante, None),
    )
    antes, blinds = (ante,) * len(stacks), (0,) * len(stacks)
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        (StandardHighHand,),
        streets,
        BettingStructure.NO_LIMIT,
        True,  # antes are part of the side pots (FD-2)
        antes,
        blinds,
        0,
        stacks,
        len(stacks),
    )


class Round:
    """What was bet in one round, to know PokerKit's other rules when they show."""

    def __init__(self, smallest):
        self.smallest, self.highest, self.full = smallest, 0, smallest
        self.short_opening = False
        self.short_since_full = 0
        self.answered = {}

    def note(self, seat, bets):
        """After an action of ``seat``: its total of this round is now ``bets``."""
        grown = bets - self.highest
        if grown > 0:
            self.short_opening |= self.highest == 0 and bets < self.smallest
            self.short_since_full = 0 if grown >= self.full else self.short_since_full + 1
            self.full = max(self.full, grown)
            self.highest = bets
        self.answered[seat] = self.highest

    def explains(self, seat, ours, theirs):
        """Whether one of the rules at the top of this file is why only one of the two lets ``seat`` raise (FD-8)."""
        if seat not in self.answered:
            return False
        grown = self.highest - self.answered[seat]
        if ours is None:
            return grown < self.full and (self.short_opening or self.short_since_full > 1)
        return theirs is None and grown >= self.full and self.short_since_full > 2


def their_interval(state):
    low = state.min_completion_betting_or_raising_to_amount
    return None if low is None else (low, state.max_completion_betting_or_raising_to_amount)


def our_interval(table):
    low, high = (int(table.view[GAME.layout.at(name)]) for name in ("raise_from", "raise_to"))
    return (low, high) if high else None


def their_stacks(pots, put_in_left, order):
    """What PokerKit pays out of our pots, by its own rules for merging and odd chips (FD-14, FD-15)."""
    alive = {seat for pot in pots for seat in pot["winners"]}
    merged = []
    for pot in pots:
        left = [seat for seat in pot["eligible"] if seat in alive]
        if merged and merged[-1][0] == left:
            merged[-1][1] += pot["chips"]
        else:
            merged.append([left, pot["chips"], pot["winners"]])
    stacks = dict(put_in_left)
    for _, chips, winners in merged:
        first, *others = [seat for seat in order if seat in winners]
        share, odd = divmod(chips, len(winners))
        stacks[first] += share + odd
        for seat in others:
            stacks[seat] += share
    return stacks


def pick(table, random, interval, calling):
    if table.mask[CALL] and random.random() < calling:
        return CALL
    if interval and random.random() < 0.25:
        return GAME.actions.count + random.randint(*interval)
    if table.mask[ALL_IN] and random.random() < 0.15:
        return ALL_IN
    return random.choice(table.legal_ids())


def tied_deal(random, players, button):
    """A deck in which two to four players are dealt the same ranks."""
    order = [(button + step) % players for step in range(1, players + 1)]
    tied = random.sample(order, random.randint(2, min(4, players)))
    ranks = random.sample("23456789TJQKA", 5)
    hands = {seat: [rank + "cdhs"[(j + k) % 4] for k, rank in enumerate(ranks)] for j, seat in enumerate(tied)}
    deck = [hands[seat][k] if seat in hands else None for k in range(5) for seat in order]
    return {"first_button": [button], "deck": deck}


def play(seed, seen):
    """One hand in both; ``seen`` counts what came up."""
    random = Random(seed)
    players, ante = random.randint(2, 6), random.choice([2, 5, 10])
    stacks = tuple(random.randint(1, random.choice([2, 6, 12, 60]) * ante) for _ in range(players))
    options = FiveCardDrawOptions(num_players=players, ante=ante, starting_stacks=stacks, episode="hand")
    table = Table(GAME, options)
    tie = random.random() < 0.3
    table.reset(seed, chance=tied_deal(random, players, random.randrange(players)) if tie else None)
    state, facts = table.state, GAME.facts(table.state)
    order = [(facts["button"] + step) % players for step in range(1, players + 1)]
    theirs = pokerkit_hand(tuple(stacks[seat] for seat in order), ante)
    for k in range(5):
        for seat in order:
            theirs.deal_hole(facts["cards"][str(seat)][k])
    rounds, calling = [Round(ante), Round(ante)], random.random() * 0.8
    while not table.finished:
        seat = table.actor
        if table.mask[0]:
            exchange(table, theirs, order, random, pat=tie)
            continue
        assert order[theirs.actor_index] == seat, "FD-3, FD-9, FD-11"
        now = rounds[theirs.street_index]
        ours, other = our_interval(table), their_interval(theirs)
        if ours != other:
            assert ours is None or other is None, "FD-6"
            assert now.explains(seat, ours, other), (seed, ours, other)
            seen["FD-8"] += 1
            if ours is not None:
                return  # PokerKit cannot go on here if we raise; the hand is not counted
            ours = None
        assert theirs.checking_or_calling_amount == int(table.view[GAME.layout.at("to_call")]), "FD-7"
        action = pick(table, random, ours, calling)
        said = table.describe(action)
        bets = int(state["bets"][seat])
        table.step(action)
        if said["type"] == "fold":
            theirs.fold()
        elif said["type"] in ("check", "call"):
            bets += theirs.checking_or_calling_amount
            theirs.check_or_call()
        else:
            bets = said["to"]
            theirs.complete_bet_or_raise_to(bets)
        now.note(seat, bets)
    finish(table, theirs, order, seen)


def exchange(table, theirs, order, random, pat):
    """All draw in turn, in both; the cards that the engine dealt are dealt in PokerKit once all have chosen (FD-12)."""
    kept = {}
    while not table.finished and table.mask[0]:
        seat = table.actor
        action = 0 if pat else random.choice(table.legal_ids())
        thrown = table.describe(action)["cards"]
        kept[seat] = set(GAME.facts(table.state)["cards"][str(seat)]) - set(thrown)
        assert order[theirs.stand_patter_or_discarder_index] == seat, "FD-12"
        theirs.stand_pat_or_discard("".join(thrown))
        table.step(action)
    for seat, cards in kept.items():
        drawn = set(GAME.facts(table.state)["cards"][str(seat)]) - cards
        if drawn:
            theirs.deal_hole("".join(drawn), order.index(seat))


def finish(table, theirs, order, seen):
    """Both have finished the hand: the same winners and stacks, but for PokerKit's odd chips."""
    facts = GAME.facts(table.state)
    while theirs.showdown_indices:
        theirs.show_or_muck_hole_cards(True)
    assert not theirs.status
    pots, stacks = facts["last_hand"]["pots"], facts["stacks"]
    behind = {seat: stacks[seat] - facts["last_hand"]["won"][seat] for seat in order}
    assert dict(zip(order, theirs.stacks, strict=True)) == their_stacks(pots, behind, order), "FD-14, FD-15"
    seen["hands"] += 1
    seen["side pots"] += len(pots) > 1
    seen["ties"] += any(len(pot["winners"]) > 1 for pot in pots)
    seen["odd chips"] += [stacks[seat] for seat in order] != list(theirs.stacks)
    seen["showdowns"] += len(pots[0]["eligible"]) > 1


@pytest.mark.parametrize("part", parts(PARTS))
def test_the_same_hands(part):
    seen, seed = Counter(), part
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns of cards dealt by hand
        while seen["hands"] < HANDS / PARTS:
            play(seed, seen)
            seed += PARTS
    for name in ("showdowns", "side pots", "ties", "odd chips", "FD-8"):
        assert seen[name] > 0, name
