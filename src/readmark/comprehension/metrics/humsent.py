"""humsent: share of answers in a sentence that people marked as answering the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readmark.comprehension.metrics.right_sentence import RightSentence
from readmark.core.records import PROPOSED, PUBLISHER, Unit
from readmark.text.answers.places import holding, taken_by


@dataclass
class HumSent(RightSentence):
    """The sentences marked in the key; where none are, those that hold the answers' spans.

    Sentences that are only proposed do not count as marked: a person has not seen them.
    """

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """Marked sentences, else the ones that hold a reference."""
        sentences = self.sentences(unit)
        marked = unit.key.sentences
        if marked and "sentences" not in unit.key.fields.get(PROPOSED, ()):
            return frozenset(index for span in marked for index in taken_by(span, sentences))
        # A publisher's key is no span of the passage: AutSent is for those.
        spans = [
            reference
            for person in references
            for reference in person
            if reference.text and reference.annotator != PUBLISHER
        ]
        return holding(spans, unit.record.text, sentences)
