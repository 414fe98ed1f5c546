"""f1: overlap of the tokens of answer and reference."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.comprehension.metrics.best_over_references import BestOverReferences
from readmark.comprehension.profiles import ScoringProfile
from readmark.core.registry import parameter


@dataclass(frozen=True)
class F1(BestOverReferences):
    """Harmonic mean of token precision and recall; the profile says what tokens share."""

    match: str | None = parameter(
        None,
        choices=("substring", "subsequence", "bag"),
        help="profiles zh and cmrc2018 (no bag): which common tokens count; default: substring",
    )

    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        return rules.f1(reference, answer)
