"""How well each word of a passage fits what a question asks for: a bilinear form, one a language.

One side is the question (its type, its cue words, the vectors of its focus and of its content
words), the other is a word with its neighbours. The weights between them are trained.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.comprehension.evidence.readings import (
    FUNCTION_WORD,
    RARITY,
    ReadPassage,
    ReadQuestion,
)
from readmark.core.arrays import AnyFloats
from readmark.text.questions.coarse_types import COARSE_TYPES, CUE_WORDS
from readmark.text.word_vectors import COLUMNS

WIDTH = 64
"""How many of the weightiest dimensions of a word's vector are looked at."""
LOW = np.float32(-6.0)
"""How well a word fits that cannot be the answer."""

_CUE_WORDS = len(CUE_WORDS["en"])  # as many a language
_FLAGS = len(COLUMNS) + 3
_SCALE = 1.2  # the part of a unit vector that these dimensions hold is shorter
_NEIGHBOUR = 0.7  # what the words before and after count for
QUESTION_SIDE = len(COARSE_TYPES) + _CUE_WORDS + 2 * WIDTH + 1
WORD_SIDE = 3 * (WIDTH + _FLAGS)


def question_side(question: ReadQuestion) -> AnyFloats:
    """The question as a vector."""
    side = np.zeros(QUESTION_SIDE, np.float32)
    side[question.type] = 1.0
    # A Chinese cue may be only a part of a word.
    words = set(question.words) if question.language == "en" else " ".join(question.words)
    start = len(COARSE_TYPES)
    for index, cue in enumerate(CUE_WORDS[question.language]):
        side[start + index] = cue in words
    start += _CUE_WORDS
    vectors = question.vectors[:, :WIDTH]
    has_content = 1.0 - question.figures[:, FUNCTION_WORD]
    side[start : start + WIDTH] = _unit((question.focus * has_content) @ vectors)
    rarity = question.is_content * question.figures[:, RARITY]
    side[start + WIDTH : start + 2 * WIDTH] = 0.5 * _unit(rarity @ vectors)
    side[-1] = 1.0
    return side


def word_side(passage: ReadPassage) -> AnyFloats:
    """Every word of a passage as a vector: itself, the word before, the word after."""
    words = np.hstack([_SCALE * passage.vectors[:, :WIDTH], passage.flags])
    before, after = np.zeros_like(words), np.zeros_like(words)
    before[1:], after[:-1] = words[:-1], words[1:]
    return np.hstack([words, _NEIGHBOUR * before, _NEIGHBOUR * after])


def answer_fit(
    passage: ReadPassage, questions: Sequence[ReadQuestion], weights: AnyFloats
) -> AnyFloats:
    """How well each word (a column) fits what each question (a row) asks for.

    It is ``word_side`` by the weights by ``question_side``, without the cost of the former.
    """
    sides = np.stack([question_side(question) for question in questions])
    # For each question what the word itself, the one before and the one after should be like.
    ideals = (sides @ weights).reshape(3 * len(questions), -1).T
    fits = passage.vectors[:, :WIDTH] @ (_SCALE * ideals[:WIDTH]) + passage.flags @ ideals[WIDTH:]
    word, before, after = fits.T.reshape(len(questions), 3, -1).swapaxes(0, 1)
    total: AnyFloats = word.copy()
    total[:, 1:] += _NEIGHBOUR * before[:, :-1]
    total[:, :-1] += _NEIGHBOUR * after[:, 1:]
    return total


def _unit(vector: AnyFloats) -> AnyFloats:
    unit: AnyFloats = vector / (np.linalg.norm(vector) + 1e-6)
    return unit
