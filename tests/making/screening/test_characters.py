"""Character classes, counted by hand and against Python's own tables."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.making.screening.characters import count_characters, count_characters_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # size, han, latin, other, digits, punctuation, symbols
        ("", (0, 0, 0, 0, 0, 0, 0)),
        ("今天，下雨。", (6, 4, 0, 0, 0, 2, 0)),
        ("見 café 12", (7, 1, 4, 0, 2, 0, 0)),
        ("Ωя", (2, 0, 0, 2, 0, 0, 0)),
        ("a=b+c", (5, 0, 3, 0, 0, 0, 2)),
        ("½²Ⅳ", (3, 0, 0, 0, 0, 0, 3)),
        ("ＡＢ／％＝", (5, 0, 2, 0, 0, 2, 1)),
        ("[x]{y}_", (7, 0, 2, 0, 0, 0, 5)),
        ("人々〇", (3, 3, 0, 0, 0, 0, 0)),
        (" \n\t　", (0, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_by_hand(text: str, expected: tuple[int, ...]) -> None:
    counts = count_characters(text)
    assert (
        counts.size,
        counts.han,
        counts.latin,
        counts.other,
        counts.digits,
        counts.punctuation,
        counts.symbols,
    ) == expected


@given(st.text())
def test_every_character_is_in_one_class(text: str) -> None:
    counts = count_characters(text)
    parts = (
        counts.han,
        counts.latin,
        counts.other,
        counts.digits,
        counts.punctuation,
        counts.symbols,
    )
    assert sum(parts) == counts.size == sum(not character.isspace() for character in text)


@given(st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"])))
def test_letters_and_digits_are_what_unicode_says(text: str) -> None:
    counts = count_characters(text)
    digits = sum(unicodedata.category(character) == "Nd" for character in text)
    assert counts.digits == digits
    assert counts.han + counts.latin + counts.other == len(text) - digits


@given(st.lists(st.text(max_size=20), max_size=6))
def test_texts_are_counted_together_as_alone(texts: list[str]) -> None:
    assert count_characters_of(texts) == [count_characters(text) for text in texts]


def test_the_weights_of_the_classical_style_are_added_up() -> None:
    # 曰 3, 之 1, 而 .5; 他 and 说 -1 each
    assert count_characters("他说：子曰：学而时习之").classical == pytest.approx(2.5)


def test_what_is_not_looked_at_has_nothing_but_signs() -> None:
    above = "".join(map(chr, range(0x40000, 0x110000)))
    counts = count_characters(above)
    assert counts.size == counts.symbols == len(above)
    assert not any(character.isalnum() or character.isspace() for character in above)
