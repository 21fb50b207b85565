"""Cards as text."""

import pytest

from tinhorn.core.cards import CARD_TEXTS, JOKER, card_text, parse_card


def test_text_and_code_are_inverse():
    assert [parse_card(text) for text in CARD_TEXTS] == list(range(53))
    assert [card_text(code) for code in (0, 51, JOKER, -1)] == ["2c", "As", "Jo", "--"]


@pytest.mark.parametrize(("text", "meant"), [("kc", "Kc"), ("KC", "Kc"), ("10d", "Td"), (" As", "As"), ("JO", "Jo")])
def test_the_card_that_was_meant_is_named(text, meant):
    with pytest.raises(ValueError, match=f"is no card: write .*; did you mean '{meant}'\\?"):
        parse_card(text)


@pytest.mark.parametrize("text", ["", "1c", "king", 7, None])
def test_what_is_no_card_at_all(text):
    with pytest.raises(ValueError, match=r"or 'Jo'$"):
        parse_card(text)
