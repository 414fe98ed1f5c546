"""What counts as a word, and that cutting many texts at once changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.text_pairs import Numbered, numbered
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


anything = st.text(st.sampled_from("aZ9 -'_?.\x1e\x00\n\t’éΣİ中"), max_size=12)
ascii_texts = st.text(st.characters(max_codepoint=127), max_size=40)


@given(st.one_of(st.lists(anything, max_size=6), st.lists(ascii_texts, max_size=6)))
def test_numbers_stand_for_words(texts: list[str]) -> None:
    found = numbered(texts, words)
    cut = [words(text) for text in texts]
    assert found.lengths.tolist() == [len(one) for one in cut]
    flat = [word for one in cut for word in one]
    keys = _keys(found)
    assert len(keys) == len(flat)
    assert all(keys)
    # Equal words have equal numbers, and other words others.
    assert len(set(zip(flat, keys, strict=True))) == len(set(flat)) == len(set(keys))


def _keys(found: Numbered) -> list[int]:
    sides = zip(found.starts.tolist(), found.lengths.tolist(), strict=True)
    return [key for at, size in sides for key in found.numbers[at : at + size].tolist()]


def test_long_words_are_told_apart() -> None:
    one, other = "a" * 16 + "b", "a" * 16 + "c"
    keys = _keys(numbered([f"{one} {other} {one.upper()}", "a" * 16, "a" * 8, "a" * 7], words))
    assert keys[0] == keys[2]
    assert len(set(keys)) == 5


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
