"""The grid of statistics: multiples of 2**-30, so that sums are exact in any order."""

from __future__ import annotations

from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats

GRID = 2.0**-30
REACH = 2.0**53 * GRID
"""From here on every double is a multiple of the grid as it is."""

_HALVING = 1.5 * 2.0**37
"""Added and taken away again, it leaves a multiple of 2**-15."""

Number = TypeVar("Number", float, NDArray[np.float64])


@overload
def to_grid(x: float) -> float: ...


@overload
def to_grid(x: NDArray[np.float64]) -> NDArray[np.float64]: ...


def to_grid(x: NDArray[np.float64] | float) -> NDArray[np.float64] | float:
    """Round to the nearest multiple of 2**-30, ties to even; NaN and infinity stay.

    A double holds 53 bits, so sums stay exact up to 2**53 * 2**-30 = 8,388,608: that many units
    of a statistic between -1 and 1, and a quarter as many of one between -4 and 4. What may be
    larger is summed in two ``exact_parts``.
    """
    if isinstance(x, np.ndarray):
        near = np.abs(x) < REACH
        return np.asarray(np.where(near, np.rint(np.where(near, x, 0.0) / GRID) * GRID, x))
    return round(x / GRID) * GRID if abs(x) < REACH else float(x)


def product(a: Number, b: Number) -> tuple[Number, Number]:
    """What two numbers on the grid, below 1,024, give exactly: on the grid, and the rest in GRIDs.

    Both parts lie on the grid, so that sums of products are exact too.
    """
    near = to_grid(a * b)
    a_high, b_high = (a + _HALVING) - _HALVING, (b + _HALVING) - _HALVING
    a_low, b_low = a - a_high, b - b_high
    rest = ((a_high * b_high - near) + (a_high * b_low + a_low * b_high)) + a_low * b_low
    return near, rest / GRID


def exact_parts(sums: Floats) -> list[Floats]:
    """Clusters' sums on the grid as parts that add up to them, each summed without error.

    Where as many clusters as there are may sum up to more than exact sums allow, these are the
    multiples of 2**-15 and the rest: exact up to 2**38 units of a statistic between -1 and 1.
    """
    if len(sums) * float(np.abs(sums).max(initial=0.0)) < REACH:
        return [sums]
    high = (sums + _HALVING) - _HALVING
    return [high, sums - high]


def totals(sums: Floats) -> Floats:
    """The sums of all clusters together, rounded once."""
    return np.asarray(sum(part.sum(axis=0) for part in exact_parts(sums)))
