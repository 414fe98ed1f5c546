"""Pearson's correlation of ratings with the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from readmark.corpus.values import Unit
from readmark.marking.metrics import CORRELATION, Floats
from readmark.marking.metrics.rated import MIDDLE, Rated, gold_of, rating_of, why_undefined
from readmark.measures.grid import product, to_grid
from readmark.measures.rank_correlation import from_moments

ALIKE = "the ratings, or the gold ratings, differ by less than a millionth"


@dataclass(frozen=True)
class Pearson(Rated):
    """cov(E, M) / (σE σM) over passages, by moments; metric 3 of the DARPA readability task.

    Undefined where either side does not vary, or a passage is unanswered.
    """

    width: ClassVar[int] = 10
    quantity: ClassVar[str] = CORRELATION
    plot: ClassVar[str] = "panel"
    """A report draws the ratings against the gold, and beside the novices', from its vectors."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(1, e, m, ee, mm, em, the rests of these three, unanswered), counted from the middle.

        A square's rest is what the grid leaves of it, without which ratings that hug their mean
        would lose their digits.
        """
        gold = gold_of(unit, references) - MIDDLE
        if answer is None:
            return _moments(gold, 0.0, 1.0)
        return _moments(gold, rating_of(unit, answer) - MIDDLE, 0.0)

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """The vector of the mean rating: what is correlated when a passage was asked repeatedly."""
        said = [one[2] for one in vectors]
        missing = sum(one[-1] for one in vectors)
        return _moments(vectors[0][1], sum(said) / len(said), missing / len(said))

    def aggregate(self, sums: Floats) -> Floats:
        """The correlation of the passages that were summed."""
        return np.where(sums[..., 9] > 0, np.nan, from_moments(sums[..., :9]))

    def remarks(self, rows: Floats) -> Sequence[str]:
        """Why it is undefined, where it is."""
        why = why_undefined(rows[:, 1], rows[:, 2], rows[:, 9])
        if not why and np.isnan(self.aggregate(rows.sum(axis=0))):
            return [f"undefined: {ALIKE}"]
        return why

    def signature(self) -> Mapping[str, str]:
        """What is correlated."""
        return {
            "gold": "expert mean",
            "repeats": "mean rating",
            "unanswered": "undefined",
            "units": "correlation",
        }


def _moments(gold: float, said: float, unanswered: float) -> Sequence[float]:
    e, m = to_grid(gold), to_grid(said)
    (ee, ee_rest), (mm, mm_rest), (em, em_rest) = product(e, e), product(m, m), product(e, m)
    return 1.0, e, m, ee, mm, em, ee_rest, mm_rest, em_rest, unanswered
