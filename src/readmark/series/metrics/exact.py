"""Exact match: rewrites that are a gold rewrite, letter for letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.core.records import Unit
from readmark.hooks import MetricFacts
from readmark.marking import Ratio
from readmark.series.metrics.golds import golds


@dataclass(frozen=True)
class Exact(Ratio):
    """1 when a rewrite equals a gold one, runs of white space counting as one space."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, scale=1.0)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(1 if the rewrite is a gold one else 0, 1): the marks are shares of questions."""
        if answer is None:
            return 0.0, 1.0
        words = answer.text.split()
        return float(any(gold.split() == words for gold in golds(unit, references))), 1.0

    def signature(self) -> Mapping[str, str]:
        """How texts are compared and marks are averaged."""
        return {
            "normal": "spaces",
            "previous": "instantiated",
            "references": "best",
            "units": "mean",
        }
