"""HumSent: whether the answer is a sentence that people marked as answering the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.kinds.comprehension import PUBLISHER
from readmark.corpus.values import Unit
from readmark.marking.metrics.sentence import RightSentence
from readmark.text.answer_sentences import holding, taken_by


@dataclass
class HumSent(RightSentence):
    """The sentences marked in the key; where none are, those that hold the answers' spans."""

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """Marked sentences, else the ones that hold a reference."""
        among = self.sentences(unit)
        marked = unit.key.sentences
        if marked:
            return frozenset(at for span in marked for at in taken_by(span, among))
        # A publisher's key is no span: AutSent is for those.
        spans = [
            one
            for person in references
            for one in person
            if one.text and one.annotator != PUBLISHER
        ]
        return holding(spans, unit.record.text, among)
