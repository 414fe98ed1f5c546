"""The features of every sentence of a passage for a question, in three blocks.

``sentences``: named figures per sentence; ``matches``: a row for each content word of the
question in each sentence; ``words``: a row for each word of the passage that may be the answer.
Nothing in them names a language, so that questions in one teach the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from readmark.comprehension.evidence.answer_fit import LOW, answer_fit
from readmark.comprehension.evidence.match_features import match_rows
from readmark.comprehension.evidence.matches import match, nearby_matches
from readmark.comprehension.evidence.question_batch import QuestionBatch, batch_questions
from readmark.comprehension.evidence.readings import ReadPassage, ReadQuestion
from readmark.comprehension.evidence.sentence_features import sentence_rows
from readmark.comprehension.evidence.word_features import answerable, word_rows
from readmark.core.arrays import AnyFloats, AnyInts


class QuestionFeatures(NamedTuple):
    """The three blocks of a question; ``word_starts`` says where each sentence's words begin."""

    sentences: AnyFloats
    matches: AnyFloats
    words: AnyFloats
    word_starts: AnyInts
    word_places: AnyInts


class BatchFeatures(NamedTuple):
    """The blocks of several questions on a passage, one after another."""

    batch: QuestionBatch
    sentences: AnyFloats
    """(questions, sentences, features)"""
    matches: AnyFloats
    """(content words of all questions, sentences, features)"""
    words: AnyFloats
    word_starts: AnyInts
    """Where the words of each sentence begin, for each question."""
    word_places: AnyInts

    def of(self, index: int) -> QuestionFeatures:
        """The features of one of the questions."""
        first, count = self.batch.content_starts[index], self.batch.content_counts[index]
        sentences = self.sentences.shape[1]
        after = (index + 1) * sentences
        starts = self.word_starts[index * sentences : after]
        end = self.word_starts[after] if after < len(self.word_starts) else len(self.words)
        return QuestionFeatures(
            sentences=self.sentences[index],
            matches=self.matches[first : first + count],
            words=self.words[starts[0] : end],
            word_starts=starts - starts[0],
            word_places=self.word_places[starts[0] : end],
        )


def batch_features(
    passage: ReadPassage, questions: Sequence[ReadQuestion], fitting: AnyFloats
) -> BatchFeatures:
    """All features of questions on a passage; ``fitting`` weighs what looks like an answer."""
    batch = batch_questions(questions)
    matching = match(passage, batch)
    near = nearby_matches(passage, batch, matching)
    fits = answer_fit(passage, questions, fitting)
    may_answer = answerable(passage, matching)
    sentences = sentence_rows(passage, batch, matching, near, np.where(may_answer, fits, LOW))
    matches = match_rows(passage, batch, matching, near)
    words, question_of, places = word_rows(passage, batch, matching, near, fits, may_answer)
    count = len(passage.starts)
    sentence_of = question_of * count + passage.sentence_of[places]
    starts = np.searchsorted(sentence_of, np.arange(len(questions) * count))
    return BatchFeatures(batch, sentences, matches, words, starts, places)


def features(passage: ReadPassage, question: ReadQuestion, fitting: AnyFloats) -> QuestionFeatures:
    """The features of a single question."""
    return batch_features(passage, [question], fitting).of(0)
