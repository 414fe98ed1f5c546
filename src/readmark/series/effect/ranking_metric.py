"""Measures of rankings as a metric, so that they get intervals and p-values as marks do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from readmark.hooks import MetricFacts
from readmark.marking import Ratio


@dataclass(frozen=True)
class RankingMetric(Ratio):
    """The mean over questions of a measure of rankings; a unit's vector is (value, 1)."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, scale=1.0)
    retriever: str = ""
    unit: str = "passage"
    previous: str = "known"

    def statistics(self, *_: object) -> Sequence[float]:
        """A ranking is no answer: `rank_all` makes the vectors."""
        raise NotImplementedError("rank_all makes the vectors of rankings")

    def signature(self) -> Mapping[str, str]:
        """What ranked what, and how ties count."""
        return {
            "retriever": self.retriever,
            "unit": self.unit,
            "previous": self.previous,
            "ties": "expected",
            "units": "mean",
        }
