"""Tables of draw poker with the cards, stacks and button that a test wants, and moves written as words."""

import pytest

from tinhorn.core.table import IllegalActionError, Table

NOTHING = "2c 3d 5h 7s 9c"


def deck_of(hands, order, top=""):
    """A prescribed deck: five cards to each seat of ``order``, one at a time; seats without ``hands`` get any."""
    dealt = [hands[seat].split() if seat in hands else [None] * 5 for seat in order]
    return [cards[k] for k in range(5) for cards in dealt] + top.split()


def start(game, options, button=0, hands=None, top="", reshuffle="", position=None, seed=5, live=None):
    """A table before its first decision; ``live`` are the seats dealt in, all if None."""
    players = options.num_players
    order = [(button + step) % players for step in range(1, players + 1)]
    order = [seat for seat in order if live is None or seat in live]
    chance = {"first_button": [button], "deck": deck_of(hands or {}, order, top), "reshuffle": reshuffle.split()}
    table = Table(game, options)
    table.reset(seed, chance=chance, position=position)
    return table


def action_of(words):
    """``["bet", "50"]``, ``["exchange", "2c"]``, ``["pat"]``, ``["fold"]`` as JSON."""
    what, *rest = words
    if what in ("exchange", "pat"):
        return {"type": "exchange", "cards": rest}
    return {"type": what, "to": int(rest[0])} if what in ("bet", "raise") else {"type": what}


def play(table, text):
    """Play ``"0 check, 1 bet 50, 2 clock"``; every turn must be that seat's. Returns the table."""
    for part in text.split(","):
        seat, *words = part.split()
        assert table.actor == int(seat), f"{part}: it is seat {table.actor}'s turn"
        table.step(table.timeout_action() if words == ["clock"] else table.parse(action_of(words)))
    return table


def bet(table, words):
    """Play betting words of whoever is to act, standing pat in between: ``"check check bet:50 call"``."""
    for word in words.split():
        pat(table)
        table.step(table.parse(action_of(word.split(":"))))
    return table


def pat(table):
    """Nobody throws anything, until the draw is over."""
    while not table.finished and table.mask[0]:
        table.step(0)
    return table


def facts(table):
    return table.game.facts(table.state)


def kinds(table):
    """The kinds of legal actions, and the legal interval of bets."""
    found = []
    for action in table.legal_actions():
        if action["type"] not in found:
            found.append(action["type"])
    return found, facts(table)["bet_limits"]


def refuse(table, words, match):
    """The move is refused in one line that matches, and nothing has changed."""
    before = table.states.tobytes()
    with pytest.raises(IllegalActionError, match=match) as raised:
        table.step(table.parse(action_of(words.split()) if isinstance(words, str) else words))
    assert "\n" not in str(raised.value)
    assert table.states.tobytes() == before


def seen(table, seat):
    """What a seat sees, by name."""
    return table.game.layout.to_json(table.observe(seat)[1])
