"""Whether an answer holds a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.overlap import BestOverReferences
from readmark.marking.profiles import Profile

HOLDERS = ("answer", "reference", "either")


@dataclass(frozen=True)
class Contains(BestOverReferences):
    """1 when a whole reference stands, normalised, inside the answer: for wordy candidates.

    Whole tokens are looked for, so a word does not stand in a longer one.
    """

    holder: str = parameter(
        "answer",
        choices=HOLDERS,
        help="which of the two holds the other whole: answer for wordy, reference for terse ones",
    )

    def pair(self, rules: Profile, reference: str, answer: str) -> float:
        """Held or not."""
        if self.holder == "answer":
            return rules.contains(reference, answer)
        if self.holder == "reference":
            return rules.contains(answer, reference)
        return max(rules.contains(reference, answer), rules.contains(answer, reference))

    def signature(self) -> Mapping[str, str]:
        """As the profile's, but a whole reference is looked for, as one run of tokens."""
        return {**super().signature(), "match": "whole", "holder": self.holder}
