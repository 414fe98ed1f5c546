"""How much closer to the gold a rating is than the average novice's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from readmark.corpus.values import Unit
from readmark.marking.metrics import Floats
from readmark.marking.metrics.rated import Rated, farthest, gold_of, rating_of


@dataclass(frozen=True)
class ScoreDifference(Rated):
    """Mean over passages of (mean |gold - novice|) - |gold - rating|, in stars; more is better.

    Metric 1 of the DARPA Machine Reading evaluation's readability task. A passage that no
    novice rated does not count. Two raters beside the same novices differ by their distances from
    the gold alone, so they are compared without novices too.
    """

    width: ClassVar[int] = 5
    unmarked: ClassVar[str] = "is measured from these people and has no value of theirs"
    unneeded: ClassVar[str] = (
        "compared by the distances from the gold, on all passages: novices would be the same on "
        "both sides"
    )
    uncounted: ClassVar[str] = "no novice rated them (novices' sittings come by --people)"

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(|gold - rating|, mean |gold - novice|, 1, 0, 0); without novices (0, 0, 0, ..., 1).

        Unanswered, the rating is the farther end of the scale.
        """
        gold = gold_of(unit, references)
        own = farthest(gold) if answer is None else abs(gold - rating_of(unit, answer))
        if not people:
            return 0.0, 0.0, 0.0, own, 1.0
        theirs = [abs(gold - rating_of(unit, one)) for one in people]
        return own, sum(theirs) / len(theirs), 1.0, 0.0, 0.0

    def aggregate(self, sums: Floats) -> Floats:
        """The mean difference; undefined without novices."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((sums[..., 1] - sums[..., 0]) / sums[..., 2])

    def paired(self, sums: Floats) -> Floats:
        """What two raters are compared by: less the mean distance from the gold."""
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
