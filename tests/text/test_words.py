"""Words by plain rules: worked examples in English and Chinese, and what holds for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.words import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The last tram leaves.", ["the", "last", "tram", "leaves"]),
        ("Ida's mother-in-law can’t", ["ida's", "mother-in-law", "can’t"]),
        ("'quoted' - and -dashed-", ["quoted", "and", "dashed"]),
        ("At 10.30 p.m., £3", ["at", "10", "30", "p", "m", "3"]),
        ("ÉCOLE Straße", ["école", "straße"]),
        ("tram 北京 bees", ["tram", "北京", "bees"]),
        ("...!", []),
        ("", []),
    ],
)
def test_english(text: str, expected: list[str]) -> None:
    assert words(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("北京大学。", ["北", "京", "大", "学"]),
        ("“8”字形的舞", ["8", "字", "形", "的", "舞"]),
        ("约GDP增长3.5%", ["约", "gdp", "增", "长", "3", "5"]),
        ("二〇二〇年", ["二", "〇", "二", "〇", "年"]),
        ("𠮷野家㐀", ["𠮷", "野", "家", "㐀"]),
        ("，。！ \u3000", []),
        ("", []),
    ],
)
def test_chinese(text: str, expected: list[str]) -> None:
    assert words(text, "zh") == expected


@given(text=st.text(), language=st.sampled_from(["en", "zh"]))
def test_words_occur_in_order_in_the_lower_case_text(text: str, language: str) -> None:
    lower, end = text.lower(), 0
    for word in words(text, language):
        assert word
        assert not any(letter.isspace() for letter in word)
        end = lower.index(word, end) + len(word)


@given(text=st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)))
def test_every_han_character_is_a_word(text: str) -> None:
    assert words(text, "zh") == list(text)
