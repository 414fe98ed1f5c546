"""Is it as good as a novice? The three metrics of a panel when novices replace the machine.

The DARPA Machine Reading evaluation's readability task: for each passage the rating of a novice
drawn at random replaces the machine's, thousands of times. Also by whole judges: one novice
replaces it on all passages, since a judge is not a fresh draw for each passage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from readmark.core.arrays import Bools, Floats, Ints
from readmark.core.labels import labels_of
from readmark.core.marksheet import MarkedUnit
from readmark.core.parsed_names import parse_name
from readmark.readability.metrics.pearson import pair_of
from readmark.statistics.correlation import Moments, from_moments, moments
from readmark.statistics.grid import GRID, to_grid
from readmark.statistics.groups import units_by_label

METRICS = ("score_difference", "proportional_target", "pearson")
"""The document's metrics 1, 2 and 3, in the order of every array here."""
ALPHA = 0.025
"""The upper tail that the document takes for 95% confidence."""
FEWEST = 3
"""So many novices are needed before one may be set against the others."""
BLOCK_CELLS = 2**16
"""Cells drawn at a time: their sums stay in the cache."""

RATED = ("y", "yy", "xy", "yy_rest", "xy_rest", "y_low", "yy_low", "xy_low")
"""The moments that a rating decides, with the gold as x; the others are the gold's alone."""

_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class NovicePanel:
    """The gold of passages, and what each novice's ratings are worth by it; nothing is drawn yet.

    Ratings are counted from the middle of the scale. A cell that was not rated holds zeros.
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
        """How many there are."""
        return len(self.gold)

    @property
    def novices(self) -> int:
        """How many there are."""
        return int(self.rated.shape[1])

    @property
    def single(self) -> Bools:
        """Which passages one novice alone rated: there is nothing to be drawn from."""
        return np.asarray(self.rated.sum(axis=1) == 1)

    def values(self, sums: Floats) -> Floats:
        """The metrics (..., 3) of sums (..., 10) over all passages; NaN where one is undefined."""
        k = self.passages
        mean_distance = to_grid(self.cells[..., 0].sum(axis=1) / self.rated.sum(axis=1)).sum()
        gold = moments(self.gold, self.gold)
        every = np.broadcast_to(np.sum(np.stack(gold), axis=1), (*sums.shape[:-1], len(gold)))
        of_ratings = np.array([Moments._fields.index(name) for name in RATED])
        summed = every.copy()
        summed[..., of_ratings] = sums[..., 2:]
        r = from_moments(summed)
        return np.stack([(mean_distance - sums[..., 0]) / k, sums[..., 1], r], axis=-1)

    def tolerances(self) -> Floats:
        """How far equal values may be apart by the grid's rounding, which a sum adds up."""
        return np.array([4 * GRID, 4 * GRID * self.passages, 1e-8])

    def null(self, *, seed: int, draws: int) -> Floats:
        """The metrics (draws, 3) when a novice drawn anew for each passage stands in."""
        return self.values(self.null_sums(seed=seed, draws=draws))

    def null_sums(self, *, seed: int, draws: int) -> Floats:
        """The sums (draws, 10) of those stand-ins; all metrics come of the same draws."""
        counts = self.rated.sum(axis=1)
        cells = self.cells[self.rated]
        sums = np.zeros((draws, cells.shape[1]))
        # Whole stars leave no rests, and what is zero throughout need not be summed.
        filled = np.flatnonzero(cells.any(axis=0))
        # Two columns as the parts of one complex number: then one gathering brings both.
        twos = [filled[index : index + 2] for index in range(0, len(filled), 2)]
        pairs = [(two, cells[:, two[0]] + 1j * cells[:, two[-1]]) for two in twos]
        done = 0
        for block in stand_ins(seed, draws, counts):
            rows = slice(done, done + len(block))
            for two, pair in pairs:
                # Clipping leaves out a check of what cannot be out of bounds.
                found = pair.take(block, mode="clip").sum(axis=1)
                sums[rows, two[0]], sums[rows, two[-1]] = found.real, found.imag
            done += len(block)
        return sums

    def of_passages(self, chosen: Bools | Ints) -> NovicePanel:
        """The panel on some passages alone."""
        return NovicePanel(self.gold[chosen], self.rated[chosen], self.cells[chosen])

    def without(self, novice: int) -> tuple[NovicePanel, Bools]:
        """The others on the passages that one novice and another rated, and which these are."""
        others = np.delete(self.rated, novice, axis=1)
        shared = self.rated[:, novice] & others.any(axis=1)
        cells = np.delete(self.cells, novice, axis=1)
        return NovicePanel(self.gold[shared], others[shared], cells[shared]), shared


def worth(gold: Floats, ratings: Floats, hits: Floats) -> Floats:
    """What ratings give, (..., 10): distance from the gold, hit, and the moments of ``RATED``.

    On the grid, so that sums are exact whatever their order.
    """
    ratings = np.asarray(ratings, dtype=np.float64)
    gold, ratings, hits = np.broadcast_arrays(np.asarray(gold), ratings, hits)
    near = to_grid(np.stack([np.abs(gold - ratings), hits], axis=-1))
    made = moments(gold, ratings)
    parts = [getattr(made, name) for name in RATED]
    return np.concatenate([near, np.stack(parts, axis=-1)], axis=-1)


def stand_ins(seed: int, draws: int, counts: Ints) -> Iterator[Ints]:
    """Blocks (k, passages) of cells, numbered passage by passage: half a word a cell.

    The same on any machine, and however many are made at a time. By multiply-shift (Lemire, Fast
    Random Integer Generation in an Interval): the bias is below the number of novices / 2**32.
    """
    source = np.random.PCG64(seed)
    n = len(counts)
    many = counts.astype(np.uint64)
    starts = (np.cumsum(counts) - counts).astype(np.uint64)
    # Whole words a draw, so that blocks of any size begin where the one before ended.
    width = -(-n // 2)
    most = max(1, BLOCK_CELLS // max(1, n))
    for index in range(0, draws, most):
        k = min(most, draws - index)
        # Little-endian halves on every machine, so that the lower one is always the first.
        words = source.random_raw(k * width).astype("<u8", copy=False).view("<u4")
        cells = words.reshape(k, 2 * width)[:, :n] * many
        cells >>= _HALF
        cells += starts
        yield cells.view(np.int64)


def p_value(null: Floats, observed: float, *, tolerance: float = 0.0) -> float:
    """(count of draws at least as good + 1) / (draws + 1); equal counts, and so does undefined."""
    if not math.isfinite(observed):
        return math.nan
    below = int(np.count_nonzero(null < observed - tolerance))
    return (len(null) - below + 1) / (len(null) + 1)


def critical_value(null: Floats, *, alpha: float = ALPHA) -> float:
    """The value that must be exceeded for p <= alpha; NaN where nothing could be high enough."""
    allowed = math.floor(alpha * (len(null) + 1) + 1e-9) - 1
    if allowed < 0:
        return math.nan
    ordered = np.sort(np.where(np.isfinite(null), null, np.inf))[::-1]
    value = float(ordered[allowed])
    return value if math.isfinite(value) else math.nan


@dataclass(frozen=True, slots=True)
class Judges:
    """Whole judges against a machine, by one metric."""

    beaten: int
    """Novices whose own value, on what they rated, is below the machine's there."""
    judges: int
    """Novices for whom both values are defined."""
    p: float
    """(judges not beaten + 1) / (judges + 1)."""

    @property
    def smallest(self) -> float:
        """The least p possible with this many judges."""
        return 1 / (self.judges + 1)


def against_judges(panel: NovicePanel, machine: Floats) -> list[Judges]:
    """The machine (passages, 10) against each novice as one judge, on what the novice rated."""
    theirs = np.full((panel.novices, len(METRICS)), np.nan)
    own = np.full_like(theirs, np.nan)
    slack = np.zeros_like(theirs)
    passages, which = np.unique(panel.rated, axis=1, return_inverse=True)
    for index, rated in enumerate(passages.T):
        if rated.any():  # those who rated the same are compared at once
            judges = np.flatnonzero(which.ravel() == index)
            part = panel.of_passages(rated)
            sums = part.cells[:, judges].sum(axis=0)
            values = part.values(np.vstack([sums, machine[rated].sum(axis=0)]))
            theirs[judges], own[judges] = values[:-1], values[-1]
            slack[judges] = part.tolerances()
    found = []
    for metric in range(len(METRICS)):
        defined = np.isfinite(theirs[:, metric]) & np.isfinite(own[:, metric])
        behind = theirs[:, metric] < own[:, metric] - slack[:, metric]
        compared, beaten = int(defined.sum()), int((behind & defined).sum())
        p = (compared - beaten + 1) / (compared + 1) if compared else math.nan
        found.append(Judges(beaten, compared, p))
    return found


@dataclass(frozen=True, slots=True)
class NoviceVerdict:
    """One rater by one metric against the null: what was seen, and what had to be exceeded."""

    observed: float
    critical: float
    p: float

    @property
    def better(self) -> bool:
        """Whether the document's test calls it better than a novice."""
        return self.p <= ALPHA


def verdicts(panel: NovicePanel, machine: Floats, null: Floats) -> list[NoviceVerdict]:
    """A machine's (passages, 10) verdict by each metric, against draws (draws, 3) of the null.

    Where no passage has two novices nothing is drawn, and there is no p.
    """
    observed = panel.values(machine.sum(axis=0))
    slack = panel.tolerances()
    if panel.single.all():
        return [NoviceVerdict(float(one), math.nan, math.nan) for one in observed]
    return [
        NoviceVerdict(
            float(observed[index]),
            critical_value(null[:, index]),
            p_value(null[:, index], float(observed[index]), tolerance=float(slack[index])),
        )
        for index in range(len(METRICS))
    ]


def left_out(panel: NovicePanel, *, seed: int, draws: int) -> list[list[NoviceVerdict] | None]:
    """Each novice as the machine against the others; None where no passage is shared.

    It takes three: against one other nothing is drawn.
    """
    if panel.novices < FEWEST:
        return [None] * panel.novices
    found: list[list[NoviceVerdict] | None] = []
    for novice in range(panel.novices):
        others, shared = panel.without(novice)
        if others.passages == 0:
            found.append(None)
            continue
        null = others.null(seed=seed, draws=draws)
        found.append(verdicts(others, panel.cells[shared, novice], null))
    return found


Null = Callable[[NovicePanel], Floats]


def shared_null(*, seed: int, draws: int) -> Null:
    """The null of a panel; raters of the same passages share its draws and its work."""
    drawn: list[tuple[NovicePanel, Floats]] = []

    def null(panel: NovicePanel) -> Floats:
        for other, values in drawn:
            if np.array_equal(other.cells, panel.cells) and np.array_equal(other.gold, panel.gold):
                return values
        drawn.append((panel, panel.null(seed=seed, draws=draws)))
        return drawn[-1][1]

    return null


# A marksheet's vectors as ratings: the gold, the machine's and every novice's, one row per passage.


DIFFERENCE, TARGET, PEARSON = METRICS

RatingVector = Sequence[float]


@dataclass(frozen=True, slots=True)
class PanelRatings:
    """One rater and the novices on the passages that both have something to say of."""

    ids: tuple[str, ...]
    novices: tuple[str, ...]
    panel: NovicePanel
    machine: Floats
    """(passages, 10): what the rater's ratings are worth; the rating is NaN where there is none."""
    narrow: Bools
    """Which targets have no width."""
    fields: tuple[Mapping[str, Any], ...]
    alone: tuple[str, ...]
    """Passages that no novice rated: left out."""

    @property
    def answered(self) -> bool:
        """Whether every passage was rated, without which there is no correlation."""
        return bool(np.isfinite(self.machine).all())

    def of_passages(self, chosen: Ints) -> PanelRatings:
        """The same on some passages alone."""
        return PanelRatings(
            tuple(self.ids[at] for at in chosen),
            self.novices,
            self.panel.of_passages(chosen),
            self.machine[chosen],
            self.narrow[chosen],
            tuple(self.fields[at] for at in chosen),
            self.alone,
        )


def named(metrics: Iterable[str], base: str) -> str | None:
    """The first metric of that base, whatever its parameters."""
    return next((name for name in metrics if parse_name(name).base == base), None)


def gather(
    units: Iterable[MarkedUnit], metrics: Iterable[str], novices: Sequence[str]
) -> PanelRatings | None:
    """The ratings behind a marksheet's rows; None where it has no panel or not the metrics.

    Passages are in the order of their ids and novices in that of their names, so that a file
    in another order gets the same draws.
    """
    metrics = list(metrics)
    pearson, target = named(metrics, PEARSON), named(metrics, TARGET)
    if not novices or pearson is None or target is None:
        return None
    difference = named(metrics, DIFFERENCE)
    order = sorted(range(len(novices)), key=lambda index: novices[index])
    marked_units: list[MarkedUnit] = []
    alone: list[MarkedUnit] = []
    for unit in sorted(units, key=lambda unit: unit.id):
        members = unit.panel.get(pearson, ())
        some = any(_rating(member) is not None for member in members)
        (marked_units if some else alone).append(unit)
    if not marked_units:
        return None
    gold = np.array([pair_of(_any_vector(unit, pearson))[0] for unit in marked_units])
    ratings = np.zeros((len(marked_units), len(novices)))
    hits = np.zeros_like(ratings)
    rated = np.zeros(ratings.shape, dtype=np.bool_)
    for row, unit in enumerate(marked_units):
        for column, index in enumerate(order):
            value = _rating(unit.panel[pearson][index])
            hit = unit.panel[target][index]
            if value is not None and hit is not None:
                ratings[row, column], hits[row, column], rated[row, column] = value, hit[0], True
    return PanelRatings(
        tuple(unit.id for unit in marked_units),
        tuple(novices[index] for index in order),
        NovicePanel.of(gold, rated, ratings, hits),
        np.array([_own(unit, pearson, target, difference) for unit in marked_units]),
        np.array([_any_vector(unit, target)[1] > 0 for unit in marked_units]),
        tuple(unit.fields for unit in marked_units),
        tuple(unit.id for unit in alone),
    )


def _rating(vector: RatingVector | None) -> float | None:
    """The rating in a vector of pearson's; None where the passage was not rated."""
    return None if vector is None or vector[-1] > 0 else float(pair_of(vector)[1])


def _any_vector(unit: MarkedUnit, metric: str) -> RatingVector:
    """A vector of the unit, for what all of them say alike."""
    if metric in unit.vectors:
        return unit.vectors[metric]
    return next(one for one in unit.panel[metric] if one is not None)


def _own(unit: MarkedUnit, pearson: str, target: str, difference: str | None) -> Floats:
    """What the rater's rating is worth; nobody's, on a marksheet of people alone."""
    if pearson not in unit.vectors:
        return np.full(2 + len(RATED), np.nan)
    vector, hit = unit.vectors[pearson], unit.vectors[target][0]
    gold, said = (np.array(value) for value in pair_of(vector))
    own = np.array(worth(gold, said, np.array(hit)), dtype=np.float64)
    if difference is not None and unit.vectors[difference][2] > 0:
        own[0] = unit.vectors[difference][0]
    if vector[-1] > 0:
        own[2:] = np.nan
    return own


def by_label(gathered: PanelRatings, field: str) -> list[tuple[str, PanelRatings]]:
    """The passages of each value of a field, in order."""
    labels = [labels_of(one.get(field)) for one in gathered.fields]
    return [(label, gathered.of_passages(chosen)) for label, chosen in units_by_label(labels)]
