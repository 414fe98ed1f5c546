"""Equivalence of two paired marks: is their difference smaller than a margin?

Two one-sided tests (Schuirmann, A Comparison of the Two One-Sided Tests Procedure and the Power
Approach for Assessing the Equivalence of Average Bioavailability), with the jackknife's standard
error and Student's t. For a difference of means they are two paired t tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from readmark.core.errors import UsageError
from readmark.stats.jackknife import beta_cdf, standard_error, t_quantile
from readmark.stats.resampling import Floats

ALPHA = 0.05
"""Each one-sided test's, so that the interval that decides has a confidence of 90%."""
POWER = 0.8
MOST_CLUSTERS = 1_000_000

EQUIVALENT, WORSE, BETTER, UNDECIDED = "equivalent", "worse", "better", "cannot tell"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A difference (above 0 is better) against a margin; p-values are None where undefined."""

    difference: float
    margin: float
    clusters: int
    error: float | None
    """The standard error; 0 where the difference is the same whatever cluster is left out."""
    p_lower: float | None
    """How likely so high a difference is if the true one is -margin: small, it is not so low."""
    p_upper: float | None
    """How likely so low a difference is if the true one is the margin: small, it is not so high."""
    p_different: float | None
    """The two-sided p of no difference at all."""
    low: float | None
    high: float | None
    """The interval that is within the margin exactly where both tests succeed."""

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


def two_one_sided(difference: float, left_out: Floats, *, margin: float) -> Equivalence:
    """Test a difference by its values without each cluster in turn.

    Where it never varies there is no t: a sign test of as many clusters takes its place.
    """
    if not 0 < margin < math.inf:
        raise UsageError(f"margin {margin:g} is not above 0")
    clusters = len(left_out)
    error = standard_error(difference, left_out)
    if error is None:
        return Equivalence(difference, margin, clusters, None, None, None, None, None, None)
    if error == 0:
        away = 0.0 if math.isclose(difference, 0.0, abs_tol=1e-9) else difference
        lower, upper = _sign_tail(away + margin, clusters), _sign_tail(margin - away, clusters)
        either = min(1.0, 2 * _sign_tail(abs(away), clusters))
        return Equivalence(difference, margin, clusters, 0.0, lower, upper, either, None, None)
    freedom = clusters - 1
    reach = t_quantile(ALPHA, freedom) * error
    return Equivalence(
        difference,
        margin,
        clusters,
        error,
        t_tail((difference + margin) / error, freedom),
        t_tail((margin - difference) / error, freedom),
        2 * t_tail(abs(difference) / error, freedom),
        difference - reach,
        difference + reach,
    )


def t_tail(value: float, freedom: int) -> float:
    """The probability that Student's t exceeds a value."""
    beyond = beta_cdf(freedom / (freedom + value * value), freedom / 2, 0.5) / 2
    return beyond if value >= 0 else 1 - beyond


def clusters_needed(test: Equivalence, *, power: float = POWER) -> int | None:
    """The fewest clusters with which equals would be called equivalent with that probability.

    Clusters are taken to vary as those of ``test``; None where that is unknown, or where it
    takes more than a million.
    """
    if test.error is None:
        return None
    if test.error == 0:
        return math.floor(math.log2(1 / ALPHA)) + 1
    spread = test.error * math.sqrt(test.clusters)
    low, high = 1, 2
    while _power(high, spread, test.margin) < power:
        low, high = high, 2 * high
        if high > MOST_CLUSTERS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if _power(middle, spread, test.margin) >= power else (middle, high)
        )
    return high


def _power(clusters: int, spread: float, margin: float) -> float:
    """How often both tests succeed where there is no difference."""
    freedom = clusters - 1
    inside = margin * math.sqrt(clusters) / spread - t_quantile(ALPHA, freedom)
    return max(0.0, 1 - 2 * t_tail(inside, freedom))


def _sign_tail(distance: float, clusters: int) -> float:
    """The chance that all clusters are on one side, where the distance is on that side."""
    return 0.5**clusters if distance > 0 else 1.0
