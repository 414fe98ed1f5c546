"""What the metrics of ratings share: the gold, the ends of the scale, and ratings as moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from readmark.corpus.errors import DataError
from readmark.corpus.kinds.readability import HIGHEST, LOWEST
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import CORRELATION, Floats

MIDDLE = (LOWEST + HIGHEST) / 2
"""What ratings are counted from, so that the sums of their squares stay small."""


FARTHEST = 1000.0
"""A rating off the scale is taken as given, but one beyond this is no rating."""


def expert_ratings(unit: Unit, references: Sequence[Sequence[Any]]) -> list[float]:
    """Every expert's rating."""
    return [_sane(unit, one) for person in references for one in person]


def gold_of(unit: Unit, references: Sequence[Sequence[Any]]) -> float:
    """The mean of the experts' ratings."""
    ratings = expert_ratings(unit, references)
    return sum(ratings) / len(ratings)


def rating_of(unit: Unit, answer: Any) -> float:
    """The rating of an answer."""
    return _sane(unit, answer)


def _sane(unit: Unit, one: Any) -> float:
    if not abs(one.rating) <= FARTHEST:
        whose = f" of {one.annotator}" if one.annotator else ""
        raise DataError(f"{unit.id}: the rating {one.rating:g}{whose} is none, expected 1 to 5")
    return float(one.rating)


def farthest(gold: float) -> float:
    """How far the end of the scale is that is farther from the gold."""
    return max(gold - LOWEST, HIGHEST - gold)


class Rated:
    """A metric of ratings: nothing of it depends on the test."""

    scale: ClassVar[float] = 1.0
    additive: ClassVar[bool] = True
    ratio: ClassVar[bool] = False
    """A correlation, or a difference, has no natural zero: people are subtracted, no divisor."""

    def resolve(self, test: Test) -> Self:
        """As it stands."""
        return self


class RankedPairs(Rated):
    """A correlation of ranks: a unit's vector is (gold, rating, whether it is unanswered)."""

    width: ClassVar[int] = 3
    additive: ClassVar[bool] = False
    quantity: ClassVar[str] = CORRELATION

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Both counted from the middle of the scale."""
        gold = gold_of(unit, references) - MIDDLE
        return (gold, 0.0, 1.0) if answer is None else (gold, rating_of(unit, answer) - MIDDLE, 0.0)

    def aggregate(self, sums: Floats) -> Floats:
        """Undefined: it is no function of sums."""
        return np.full(sums.shape[:-1], np.nan)

    def remarks(self, rows: Floats) -> Sequence[str]:
        """Why it is undefined, where it is."""
        return why_undefined(rows[:, 0], rows[:, 1], rows[:, 2])

    def signature(self) -> Mapping[str, str]:
        """What is correlated."""
        return {"gold": "expert mean", "repeats": "mean rating", "unanswered": "undefined"}


def why_undefined(gold: Floats, ratings: Floats, unanswered: Floats) -> list[str]:
    """What a correlation lacks, in words; nothing where it is defined."""
    missing = int(np.count_nonzero(unanswered))
    if missing:
        were = "passage is" if missing == 1 else "passages are"
        return [f"undefined: {missing} {were} unanswered"]
    if len(gold) < 2:
        return ["undefined: a correlation takes two passages or more"]
    if np.ptp(ratings) == 0:
        return ["undefined: the ratings are all the same"]
    if np.ptp(gold) == 0:
        return ["undefined: the gold ratings are all the same"]
    return []
