"""Kendall's W: how far several judges put the same things in the same order.

With the correction for ties of Kendall, "Rank Correlation Methods": 1 is one order, 0 none at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from readmark.measures.agreement.value import Agreement, undefined

NAME = "kendall_w"


def kendall_w(ranks: Sequence[Sequence[float]]) -> Agreement:
    """W of some judges, a row a judge; each has ranked everything, ties as they like."""
    judges = len(ranks)
    things = len(ranks[0]) if ranks else 0
    if judges < 2 or things < 2:
        why = "two judges are needed" if judges < 2 else "two things are needed"
        return undefined(NAME, why, n=things)
    middle = [middle_ranks(row) for row in ranks]
    sums = [sum(row[at] for row in middle) for at in range(things)]
    mean = sum(sums) / things
    apart = 12 * sum((one - mean) ** 2 for one in sums)
    ties = sum(times**3 - times for row in ranks for times in Counter(row).values())
    most = judges**2 * (things**3 - things) - judges * ties
    if not most:
        return undefined(NAME, "every judge put everything level", n=things)
    return Agreement(measure=NAME, value=apart / most, n=things)


def middle_ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the middle of theirs."""
    order = sorted(values)
    first = {value: order.index(value) for value in set(values)}
    times = Counter(values)
    return [first[value] + (times[value] + 1) / 2 for value in values]
