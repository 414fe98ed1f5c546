"""Places that cut words, numbers and letters."""

import pytest

from readmark.text.word_edges import cuts_letter, cuts_word, is_whole


@pytest.mark.parametrize(
    ("text", "index", "is_inside"),
    [
        ("grated", 1, True),
        ("1995", 3, True),
        ("2.5", 2, True),
        ("2.5", 1, True),
        ("1,995", 2, True),
        ("in 1995, 2000", 7, False),
        ("5km", 1, False),
        ("brother’s", 7, False),
        ("Москва", 2, True),
        ("学生们", 1, False),
        ("สวัสดี", 2, False),
        ("abc", 0, False),
        ("abc", 3, False),
    ],
)
def test_place_inside_a_word(text: str, index: int, is_inside: bool) -> None:
    assert cuts_word(text, index) is is_inside


@pytest.mark.parametrize(
    ("text", "index", "is_inside"),
    [
        ("cafe\u0301s", 4, True),
        ("cafe\u0301s", 5, False),
        ("❤\ufe0f", 1, True),
        ("👩\u200d🚀", 2, True),
    ],
)
def test_place_inside_a_letter(text: str, index: int, is_inside: bool) -> None:
    assert cuts_letter(text, index) is is_inside


def test_whole_stretch_cuts_no_word_at_either_end() -> None:
    assert is_whole("a red kite", (2, 5))
    assert not is_whole("a red kite", (2, 4))
    assert not is_whole("a red kite", (3, 5))
