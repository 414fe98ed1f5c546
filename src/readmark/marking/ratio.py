"""What most metrics are: a mark that is one sum over another."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.test import Test
from readmark.hooks import MetricFacts


class Ratio:
    """A unit's vector is (what counts for it, what could); a unit of (0, 0) does not count."""

    facts: ClassVar[MetricFacts] = MetricFacts(scale=100.0, width=2, quantity="share")

    def aggregate(self, sums: Floats) -> Floats:
        """The first sum over the second; undefined where nothing counts."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])


@dataclass
class RatioInLanguage(Ratio):
    """One that cuts texts into sentences or words by the test's language."""

    language: str = field(default="en", init=False)

    def resolve(self, test: Test) -> Self:
        """The metric for the test's language; nothing that was cached for another goes with it."""
        resolved = dataclasses.replace(self)
        resolved.language = test.language
        return resolved
