"""Krippendorff's alpha for unitizing: whether annotators find the same spans in a text.

After "On the Reliability of Unitizing Continuous Data". A section is a unit or a gap between units;
units that overlap differ by the squares of what their ends are apart, a unit that lies in a gap by
the square of its length.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from readmark.measures.agreement.value import Agreement, Resampling, beyond_chance, undefined
from readmark.measures.resampling import Floats

Section = tuple[int, int]
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
    raters = {len(one.units) for one in continua}
    if not continua or raters in ({0}, {1}):
        return undefined(name, "no text was marked by two annotators")
    if len(raters) > 1:
        raise ValueError("every text must have as many annotators")
    categories = list(
        dict.fromkeys(unit[2] for one in continua for units in one.units for unit in units)
    )
    found = sum(len(units) for one in continua for units in one.units)
    if not categories:
        return undefined(name, NOTHING)
    by_category = [[_sections(one, category) for one in continua] for category in categories]
    if any(_overlapping(units) for all in by_category for one in all for units in one):
        return undefined(name, OVERLAP, n=found)
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(one.cluster, len(numbers)) for one in continua]
    alpha = _Alpha(raters.pop())
    sums = alpha.sums(continua, by_category, codes, len(numbers))
    return beyond_chance(name, sums, alpha.parts, n=found, reason=NOTHING, resampling=resampling)


class _Alpha:
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
        by_category: Sequence[Sequence[list[list[Section]]]],
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
        at = 1
        for size in self._lengths:
            units = sums[..., at + 1 : at + 1 + len(size)]
            places = sums[..., at + 1 + len(size) : at + 1 + 2 * len(size)]
            observed += 2 * sums[..., at] / (m * (m - 1) * length * length)
            others = units.sum(axis=-1, keepdims=True) - 1
            meeting = others / 3 * (2 * size**3 - 3 * size**2 + size)
            alone = size**2 * places
            pairs = m * length * (m * length - 1) - (units * size * (size - 1)).sum(axis=-1)
            expected += 2 / length * (units * (meeting + alone)).sum(axis=-1) / pairs
            at += 1 + 2 * len(size)
        return observed, expected


def _row(length: int, raters: list[list[Section]], lengths: NDArray[np.int64]) -> Floats:
    """One text's sums for a category."""
    sizes = np.array([end - start for units in raters for start, end in units], dtype=np.int64)
    gaps = np.array([gap for units in raters for gap in _gaps(units, length)], dtype=np.int64)
    observed = sum(_observed(one, other) for one, other in combinations(raters, 2))
    counts = (sizes[:, None] == lengths).sum(axis=0)
    places = np.maximum(gaps[:, None] - lengths + 1, 0).sum(axis=0)
    return np.concatenate([[observed], counts, places]).astype(np.float64)


def _sections(one: Continuum, category: Hashable) -> list[list[Section]]:
    """Each annotator's units of a category, in order; an empty span is none."""
    return [
        sorted((start, end) for start, end, said in units if said == category and start < end)
        for units in one.units
    ]


def _overlapping(units: Sequence[Section]) -> bool:
    return any(one[1] > other[0] for one, other in pairwise(units))


def _gaps(units: Sequence[Section], length: int) -> list[int]:
    ends = [0, *(end for _, end in units)]
    starts = [*(start for start, _ in units), length]
    return [start - end for end, start in zip(ends, starts, strict=True) if start > end]


def _observed(one: Sequence[Section], other: Sequence[Section]) -> int:
    """What two annotators' units of a text differ by, each pair once."""
    total = 0
    met: set[int] = set()
    ends = [end for _, end in other]
    starts = [start for start, _ in other]
    for start, end in one:
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        for at in range(first, last):
            total += (start - starts[at]) ** 2 + (end - ends[at]) ** 2
            met.add(at)
        if first >= last:
            total += (end - start) ** 2
    return total + sum((end - start) ** 2 for at, (start, end) in enumerate(other) if at not in met)
