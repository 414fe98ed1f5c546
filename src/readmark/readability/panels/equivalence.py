"""Is it as good as one of the raters? Each rater and the machine against the other raters.

For each rater in turn, the mean or median of the others is the gold, and the rater and the machine
are marked against it on the same passages. A figure is the mean over the raters left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from readmark.core.arrays import Bools, Floats
from readmark.core.records import Unit
from readmark.hooks import Metric, hook
from readmark.marking import MarkSettings, unit_vector
from readmark.readability.kind import Rating
from readmark.readability.metrics.kendall import Kendall
from readmark.readability.metrics.pearson import Pearson
from readmark.readability.metrics.rank_correlation import RankCorrelation
from readmark.readability.metrics.score_difference import ScoreDifference
from readmark.readability.metrics.spearman import Spearman
from readmark.statistics.equivalence import UNDECIDED, WORSE, Equivalence, two_one_sided
from readmark.statistics.interval_methods import JACKKNIFE
from readmark.statistics.intervals import Interval, interval
from readmark.statistics.jackknife import leave_one_out, t_interval
from readmark.statistics.resampling import bootstrap, bootstrap_rows

Answers = Sequence[Rating | None]
"""A machine's ratings of a passage, one per repeat; None where it gave none."""

FEWEST = 3
"""Leaving one out, there must be two others to make a reference of."""
MARGIN = 0.1
"""The least advantage that ``panel power`` plans for by default, in stars; as a correlation, what
Cohen (Statistical Power Analysis for the Behavioral Sciences) calls a small effect."""
MEASURES: Mapping[str, Metric] = {
    "score_difference": ScoreDifference(),
    "pearson": Pearson(),
    "spearman": Spearman(),
    "kendall": Kendall(),
}
REFERENCES: Mapping[str, Callable[[Floats], float]] = {
    "mean": lambda ratings: float(ratings.mean()),
    "median": lambda ratings: float(np.median(ratings)),
}
BELOW_AVERAGE = "below average"
"""The verdict on a machine that is worse than the average rater, but not behind all of them."""
_TIE = 1e-9
"""Figures that are nearer than this are equal: roundings on the grid are smaller."""


@dataclass(frozen=True, slots=True)
class PeerRatings:
    """Passages in the order of their ids, and what each rater gave them; NaN where nothing."""

    units: Sequence[Unit]
    names: Sequence[str]
    ratings: Floats
    """(passages, raters)"""
    reference: str = "mean"

    @property
    def rated(self) -> Bools:
        """(passages, raters): who rated what."""
        return np.isfinite(self.ratings)

    def of_passages(self, chosen: Sequence[int]) -> PeerRatings:
        """The same on some passages, with the raters who rated any of them."""
        part = self.ratings[list(chosen)]
        present = np.flatnonzero(np.isfinite(part).any(axis=0)).tolist()
        names = [self.names[index] for index in present]
        units = [self.units[index] for index in chosen]
        return PeerRatings(units, names, part[:, present], self.reference)

    def gold(self, passage: int, rater: int) -> Rating:
        """What the other raters gave a passage, as one rating."""
        others = np.delete(self.ratings[passage], rater)
        value = REFERENCES[self.reference](others[np.isfinite(others)])
        return Rating(rating=value, annotator="the other raters")


@dataclass(frozen=True, slots=True)
class PeerComparison:
    """A rater and the machine by one metric, on what the rater rated, against the others."""

    rater: str
    passages: int
    own: float
    machine: float
    test: Equivalence | None
    """None where a figure is undefined."""
    why: str = ""
    """Why it is."""

    @property
    def place(self) -> int:
        """1 where the rater is closer to the others than the machine, -1 where it is farther."""
        gap = self.own - self.machine
        return 0 if abs(gap) <= _TIE else (1 if gap > 0 else -1)


@dataclass(frozen=True, slots=True)
class PeerVerdict:
    """The machine by one metric against the average rater."""

    metric: str
    each: Sequence[PeerComparison]
    interval: Interval
    test: Equivalence | None

    @property
    def counted(self) -> list[PeerComparison]:
        """The raters for whom both figures are defined."""
        return [peer for peer in self.each if peer.test is not None]

    @property
    def machine(self) -> float:
        """The mean of the machine's figures; NaN where there is none."""
        return _mean([peer.machine for peer in self.counted])

    @property
    def raters(self) -> float:
        """The mean of the raters' figures."""
        return _mean([peer.own for peer in self.counted])

    @property
    def rank(self) -> int | None:
        """The machine's rank among raters and machine; with a tie the better one."""
        return 1 + sum(peer.place > 0 for peer in self.counted) if self.counted else None

    @property
    def verdict(self) -> str:
        """On the machine and the average rater.

        A machine that is level with a rater, as that rater's copy is, is not called worse.
        """
        verdict = UNDECIDED if self.test is None else self.test.verdict
        behind_all = all(peer.place > 0 for peer in self.counted)
        return BELOW_AVERAGE if verdict == WORSE and not behind_all else verdict

    @property
    def is_distance(self) -> bool:
        """Whether figures are negative distances in stars; they are shown without the sign."""
        return not is_correlation(self.metric)

    def shown(self, figure: float) -> float:
        """A figure as people read it: a distance is positive, and less of it is better."""
        return abs(figure) if self.is_distance else figure


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def is_correlation(metric: str) -> bool:
    """Whether a metric is one of the correlations."""
    return MEASURES[metric].facts.quantity == "correlation"


def judge_machine(
    peers: PeerRatings,
    answers: Sequence[Answers],
    metric: str,
    *,
    margin: float = MARGIN,
    settings: MarkSettings,
) -> PeerVerdict:
    """Compare a machine's answers, one per passage, with every rater and with their average."""
    table = _Vectors.of(peers, answers, MEASURES[metric])
    figures = table.figures(table.rows)
    left_out = table.left_out()
    tested = partial(two_one_sided, margin=margin, correlation=is_correlation(metric))
    each = []
    for index, name in enumerate(peers.names):
        own, machine = float(figures[0, index]), float(figures[1, index])
        chosen = peers.rated[:, index]
        test, why = None, ""
        if math.isfinite(own) and math.isfinite(machine):
            test = tested(own, machine, left_out[chosen][:, :, index])
        else:
            why = table.why_undefined(index)
        each.append(PeerComparison(name, int(chosen.sum()), own, machine, test, why))
    counted = [index for index, peer in enumerate(each) if peer.test is not None]
    if not counted:
        return PeerVerdict(metric, each, (None, None), None)
    own, machine = figures[:, counted].mean(axis=-1).tolist()
    without = left_out[:, :, counted].mean(axis=-1)
    return PeerVerdict(
        metric,
        each,
        table.interval(machine - own, without[:, 1] - without[:, 0], counted, settings),
        tested(own, machine, without),
    )


def mean_difference(figures: Floats, counted: Sequence[int]) -> Floats:
    """The mean over raters of machine less rater, of figures (..., 2, raters)."""
    return np.asarray((figures[..., 1, counted] - figures[..., 0, counted]).mean(axis=-1))


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The metric's vectors of raters and of the machine, a row per passage."""

    metric: Any
    rows: Floats
    """(passages, 2 * raters * width), raters first; what a rater left out adds nothing: zeros in
    sums, NaN among ranks."""
    raters: int

    @classmethod
    def of(cls, peers: PeerRatings, answers: Sequence[Answers], metric: Any) -> _Vectors:
        """Rater and machine face the same reference."""
        passages, raters = peers.ratings.shape
        nothing = math.nan if isinstance(metric, RankCorrelation) else 0.0
        cells = np.full((passages, 2, raters, metric.facts.width), nothing)
        for passage, rater in np.argwhere(peers.rated):
            unit, references = peers.units[passage], ((peers.gold(passage, rater),),)
            rating = float(peers.ratings[passage, rater])
            own = Rating(rating=rating, annotator=peers.names[rater])
            for side, given in enumerate(((own,), answers[passage])):
                cells[passage, side, rater] = unit_vector(metric, unit, references, given)
        return cls(metric, cells.reshape(passages, -1), raters)

    @property
    def is_ranked(self) -> bool:
        """Whether the metric is one of ranks, which is no function of sums over passages."""
        return isinstance(self.metric, RankCorrelation)

    def cells(self, rows: Floats) -> Floats:
        """Rows, or sums of them, as (..., 2, raters, width)."""
        return rows.reshape(*rows.shape[:-1], 2, self.raters, self.metric.facts.width)

    def figures(self, rows: Floats) -> Floats:
        """The figures (2, raters) on the rows of some passages; more is better."""
        if not self.is_ranked:
            return self.of_sums(rows.sum(axis=0))
        cells = self.cells(rows)
        return np.array(
            [
                [
                    self.metric.score(part[np.isfinite(part[:, 0])])
                    for part in np.moveaxis(cells[:, side], 1, 0)
                ]
                for side in (0, 1)
            ]
        )

    def of_sums(self, sums: Floats) -> Floats:
        """The figures (..., 2, raters) of sums over passages."""
        aggregate = hook(self.metric, "paired", self.metric.aggregate)
        return np.asarray(aggregate(self.cells(sums)))

    def left_out(self) -> Floats:
        """The figures (passages, 2, raters) without each passage in turn."""
        if not self.is_ranked:
            return leave_one_out(self.rows, self.of_sums)
        indexes = range(len(self.rows))
        return np.array([self.figures(np.delete(self.rows, index, axis=0)) for index in indexes])

    def interval(
        self, difference: float, left_out: Floats, counted: Sequence[int], settings: MarkSettings
    ) -> Interval:
        """That of the difference from the average rater, over passages."""
        if settings.interval == JACKKNIFE:
            return t_interval(difference, left_out, level=settings.confidence)
        if not self.is_ranked:
            drawn = bootstrap(
                self.rows,
                lambda sums: mean_difference(self.of_sums(sums), counted),
                seed=settings.seed,
                draws=settings.draws,
            )
        else:
            drawn = bootstrap_rows(
                self.rows,
                np.arange(len(self.rows)),
                len(self.rows),
                lambda rows: float(mean_difference(self.figures(rows), counted)),
                seed=settings.seed,
                draws=settings.draws,
            )
        return interval(drawn, level=settings.confidence)

    def why_undefined(self, rater: int) -> str:
        """Why the figure of a rater, or else that of the machine, is undefined."""
        cells = self.cells(self.rows)
        for side, who in enumerate(("", "the machine: ")):
            part = cells[:, side, rater]
            counted = part[np.isfinite(part[:, 0])] if self.is_ranked else part[part[:, 0] > 0]
            for remark in self.metric.report(counted).remarks:
                return f"{who}{remark}"
        return "undefined"
