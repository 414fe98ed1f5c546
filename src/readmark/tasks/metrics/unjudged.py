"""The share of answers that nobody has judged yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.core.records import Unit
from readmark.hooks import MetricFacts
from readmark.marking import Ratio
from readmark.tasks.judgement import judge


@dataclass(frozen=True)
class Unjudged(Ratio):
    """Share of answers that are neither in the gold nor judged to be wrong or beyond the phase."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, best=0.0, worst=1.0)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(not judged, given)."""
        judged = judge(unit, references, answer, credit="partial")
        unjudged = len(judged.unjudged)
        return float(unjudged), float(unjudged + len(judged.wrong) + len(judged.right))

    def signature(self) -> Mapping[str, str]:
        """What is counted."""
        return {"units": "ratio of sums"}
