"""Which option a model meant."""

from __future__ import annotations

import pytest

from readmark.comprehension.chosen_option import chosen_option, letters_for
from readmark.core.errors import DataError

OPTIONS = ("a red kite", "a kite", "two kites", "Bob")
TIMES = ("at eight", "at nine", "at eighteen", "at noon")


@pytest.mark.parametrize(
    ("answer", "at"),
    [
        ("B", 1),
        ("b", 1),
        ("Ｂ", 1),
        ("(c)", 2),
        ("**C**", 2),
        ("C. two kites", 2),
        ("c) two kites", 2),
        ("C: they had two of them", 2),
        ("C\n\nThere were two.", 2),
        ("C is right", 2),
        ("选 D", 3),
        ("D选项", 3),
        ("我认为应该选D", 3),
        ("答案是D。", 3),
        ("Option D is right", 3),
        ("Option A is wrong, option D is right.", 3),
        ("不选A，选D。", 3),
        ("I would choose D.", 3),
        ("A red kite", 0),
        ("A kite.", 1),
        ("It was a red kite, I think", 0),
        ("The answer is a red kite", 0),
        ("Bob", 3),
        ("E", None),
        ("İ", None),
        ("nothing of the sort", None),
        ("a red kite, or two kites", None),
        ("A, B", None),
        ("A,B", None),
        ("A or B", None),
        ("I choose A or B", None),
        ("选A和B", None),
        ("Option A is wrong", None),
        ("A. two kites", None),
        ("A\ntwo kites", None),
        ("C\ntwo kites", 2),
        ("②", 1),
        ("Let me think.\n\nC", 2),
        ("Option A is out, so the answer is not A but C.", 2),
        ("A: no.\nB: no.\nC: yes.\n\nAnswer: C", 2),
        ("", None),
    ],
)
def test_an_option_is_told_by_words_or_letter(answer: str, at: int | None) -> None:
    assert chosen_option(answer, OPTIONS) == at


@pytest.mark.parametrize(
    ("answer", "at"),
    [
        ("not at eight", None),
        ("It didn't leave at eight.", None),
        ("not at eight but at nine", 1),
        ("No, it was at nine.", 1),
        ("neither at eight nor at nine", None),
        ("It left at eighteen.", 2),
        ("at noon instead of at nine", 3),
    ],
)
def test_an_option_that_is_denied_is_not_meant(answer: str, at: int | None) -> None:
    assert chosen_option(answer, TIMES) == at


@pytest.mark.parametrize(("answer", "at"), [("不是八点", None), ("不是八点，是九点", 1)])
def test_chinese_denials(answer: str, at: int | None) -> None:
    assert chosen_option(answer, ("八点", "九点")) == at


def test_a_letter_is_the_letter_that_was_asked_for() -> None:
    assert [chosen_option(letter, ("C", "A", "D", "B")) for letter in "ABCD"] == [0, 1, 2, 3]
    assert chosen_option("X", ("Y", "X")) == 1


@pytest.mark.parametrize(
    ("answer", "options", "at"),
    [("2.5", ("25", "2.5"), 1), ("+", ("-", "+"), 1), ("5", ("-5", "5", "5%"), 1)],
)
def test_signs_tell_options_apart(answer: str, options: tuple[str, ...], at: int) -> None:
    assert chosen_option(answer, options) == at


def test_more_options_than_letters_are_an_error() -> None:
    assert len(letters_for(["x"] * 26)) == 26
    with pytest.raises(DataError, match="27 options are more than there are letters"):
        letters_for(["x"] * 27)


@pytest.mark.slow
def test_a_long_reply_is_read_to_its_end() -> None:
    for part in ("not ", "A ", "option ", "选", "at eight ", "(", " "):
        assert chosen_option("x" + part * 200_000 + "y", ("at ten", "at two")) is None
