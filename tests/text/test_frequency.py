"""Frequencies of English words, however they are spelt."""

import math

import pytest

from readmark.text.frequency import LEAST, FrequencyList, is_listed, rank, zipf


@pytest.mark.parametrize(
    ("word", "in_list"),
    [
        ("a.m.", "am"),
        ("etc.", "etc"),
        ("e.g.", "eg"),
        ("mr.", "mr"),
        ("y'all", "yall"),
        ("'em", "em"),
        ("goin'", "goin"),
    ],
)
def test_full_stops_and_apostrophes_make_no_other_word(word: str, in_list: str) -> None:
    assert is_listed(word)
    assert zipf(word) == zipf(in_list) > LEAST
    assert rank(word) == rank(in_list) < math.inf


@pytest.mark.parametrize("compound", ["and/or", "well-known", "sun–moon"])
def test_compound_is_as_rare_as_its_rarest_part(compound: str) -> None:
    parts = compound.replace("/", "-").replace("–", "-").split("-")
    assert zipf(compound) == min(map(zipf, parts))
    assert rank(compound) == max(map(rank, parts))


@pytest.mark.parametrize("word", ["zorbl", "zorbl-cat", "zorbl.", ""])
def test_unknown_word(word: str) -> None:
    assert not is_listed(word)
    assert (zipf(word), rank(word)) == (LEAST, math.inf)


def test_anything_with_a_digit_counts_as_listed() -> None:
    assert all(map(is_listed, ("9am", "b2b", "covid-19", "xqz7")))


def test_values_and_ranks_of_lists_of_equally_frequent_words() -> None:
    words = FrequencyList(
        [[], ["the"], [], *([[]] * 297), ["river", "boat"], *([[]] * 899), ["zorbl"]]
    )
    entries = [words[word] for word in ("the", "boat", "river", "zorbl", "n't")]
    assert [value for value, _ in entries] == pytest.approx([8.99, 6, 6, LEAST, 6.5])
    assert [rank for _, rank in entries] == [1, 2, 3, 4, 50]
    assert "ship" not in words


def test_values_are_those_of_wordfreq() -> None:
    wordfreq = pytest.importorskip("wordfreq")
    for word in ("the", "river", "flabbergasted", "qubit"):
        assert zipf(word) == pytest.approx(wordfreq.zipf_frequency(word, "en", "large"), abs=0.005)
