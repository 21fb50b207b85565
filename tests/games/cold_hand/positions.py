"""Cold Hand tables with the cards, bullets and opener that a test wants."""

from tinhorn.core.table import Table
from tinhorn.games.cold_hand import GAME, ColdHandOptions

ANY = "-- -- -- -- --"


def start(players, hands=None, opener=0, bullets=None, top="", second="", completed=0, seed=5):
    """A table before its first decision.

    Args:
        hands: cards dealt by seat; seats left out get any. bullets: the pull that fires by seat, a dict or a list of
            dicts for one hand after the other. top: cards on top of the deck after the deal. second: cards on top
            before the second draw. completed: hands completed before.
    """
    dealt = [(hands or {}).get((opener + step) % players, ANY).split() for step in range(players)]
    deck = [hand[place] for place in range(5) for hand in dealt] + top.split()
    script = [{"opener": [opener], "deck": [None if card == "--" else card for card in deck]}]
    script[0]["second_deck"] = second.split()
    for hand, loaded in enumerate(bullets if isinstance(bullets, list) else [bullets or {}]):
        if hand == len(script):
            script.append({})
        script[hand]["bullets"] = [loaded.get(seat) for seat in range(players)]
    table = Table(GAME, ColdHandOptions(players))
    table.reset(seed, chance=script, position={"hands_completed": completed})
    return table


def action_of(words):
    """``["exchange", "2c"]``, ``["pat"]`` or ``["raise"]`` as JSON."""
    what, *cards = words
    return {"type": "exchange", "cards": cards} if what in ("pat", "exchange") else {"type": what}


def play(table, text):
    """Play ``"0 pat, 1 exchange 2c 3d, 0 raise"``; every turn must be that seat's. Returns the table."""
    for part in text.split(","):
        seat, *words = part.split()
        assert table.actor == int(seat), part
        table.step(table.timeout_action() if words == ["clock"] else table.parse(action_of(words)))
    return table


def stand_pat(table):
    """Nobody exchanges anything, until the next betting round."""
    while facts(table)["phase"] in ("draw1", "draw2"):
        table.step(0)
    return table


def bet(table, words):
    """Play ``"raise call fold"`` by whoever is to act, standing pat in between."""
    for word in words.split():
        stand_pat(table).step(table.parse({"type": word}))
    return table


def facts(table):
    """The table as plain JSON."""
    return GAME.facts(table.state)


def seen(table, seat):
    """What a seat sees, by name."""
    return GAME.layout.to_json(table.observe(seat)[1])


def paid(table):
    """The penalties of the last hand in seat order: seat, pulls, pulled, died."""
    return [tuple(entry.values()) for entry in facts(table)["penalties"]]
