"""The metrics of ratings: score difference, proportional target, and three correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.numbers import percent
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.test import Test
from readmark.hooks import MetricFacts, MetricReport
from readmark.readability.kind import HIGHEST, LOWEST
from readmark.statistics.correlation import (
    Moments,
    from_moments,
    kendall,
    moments,
    spearman,
)
from readmark.statistics.grid import GRID

MIDDLE = (LOWEST + HIGHEST) / 2
"""What ratings are counted from, so that the sums of their squares stay small."""


FARTHEST = 1000.0
"""A rating off the scale is taken as given, but one beyond this is no rating."""


def expert_ratings(unit: Unit, references: Sequence[Sequence[Any]]) -> list[float]:
    """Every expert's rating."""
    return [rating_of(unit, one) for person in references for one in person]


def gold_of(unit: Unit, references: Sequence[Sequence[Any]]) -> float:
    """The mean of the experts' ratings."""
    ratings = expert_ratings(unit, references)
    return sum(ratings) / len(ratings)


def rating_of(unit: Unit, one: Any) -> float:
    """The rating of an answer, which must be near enough to the scale."""
    if not abs(one.rating) <= FARTHEST:
        owner = f" of {one.annotator}" if one.annotator else ""
        raise DataError(f"{unit.id}: the rating {one.rating:g}{owner} is none, expected 1 to 5")
    return float(one.rating)


def farthest(gold: float) -> float:
    """How far the end of the scale is that is farther from the gold."""
    return max(gold - LOWEST, HIGHEST - gold)


class RankedPairs:
    """A correlation of ranks: a unit's vector is (gold, rating, whether it is unanswered)."""

    facts: ClassVar[MetricFacts] = MetricFacts(width=3, quantity="correlation")
    ties: ClassVar[str]
    """How ties are ranked."""
    correlation: ClassVar[Callable[[Floats, Floats], float]]

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

    def score(self, rows: Floats) -> float:
        """Of the passages given; NaN where it is undefined."""
        return math.nan if rows[:, 2].any() else type(self).correlation(rows[:, 0], rows[:, 1])

    def report(self, rows: Floats) -> MetricReport:
        """Why it is undefined, where it is."""
        return MetricReport(remarks=why_undefined(rows[:, 0], rows[:, 1], rows[:, 2]))

    def signature(self) -> Mapping[str, str]:
        """What is correlated, and how ties are ranked."""
        pair = {"gold": "expert mean", "repeats": "mean rating", "unanswered": "undefined"}
        return {**pair, "ties": self.ties}


def why_undefined(gold: Floats, ratings: Floats, unanswered: Floats) -> list[str]:
    """What a correlation lacks, in words; nothing where it is defined."""
    missing = int(np.count_nonzero(unanswered))
    if missing:
        return [f"undefined: {counted(missing, 'passage is', 'passages are')} unanswered"]
    if len(gold) < 2:
        return ["undefined: a correlation takes two passages or more"]
    if np.ptp(ratings) == 0:
        return ["undefined: the ratings are all the same"]
    if np.ptp(gold) == 0:
        return ["undefined: the gold ratings are all the same"]
    return []


@dataclass(frozen=True)
class Kendall(RankedPairs):
    """tau-b: pairs in the same order less pairs in the opposite one, corrected for ties."""

    ties = "tau-b"
    correlation = kendall


@dataclass(frozen=True)
class Spearman(RankedPairs):
    """Pearson's correlation of ranks; equal ratings share the mean of their ranks."""

    ties = "mean rank"
    correlation = spearman


# Pearson's correlation of ratings with the gold.


ALIKE = "the ratings, or the gold ratings, differ by less than a billionth"


@dataclass(frozen=True)
class Pearson:
    """cov(E, M) / (σE σM) over passages, by moments; metric 3 of the DARPA readability task.

    Undefined where either side does not vary, or a passage is unanswered.
    """

    facts: ClassVar[MetricFacts] = MetricFacts(width=15, quantity="correlation")

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """``Moments`` of gold and rating, from the middle of the scale, and whether unanswered."""
        gold = gold_of(unit, references) - MIDDLE
        if answer is None:
            return *moments(gold, 0.0), 1.0
        return *moments(gold, rating_of(unit, answer) - MIDDLE), 0.0

    def averaged(self, vectors: Sequence[Sequence[float]]) -> Sequence[float]:
        """The vector of the mean rating: what is correlated when a passage was asked repeatedly."""
        pairs = [pair_of(vector) for vector in vectors]
        missing = sum(vector[-1] for vector in vectors)
        rating = sum(rating for _, rating in pairs) / len(pairs)
        return *moments(pairs[0][0], rating), missing / len(pairs)

    def aggregate(self, sums: Floats) -> Floats:
        """The correlation of the passages that were summed."""
        return np.where(sums[..., -1] > 0, np.nan, from_moments(sums[..., :-1]))

    def report(self, rows: Floats) -> MetricReport:
        """Why it is undefined, where it is."""
        gold, ratings = pair_of(list(rows.T))
        why = why_undefined(gold, ratings, rows[:, -1])
        if not why and np.isnan(self.aggregate(rows.sum(axis=0))):
            why = [f"undefined: {ALIKE}"]
        return MetricReport(remarks=why)

    def signature(self) -> Mapping[str, str]:
        """What is correlated."""
        return {
            "gold": "expert mean",
            "repeats": "mean rating",
            "unanswered": "undefined",
            "units": "correlation",
        }


def pair_of(vector: Sequence[Any]) -> tuple[Any, Any]:
    """Gold and rating of ``Pearson``'s vector, or of its columns, from the middle of the scale."""
    made: Moments[Any] = Moments(*vector[:-1])
    return made.x + made.x_low * GRID, made.y + made.y_low * GRID


# Hits of the range of the experts' ratings, worth the more the narrower it is.


_ROUNDING = {None: "half up where experts' are whole", True: "half up", False: "no"}


def whole_stars(ratings: Iterable[float]) -> bool:
    """Whether all of some ratings are whole stars."""
    return all(float(rating).is_integer() for rating in ratings)


@dataclass(frozen=True)
class ProportionalTarget:
    """The sum over passages of hits: 1 / (1 + max - min) within the closed range, else 0.

    Metric 2 of the DARPA Machine Reading evaluation's readability task. Like is compared with
    like: where experts give whole stars, a rating is rounded to stars, so that 3.9 hits where all
    of them say 4. ``round=False`` takes ratings as given, where 3.9 misses.
    """

    round: bool | None = parameter(
        None,
        help="whether the rating is first rounded to stars, halves up; by default where all "
        "experts' ratings are whole stars",
    )

    facts: ClassVar[MetricFacts] = MetricFacts(width=3)

    def resolve(self, test: Test) -> Self:
        """Rounding as the experts of the test rated, where nothing else is asked for."""
        if self.round is not None:
            return self
        references = (test.kind.references(unit) for unit in test.units())
        ratings = (one.rating for people in references for person in people for one in person)
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
        value = rating_of(unit, answer)
        rounds = whole_stars(experts) if self.round is None else self.round
        value = math.floor(value + 0.5) if rounds else value
        return (1 / (1 + high - low) if low <= value <= high else 0.0), narrow, 1.0

    def aggregate(self, sums: Floats) -> Floats:
        """The sum of the hits; undefined where there is no passage."""
        return np.asarray(np.where(sums[..., 2] > 0, sums[..., 0], np.nan))

    def report(self, rows: Floats) -> MetricReport:
        """How many targets only the very rating hits."""
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
            "round": _ROUNDING[self.round],
            "unanswered": "0",
            "units": "sum",
        }


# How much closer to the gold a rating is than the average novice's.


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
        """(|gold - rating|, mean |gold - novice|, 1, 0, 0); without novices (0, 0, 0, ..., 1).

        Unanswered, the rating is the farther end of the scale.
        """
        gold = gold_of(unit, references)
        own = farthest(gold) if answer is None else abs(gold - rating_of(unit, answer))
        if not people:
            return 0.0, 0.0, 0.0, own, 1.0
        theirs = [abs(gold - rating_of(unit, person)) for person in people]
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
