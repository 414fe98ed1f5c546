"""Krippendorff's alpha for unitizing: whether annotators find the same spans in a text.

After "On the Reliability of Unitizing Continuous Data". What two annotators differ by is the
squared distance of the ends of units that meet, and the squared length of one that meets none;
what chance would give comes from the lengths of the units and of the gaps between them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.agreement.value import Agreement, Resampling, beyond_chance, undefined

ContinuumSection = tuple[int, int]
"""Start and end of a unit."""
OVERLAP = "spans of one annotator overlap, which unitizing alpha does not define"
NOTHING = "no annotator marked any span"


@dataclass(frozen=True, slots=True)
class Continuum:
    """A text that all annotators worked on: each one's units by category, and its record."""

    length: int
    units: Sequence[Sequence[tuple[int, int, Hashable]]]
    """By annotator: start, end, category; the category is None where there is only one."""
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
    for sections_of_texts in by_category:
        for sections_of_raters in sections_of_texts:
            if any(map(_overlapping, sections_of_raters)):
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
        """A row for each cluster; ``by_category`` has every annotator's units of every text."""
        length = np.zeros((clusters, 1))
        for code, continuum in zip(codes, continua, strict=True):
            length[code] += continuum.length
        blocks = [length]
        for texts in by_category:
            lengths = sorted(
                {end - start for raters in texts for units in raters for start, end in units}
            )
            self._lengths.append(np.array(lengths, dtype=np.float64))
            block = np.zeros((clusters, 1 + 2 * len(lengths)))
            for code, continuum, raters in zip(codes, continua, texts, strict=True):
                block[code] += _row(continuum.length, raters, np.array(lengths))
            blocks.append(block)
        return np.hstack(blocks)

    def parts(self, sums: Floats) -> tuple[Floats, Floats]:
        """Observed and expected disagreement, summed over categories.

        For m annotators, a continuum of length L, and the N units of a category with lengths s:

            observed = 2 Σ δ² / (m (m − 1) L²)
            expected = (2 / L) Σ [(N − 1) / 3 (2s³ − 3s² + s) + s² Σ max(gap − s + 1, 0)]
                       / (m L (m L − 1) − Σ s (s − 1))
        """
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
    observed = sum(_observed(first, second) for first, second in combinations(raters, 2))
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
    return any(end > next_start for (_, end), (next_start, _) in pairwise(units))


def _gaps(units: Sequence[ContinuumSection], length: int) -> list[int]:
    ends = [0, *(end for _, end in units)]
    starts = [*(start for start, _ in units), length]
    return [start - end for end, start in zip(ends, starts, strict=True) if start > end]


def _observed(a: Sequence[ContinuumSection], b: Sequence[ContinuumSection]) -> int:
    """What two annotators' units of a text differ by, each pair once."""
    total = 0
    met: set[int] = set()
    ends = [end for _, end in b]
    starts = [start for start, _ in b]
    for start, end in a:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        for index in range(first, last):
            total += (start - starts[index]) ** 2 + (end - ends[index]) ** 2
            met.add(index)
        if first >= last:
            total += (end - start) ** 2
    return total + sum(
        (end - start) ** 2 for index, (start, end) in enumerate(b) if index not in met
    )
