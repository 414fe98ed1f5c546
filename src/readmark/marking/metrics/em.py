"""Exact match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.marking.metrics.overlap import BestOverReferences
from readmark.marking.profiles import Profile


@dataclass(frozen=True)
class ExactMatch(BestOverReferences):
    """1 when the answer equals a reference once both are normalised (Rajpurkar et al., SQuAD)."""

    def pair(self, rules: Profile, reference: str, answer: str) -> float:
        """Equal or not."""
        return rules.em(reference, answer)

    def signature(self) -> Mapping[str, str]:
        """As the profile's, less how partial overlaps are found."""
        return {key: said for key, said in super().signature().items() if key != "match"}
