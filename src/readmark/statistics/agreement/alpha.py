"""Krippendorff's alpha: any number of annotators, units that some left out, four scales.

The value comes from the table of how often two labels meet in a unit. Resampling needs sums over
units, so the same number is also computed from those; they alone serve very large panels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.agreement.label_cells import (
    Label,
    LabelCells,
    in_domain_order,
    label_cells,
    only_label,
)
from readmark.statistics.agreement.percent import Panel
from readmark.statistics.agreement.sums import Clusters, Sums
from readmark.statistics.agreement.value import Agreement, Resampling, beyond_chance, undefined
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
    agreement = beyond_chance(name, sums, alpha.parts, n=len(used), resampling=resampling)
    if agreement.value is None or exact is None:
        return agreement
    return replace(agreement, value=exact[0])


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
            if self._scale == "ordinal":
                units.append(unit[first])
                columns.append(size + label[first] * size + label[second])
                weights.append(often)
            else:
                low, high = unit[first[0]], unit[first[-1]]
                apart = often * self._distances(label[first], label[second])
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
        counts = sums[..., : self._size]
        n = counts.sum(axis=-1)
        if self._scale == "ordinal":
            # Half of the labels at either end and all between them: a difference of middle ranks.
            ranks = np.cumsum(counts, axis=-1) - counts / 2
            first, second = self._met
            apart = (ranks[..., first] - ranks[..., second]) ** 2
            observed = (sums[..., self._size :] * apart).sum(axis=-1)
            expected = _spread(counts, ranks - n[..., None] / 2, n)
        else:
            observed = sums[..., self._size]
            expected = self._by_chance(counts, n)
        # With a single label the mean may miss its only value by a rounding.
        is_single = np.count_nonzero(counts, axis=-1) < 2
        return observed / n, np.where(is_single, 0.0, expected / (n * (n - 1)))

    def _distances(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
        """The squared differences of pairs of labels, on every scale but the ordinal."""
        if self._scale == "nominal":
            return np.ones(len(first))
        a, b = self._values[first], self._values[second]
        return np.asarray(((a - b) if self._scale == "interval" else (a - b) / (a + b)) ** 2)

    def _by_chance(self, counts: Floats, n: Floats) -> Floats:
        """The total distance over every pair of labels that were given, whatever their units."""
        if self._scale == "nominal":
            return np.asarray(n * n - (counts * counts).sum(axis=-1))
        if self._scale == "interval":
            mean = counts @ self._values / n
            return _spread(counts, self._values - mean[..., None], n)
        # No sum of powers gives ratios, so every two labels are gone through, some at a time.
        total = np.zeros(counts.shape[:-1])
        step = max(1, MOST_PAIRS // self._size)
        for index in range(0, self._size, step):
            values = self._values[index : index + step, None]
            sum_of_two = values + self._values
            apart = ((values - self._values) / np.where(sum_of_two == 0, 1, sum_of_two)) ** 2
            total += (counts[..., index : index + step] * (counts @ apart.T)).sum(axis=-1)
        return total


def _spread(counts: Floats, away: Floats, n: Floats) -> Floats:
    """Squared differences over every pair, from how far each label is from the mean.

    Σᵢⱼ (xᵢ − xⱼ)² = 2 n Σᵢ (xᵢ − x̄)²: there are as many pairs as labels squared.
    """
    return np.asarray(2 * n * (counts * away * away).sum(axis=-1))


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
    totals = observed.sum(axis=0)
    n = float(totals.sum())
    expected = (np.outer(totals, totals) - np.diag(totals)) / (n - 1)
    apart = _squared_differences(totals, domain, scale)
    seen, chance = float((observed * apart).sum()), float((expected * apart).sum())
    return 1 - seen / chance, seen / n, chance / n


def _squared_differences(totals: Floats, domain: Sequence[Label], scale: Scale) -> Floats:
    """How far each two labels are apart, squared, as the scale measures it."""
    if scale == "nominal":
        return 1 - np.eye(len(domain))
    if scale == "ordinal":
        values = np.cumsum(totals) - totals / 2  # middle ranks
    else:
        values = np.array(domain, dtype=np.float64)
    difference = values[:, None] - values
    if scale == "ratio":
        total = values[:, None] + values
        difference = difference / np.where(total == 0, 1, total)
    return np.asarray(difference**2)
