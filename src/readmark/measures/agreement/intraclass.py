"""Intraclass correlation: how much of what ratings differ by is due to what was rated.

Two-way random, absolute agreement: ICC(A,1) of a single judge and ICC(A,k) of the mean of all, as
in "Forming Inferences About Some Intraclass Correlation Coefficients". Rows that somebody left out
do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.measures.agreement.value import Agreement, undefined

SINGLE, MEAN = "icc(single)", "icc(mean)"
Ratings = Sequence[Sequence[float | None]]
"""A row a passage, a column a judge; None where a judge left it out."""


def intraclass(panel: Ratings) -> tuple[Agreement, Agreement]:
    """ICC of one judge, and of the mean of them all."""
    rows = [[one for one in row if one is not None] for row in panel if None not in row]
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
    left = table - by_passage[:, None] - by_judge + whole
    error = (left**2).sum() / ((n - 1) * (k - 1))
    over_one = between + (k - 1) * error + k * (judge - error) / n
    over_all = between + (judge - error) / n
    return (
        _figure(SINGLE, between - error, over_one, n),
        _figure(MEAN, between - error, over_all, n),
    )


def _figure(name: str, above: float, below: float, n: int) -> Agreement:
    if not below > 1e-12:  # every rating the same, up to roundings
        return undefined(name, "the ratings do not differ", n=n)
    return Agreement(measure=name, value=float(above / below), n=n)
