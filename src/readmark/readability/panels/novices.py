"""Is it as good as a novice? The three metrics of a panel when novices replace the machine.

The null of the DARPA Machine Reading evaluation (section 2.2): for each passage the rating of a
novice drawn at random replaces the machine's, thousands of times. Also by whole judges: one novice
replaces it on all passages, since a judge is not a fresh draw for each passage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.statistics.correlation import Moments, from_moments, moments
from readmark.statistics.grid import GRID, to_grid

METRICS = ("score_difference", "proportional_target", "pearson")
"""The evaluation's metrics 1, 2 and 3, in the order of every array here."""
ALPHA = 0.025
"""The upper tail that the evaluation takes for 95% confidence (section 2.2)."""
FEWEST = 3
"""Novices needed to compare one with the others: against one other there is nothing to draw."""
BLOCK_CELLS = 2**16
"""Cells drawn at a time: their sums stay in the cache."""

_RATING_MOMENTS = ("y", "yy", "xy", "yy_rest", "xy_rest", "y_low", "yy_low", "xy_low")
"""The moments that depend on a rating, with the gold as x; the others are the gold's alone."""
DISTANCE, HIT, RATING = 0, 1, 2
"""Columns of the ``worth`` of a rating; the first of its moments, y, is the rating on the grid."""
WIDTH = RATING + len(_RATING_MOMENTS)

_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class NovicePanel:
    """The gold of passages, and the worth of each novice's ratings by it; nothing is drawn yet.

    Ratings are counted from the middle of the scale. A cell without a rating holds zeros.
    """

    gold: Floats
    """(passages,)"""
    rated: Bools
    """(passages, novices): who rated what. Every passage has a novice."""
    cells: Floats
    """(passages, novices, 10), as ``worth`` gives them."""

    @classmethod
    def of(cls, gold: Floats, rated: Bools, ratings: Floats, hits: Floats) -> NovicePanel:
        """A panel from novices' ratings and hits (passages, novices)."""
        gold = np.asarray(gold, dtype=np.float64)
        if not rated.any(axis=1).all():
            raise ValueError("a passage without a novice has nobody to stand in")
        cells = worth(gold[:, None], np.where(rated, ratings, 0.0), hits)
        return cls(gold, rated, np.where(rated[..., None], cells, 0.0))

    @property
    def passages(self) -> int:
        """How many passages there are."""
        return len(self.gold)

    @property
    def novices(self) -> int:
        """How many novices there are."""
        return int(self.rated.shape[1])

    @property
    def single(self) -> Bools:
        """Which passages a single novice rated: there is nothing to draw from."""
        return np.asarray(self.rated.sum(axis=1) == 1)

    def values(self, sums: Floats) -> Floats:
        """The metrics (..., 3) of sums (..., 10) over all passages; NaN where one is undefined."""
        mean_distances = self.cells[..., DISTANCE].sum(axis=1) / self.rated.sum(axis=1)
        difference = (to_grid(mean_distances).sum() - sums[..., DISTANCE]) / self.passages
        # The moments of the gold are the same for whoever rates.
        gold_sums = np.sum(np.stack(moments(self.gold, self.gold)), axis=1)
        summed = np.broadcast_to(gold_sums, (*sums.shape[:-1], len(gold_sums))).copy()
        of_ratings = [Moments._fields.index(name) for name in _RATING_MOMENTS]
        summed[..., of_ratings] = sums[..., RATING:]
        return np.stack([difference, sums[..., HIT], from_moments(summed)], axis=-1)

    def tolerances(self) -> Floats:
        """How far apart equal values may be by rounding to the grid, which a sum adds up."""
        return np.array([4 * GRID, 4 * GRID * self.passages, 1e-8])

    def null(self, *, seed: int, draws: int) -> Floats:
        """The metrics (draws, 3) when a novice drawn anew for each passage stands in."""
        return self.values(self.null_sums(seed=seed, draws=draws))

    def null_sums(self, *, seed: int, draws: int) -> Floats:
        """The sums (draws, 10) of those stand-ins; all metrics are of the same draws."""
        counts = self.rated.sum(axis=1)
        cells = self.cells[self.rated]
        sums = np.zeros((draws, cells.shape[1]))
        # Whole stars leave no rests, and what is zero throughout need not be summed.
        filled = np.flatnonzero(cells.any(axis=0))
        # Two columns are the parts of one complex number: then one gathering brings both.
        column_pairs = [filled[index : index + 2] for index in range(0, len(filled), 2)]
        pairs = [(pair, cells[:, pair[0]] + 1j * cells[:, pair[-1]]) for pair in column_pairs]
        start = 0
        for block in stand_ins(seed, draws, counts):
            rows = slice(start, start + len(block))
            for pair, values in pairs:
                # Clipping skips a check of bounds, which no cell is out of.
                summed = values.take(block, mode="clip").sum(axis=1)
                sums[rows, pair[0]], sums[rows, pair[-1]] = summed.real, summed.imag
            start += len(block)
        return sums

    def of_passages(self, chosen: Bools | Ints) -> NovicePanel:
        """The panel on some passages alone."""
        return NovicePanel(self.gold[chosen], self.rated[chosen], self.cells[chosen])

    def without(self, novice: int) -> tuple[NovicePanel, Bools]:
        """The other novices on the passages that they share with one, and which these are."""
        others = np.delete(self.rated, novice, axis=1)
        shared = self.rated[:, novice] & others.any(axis=1)
        cells = np.delete(self.cells, novice, axis=1)
        return NovicePanel(self.gold[shared], others[shared], cells[shared]), shared


def worth(gold: Floats, ratings: Floats, hits: Floats) -> Floats:
    """What ratings add to the metrics, (..., 10): distance from the gold, hit, and moments.

    All are on the grid, so that sums are exact whatever their order.
    """
    ratings = np.asarray(ratings, dtype=np.float64)
    gold, ratings, hits = np.broadcast_arrays(np.asarray(gold), ratings, hits)
    distances_and_hits = to_grid(np.stack([np.abs(gold - ratings), hits], axis=-1))
    all_moments = moments(gold, ratings)
    rating_moments = np.stack([getattr(all_moments, name) for name in _RATING_MOMENTS], axis=-1)
    return np.concatenate([distances_and_hits, rating_moments], axis=-1)


def stand_ins(seed: int, draws: int, counts: Ints) -> Iterator[Ints]:
    """Draws in blocks (draws, passages): a cell of each passage, of which it has ``counts``.

    Cells are numbered passage by passage. They are the same on any machine, and however many are
    drawn at a time. Half a random word gives a cell by multiply-shift (Lemire, Fast Random Integer
    Generation in an Interval): the bias is below the number of novices / 2**32.
    """
    source = np.random.PCG64(seed)
    passages = len(counts)
    novices = counts.astype(np.uint64)
    first_cells = (np.cumsum(counts) - counts).astype(np.uint64)
    # A draw takes whole words, so that blocks of any size begin where the one before ended.
    words_per_draw = -(-passages // 2)
    block_draws = max(1, BLOCK_CELLS // max(1, passages))
    for start in range(0, draws, block_draws):
        size = min(block_draws, draws - start)
        # Little-endian halves on every machine, so that the lower one is always the first.
        halves = source.random_raw(size * words_per_draw).astype("<u8", copy=False).view("<u4")
        cells = halves.reshape(size, 2 * words_per_draw)[:, :passages] * novices
        cells >>= _HALF
        cells += first_cells
        yield cells.view(np.int64)


def p_value(null: Floats, observed: float, *, tolerance: float = 0.0) -> float:
    """(draws at least as good + 1) / (draws + 1); an undefined draw counts as at least as good."""
    if not math.isfinite(observed):
        return math.nan
    below = int(np.count_nonzero(null < observed - tolerance))
    return (len(null) - below + 1) / (len(null) + 1)


def critical_value(null: Floats, *, alpha: float = ALPHA) -> float:
    """The value that must be exceeded for p <= alpha; NaN where no value is high enough."""
    # p counts the machine itself as a draw; binary fractions may fall just short of a whole number.
    allowed = math.floor(alpha * (len(null) + 1) + 1e-9) - 1
    if allowed < 0:
        return math.nan
    ordered = np.sort(np.where(np.isfinite(null), null, np.inf))[::-1]
    value = float(ordered[allowed])
    return value if math.isfinite(value) else math.nan


@dataclass(frozen=True, slots=True)
class WholeJudges:
    """A machine against each novice as one judge on all passages, by one metric."""

    beaten: int
    """Novices whose value, on what they rated, is below the machine's there."""
    judges: int
    """Novices for whom both values are defined."""
    p: float
    """(judges not beaten + 1) / (judges + 1)."""

    @property
    def smallest(self) -> float:
        """The least p possible with this many judges."""
        return 1 / (self.judges + 1)


def against_judges(panel: NovicePanel, machine: Floats) -> list[WholeJudges]:
    """The machine (passages, 10) against each novice on what the novice rated, by each metric."""
    of_judges = np.full((panel.novices, len(METRICS)), np.nan)
    of_machine = np.full_like(of_judges, np.nan)
    tolerances = np.zeros_like(of_judges)
    # Those who rated the same passages are compared at once.
    patterns, pattern_of = np.unique(panel.rated, axis=1, return_inverse=True)
    for index, rated in enumerate(patterns.T):
        if rated.any():
            judges = np.flatnonzero(pattern_of.ravel() == index)
            part = panel.of_passages(rated)
            sums = part.cells[:, judges].sum(axis=0)
            values = part.values(np.vstack([sums, machine[rated].sum(axis=0)]))
            of_judges[judges], of_machine[judges] = values[:-1], values[-1]
            tolerances[judges] = part.tolerances()
    is_defined = np.isfinite(of_judges) & np.isfinite(of_machine)
    is_beaten = is_defined & (of_judges < of_machine - tolerances)
    comparisons = []
    for metric in range(len(METRICS)):
        judges_count, beaten = int(is_defined[:, metric].sum()), int(is_beaten[:, metric].sum())
        p = (judges_count - beaten + 1) / (judges_count + 1) if judges_count else math.nan
        comparisons.append(WholeJudges(beaten, judges_count, p))
    return comparisons


@dataclass(frozen=True, slots=True)
class NoviceVerdict:
    """One rater by one metric against the null: the value, and the one that it had to exceed."""

    observed: float
    critical: float
    p: float

    @property
    def better(self) -> bool:
        """Whether the evaluation's test calls the rater better than a novice."""
        return self.p <= ALPHA


def verdicts(panel: NovicePanel, machine: Floats, null: Floats) -> list[NoviceVerdict]:
    """The verdict on a machine (passages, 10) by each metric, against draws (draws, 3) of the null.

    Where no passage has two novices nothing is drawn, and there is no p.
    """
    observed = panel.values(machine.sum(axis=0)).tolist()
    if panel.single.all():
        return [NoviceVerdict(value, math.nan, math.nan) for value in observed]
    tolerances = panel.tolerances().tolist()
    return [
        NoviceVerdict(value, critical_value(draws), p_value(draws, value, tolerance=tolerance))
        for value, draws, tolerance in zip(observed, null.T, tolerances, strict=True)
    ]


def left_out(panel: NovicePanel, *, seed: int, draws: int) -> list[list[NoviceVerdict] | None]:
    """Each novice as the machine against the others; None where no passage is shared."""
    if panel.novices < FEWEST:
        return [None] * panel.novices
    by_novice: list[list[NoviceVerdict] | None] = []
    for novice in range(panel.novices):
        others, shared = panel.without(novice)
        if others.passages == 0:
            by_novice.append(None)
        else:
            null = others.null(seed=seed, draws=draws)
            by_novice.append(verdicts(others, panel.cells[shared, novice], null))
    return by_novice


Null = Callable[[NovicePanel], Floats]
"""The metrics (draws, 3) of the stand-ins of a panel."""


def shared_null(*, seed: int, draws: int) -> Null:
    """The null of a panel, computed once for all raters of the same passages."""
    drawn: list[tuple[NovicePanel, Floats]] = []

    def null(panel: NovicePanel) -> Floats:
        for other, values in drawn:
            if np.array_equal(other.cells, panel.cells) and np.array_equal(other.gold, panel.gold):
                return values
        drawn.append((panel, panel.null(seed=seed, draws=draws)))
        return drawn[-1][1]

    return null
