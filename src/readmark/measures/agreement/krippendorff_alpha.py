"""Krippendorff's alpha: any number of annotators, units that some left out, four scales.

The ``krippendorff`` library gives the value. Resampling needs sums, and the library's memory
grows with units × labels², so the same number is also made of a coincidence matrix, which adds up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from readmark.measures.agreement.percent import Panel
from readmark.measures.agreement.value import (
    Agreement,
    Clusters,
    Label,
    Resampling,
    figure,
    in_domain_order,
    only_label,
    table,
    undefined,
)
from readmark.measures.resampling import Floats

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval", "ratio")
MOST_LIBRARY_CELLS = 1 << 22


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
    used = [at for at, row in enumerate(panel) if sum(one is not None for one in row) > 1]
    if not used:
        return undefined(name, "no unit has labels of two annotators")
    rows = [[label for label in panel[at] if label is not None] for at in used]
    domain = in_domain_order([label for row in rows for label in row], order)
    if scale in ("interval", "ratio") and not all(isinstance(one, (int, float)) for one in domain):
        raise ValueError(f"labels on {scale} scales are numbers")
    if scale == "ratio" and any(one < 0 for one in domain if isinstance(one, (int, float))):
        return undefined(name, "a ratio scale has no negative values", n=len(used))
    if len(domain) == 1:
        return undefined(name, only_label(domain[0]), n=len(used))
    place = {label: at for at, label in enumerate(domain)}
    coincidences, owners = [], []
    for at, row in zip(used, rows, strict=True):
        for cell, weight in _coincidences([place[label] for label in row]):
            coincidences.append((cell, weight))
            owners.append(clusters[at] if clusters is not None else None)
    cells = list(dict.fromkeys(cell for cell, _ in coincidences))
    column = {cell: at for at, cell in enumerate(cells)}
    sums, resampled = table(
        [(column[cell], weight) for cell, weight in coincidences],
        owners if clusters is not None else None,
        len(cells),
    )
    alpha = _Alpha(cells, domain, scale)
    observed, expected = alpha.parts(sums.sum(axis=0))
    made = figure(
        name,
        sums,
        alpha,
        n=len(used),
        reason="chance cannot disagree",
        parts=(observed, expected),
        resampling=resampling if resampled else None,
    )
    if made.value is None or len(rows) * len(domain) ** 2 > MOST_LIBRARY_CELLS:
        return made
    return replace(made, value=_by_library(rows, place, domain, scale))


class _Alpha:
    """Alpha of sums over the cells of a coincidence matrix."""

    def __init__(
        self, cells: Sequence[tuple[int, int]], domain: Sequence[Label], scale: Scale
    ) -> None:
        self._rows, self._columns = np.array(cells, dtype=np.intp).T
        self._size = len(domain)
        self._scale = scale
        self._values = (
            np.array(domain, dtype=np.float64) if scale in ("interval", "ratio") else np.empty(0)
        )

    def __call__(self, sums: Floats) -> Floats:
        parts = [self.parts(one) for one in sums]
        return np.array([1 - np.float64(observed) / expected for observed, expected in parts])

    def parts(self, sums: Floats) -> tuple[float, float]:
        """Observed and expected disagreement, each as a mean over pairs."""
        given = np.bincount(self._rows, weights=sums, minlength=self._size).astype(np.float64)
        n = given.sum()
        if n < 2:
            return float("nan"), float("nan")
        apart = self._apart(given)
        observed = sums @ apart[self._rows, self._columns] / n
        expected = given @ apart @ given / (n * (n - 1))
        return float(observed), float(expected)

    def _apart(self, given: Floats) -> Floats:
        if self._scale == "nominal":
            return 1 - np.eye(self._size)
        # Half of the labels at either end and all between them: a difference of middle ranks.
        values = np.cumsum(given) - given / 2 if self._scale == "ordinal" else self._values
        differences = np.subtract.outer(values, values)
        if self._scale == "ratio":
            together = np.add.outer(values, values)
            differences = differences / np.where(together == 0, 1, together)
        return np.asarray(differences * differences)


def _coincidences(row: Sequence[int]) -> list[tuple[tuple[int, int], float]]:
    """Each ordered pair of a unit's labels, weighed so that a unit counts as often as labelled."""
    times = Counter(row)
    weight = 1 / (len(row) - 1)
    return [
        ((one, other), many * (more - (one == other)) * weight)
        for one, many in times.items()
        for other, more in times.items()
        if one != other or many > 1
    ]


def _by_library(
    rows: Sequence[Sequence[Label]], place: dict[Label, int], domain: Sequence[Label], scale: Scale
) -> float:
    import krippendorff

    counts = np.zeros((len(rows), len(domain)), dtype=np.int64)
    for at, row in enumerate(rows):
        for label in row:
            counts[at, place[label]] += 1
    values = domain if scale in ("interval", "ratio") else range(len(domain))
    return float(
        krippendorff.alpha(
            value_counts=counts,
            value_domain=np.array(list(values), dtype=np.float64),
            level_of_measurement=scale,
        )
    )
