"""Features of the words that may be the answer: fit, spelling, and how near matched words are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.evidence.answer_fit import LOW
from readmark.comprehension.evidence.matches import LEVELS, WEIGHTS, Matching, NearbyMatches
from readmark.comprehension.evidence.question_batch import QuestionBatch
from readmark.comprehension.evidence.readings import (
    CUES,
    FUNCTION_WORD,
    NUMBER,
    RARITY,
    ReadPassage,
)
from readmark.core.arrays import AnyFloats, AnyInts
from readmark.text.questions.coarse_types import COARSE_TYPES
from readmark.text.word_vectors import COLUMNS

# Trained models name their features: neither names nor order may change.
WORDS = (
    "fits",
    "behind",
    "capital",
    "begins",
    *COLUMNS[CUES],
    "number",
    "rarity",
    "near2",
    "near5",
    "near12",
    "left",
    "right",
    "focus",
    "by_focus",
    "recall",
    "end",
    *(f"{name}?" for name in COARSE_TYPES),
)
_FIRST_TYPE = len(WORDS) - len(COARSE_TYPES)


def answerable(passage: ReadPassage, matching: Matching) -> NDArray[np.bool_]:
    """The words that may be the answer: words with content that a question does not have."""
    has_content = (passage.figures[:, FUNCTION_WORD] == 0) & (passage.keys >= 0)
    mask: NDArray[np.bool_] = (matching.unasked > 0) & has_content
    return mask


def word_rows(
    passage: ReadPassage,
    batch: QuestionBatch,
    matching: Matching,
    near: NearbyMatches,
    fits: AnyFloats,
    may_answer: NDArray[np.bool_],
) -> tuple[AnyFloats, AnyInts, AnyInts]:
    """A row for each word that may be the answer, and for the end of each sentence.

    Rows are ordered by question; the question and the word of each are returned with them. With
    the ends every sentence has a row, whether or not a word of it may be the answer.
    """
    question, word = np.nonzero(may_answer | (passage.keys < 0))
    rows = np.zeros((len(word), len(WORDS)), np.float32)
    is_end = passage.keys[word] < 0
    fit = np.where(is_end, LOW, fits[question, word])
    first_rows = np.searchsorted(question, np.arange(len(batch.questions)))
    best_fit = np.maximum.reduceat(fit, first_rows)[question]
    names, figures = passage.names[word], passage.figures[word]
    left, right = np.maximum(word - 1, 0), np.minimum(word + 1, fits.shape[1] - 1)
    recall = matching.recall[:, LEVELS.index("vector"), WEIGHTS.index("new")]
    features = {
        "fits": fit / 3,
        "behind": (fit - best_fit) / 3,
        "capital": names > 0.9,
        "begins": names == 0.5,
        **dict(zip(COLUMNS[CUES], figures[:, CUES].T, strict=True)),
        "number": figures[:, NUMBER],
        "rarity": figures[:, RARITY],
        "near2": near.near2[question, word],
        "near5": near.near5[question, word],
        "near12": near.near12[question, word],
        "left": near.mass[question, left],
        "right": near.mass[question, right],
        "recall": recall[question, passage.sentence_of[word]],
        "end": is_end,
    }
    focus = batch.focus[batch.content]
    if focus.any():
        direction = batch.in_blocks(focus[None])[:, 0] @ batch.vectors[batch.content]
        direction /= np.linalg.norm(direction, axis=1, keepdims=True) + 1e-6
        features["focus"] = (direction @ passage.vectors.T)[question, word]
        is_focus = np.maximum.reduceat(matching.same * focus[:, None], batch.content_starts, axis=0)
        features["by_focus"] = np.maximum(is_focus[question, left], is_focus[question, right])
    for name, values in features.items():
        rows[:, WORDS.index(name)] = values
    rows[np.arange(len(word)), _FIRST_TYPE + batch.types[question]] = 1.0
    return rows, question, word
