"""The features of every sentence of a passage for a question, in three blocks.

``sentences``: a row a sentence of named figures; ``matches``: a row for each content word of the
question in each sentence; ``words``: a row for each word of the passage that may be the answer.
Nothing in them names a language, so that questions in one teach the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from readmark.models.evidence.asked import Asked, asked
from readmark.models.evidence.expectation import expectation
from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.match_features import match_rows
from readmark.models.evidence.matching import match
from readmark.models.evidence.readings import ReadPassage, ReadQuestion
from readmark.models.evidence.sentence_features import sentence_rows
from readmark.models.evidence.word_features import Nearness, answerable, nearness, word_rows


class Features(NamedTuple):
    """The three blocks of a question; ``word_starts`` says where each sentence's words begin."""

    sentences: Floats
    matches: Floats
    words: Floats
    word_starts: Ints
    word_places: Ints


class FeaturesOfAll(NamedTuple):
    """The blocks of several questions on a passage, one after another."""

    asked: Asked
    sentences: Floats
    """(questions, sentences, features)"""
    matches: Floats
    """(content words of all questions, sentences, features)"""
    words: Floats
    word_starts: Ints
    """Where the words of each sentence begin, for each question."""
    word_places: Ints

    def of(self, at: int) -> Features:
        """The features of one of the questions."""
        first, size = self.asked.chosen_starts[at], self.asked.sizes[at]
        count = self.sentences.shape[1]
        starts = self.word_starts[at * count : (at + 1) * count]
        last = (at + 1) * count
        end = self.word_starts[last] if last < len(self.word_starts) else len(self.words)
        return Features(
            sentences=self.sentences[at],
            matches=self.matches[first : first + size],
            words=self.words[starts[0] : end],
            word_starts=starts - starts[0],
            word_places=self.word_places[starts[0] : end],
        )


def features_of_all(
    passage: ReadPassage, questions: Sequence[ReadQuestion], fitting: Floats
) -> FeaturesOfAll:
    """All features of questions on a passage; ``fitting`` weighs what looks like an answer."""
    together = asked(questions)
    found = match(passage, together)
    near: Nearness = nearness(passage, together, found)
    fits = expectation(passage, questions, fitting)
    may_answer = answerable(passage, found)
    sentences = sentence_rows(passage, together, found, near, np.where(may_answer, fits, LOW))
    matches = match_rows(passage, together, found, near)
    words, of, places = word_rows(passage, together, found, near, fits, may_answer)
    count = len(passage.starts)
    in_order = of * count + passage.sentence_of[places]
    starts = np.searchsorted(in_order, np.arange(len(questions) * count))
    return FeaturesOfAll(together, sentences, matches, words, starts, places)


def features(passage: ReadPassage, question: ReadQuestion, fitting: Floats) -> Features:
    """The features of a single question."""
    return features_of_all(passage, [question], fitting).of(0)


LOW = np.float32(-6.0)
"""How well a word fits that cannot be the answer."""
