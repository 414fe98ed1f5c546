"""The features of every sentence of a passage for a question, in three blocks.

``sentences``: a row a sentence of named figures; ``matches``: a row for each content word of the
question in each sentence; ``words``: a row for each word of the passage that may be the answer.
Nothing in them names a language, so that questions in one teach the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from readmark.models.evidence.expectation import expectation
from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.match_features import match_rows
from readmark.models.evidence.matching import match
from readmark.models.evidence.readings import ReadPassage, ReadQuestion
from readmark.models.evidence.sentence_features import sentence_rows
from readmark.models.evidence.word_features import Nearness, answerable, nearness, word_rows


class Features(NamedTuple):
    """The three blocks; ``word_starts`` says where each sentence's words begin."""

    sentences: Floats
    matches: Floats
    words: Floats
    word_starts: Ints
    word_places: Ints


def features(passage: ReadPassage, question: ReadQuestion, fitting: Floats) -> Features:
    """All features of a question on a passage; ``fitting`` weighs what looks like an answer."""
    found = match(passage, question)
    near: Nearness = nearness(passage, question, found)
    fits = expectation(passage, question, fitting)
    may_answer = answerable(passage, found)
    sentences = sentence_rows(passage, question, found, near, np.where(may_answer, fits, LOW))
    matches = match_rows(passage, question, found, near)
    words, places = word_rows(passage, question, found, near, fits, may_answer)
    starts = np.searchsorted(passage.sentence_of[places], np.arange(len(passage.starts)))
    return Features(sentences, matches, words, starts, places)


LOW = np.float32(-6.0)
"""How well a word fits that cannot be the answer."""
