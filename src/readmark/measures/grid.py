"""The grid of statistics: multiples of 2**-30, so that sums are exact in any order."""

from __future__ import annotations

import math
from typing import overload

import numpy as np
from numpy.typing import NDArray

GRID = 2.0**-30


@overload
def to_grid(x: float) -> float: ...


@overload
def to_grid(x: NDArray[np.float64]) -> NDArray[np.float64]: ...


def to_grid(x: NDArray[np.float64] | float) -> NDArray[np.float64] | float:
    """Round to the nearest multiple of 2**-30, ties to even; NaN and infinity stay.

    A double holds 53 bits, so sums stay exact up to 2**53 * 2**-30 = 8,388,608: that many units
    of a statistic between -1 and 1, and a quarter as many of one between -4 and 4.
    """
    if isinstance(x, np.ndarray):
        return np.asarray(np.rint(x / GRID) * GRID)
    return round(x / GRID) * GRID if math.isfinite(x) else float(x)
