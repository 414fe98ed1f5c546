"""The three blocks of features: widths, worked values, and no trouble with odd input."""

import numpy as np
import pytest
from hypothesis import given

from readmark.comprehension.evidence.features import (
    MATCHES,
    QUESTION_SIDE,
    SENTENCES,
    WORD_SIDE,
    WORDS,
    expectation,
    features,
    question_side,
    word_side,
)
from readmark.comprehension.evidence.readings import (
    ReadPassage,
    ReadQuestion,
    read_passage,
    read_question,
)
from readmark.text.sentences import sentences
from readmark.text.word_vectors import lexicon
from strategies import texts

MILL = "The mill stands by the river. Its owner sold the mill in 1902. Nobody grinds corn there."


def read(text: str, question: str, language: str = "en") -> tuple[ReadPassage, ReadQuestion]:
    known = lexicon(language)
    return read_passage(text, sentences(text, language), known), read_question(question, known)


def fitting(seed: int = 0) -> np.ndarray:
    draw = np.random.Generator(np.random.PCG64(seed))
    return draw.standard_normal((QUESTION_SIDE, WORD_SIDE)).astype(np.float32) / 30


def column(name: str, text: str, question: str) -> list[float]:
    found = features(*read(text, question), fitting())
    return [round(float(one), 4) for one in found.sentences[:, SENTENCES.index(name)]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # owner, sell, mill: the first sentence has one of three, the second all.
        ("same all", [0.3333, 1.0, 0.0]),
        ("same all, lead", [-0.6667, 0.6667, -1.0]),
        ("quantity", [0.0, 0.0, 0.0]),
        ("time", [0.0, 1.0, 0.0]),
        ("expected when", [0.0, 1.0, 0.0]),
        ("pronoun", [0.0, 1.0, 0.0]),
        ("when?", [1.0, 1.0, 1.0]),
    ],
)
def test_worked_figures_of_sentences(name: str, expected: list[float]) -> None:
    assert column(name, MILL, "When did the owner sell the mill?") == expected


def test_every_column_has_a_name() -> None:
    found = features(*read(MILL, "When did the owner sell the mill?"), fitting())
    assert found.sentences.shape == (3, len(SENTENCES))
    assert found.matches.shape == (3, 3, len(MATCHES))
    assert found.words.shape[1] == len(WORDS)
    assert len(set(SENTENCES)) == len(SENTENCES)


def test_fits_are_the_bilinear_form() -> None:
    passage, question = read(MILL, "Who sold the mill?")
    weights = fitting()
    plain = word_side(passage) @ (question_side(question) @ weights)
    np.testing.assert_allclose(expectation(passage, [question], weights)[0], plain, atol=1e-4)


@given(texts, texts)
def test_odd_input_gives_finite_features(text: str, question: str) -> None:
    for language in ("en", "zh"):
        if sentences(text, language):
            found = features(*read(text, question, language), fitting())
            for block in found[:3]:
                assert np.isfinite(block).all()
