"""Whole passages: counts by hand, order of easy and hard, and what has no measure."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.readability.formulas.by_language import readability, signature
from readmark.readability.formulas.chinese import chinese_readability
from readmark.readability.formulas.english import count_english, english_readability
from readmark.readability.formulas.strokes import strokes
from readmark.text.frequency import chinese_zipf as zipf
from readmark.text.frequency import simplified_as_listed

HERE = Path(__file__).parent
PASSAGE = (
    "The boy gave a banana to Miss Quill. "  # 28 letters, 1+1+1+1+3+1+1+1 syllables
    "Photosynthesis is created by 12 green leaves!"  # 36 letters, 5+1+3+1+1+1+1 syllables
)


def test_counts_by_hand() -> None:
    """Names: miss, quill. Long: banana, photosynthesis, created (made long by -ed)."""
    counts = count_english(PASSAGE)
    assert counts is not None
    assert (counts.sentences, counts.words) == (2, 15)
    assert counts.letters == 28 + 36
    assert counts.characters == 28 + 38
    assert counts.syllables == 10 + 13
    assert counts.polysyllables == 3
    assert counts.complex == 2
    assert counts.unfamiliar == 2  # photosynthesis, created: "create" is not on the list


def test_formulas_from_the_counts() -> None:
    measures = english_readability(PASSAGE)
    assert measures is not None
    assert measures.words_per_sentence == 7.5
    assert measures.dale_chall == pytest.approx(0.0496 * 7.5 + 0.1579 * 200 / 15 + 3.6365)
    assert measures.grades == "7–8"
    assert measures.flesch == pytest.approx(206.835 - 1.015 * 7.5 - 84.6 * 23 / 15)
    assert measures.flesch_kincaid == pytest.approx(0.39 * 7.5 + 11.8 * 23 / 15 - 15.59)
    assert measures.fog == pytest.approx(0.4 * (7.5 + 200 / 15))
    assert measures.smog == pytest.approx(1.0430 * 45**0.5 + 3.1291)
    assert measures.ari == pytest.approx(4.71 * 66 / 15 + 0.5 * 7.5 - 21.43)
    assert measures.coleman_liau == pytest.approx(0.0588 * 6400 / 15 - 0.296 * 200 / 15 - 15.8)


def test_chinese_by_hand() -> None:
    """Two sentences of 4 and 2 characters: 大人 三 一 and 天 上 are 3+2+3+1 and 4+3 strokes."""
    measures = chinese_readability("大人三一。天上！")
    assert measures is not None
    assert (measures.sentences, measures.characters) == (2, 6)
    assert measures.characters_per_sentence == 3
    assert measures.strokes == pytest.approx(16 / 6)


def test_traditional_characters_are_looked_up_simplified() -> None:
    plain = chinese_readability("这个学校很漂亮。")
    traditional = chinese_readability("這個學校很漂亮。")
    assert plain is not None
    assert traditional is not None
    assert traditional.rare_words == plain.rare_words
    assert traditional.zipf == plain.zipf
    assert traditional.strokes > plain.strokes


@pytest.mark.parametrize(("character", "count"), [("一", 1), ("永", 5), ("龙", 5), ("龍", 16)])
def test_strokes(character: str, count: int) -> None:
    assert strokes(character) == count


def test_strokes_of_what_is_not_han() -> None:
    assert strokes("a") is None


def test_frequent_words_have_higher_values() -> None:
    assert zipf("我们") > zipf("医生") > zipf("嬗变") == 3.0
    assert simplified_as_listed("漢語x") == "汉语x"


PAIRS = [line.split("\t") for line in (HERE / "pairs.zh.tsv").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("easy", "hard"), PAIRS)
def test_easy_chinese_comes_before_hard(easy: str, hard: str) -> None:
    low, high = chinese_readability(easy), chinese_readability(hard)
    assert low is not None
    assert high is not None
    assert low.index < high.index
    assert low.zipf > high.zipf


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", ["", " \n\t", "***", "😀👩‍👩‍👧", "。！？"])
def test_no_word_no_measure(text: str, language: str) -> None:
    assert readability(text, language) is None


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "好" * 100_000, "." * 100_000, "é\u0301 " * 30_000]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_long_lines(text: str, language: str) -> None:
    readability(text, language)


def test_signatures_name_sentences_and_words() -> None:
    assert {"sentences", "words", "syllables", "familiar"} == set(signature("en"))
    assert {"sentences", "words", "frequency", "strokes", "index"} == set(signature("zh-Hant"))


@given(st.text(max_size=80))
def test_any_text_is_measured_or_not(text: str) -> None:
    for language in ("en", "zh"):
        measures = readability(text, language)
        assert measures is None or measures.words > 0


@given(st.lists(st.sampled_from(["cat", "runs", "photosynthesis", "Zwolle", "1995"]), min_size=1))
def test_shares_are_shares(words: list[str]) -> None:
    measures = english_readability(" ".join(words) + ".")
    assert measures is not None
    assert 0 <= measures.unfamiliar <= 100
    assert measures.words == len(words)
