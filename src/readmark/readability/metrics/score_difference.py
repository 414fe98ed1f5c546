"""score_difference: how much nearer the gold a rating is than the average novice's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.records import Unit
from readmark.hooks import MetricFacts
from readmark.readability.metrics.ratings import gold_of, rating_of
from readmark.readability.scale import HIGHEST, LOWEST


@dataclass(frozen=True)
class ScoreDifference:
    """Mean over passages of (mean |gold - novice|) - |gold - rating|, in stars; more is better.

    Metric 1 of the DARPA Machine Reading evaluation's readability task. A passage that no
    novice rated does not count. Two raters beside the same novices differ by their distances from
    the gold alone, so they are compared without novices too.
    """

    facts: ClassVar[MetricFacts] = MetricFacts(
        width=5,
        quantity="difference",
        uncounted="no novice rated them (novices' sittings come by --people)",
        from_people="compared by the distances from the gold, on all passages: novices would be "
        "the same on both sides",
    )

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Distances from the gold and whether they count.

        With novices (|gold - rating|, mean |gold - novice|, 1, 0, 0), without them
        (0, 0, 0, |gold - rating|, 1). An unanswered passage is as far off as a rating can be: at
        the farther end of the scale.
        """
        gold = gold_of(unit, references)
        if answer is None:
            distance = max(gold - LOWEST, HIGHEST - gold)
        else:
            distance = abs(gold - rating_of(unit, answer))
        if not people:
            return 0.0, 0.0, 0.0, distance, 1.0
        novices = [abs(gold - rating_of(unit, novice)) for novice in people]
        return distance, sum(novices) / len(novices), 1.0, 0.0, 0.0

    def aggregate(self, sums: Floats) -> Floats:
        """The mean difference; undefined without novices."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((sums[..., 1] - sums[..., 0]) / sums[..., 2])

    def paired(self, sums: Floats) -> Floats:
        """What two raters are compared by: the mean distance from the gold, negated."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(-(sums[..., 0] + sums[..., 3]) / (sums[..., 2] + sums[..., 4]))

    def signature(self) -> Mapping[str, str]:
        """Whose ratings are set against each other."""
        return {
            "gold": "expert mean",
            "novices": "mean distance",
            "unanswered": "farthest rating",
            "units": "mean",
        }
