"""The F measure of two annotators, each in turn taken for the key: the same both ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.core.arrays import Floats
from readmark.statistics.agreement.sums import Clusters, vector_sums
from readmark.statistics.agreement.value import Agreement, Resampling, figure

Shares = tuple[float, float, float, float]
"""What of A was found in B, of how much; what of B was found in A, of how much."""


def f_measure(
    measure: str,
    rows: Sequence[Shares],
    *,
    reason: str,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """The harmonic mean of both shares, over all rows; each row is a cluster by default.

    Undefined only when neither annotator has anything: one with nothing against one with something
    is 0.
    """
    sums = vector_sums(rows, 4, clusters)
    total = sums.sum(axis=0)
    n = round(float(total[1] + total[3]))
    return figure(measure, sums, f_of, n=n, reason=reason, resampling=resampling)


@np.errstate(divide="ignore", invalid="ignore")
def f_of(sums: Floats) -> Floats:
    """The harmonic mean of two shares; a share of nothing counts as 0 if the other is not."""
    found_a, of_a, found_b, of_b = (sums[..., index] for index in range(4))
    share_a = np.where(of_a > 0, found_a / of_a, 0.0)
    share_b = np.where(of_b > 0, found_b / of_b, 0.0)
    total = share_a + share_b
    mean = np.where(total > 0, 2 * share_a * share_b / np.where(total > 0, total, 1), 0.0)
    return np.asarray(np.where((of_a > 0) | (of_b > 0), mean, np.nan))
