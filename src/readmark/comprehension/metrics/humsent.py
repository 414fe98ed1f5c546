"""humsent: share of answers in a sentence that people marked as answering the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readmark.comprehension.metrics.right_sentence import RightSentence
from readmark.core.records import PROPOSED, PUBLISHER, Unit
from readmark.text.answers.sentences import sentences_of_answers, sentences_of_span


@dataclass
class HumSent(RightSentence):
    """The right sentences are those marked in the key, else those that contain an answer's span.

    Sentences that a rule only proposed do not count as marked: no person has confirmed them.
    """

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        sentences = self.sentences(unit)
        marked = unit.key.sentences
        if marked and "sentences" not in unit.key.fields.get(PROPOSED, ()):
            return frozenset(
                index for span in marked for index in sentences_of_span(span, sentences)
            )
        # A publisher's key is worded freely and has no place in the passage: AutSent is for those.
        spans = [
            reference
            for person in references
            for reference in person
            if reference.text and reference.annotator != PUBLISHER
        ]
        return sentences_of_answers(spans, unit.record.text, sentences)
