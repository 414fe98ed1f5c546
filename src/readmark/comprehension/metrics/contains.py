"""contains: share of answers that hold a whole reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.comprehension.metrics.best_over_references import BestOverReferences
from readmark.comprehension.profiles import ScoringProfile
from readmark.core.registry import parameter


@dataclass(frozen=True)
class Contains(BestOverReferences):
    """1 when a whole reference occurs, normalised, inside the answer: for wordy candidates.

    Whole tokens are looked for, so a word does not occur in a longer one.
    """

    holder: str = parameter(
        "answer",
        choices=("answer", "reference", "either"),
        help="which must contain the other: answer for wordy, reference for terse candidates",
    )

    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        if self.holder == "answer":
            return rules.contains(reference, answer)
        if self.holder == "reference":
            return rules.contains(answer, reference)
        return max(rules.contains(reference, answer), rules.contains(answer, reference))

    def signature(self) -> Mapping[str, str]:
        # The profile's own match is for partial overlap, which this metric does not have.
        return {**super().signature(), "match": "whole", "holder": self.holder}
