"""Krippendorff's alpha: any number of annotators, units that some left out, four scales.

The ``krippendorff`` library gives the value. Resampling needs sums, and the library's memory
grows with units × labels², so the same number is also made of sums over units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

import numpy as np

from readmark.measures.agreement.percent import Panel
from readmark.measures.agreement.sums import Clusters, Entry, Sums
from readmark.measures.agreement.value import (
    Agreement,
    Label,
    Resampling,
    beyond_chance,
    in_domain_order,
    only_label,
    undefined,
)
from readmark.measures.grid import to_grid
from readmark.measures.resampling import Floats

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval", "ratio")
MOST_LIBRARY_CELLS = 1 << 22
MOST_APART = 1 << 20
"""Pairs of labels that are held at a time."""


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
    alpha = _Alpha(domain, scale)
    entries = [
        entry
        for at, row in enumerate(rows)
        for entry in alpha.entries(at, Counter(place[label] for label in row))
    ]
    groups = [clusters[at] for at in used] if clusters is not None else None
    sums = Sums.of_entries(entries, groups, alpha.width)
    made = beyond_chance(name, sums, alpha.parts, n=len(used), resampling=resampling)
    if made.value is None or len(rows) * len(domain) ** 2 > MOST_LIBRARY_CELLS:
        return made
    return replace(made, value=_by_library(rows, place, domain, scale))


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
        self._met: dict[tuple[int, int], int] = {}

    @property
    def width(self) -> int:
        """How many sums there are, once all units have been looked at."""
        return self._size + (len(self._met) if self._scale == "ordinal" else 1)

    def entries(self, at: int, times: Mapping[int, int]) -> Iterator[Entry]:
        """What a unit adds: its labels, and each pair of them that differ, both ways.

        A pair weighs so that a unit counts as often as it was labelled.
        """
        for label, one in times.items():
            yield at, label, one
        weight = 2 / (sum(times.values()) - 1)
        pairs = combinations(sorted(times), 2)
        met = [(pair, to_grid(times[pair[0]] * times[pair[1]] * weight)) for pair in pairs]
        if self._scale == "ordinal":
            for pair, often in met:
                yield at, self._size + self._met.setdefault(pair, len(self._met)), often
            return
        yield at, self._size, sum(often * self._apart(*pair) for pair, often in met)

    def parts(self, sums: Floats) -> tuple[Floats, Floats]:
        """Observed and expected disagreement, each as a mean over pairs."""
        given = sums[..., : self._size]
        n = given.sum(axis=-1)
        if self._scale == "ordinal":
            # Half of the labels at either end and all between them: a difference of middle ranks.
            ranks = np.cumsum(given, axis=-1) - given / 2
            one, other = np.array(list(self._met), dtype=np.intp).reshape(-1, 2).T
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

    def _apart(self, one: int, other: int) -> float:
        if self._scale == "nominal":
            return 1.0
        a, b = self._values[one], self._values[other]
        return float((a - b) ** 2 if self._scale == "interval" else ((a - b) / (a + b)) ** 2)

    def _by_chance(self, given: Floats, n: Floats) -> Floats:
        """What is apart, over every pair of labels given."""
        if self._scale == "nominal":
            return np.asarray(n * n - (given * given).sum(axis=-1))
        if self._scale == "interval":
            mean = given @ self._values / n
            return _spread(given, self._values - mean[..., None], n)
        return self._ratios(given)

    def _ratios(self, given: Floats) -> Floats:
        """No sum of powers gives these, so every two labels are gone through, some at a time."""
        total = np.zeros(given.shape[:-1])
        step = max(1, MOST_APART // self._size)
        for at in range(0, self._size, step):
            some = self._values[at : at + step, None]
            together = some + self._values
            apart = ((some - self._values) / np.where(together == 0, 1, together)) ** 2
            total += (given[..., at : at + step] * (given @ apart.T)).sum(axis=-1)
        return total


def _spread(given: Floats, away: Floats, n: Floats) -> Floats:
    """The squares of differences over every pair, from those to the mean."""
    return np.asarray(2 * n * (given * away * away).sum(axis=-1))


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
