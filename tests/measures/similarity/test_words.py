"""What counts as a word, and that cutting many texts at once changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.measures.similarity.words import (
    all_words,
    chinese_words,
    cut_all,
    plain,
    signature,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When was he born?", ["when", "was", "he", "born"]),
        ("Who wrote Jasper Fforde's book?", ["who", "wrote", "jasper", "fforde's", "book"]),
        ("Jasper Fforde’s", ["jasper", "fforde's"]),
        ("Jay-Z", ["jay-z"]),
        ("PREVIOUS_ANSWER", ["previous_answer"]),
        ("PREVIOUS_ANSWER's tomb", ["previous_answer's", "tomb"]),
        ("the Saints' (Mormons)", ["the", "saints", "mormons"]),
        ("-- 'quoted' _under_ a--b", ["quoted", "under", "a", "b"]),
        ("the U.S. in 1,000.5", ["the", "u", "s", "in", "1", "000", "5"]),
        ("Me\u0301decins", ["médecins"]),
        ("", []),
        ("?!", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected
    assert plain(text) == " ".join(expected)


anything = st.text(st.sampled_from("aZ9 -'_?.\x1e\x00\n\t’éΣİ中"), max_size=12)


@given(st.lists(anything, max_size=6))
def test_many_texts_are_cut_as_one_by_one(texts: list[str]) -> None:
    assert all_words(texts) == [words(text) for text in texts]
    assert cut_all(texts, "en") == all_words(texts)


@given(st.lists(st.text(st.characters(max_codepoint=127), max_size=12), max_size=6))
def test_many_ascii_texts_are_cut_as_one_by_one(texts: list[str]) -> None:
    assert all_words(texts) == [words(text) for text in texts]


def test_chinese_is_cut_into_words() -> None:
    cut = chinese_words("兴登堡号是什么时候建成的？")
    assert "".join(cut) == "兴登堡号是什么时候建成的"
    assert "什么" in cut
    assert "时候" in cut
    assert chinese_words("PREVIOUS_ANSWER是谁？")[0] == "previous_answer"
    assert cut_all(["他是谁？"], "zh") == [chinese_words("他是谁？")]


def test_signatures_tell_languages_apart() -> None:
    assert signature("en") == "words-1"
    assert signature("zh").startswith("words-1,rjieba-")
