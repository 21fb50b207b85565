"""The moves of worked cases, from text to JSON."""


def as_action(text: str) -> dict:
    """A case's move as JSON."""
    match text.split():
        case ["stock"]:
            return {"type": "draw"}
        case ["fire"]:
            return {"type": "take_fire"}
        case ["put", "back"]:
            return {"type": "put_back"}
        case ["lay", *cards]:
            return {"type": "lay", "cards": cards}
        case ["add", card, "to", place, *end]:
            return {"type": "add", "meld": int(place), "card": card} | ({"end": end[0]} if end else {})
        case ["take", place]:
            return {"type": "take_joker", "meld": int(place)}
        case ["throw", card]:
            return {"type": "throw", "card": card}
    raise ValueError(text)
