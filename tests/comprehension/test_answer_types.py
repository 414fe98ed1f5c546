"""What sort of thing an answer is by its shape."""

import pytest

from readmark.comprehension.answer_types import (
    answer_type,
    differ,
    marked_type,
    shows_number_or_time,
)
from readmark.core.records import Layer


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("1990", "TIME"),
        ("in the late 1990s", "TIME"),
        ("June 5, 1998", "TIME"),
        ("five years", "TIME"),
        ("the 17th century", "TIME"),
        ("5:30 pm", "TIME"),
        ("120 kilometres", "NUM"),
        ("$5 million", "NUM"),
        ("twenty-five", "NUM"),
        ("two-thirds", "NUM"),
        ("about 15%", "NUM"),
        ("two brothers", "NUM"),
        ("one brother", None),
        ("25 Broad Street", None),
        ("mark", None),
        ("the man who ran 5 miles", None),
        ("Dr. Hale", "PERSON"),
        ("Otter River", "LOCATION"),
        ("Marlow University", "ORGANIZATION"),
        ("Ada Marlow", None),
        ("", None),
    ],
)
def test_english(text: str, type: str | None) -> None:
    assert answer_type(text, "en") == type


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("1920年", "TIME"),
        ("2004年6月1日", "TIME"),
        ("春天", "TIME"),
        ("120公里", "NUM"),
        ("百分之五", "NUM"),
        ("25名学生", "NUM"),
        ("三十岁", "NUM"),
        ("北京市", "LOCATION"),
        ("北京大学", "ORGANIZATION"),
        ("李大同", None),
        ("为了不让父亲生气", None),
        ("一九二〇年，他回到家乡", None),
        ("", None),
    ],
)
def test_chinese(text: str, type: str | None) -> None:
    assert answer_type(text, "zh") == type


def test_traditional_characters_are_read_as_simplified() -> None:
    assert answer_type("二十五名學生", "zh") == answer_type("二十五名学生", "zh") == "NUM"


@pytest.mark.parametrize(
    ("first", "second", "language", "expected"),
    [
        ("1990", "120 kilometres", "en", True),
        ("1990", "1991", "en", False),
        ("1990", "Ada Marlow", "en", True),  # nothing in a name counts or dates
        ("1990", "when the 5 mills closed", "en", False),  # a clause may do either
        ("Ada Marlow", "Ben Hale", "en", False),
        ("Otter River", "Marlow University", "en", True),
        ("1920年", "李大同", "zh", True),
        ("1920年", "民国九年", "zh", False),
        ("李大同", "聂鲁达", "zh", False),
    ],
)
def test_two_answers_differ_either_way_round(
    first: str, second: str, language: str, expected: bool
) -> None:
    types = answer_type(first, language), answer_type(second, language)
    assert differ(first, second, language, types) is expected
    assert differ(second, first, language, types[::-1]) is expected


def test_words_of_grammar_neither_count_nor_date() -> None:
    assert not shows_number_or_time("the one that may come second", "en")
    assert shows_number_or_time("a dozen eggs", "en")
    assert shows_number_or_time("on Monday", "en")


def test_a_layer_tells_the_type_of_what_is_most_of_a_span() -> None:
    layer = Layer(
        spans=((0, 10), (11, 15), (20, 40)), columns={"type": ("PERSON", "TIME", "LOCATION")}
    )
    assert marked_type((0, 10), layer) == "PERSON"
    assert marked_type((0, 15), layer) == "PERSON"
    assert marked_type((11, 14), layer) == "TIME"
    assert marked_type((20, 24), layer) is None  # four of twenty
    assert marked_type((16, 19), layer) is None
    assert marked_type((0, 10), None) is None
