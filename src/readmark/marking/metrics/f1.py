"""Token F1."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics import parameter
from readmark.marking.metrics.overlap import MATCHES, BestOverReferences
from readmark.marking.profiles import Profile


@dataclass(frozen=True)
class F1(BestOverReferences):
    """Harmonic mean of token precision and recall; the profile says what tokens share."""

    match: str | None = parameter(
        None,
        choices=MATCHES,
        help="profile zh only: which common tokens count; substring by default",
    )

    def pair(self, rules: Profile, reference: str, answer: str) -> float:
        """Overlap of the two token sequences."""
        return rules.f1(reference, answer)
