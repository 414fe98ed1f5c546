"""Exact match of rewritten questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics.ratio import Ratio
from readmark.marking.metrics.rewrites import golds


@dataclass(frozen=True)
class Exact(Ratio):
    """1 when a rewrite equals a gold one, runs of white space counting as one space."""

    scale: ClassVar[float] = 1.0

    def resolve(self, test: Test) -> Exact:
        """Nothing depends on the test."""
        return self

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Equal to any gold, or not."""
        if answer is None:
            return 0.0, 1.0
        said = answer.text.split()
        return float(any(gold.split() == said for gold in golds(unit, references))), 1.0

    def signature(self) -> Mapping[str, str]:
        """The comparison."""
        return {
            "normal": "spaces",
            "previous": "instantiated",
            "references": "best",
            "units": "mean",
        }
