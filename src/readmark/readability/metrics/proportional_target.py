"""proportional_target: hits of the experts' range, worth more the narrower the range is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.numbers import percent
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.test import Test
from readmark.hooks import MetricFacts, MetricReport
from readmark.readability.metrics.ratings import expert_ratings, rating_of

_SIGNED_ROUNDING = {None: "half up where experts' are whole", True: "half up", False: "no"}


@dataclass(frozen=True)
class ProportionalTarget:
    """The sum over passages of hits: 1 / (1 + max - min) within the closed range, else 0.

    Metric 2 of the DARPA Machine Reading evaluation's readability task. Like is compared with
    like: where experts give whole stars, a rating is rounded to stars, so that 3.9 hits where all
    of them say 4. ``round=False`` takes ratings as they are, where 3.9 misses.
    """

    round: bool | None = parameter(
        None,
        help="whether the rating is first rounded to stars, halves up; by default where all "
        "experts' ratings are whole stars",
    )

    facts: ClassVar[MetricFacts] = MetricFacts(width=3)

    def resolve(self, test: Test) -> Self:
        """Without an explicit ``round``: round where all experts of the test rate in whole stars.

        The whole test decides, so that one rule holds for all passages and the signature names it.
        """
        if self.round is not None:
            return self
        references = (test.kind.references(unit) for unit in test.units())
        ratings = (
            answer.rating for experts in references for expert in experts for answer in expert
        )
        return replace(self, round=whole_stars(ratings))

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
        rating = rating_of(unit, answer)
        if whole_stars(experts) if self.round is None else self.round:
            rating = math.floor(rating + 0.5)  # not round(), which takes 2.5 to 2 and 3.5 to 4
        return (1 / (1 + high - low) if low <= rating <= high else 0.0), narrow, 1.0

    def aggregate(self, sums: Floats) -> Floats:
        """The sum of the hits; undefined where there is no passage."""
        return np.asarray(np.where(sums[..., 2] > 0, sums[..., 0], np.nan))

    def report(self, rows: Floats) -> MetricReport:
        """How many targets are a single rating, because all experts agree."""
        narrow, passages = int(rows[:, 1].sum()), int(rows[:, 2].sum())
        if not narrow:
            return MetricReport()
        share = f"{narrow} of {passages} targets ({percent(narrow / passages, 0)})"
        rounds = self.round is not False
        only = "the rounded rating must be theirs" if rounds else "only that very rating hits"
        return MetricReport(remarks=[f"{share} have no width: {only}"])

    def signature(self) -> Mapping[str, str]:
        """The target, and whether ratings are rounded."""
        return {
            "target": "expert range",
            "round": _SIGNED_ROUNDING[self.round],
            "unanswered": "0",
            "units": "sum",
        }


def whole_stars(ratings: Iterable[float]) -> bool:
    """Whether all ratings are whole stars."""
    return all(float(rating).is_integer() for rating in ratings)
