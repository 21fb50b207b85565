"""The luck of an engine's table, handed to a plain reference of draw poker."""


class EngineChance:
    """What the engine's luck was: the record of each kind of chance in its state."""

    def __init__(self, table):
        self.outcome = {chance.name: chance for chance in table.game.chances}
        self.table = table

    def button(self):
        return int(self.table.state["button"])

    def deck(self, hand):
        return self.outcome["deck"].outcome(self.table.state)

    def reshuffle(self, muck):
        return self.outcome["reshuffle"].outcome(self.table.state)
