"""The three blocks of features: widths, worked values, and no trouble with odd input."""

import numpy as np
import pytest
from hypothesis import given

from readmark.comprehension.evidence.answer_fit import (
    QUESTION_SIDE,
    WORD_SIDE,
    answer_fit,
    question_side,
    word_side,
)
from readmark.comprehension.evidence.features import QuestionFeatures, features
from readmark.comprehension.evidence.match_features import MATCHES
from readmark.comprehension.evidence.readings import (
    ReadPassage,
    ReadQuestion,
    read_passage,
    read_question,
)
from readmark.comprehension.evidence.sentence_features import SENTENCES
from readmark.comprehension.evidence.word_features import WORDS
from readmark.text.sentences import sentences
from readmark.text.word_vectors import lexicon
from strategies import texts

MILL = "The mill stands by the river. Its owner sold the mill in 1902. Nobody grinds corn there."


def read(text: str, question: str, language: str = "en") -> tuple[ReadPassage, ReadQuestion]:
    words = lexicon(language)
    return read_passage(text, sentences(text, language), words), read_question(question, words)


def fitting() -> np.ndarray:
    draw = np.random.Generator(np.random.PCG64(0))
    return draw.standard_normal((QUESTION_SIDE, WORD_SIDE)).astype(np.float32) / 30


def features_of(text: str, question: str, language: str = "en") -> QuestionFeatures:
    return features(*read(text, question, language), fitting())


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
    figures = features_of(MILL, "When did the owner sell the mill?").sentences
    assert figures[:, SENTENCES.index(name)] == pytest.approx(expected, abs=1e-4)


def test_every_column_has_a_name() -> None:
    blocks = features_of(MILL, "When did the owner sell the mill?")
    assert blocks.sentences.shape == (3, len(SENTENCES))
    assert blocks.matches.shape == (3, 3, len(MATCHES))
    assert blocks.words.shape[1] == len(WORDS)
    for names in (SENTENCES, MATCHES, WORDS):
        assert len(set(names)) == len(names)


def test_fits_are_the_bilinear_form() -> None:
    passage, question = read(MILL, "Who sold the mill?")
    weights = fitting()
    plain = word_side(passage) @ (question_side(question) @ weights)
    np.testing.assert_allclose(answer_fit(passage, [question], weights)[0], plain, atol=1e-4)


@given(texts, texts)
def test_odd_input_gives_finite_features(text: str, question: str) -> None:
    for language in ("en", "zh"):
        if sentences(text, language):
            for block in features_of(text, question, language)[:3]:
                assert np.isfinite(block).all()
