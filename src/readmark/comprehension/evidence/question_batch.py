"""Several questions on one passage side by side: each step is taken once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.comprehension.evidence.readings import ReadQuestion
from readmark.core.arrays import AnyFloats, AnyInts


@dataclass(frozen=True, slots=True)
class QuestionBatch:
    """The words of the questions, one question after another."""

    questions: Sequence[ReadQuestion]
    keys: AnyInts
    families: AnyInts
    figures: AnyFloats
    names: AnyFloats
    vectors: AnyFloats
    focus: AnyFloats
    starts: AnyInts
    """Where each question begins among the words."""
    content: AnyInts
    """The places of the content words among the words."""
    content_starts: AnyInts
    """Where each question begins among the content words, of which each has one or more."""
    content_counts: AnyInts
    others: AnyInts
    """The places of the other words among the words."""
    other_shares: AnyFloats
    """One row per question: the share that each of its other words is of them."""
    types: AnyInts

    def per_content_word(self, of_questions: AnyFloats | AnyInts) -> AnyFloats:
        """A figure of each question, repeated for each of its content words."""
        repeated: AnyFloats = np.repeat(of_questions, self.content_counts)
        return repeated

    def in_blocks(self, rows: AnyFloats) -> AnyFloats:
        """Rows of figures of the content words as a block per question, 0 at other questions'."""
        kinds, words = rows.shape
        blocks = np.zeros((len(self.questions), kinds, words), np.float32)
        for index, (start, count) in enumerate(
            zip(self.content_starts.tolist(), self.content_counts.tolist(), strict=True)
        ):
            blocks[index, :, start : start + count] = rows[:, start : start + count]
        return blocks


def batch_questions(questions: Sequence[ReadQuestion]) -> QuestionBatch:
    """Put questions on one passage side by side."""
    lengths = np.array([len(question.words) for question in questions])
    starts = np.cumsum(lengths) - lengths
    content_counts = np.array([len(question.content) for question in questions])
    other_counts = [len(question.others) for question in questions]
    other_shares = np.zeros((len(questions), sum(other_counts)), np.float32)
    first = 0
    for row, count in enumerate(other_counts):
        other_shares[row, first : first + count] = 1.0 / max(1, count)
        first += count
    return QuestionBatch(
        questions=questions,
        keys=np.concatenate([question.keys for question in questions]),
        families=np.concatenate([question.families for question in questions]),
        figures=np.concatenate([question.figures for question in questions]),
        names=np.concatenate([question.names for question in questions]),
        vectors=np.concatenate([question.vectors for question in questions]),
        focus=np.concatenate([question.focus for question in questions]),
        starts=starts,
        content=np.concatenate(
            [question.content + start for question, start in zip(questions, starts, strict=True)]
        ),
        content_starts=np.cumsum(content_counts) - content_counts,
        content_counts=content_counts,
        others=np.concatenate(
            [question.others + start for question, start in zip(questions, starts, strict=True)]
        ),
        other_shares=other_shares,
        types=np.array([question.type for question in questions]),
    )
