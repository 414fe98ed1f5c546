"""em: share of answers that equal a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.comprehension.metrics.best_over_references import BestOverReferences
from readmark.comprehension.profiles import ScoringProfile


@dataclass(frozen=True)
class ExactMatch(BestOverReferences):
    """1 when the answer equals a reference once both are normalised (Rajpurkar et al., SQuAD)."""

    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        return rules.em(reference, answer)

    def signature(self) -> Mapping[str, str]:
        signature = dict(super().signature())
        signature.pop("match", None)  # only partial overlaps depend on it
        return signature
