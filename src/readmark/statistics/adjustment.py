"""p-values adjusted for several comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Step-down adjusted p-values (Holm, A Simple Sequentially Rejective Multiple Test Procedure).

    An undefined p (NaN) stays NaN and is no comparison: it does not weigh on the others.
    """
    defined = [index for index, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(defined, key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (len(defined) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
