"""Agreement of judges who rate or rank.

Pearson's correlation two by two, intraclass correlation (Shrout and Fleiss, Intraclass
Correlations), and Kendall's W of rankings (Kendall and Babington Smith, The Problem of m Rankings).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from readmark.statistics.agreement.value import Agreement, undefined
from readmark.statistics.correlation import mean_ranks

PAIRWISE, BETWEEN = "pearson(pairwise)", "pearson"
SINGLE, MEAN = "icc(single)", "icc(mean)"
KENDALL_W = "kendall_w"
NumberColumn = Sequence[float | None]
Ratings = Sequence[Sequence[float | None]]
"""One row per passage, one column per judge; None where a judge left it out."""


def correlation(a: NumberColumn, b: NumberColumn) -> Agreement:
    """Pearson's correlation of two columns, where both have a number."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if len(pairs) < 2:
        return undefined(BETWEEN, "fewer than two passages have both", n=len(pairs))
    table = np.array(pairs, dtype=np.float64)
    if (np.ptp(table, axis=0) == 0).any():
        return undefined(BETWEEN, "one of them is constant", n=len(pairs))
    deviations = table - table.mean(axis=0)
    spread = (deviations**2).sum(axis=0)
    value = float((deviations[:, 0] * deviations[:, 1]).sum() / np.sqrt(spread.prod()))
    return Agreement(measure=BETWEEN, value=max(-1.0, min(1.0, value)), n=len(pairs))


def mean_pairwise(columns: Sequence[NumberColumn]) -> Agreement:
    """The mean correlation over pairs of judges; pairs that have none are left out."""
    agreements = [correlation(a, b) for a, b in combinations(columns, 2)]
    values = [agreement.value for agreement in agreements if agreement.value is not None]
    if not values:
        why = agreements[0].reason or "" if agreements else "two judges are needed"
        return undefined(PAIRWISE, why)
    mean = sum(values) / len(values)
    return Agreement(measure=PAIRWISE, value=mean, n=len(values))


def intraclass(panel: Ratings) -> tuple[Agreement, Agreement]:
    """ICC of one judge, and of the mean of them all."""
    rows = [[value for value in row if value is not None] for row in panel if None not in row]
    judges = len(panel[0]) if panel else 0
    if judges < 2 or len(rows) < 2:
        why = "two judges are needed" if judges < 2 else "fewer than two passages have all judges"
        return undefined(SINGLE, why, n=len(rows)), undefined(MEAN, why, n=len(rows))
    table = np.array(rows, dtype=np.float64)
    n, k = table.shape
    whole = table.mean()
    by_passage, by_judge = table.mean(axis=1), table.mean(axis=0)
    between = k * ((by_passage - whole) ** 2).sum() / (n - 1)
    judge = n * ((by_judge - whole) ** 2).sum() / (k - 1)
    residuals = table - by_passage[:, None] - by_judge + whole
    error = (residuals**2).sum() / ((n - 1) * (k - 1))
    # ICC(2,1) and ICC(2,k): judges are a sample of those there might be.
    single = between + (k - 1) * error + k * (judge - error) / n
    mean = between + (judge - error) / n
    return (
        _quotient(SINGLE, between - error, single, n),
        _quotient(MEAN, between - error, mean, n),
    )


def _quotient(name: str, numerator: float, denominator: float, n: int) -> Agreement:
    if abs(denominator) <= 1e-12:  # every rating the same, up to roundings
        return undefined(name, "the ratings do not differ", n=n)
    if denominator < 0:  # an estimate of a variance may be negative; a ratio to it means nothing
        return undefined(
            name, "its denominator is negative: judges disagree more than passages differ", n=n
        )
    return Agreement(measure=name, value=float(numerator / denominator), n=n)


def kendall_w(ranks: Sequence[Sequence[float]]) -> Agreement:
    """Kendall's W, one row per judge; each has ranked everything, with any ties.

    12 Σ (R − R̄)² / (m² (n³ − n) − m Σ (t³ − t)), with the rank sums R of n things by m judges and
    the sizes t of the groups of ties.
    """
    judges = len(ranks)
    things = len(ranks[0]) if ranks else 0
    if judges < 2 or things < 2:
        reason = "two judges are needed" if judges < 2 else "two things are needed"
        return undefined(KENDALL_W, reason, n=things)
    sums = np.sum([mean_ranks(np.asarray(row, dtype=np.float64)) for row in ranks], axis=0)
    spread = 12 * float(((sums - judges * (things + 1) / 2) ** 2).sum())
    ties = sum(count**3 - count for row in ranks for count in Counter(row).values())
    greatest = judges**2 * (things**3 - things) - judges * ties
    if not greatest:
        return undefined(KENDALL_W, "every judge put everything level", n=things)
    return Agreement(measure=KENDALL_W, value=spread / greatest, n=things)
