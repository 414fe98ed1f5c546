"""What counts as a word."""

from __future__ import annotations

import pytest

from readmark.series.words import chinese_words, cutter, plain, signature, words


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


def test_chinese_is_cut_into_words() -> None:
    cut = chinese_words("兴登堡号是什么时候建成的？")
    assert "".join(cut) == "兴登堡号是什么时候建成的"
    assert "什么" in cut
    assert "时候" in cut
    assert chinese_words("PREVIOUS_ANSWER是谁？")[0] == "previous_answer"
    assert cutter("zh") is chinese_words
    assert cutter("en") is words


def test_signatures_tell_languages_apart() -> None:
    assert signature("en") == "words-1"
    assert signature("zh").startswith("words-1,rjieba-")
