"""Hits of the range of the experts' ratings, worth the more the narrower it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from readmark.corpus.values import Unit
from readmark.marking.metrics import Floats, parameter
from readmark.marking.metrics.rated import Rated, expert_ratings, rating_of


@dataclass(frozen=True)
class ProportionalTarget(Rated):
    """The sum over passages of hits: 1 / (1 + max - min) within the closed range, else 0.

    Metric 2 of the DARPA Machine Reading evaluation's readability task. Ratings are taken as
    given: where all experts agree on 4 stars, 3.9 misses.
    """

    round: bool = parameter(False, help="whether the rating is first rounded to stars, halves up")

    width: ClassVar[int] = 3
    ratio: ClassVar[bool] = True

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(hit, whether the target has no width, 1); an unanswered passage misses."""
        experts = expert_ratings(unit, references)
        low, high = min(experts), max(experts)
        narrow = float(low == high)
        if answer is None:
            return 0.0, narrow, 1.0
        said = rating_of(unit, answer)
        said = math.floor(said + 0.5) if self.round else said
        return (1 / (1 + high - low) if low <= said <= high else 0.0), narrow, 1.0

    def aggregate(self, sums: Floats) -> Floats:
        """The sum of the hits; undefined where there is no passage."""
        return np.asarray(np.where(sums[..., 2] > 0, sums[..., 0], np.nan))

    def remarks(self, rows: Floats) -> Sequence[str]:
        """How many targets only the very rating hits."""
        narrow, passages = int(rows[:, 1].sum()), int(rows[:, 2].sum())
        if not narrow:
            return []
        share = f"{narrow} of {passages} targets ({100 * narrow / passages:.0f}%)"
        return [f"{share} have no width: {_only(self.round)}"]

    def signature(self) -> Mapping[str, str]:
        """The target, and whether ratings are rounded."""
        return {
            "target": "expert range",
            "round": "half up" if self.round else "no",
            "unanswered": "0",
            "units": "sum",
        }


def _only(rounded: bool) -> str:
    return "the rounded rating must be theirs" if rounded else "only that very rating hits"
