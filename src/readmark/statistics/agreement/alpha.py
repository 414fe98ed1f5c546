"""Krippendorff's alpha: any number of annotators, units that some left out, four scales.

The value comes from the table of how often two labels meet in a unit. Resampling needs sums over
units, so the same number is also computed from those; they alone serve very large panels.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.agreement.percent import Panel
from readmark.statistics.agreement.value import (
    Agreement,
    Clusters,
    Label,
    LabelCells,
    Resampling,
    Sums,
    beyond_chance,
    in_domain_order,
    label_cells,
    only_label,
    undefined,
)
from readmark.statistics.grid import to_grid

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval", "ratio")
MOST_CELLS = 1 << 22
"""Units × labels² up to which the value comes from the table of coincidences."""
MOST_PAIRS = 1 << 20
"""Pairs of labels in memory at a time."""


def krippendorff_alpha(
    panel: Panel,
    *,
    scale: Scale = "nominal",
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """1 − observed / expected disagreement ("Computing Krippendorff's Alpha-Reliability").

    Ordinal labels are ordered by size unless an ``order`` is given; interval and ratio labels are
    numbers. Units with fewer than two labels are left out.
    """
    name = f"alpha({scale})"
    labelled = [[label for label in row if label is not None] for row in panel]
    used = [index for index, row in enumerate(labelled) if len(row) > 1]
    if not used:
        return undefined(name, "no unit has labels of two annotators")
    rows = [labelled[index] for index in used]
    domain = in_domain_order([label for row in rows for label in row], order)
    if scale in ("interval", "ratio") and not all(
        isinstance(label, (int, float)) for label in domain
    ):
        raise ValueError(f"labels on {scale} scales are numbers")
    if scale == "ratio" and any(label < 0 for label in domain if isinstance(label, (int, float))):
        return undefined(name, "a ratio scale has no negative values", n=len(used))
    if len(domain) == 1:
        return undefined(name, only_label(domain[0]), n=len(used))
    cells, per_unit = label_cells(rows, domain)
    exact = None
    if len(rows) * len(domain) ** 2 <= MOST_CELLS:
        exact = _by_coincidences(cells, per_unit, domain, scale)
    if exact is not None and (resampling is None or not resampling.draws):
        value, observed, expected = exact
        return Agreement(
            measure=name, value=value, n=len(used), observed=observed, expected=expected
        )
    alpha = _Alpha(domain, scale)
    groups = [clusters[index] for index in used] if clusters is not None else None
    sums = alpha.sums(cells, per_unit, groups)
    made = beyond_chance(name, sums, alpha.parts, n=len(used), resampling=resampling)
    return made if made.value is None or exact is None else replace(made, value=exact[0])


class _Alpha:
    """Observed and expected disagreement as functions of sums.

    The sums: how often each label was given, then the disagreement within units. On an ordinal
    scale that depends on all labels given, so there each pair of labels that met has a sum.
    """

    def __init__(self, domain: Sequence[Label], scale: Scale) -> None:
        self._size = len(domain)
        self._scale = scale
        numbers = scale in ("interval", "ratio")
        self._values = np.array(domain, dtype=np.float64) if numbers else np.empty(0)
        self._met: NDArray[np.intp] = np.empty((2, 0), dtype=np.intp)

    def sums(
        self, cells: LabelCells, per_unit: NDArray[np.intp], clusters: Clusters | None
    ) -> Sums:
        """What units add: their labels, and each pair of them that differ, both ways.

        A pair weighs so that a unit counts as often as it was labelled.
        """
        unit, label, times = cells
        size = self._size
        units, columns, weights = [unit], [label], [times.astype(np.float64)]
        for first, second in _pairs_within(unit):
            meetings = times[first] * times[second] * 2.0
            often: Floats = np.asarray(to_grid(meetings / (per_unit[unit[first]] - 1)))
            one, other = label[first], label[second]
            if self._scale == "ordinal":
                units.append(unit[first])
                columns.append(size + one * size + other)
                weights.append(often)
            else:
                low, high = unit[first[0]], unit[first[-1]]
                apart = often * self._distances(one, other)
                units.append(np.arange(low, high + 1))
                columns.append(np.full(high + 1 - low, size))
                weights.append(np.bincount(unit[first] - low, weights=apart).astype(np.float64))
        column = np.concatenate(columns)
        width = size + 1
        if self._scale == "ordinal":
            pair = column >= size
            met, column[pair] = np.unique(column[pair] - size, return_inverse=True)
            column[pair] += size
            self._met = np.stack(np.divmod(met, size))
            width = size + len(met)
        return Sums.of_cells(
            np.concatenate(units), column, np.concatenate(weights), clusters, width
        )

    def parts(self, sums: Floats) -> tuple[Floats, Floats]:
        """Observed and expected disagreement, each as a mean over pairs."""
        given = sums[..., : self._size]
        n = given.sum(axis=-1)
        if self._scale == "ordinal":
            # Half of the labels at either end and all between them: a difference of middle ranks.
            ranks = np.cumsum(given, axis=-1) - given / 2
            one, other = self._met
            apart = (ranks[..., one] - ranks[..., other]) ** 2
            observed = (sums[..., self._size :] * apart).sum(axis=-1)
            expected = _spread(given, ranks - n[..., None] / 2, n)
        else:
            observed = sums[..., self._size]
            expected = self._by_chance(given, n)
        single = (
            np.count_nonzero(given, axis=-1) < 2
        )  # a mean may miss its only value by a rounding
        return observed / n, np.where(single, 0.0, expected / (n * (n - 1)))

    def _distances(self, one: NDArray[np.intp], other: NDArray[np.intp]) -> Floats:
        if self._scale == "nominal":
            return np.ones(len(one))
        a, b = self._values[one], self._values[other]
        return np.asarray(((a - b) if self._scale == "interval" else (a - b) / (a + b)) ** 2)

    def _by_chance(self, given: Floats, n: Floats) -> Floats:
        """The total distance over every pair of labels given."""
        if self._scale == "nominal":
            return np.asarray(n * n - (given * given).sum(axis=-1))
        if self._scale == "interval":
            mean = given @ self._values / n
            return _spread(given, self._values - mean[..., None], n)
        return self._ratios(given)

    def _ratios(self, given: Floats) -> Floats:
        """No sum of powers gives these, so every two labels are gone through, some at a time."""
        total = np.zeros(given.shape[:-1])
        step = max(1, MOST_PAIRS // self._size)
        for index in range(0, self._size, step):
            some = self._values[index : index + step, None]
            together = some + self._values
            apart = ((some - self._values) / np.where(together == 0, 1, together)) ** 2
            total += (given[..., index : index + step] * (given @ apart.T)).sum(axis=-1)
        return total


def _spread(given: Floats, away: Floats, n: Floats) -> Floats:
    """The squares of differences over every pair, from those to the mean."""
    return np.asarray(2 * n * (given * away * away).sum(axis=-1))


def _pairs_within(
    unit: NDArray[np.intp],
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Indices of every two cells of one unit, whole units at a time; ``unit`` is in order."""
    ends = np.searchsorted(unit, unit, side="right")
    later = ends - np.arange(len(unit)) - 1
    block = np.cumsum(later) // MOST_PAIRS
    starts = np.searchsorted(unit, np.unique(unit[np.flatnonzero(np.diff(block, prepend=0))]))
    for low, high in pairwise([0, *starts[starts > 0], len(unit)]):
        repeats = later[low:high]
        first = np.repeat(np.arange(low, high), repeats)
        if len(first):
            before = np.repeat(np.cumsum(repeats) - repeats, repeats)
            yield first, first + 1 + np.arange(len(first)) - before


def _by_coincidences(
    cells: LabelCells, per_unit: NDArray[np.intp], domain: Sequence[Label], scale: Scale
) -> tuple[float, float, float]:
    """Alpha from coincidences: how often two labels meet in units, weighted by their labels.

    With the disagreement as observed and as expected, each as a mean over pairs.
    """
    counts = np.zeros((len(per_unit), len(domain)))
    counts[cells[0], cells[1]] = cells[2]
    weighted = counts / (per_unit[:, None] - 1)
    observed = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    given = observed.sum(axis=0)
    expected = (np.outer(given, given) - np.diag(given)) / (given.sum() - 1)
    apart = _squared_differences(given, domain, scale)
    seen, chance = float((observed * apart).sum()), float((expected * apart).sum())
    n = float(given.sum())
    return 1 - seen / chance, seen / n, chance / n


def _squared_differences(given: Floats, domain: Sequence[Label], scale: Scale) -> Floats:
    """How far each two labels are apart, squared, as the scale measures it."""
    if scale == "nominal":
        return 1 - np.eye(len(domain))
    if scale == "ordinal":
        values = np.cumsum(given) - given / 2  # middle ranks
    else:
        values = np.array(domain, dtype=np.float64)
    difference = values[:, None] - values
    if scale == "ratio":
        total = values[:, None] + values
        difference = difference / np.where(total == 0, 1, total)
    return np.asarray(difference**2)


# Krippendorff's alpha for unitizing: whether annotators find the same spans in a text.


ContinuumSection = tuple[int, int]
"""Start and end of a unit."""
OVERLAP = "spans of one annotator overlap, which unitizing alpha does not define"
NOTHING = "no annotator marked any span"


@dataclass(frozen=True, slots=True)
class Continuum:
    """A text that all annotators worked on: each one's units by category, and its record."""

    length: int
    units: Sequence[Sequence[tuple[int, int, Hashable]]]
    """A sequence an annotator: start, end, category; the category is None where there is one."""
    cluster: Hashable = None


def unitizing_alpha(
    continua: Sequence[Continuum], *, resampling: Resampling | None = None
) -> Agreement:
    """1 − observed / expected disagreement over all categories and texts together.

    Texts are laid end to end, except that a gap ends with its text. Units of one annotator and
    category must not overlap.
    """
    name = "alpha(unitizing)"
    raters = {len(continuum.units) for continuum in continua}
    if not continua or raters in ({0}, {1}):
        return undefined(name, "no text was marked by two annotators")
    if len(raters) > 1:
        raise ValueError("every text must have as many annotators")
    categories = list(
        dict.fromkeys(
            unit[2] for continuum in continua for units in continuum.units for unit in units
        )
    )
    n_units = sum(len(units) for continuum in continua for units in continuum.units)
    if not categories:
        return undefined(name, NOTHING)
    by_category = [
        [_sections(continuum, category) for continuum in continua] for category in categories
    ]
    if any(_overlapping(units) for all in by_category for one in all for units in one):
        return undefined(name, OVERLAP, n=n_units)
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(continuum.cluster, len(numbers)) for continuum in continua]
    alpha = _UnitizingAlpha(raters.pop())
    sums = alpha.sums(continua, by_category, codes, len(numbers))
    return beyond_chance(name, sums, alpha.parts, n=n_units, reason=NOTHING, resampling=resampling)


class _UnitizingAlpha:
    """The measure as a function of sums over texts.

    The sums: length of text; then for each category what is observed, how many units there are of
    each length, and into how many places of the gaps a unit of that length would fit.
    """

    def __init__(self, raters: int) -> None:
        self._raters = raters
        self._lengths: list[Floats] = []

    def sums(
        self,
        continua: Sequence[Continuum],
        by_category: Sequence[Sequence[list[list[ContinuumSection]]]],
        codes: Sequence[int],
        clusters: int,
    ) -> Floats:
        """A row a cluster."""
        length = np.zeros((clusters, 1))
        for code, one in zip(codes, continua, strict=True):
            length[code] += one.length
        blocks = [length]
        for all in by_category:
            lengths = sorted({end - start for one in all for units in one for start, end in units})
            self._lengths.append(np.array(lengths, dtype=np.float64))
            block = np.zeros((clusters, 1 + 2 * len(lengths)))
            for code, continuum, raters in zip(codes, continua, all, strict=True):
                block[code] += _row(continuum.length, raters, np.array(lengths))
            blocks.append(block)
        return np.hstack(blocks)

    def parts(self, sums: Floats) -> tuple[Floats, Floats]:
        """Observed and expected disagreement, summed over categories."""
        m, length = self._raters, sums[..., 0]
        observed, expected = np.zeros_like(length), np.zeros_like(length)
        index = 1
        for size in self._lengths:
            units = sums[..., index + 1 : index + 1 + len(size)]
            places = sums[..., index + 1 + len(size) : index + 1 + 2 * len(size)]
            observed += 2 * sums[..., index] / (m * (m - 1) * length * length)
            others = units.sum(axis=-1, keepdims=True) - 1
            meeting = others / 3 * (2 * size**3 - 3 * size**2 + size)
            alone = size**2 * places
            pairs = m * length * (m * length - 1) - (units * size * (size - 1)).sum(axis=-1)
            expected += 2 / length * (units * (meeting + alone)).sum(axis=-1) / pairs
            index += 1 + 2 * len(size)
        return observed, expected


def _row(length: int, raters: list[list[ContinuumSection]], lengths: NDArray[np.int64]) -> Floats:
    """One text's sums for a category."""
    sizes = np.array([end - start for units in raters for start, end in units], dtype=np.int64)
    gaps = np.array([gap for units in raters for gap in _gaps(units, length)], dtype=np.int64)
    observed = sum(_observed(one, other) for one, other in combinations(raters, 2))
    counts = (sizes[:, None] == lengths).sum(axis=0)
    places = np.maximum(gaps[:, None] - lengths + 1, 0).sum(axis=0)
    return np.concatenate([[observed], counts, places]).astype(np.float64)


def _sections(continuum: Continuum, category: Hashable) -> list[list[ContinuumSection]]:
    """Each annotator's units of a category, in order; an empty span is none."""
    return [
        sorted((start, end) for start, end, kind in units if kind == category and start < end)
        for units in continuum.units
    ]


def _overlapping(units: Sequence[ContinuumSection]) -> bool:
    return any(one[1] > other[0] for one, other in pairwise(units))


def _gaps(units: Sequence[ContinuumSection], length: int) -> list[int]:
    ends = [0, *(end for _, end in units)]
    starts = [*(start for start, _ in units), length]
    return [start - end for end, start in zip(ends, starts, strict=True) if start > end]


def _observed(one: Sequence[ContinuumSection], other: Sequence[ContinuumSection]) -> int:
    """What two annotators' units of a text differ by, each pair once."""
    total = 0
    met: set[int] = set()
    ends = [end for _, end in other]
    starts = [start for start, _ in other]
    for start, end in one:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        for index in range(first, last):
            total += (start - starts[index]) ** 2 + (end - ends[index]) ** 2
            met.add(index)
        if first >= last:
            total += (end - start) ** 2
    return total + sum(
        (end - start) ** 2 for index, (start, end) in enumerate(other) if index not in met
    )
