"""Words of the list, however they are spelt."""

import math

import pytest

from readmark.text.frequency import LEAST, FrequencyList, is_listed, rank, zipf


@pytest.mark.parametrize(
    ("spelt", "listed"),
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
def test_stops_and_apostrophes_make_no_other_word(spelt: str, listed: str) -> None:
    assert is_listed(spelt)
    assert zipf(spelt) == zipf(listed) > LEAST
    assert rank(spelt) == rank(listed) < math.inf


@pytest.mark.parametrize("compound", ["and/or", "well-known", "sun–moon"])
def test_a_compound_is_as_rare_as_its_rarest_part(compound: str) -> None:
    parts = compound.replace("/", "-").replace("–", "-").split("-")
    assert zipf(compound) == min(map(zipf, parts))
    assert rank(compound) == max(map(rank, parts))


@pytest.mark.parametrize("word", ["zorbl", "zorbl-cat", "zorbl.", ""])
def test_what_is_no_word_is_in_no_list(word: str) -> None:
    assert not is_listed(word)
    assert (zipf(word), rank(word)) == (LEAST, math.inf)


def test_what_has_a_figure_is_no_unknown_word() -> None:
    assert all(map(is_listed, ("9am", "b2b", "covid-19", "xqz7")))


def test_values_and_places_of_lists_of_equally_frequent_words() -> None:
    words = FrequencyList(
        [[], ["the"], [], *([[]] * 297), ["river", "boat"], *([[]] * 899), ["zorbl"]]
    )
    asked = ("the", "boat", "river", "zorbl", "n't")
    assert [words[word][0] for word in asked] == pytest.approx([8.99, 6, 6, LEAST, 6.5])
    assert [words[word][1] for word in asked] == [1, 2, 3, 4, 50]
    assert "ship" not in words


def test_the_list_is_that_of_wordfreq() -> None:
    wordfreq = pytest.importorskip("wordfreq")
    for word in ("the", "river", "flabbergasted", "qubit"):
        assert zipf(word) == pytest.approx(wordfreq.zipf_frequency(word, "en", "large"), abs=0.005)
