"""Whether an answer holds a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.marking.metrics.overlap import BestOverReferences
from readmark.marking.profiles import Profile


@dataclass(frozen=True)
class Contains(BestOverReferences):
    """1 when a whole reference stands, normalised, inside the answer: for wordy candidates."""

    def pair(self, rules: Profile, reference: str, answer: str) -> float:
        """Held or not."""
        return rules.contains(reference, answer)

    def signature(self) -> Mapping[str, str]:
        """As the profile's, but a whole reference is looked for, as one run of tokens."""
        return {**super().signature(), "match": "whole"}
