"""Whether a machine rates as well as people: each rater and the machine against the others.

Each rater in turn is left out: the mean or median of the others is the gold, and the rater and the
machine are marked against it on the same passages. The figures of the average rater, and those of
the machine beside it, are means over the raters left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from readmark.core.arrays import Floats
from readmark.hooks import Metric, hook
from readmark.marking import MarkSettings, unit_vector
from readmark.readability.kind import Rating
from readmark.readability.metrics.kendall import Kendall
from readmark.readability.metrics.pearson import Pearson
from readmark.readability.metrics.rank_correlation import RankCorrelation
from readmark.readability.metrics.score_difference import ScoreDifference
from readmark.readability.metrics.spearman import Spearman
from readmark.readability.panels.peer_ratings import PeerRatings
from readmark.statistics.equivalence import UNDECIDED, WORSE, Equivalence, two_one_sided
from readmark.statistics.interval_methods import JACKKNIFE
from readmark.statistics.intervals import Interval, interval
from readmark.statistics.jackknife import leave_one_out, t_interval
from readmark.statistics.resampling import bootstrap, bootstrap_rows

RepeatedRatings = Sequence[Rating | None]
"""A machine's ratings of a passage, one per repeat; None where it gave none."""

MARGIN = 0.1
"""The least advantage that ``panel power`` plans for by default, in stars; as a correlation, what
Cohen (Statistical Power Analysis for the Behavioral Sciences) calls a small effect."""
MEASURES: Mapping[str, Metric] = {
    "score_difference": ScoreDifference(),
    "pearson": Pearson(),
    "spearman": Spearman(),
    "kendall": Kendall(),
}
BELOW_AVERAGE = "below average"
"""The verdict on a machine that is worse than the average rater, but not behind all of them."""
_TIE = 1e-9
"""Figures that differ by no more than this are equal: roundings on the grid are smaller."""


@dataclass(frozen=True, slots=True)
class PeerComparison:
    """A rater and the machine by one metric, against the others, on what the rater rated."""

    rater: str
    passages: int
    rater_figure: float
    machine_figure: float
    test: Equivalence | None
    """None where a figure is undefined."""
    why: str = ""
    """Why a figure is undefined."""

    @property
    def place(self) -> int:
        """1 where the rater agrees better with the others than the machine, -1 where worse."""
        gap = self.rater_figure - self.machine_figure
        if abs(gap) <= _TIE:
            return 0
        return 1 if gap > 0 else -1


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
        return _mean([peer.machine_figure for peer in self.counted])

    @property
    def raters(self) -> float:
        """The mean of the raters' figures; NaN where there is none."""
        return _mean([peer.rater_figure for peer in self.counted])

    @property
    def rank(self) -> int | None:
        """The machine's rank among the raters; level with one, the better rank."""
        return 1 + sum(peer.place > 0 for peer in self.counted) if self.counted else None

    @property
    def verdict(self) -> str:
        """The verdict on the machine and the average rater.

        A machine that is level with a rater, as that rater's copy is, is not called worse.
        """
        verdict = UNDECIDED if self.test is None else self.test.verdict
        behind_all = all(peer.place > 0 for peer in self.counted)
        return BELOW_AVERAGE if verdict == WORSE and not behind_all else verdict

    @property
    def is_distance(self) -> bool:
        """Whether figures are negative distances in stars, which are shown without the sign."""
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
    machine_ratings: Sequence[RepeatedRatings],
    metric: str,
    *,
    margin: float = MARGIN,
    settings: MarkSettings,
) -> PeerVerdict:
    """Compare a machine, rated passage by passage, with every rater and with their average."""
    table = _Vectors.of(peers, machine_ratings, MEASURES[metric])
    figures = table.figures(table.rows)
    left_out = table.left_out()
    test_pair = partial(two_one_sided, margin=margin, correlation=is_correlation(metric))
    each = []
    for index, name in enumerate(peers.names):
        of_rater, of_machine = float(figures[0, index]), float(figures[1, index])
        rated = peers.rated[:, index]
        test, why = None, ""
        if math.isfinite(of_rater) and math.isfinite(of_machine):
            test = test_pair(of_rater, of_machine, left_out[rated][:, :, index])
        else:
            why = table.why_undefined(index)
        each.append(PeerComparison(name, int(rated.sum()), of_rater, of_machine, test, why))
    counted = [index for index, peer in enumerate(each) if peer.test is not None]
    if not counted:
        return PeerVerdict(metric, each, (None, None), None)
    of_raters, of_machine = figures[:, counted].mean(axis=-1).tolist()
    without = left_out[:, :, counted].mean(axis=-1)
    differences = without[:, 1] - without[:, 0]
    return PeerVerdict(
        metric,
        each,
        table.interval(of_machine - of_raters, differences, counted, settings),
        test_pair(of_raters, of_machine, without),
    )


def _mean_difference(figures: Floats, counted: Sequence[int]) -> Floats:
    """The machine's figures (..., 2, raters) minus the raters', as a mean over raters."""
    return np.asarray((figures[..., 1, counted] - figures[..., 0, counted]).mean(axis=-1))


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The metric's vectors of raters and of the machine, a row per passage."""

    metric: Any
    rows: Floats
    """(passages, 2 * raters * width), the raters' vectors before the machine's.

    What a rater left out adds nothing: zeros in sums, NaN among ranks.
    """
    raters: int

    @classmethod
    def of(
        cls, peers: PeerRatings, machine_ratings: Sequence[RepeatedRatings], metric: Any
    ) -> _Vectors:
        """Mark each rater, and the machine beside each rater, against the same gold."""
        passages, raters = peers.ratings.shape
        nothing = math.nan if isinstance(metric, RankCorrelation) else 0.0
        cells = np.full((passages, 2, raters, metric.facts.width), nothing)
        for passage, rater in np.argwhere(peers.rated):
            unit, references = peers.units[passage], ((peers.gold(passage, rater),),)
            stars = float(peers.ratings[passage, rater])
            rating = Rating(rating=stars, annotator=peers.names[rater])
            for side, ratings in enumerate(((rating,), machine_ratings[passage])):
                cells[passage, side, rater] = unit_vector(metric, unit, references, ratings)
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
        """The interval of the difference from the average rater, over passages."""
        if settings.interval == JACKKNIFE:
            return t_interval(difference, left_out, level=settings.confidence)
        if not self.is_ranked:
            drawn = bootstrap(
                self.rows,
                lambda sums: _mean_difference(self.of_sums(sums), counted),
                seed=settings.seed,
                draws=settings.draws,
            )
        else:
            drawn = bootstrap_rows(
                self.rows,
                np.arange(len(self.rows)),
                len(self.rows),
                lambda rows: float(_mean_difference(self.figures(rows), counted)),
                seed=settings.seed,
                draws=settings.draws,
            )
        return interval(drawn, level=settings.confidence)

    def why_undefined(self, rater: int) -> str:
        """Why the figure of a rater, or of the machine beside that rater, is undefined."""
        cells = self.cells(self.rows)
        for side, who in enumerate(("", "the machine: ")):
            part = cells[:, side, rater]
            counted = part[np.isfinite(part[:, 0])] if self.is_ranked else part[part[:, 0] > 0]
            for remark in self.metric.report(counted).remarks:
                return f"{who}{remark}"
        return "undefined"
