"""average: the mean of EM and F1, which CMRC 2018's leaderboard ranks by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.comprehension.metrics.f1 import F1
from readmark.comprehension.profiles import ScoringProfile


@dataclass(frozen=True)
class Average(F1):
    """Half EM, half F1, each at its own best reference."""

    def best_over(self, rules: ScoringProfile, references: Sequence[str], answer: str) -> float:
        """The two bests may be at different references, as on the leaderboard."""
        em = max((rules.em(reference, answer) for reference in references), default=0.0)
        f1 = max((rules.f1(reference, answer) for reference in references), default=0.0)
        return (em + f1) / 2

    def signature(self) -> Mapping[str, str]:
        return {**super().signature(), "average": "em,f1"}
