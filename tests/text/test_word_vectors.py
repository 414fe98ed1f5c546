"""Words of texts, their keys and their vectors."""

import numpy as np
import pytest
from hypothesis import given

from readmark.text import word_vectors
from readmark.text.stems import stem
from readmark.text.word_vectors import (
    ROW,
    WIDTH,
    key_of,
    lexicon,
    small_simplified,
    unpacked,
    words_in,
)
from strategies import texts
from training.word_vectors import packed


@pytest.mark.parametrize(
    ("first", "second"),
    [("won", "win"), ("bought", "buys"), ("cities", "city"), ("inventions", "invented")],
)
def test_forms_of_a_word_share_a_key(first: str, second: str) -> None:
    assert key_of(first, "en") == key_of(second, "en")


def test_stored_keys_are_those_of_the_rules() -> None:
    keys = word_vectors._frequent_keys()
    for word in [word for word in sorted(keys) if "'" not in word][::300]:
        assert keys[word] == word_vectors._stripper()(stem(word))


def test_traditional_characters_are_read_as_simplified_ones_in_their_places() -> None:
    assert small_simplified("臺灣AB") == "台湾ab"
    assert words_in("廣州，中國", "zh") == [("广州", 0), ("中国", 3)]


@given(texts)
def test_words_occur_at_their_offsets(text: str) -> None:
    for language in ("en", "zh"):
        for word, start in words_in(text, language):
            end = start + len(word)
            assert 0 <= start <= end <= len(text)
            if language == "en":
                assert text[start:end].replace("’", "'") == word


def test_vectors_survive_four_bits_a_figure() -> None:
    draw = np.random.Generator(np.random.PCG64(5))
    vectors = draw.standard_normal((40, WIDTH))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert (vectors * unpacked(packed(vectors))).sum(1).min() > 0.98


def test_near_words_have_near_vectors() -> None:
    for language, word, near, far in (
        ("en", "buy", "purchase", "river"),
        ("zh", "赢得", "夺得", "河流"),
    ):
        words = lexicon(language)
        rows = [words.numbers[words.entry(each), ROW] for each in (word, near, far)]
        vector, near_vector, far_vector = words.vectors[rows]
        assert vector @ near_vector > vector @ far_vector + 0.2
