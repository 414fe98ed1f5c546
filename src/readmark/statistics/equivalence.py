"""Equivalence of two paired marks: is their difference smaller than a margin?

Two one-sided tests (Schuirmann, A Comparison of the Two One-Sided Tests Procedure and the Power
Approach for Assessing the Equivalence of Average Bioavailability), with the jackknife's standard
error and Student's t. For a difference of means they are two paired t tests. Correlations are
compared as Fisher's z, since the higher a correlation is, the less it varies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.statistics.distributions import t_quantile, t_tail
from readmark.statistics.jackknife import standard_error

ALPHA = 0.05
"""The level of each of the tests."""
POWER = 0.8
MOST_CLUSTERS = 1_000_000

EQUIVALENT, WORSE, BETTER, UNDECIDED = "equivalent", "worse", "better", "cannot tell"

_LARGEST = 1 - 1e-9
"""A correlation nearer to 1 has no use for Fisher's z."""
_NOTHING = 1e-9
"""A difference below this is that of roundings."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A difference (above 0 is better) against a margin; p-values are None where undefined."""

    difference: float
    margin: float
    clusters: int
    error: float | None
    """The standard error of the difference."""
    p_lower: float | None
    """How likely so high a difference is if the true one is -margin: small, it is not so low."""
    p_upper: float | None
    """How likely so low a difference is if the true one is the margin: small, it is not so high."""
    p_different: float | None
    """The two-sided p of no difference at all."""
    reach: float | None
    """How many standard errors the margin is, on the scale of the tests; infinite if there is
    no variation."""

    @property
    def p(self) -> float | None:
        """The p of equivalence: the larger of both tests'."""
        if self.p_lower is None or self.p_upper is None:
            return None
        return max(self.p_lower, self.p_upper)

    @property
    def not_worse(self) -> bool:
        """Whether it is shown not to be worse by the margin, whether or not it is better."""
        return self.p_lower is not None and self.p_lower < ALPHA

    @property
    def verdict(self) -> str:
        """Equivalent first: a difference may be certain, and too small to matter."""
        if self.p is not None and self.p < ALPHA:
            return EQUIVALENT
        if self.p_different is not None and self.p_different < ALPHA:
            return WORSE if self.difference < 0 else BETTER
        return UNDECIDED


def two_one_sided(
    a: float, b: float, left_out: Floats, *, margin: float, correlation: bool = False
) -> Equivalence:
    """Test B - A by both marks without each cluster in turn, (clusters, 2).

    Where a contrast never varies there is no t: a sign test of as many clusters takes its place.
    """
    if not 0 < margin < math.inf:
        raise UsageError(f"margin {margin:g} is not above 0")
    scale = _fisher if correlation else np.asarray
    pair, columns = np.array([[a, b]]), np.asarray(left_out, dtype=np.float64)

    def contrast(less_a: float, less_b: float) -> tuple[float, Floats]:
        """B less A, each less a part of the margin, as observed and without each cluster."""
        value, without = (
            scale(marks[:, 1] - less_b) - scale(marks[:, 0] - less_a) for marks in (pair, columns)
        )
        return float(value[0]), without

    # B = A - margin is tested as B against A - margin, and B = A + margin as B - margin against A:
    # nothing is added, so that no correlation gets beyond 1.
    lower, upper, either = contrast(margin, 0.0), contrast(0.0, margin), contrast(0.0, 0.0)
    away = _tail(abs(either[0]), either[1] if either[0] >= 0 else -either[1])
    return Equivalence(
        difference=b - a,
        margin=margin,
        clusters=len(columns),
        error=standard_error(b - a, columns[:, 1] - columns[:, 0]),
        p_lower=_tail(*lower),
        p_upper=_tail(-upper[0], -upper[1]),
        p_different=None if away is None else min(1.0, 2 * away),
        reach=_reach((a + b) / 2, margin, scale, (lower, upper)),
    )


def _fisher(correlations: Floats) -> Floats:
    return np.arctanh(np.clip(correlations, -_LARGEST, _LARGEST))


def _tail(value: float, without: Floats) -> float | None:
    """How likely so high a value is if the true one is 0."""
    error = standard_error(value, without)
    if error is None:
        return None
    if error == 0:
        return 0.5 ** len(without) if value > _NOTHING else 1.0
    return t_tail(value / error, len(without) - 1)


def _reach(
    middle: float,
    margin: float,
    scale: Callable[[Floats], Floats],
    contrasts: tuple[tuple[float, Floats], ...],
) -> float | None:
    """The margin between equal marks in standard errors, the larger of both tests'."""
    errors = [standard_error(*contrast) for contrast in contrasts]
    if None in errors:
        return None
    ends = scale(np.array([middle - margin, middle]))
    largest = max(error for error in errors if error is not None)
    return float(ends[1] - ends[0]) / largest if largest else math.inf


def clusters_needed(test: Equivalence, *, power: float = POWER) -> int | None:
    """The fewest clusters with which equals would be called equivalent with that probability.

    Clusters are taken to vary as those of ``test``; None where that is unknown, or where it
    takes more than a million.
    """
    if test.reach is None:
        return None
    if test.reach == math.inf:  # by the sign test
        return math.floor(math.log2(1 / ALPHA)) + 1
    unit = test.reach / math.sqrt(test.clusters)
    low, high = 1, 2
    while _power(high, unit) < power:
        low, high = high, 2 * high
        if high > MOST_CLUSTERS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _power(middle, unit) >= power else (middle, high)
    return high


def _power(clusters: int, unit: float) -> float:
    """How often both tests succeed where there is no difference."""
    inside = unit * math.sqrt(clusters) - t_quantile(ALPHA, clusters - 1)
    return max(0.0, 1 - 2 * t_tail(inside, clusters - 1))
