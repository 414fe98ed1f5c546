"""Each formula with numbers worked by hand."""

from __future__ import annotations

import pytest

from readmark.readability.formulas.chinese import index
from readmark.readability.formulas.english import (
    GRADES,
    ari,
    coleman_liau,
    count_english,
    dale_chall,
    english_readability,
    flesch,
    flesch_kincaid,
    fog,
    grades,
    smog,
)
from readmark.readability.formulas.english_words import words_as_counted


def test_dale_chall_of_the_document() -> None:
    """20 words a sentence and 15.1% off the list: 0.992 + 2.38429 + 3.6365."""
    assert dale_chall(20, 15.1) == pytest.approx(7.01279)
    assert grades(dale_chall(20, 15.1)) == "9–10"


def test_dale_chall_adds_its_constant_always() -> None:
    assert dale_chall(10, 0) == pytest.approx(4.1325)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (-1, "4 and below"),
        (4.9999, "4 and below"),
        (5.0, "5–6"),
        (5.9999, "5–6"),
        (6.0, "7–8"),
        (7.0, "9–10"),
        (7.9, "9–10"),
        (7.95, "9–10"),
        (8.0, "11–12"),
        (9.0, "13–15"),
        (9.9999, "13–15"),
        (10.0, "16+"),
        (25, "16+"),
    ],
)
def test_bands_are_half_open(score: float, expected: str) -> None:
    assert grades(score) == expected
    assert expected in GRADES


def test_flesch() -> None:
    """206.835 - 15.225 - 126.9, and 5.85 + 17.7 - 15.59."""
    assert flesch(15, 1.5) == pytest.approx(64.71)
    assert flesch_kincaid(15, 1.5) == pytest.approx(7.96)


def test_fog_and_smog() -> None:
    """0.4 (15 + 10); the root of 16 x 30 / 30 is 4, of 9 x 30 / 30 is 3, of 3 x 30 / 10 is 3."""
    assert fog(15, 10) == pytest.approx(10)
    assert smog(16, 30) == pytest.approx(4 * 1.0430 + 3.1291)
    assert smog(3, 10) == pytest.approx(3 * 1.0430 + 3.1291)
    assert smog(0, 1) == pytest.approx(3.1291)


def test_formulas_of_letters() -> None:
    """4.71 x 4.5 + 7.5 - 21.43; 0.0588 x 450 - 0.296 x 5 - 15.8."""
    assert ari(4.5, 15) == pytest.approx(7.265)
    assert coleman_liau(450, 5) == pytest.approx(9.18)


def test_the_chinese_index() -> None:
    """15 of 30 characters, 60 of 30 percent, 7.5 of 7.5 strokes: (0.5 + 2 + 1) / 3."""
    assert index(30, 30, 7.5) == pytest.approx(100)
    assert index(15, 60, 7.5) == pytest.approx(350 / 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("In 1,066 it cost 3.5 pence.", ["in", "1,066", "it", "cost", "3.5", "pence"]),
        (
            "The U.S. ended it at 7 a.m. sharp",
            ["the", "u.s.", "ended", "it", "at", "7", "a.m.", "sharp"],
        ),
        ("It ended. He left, e.g. by 2.0.1", ["it", "ended", "he", "left", "e.g.", "by", "2.0.1"]),
        (
            "a 10-year-old's 1990s, 3.5% 1,200-metre",
            ["a", "10-year-old's", "1990s", "3.5", "1,200-metre"],
        ),
        ("Vitamin C. Plan A, then B.", ["vitamin", "c", "plan", "a", "then", "b"]),
    ],
)
def test_figures_and_abbreviations_are_one_word(text: str, words: list[str]) -> None:
    assert words_as_counted(text) == words


def test_figures_and_abbreviations_have_one_syllable() -> None:
    counts = count_english("In 1,066 the U.S. had 3.5 men. It was 7 a.m. and they ran.")
    assert counts is not None
    assert (counts.sentences, counts.words, counts.syllables) == (2, 14, 14)
    assert counts.unfamiliar == 1  # a.m.; U.S. is a name


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("it broke again. i tried two cables. no luck!! is it the lamp? maybe", 5),
        ("We ran to the U.S. embassy at 7 a.m. and sat. It was shut.", 2),
        ("She asked why. He left etc. and so on. Nobody knew.", 3),
        ("see dr. who at 3.5 a.m. today", 1),
    ],
)
def test_small_letters_begin_sentences_where_most_do(text: str, sentences: int) -> None:
    counts = count_english(text)
    assert counts is not None
    assert counts.sentences == sentences


def test_names_count_as_unfamiliar_where_asked_for() -> None:
    """7 words in 2 sentences; Zora and Zembla are names, every other word is on the list."""
    text = "We met Zora in Zembla. We sat."
    by_default = english_readability(text)
    strict = english_readability(text, known_names=False)
    assert by_default is not None
    assert strict is not None
    assert by_default.dale_chall == pytest.approx(0.0496 * 3.5 + 3.6365)
    assert strict.dale_chall == pytest.approx(0.0496 * 3.5 + 0.1579 * 200 / 7 + 3.6365)
    assert (by_default.grades, strict.grades) == ("4 and below", "11–12")
    assert strict.fog == by_default.fog
