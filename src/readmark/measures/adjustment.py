"""p-values adjusted for several comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Step-down adjusted p-values (Holm, A Simple Sequentially Rejective Multiple Test Procedure).

    An undefined p (NaN) stays NaN and is no comparison: it does not weigh on the others.
    """
    defined = [at for at, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(sorted(defined, key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, (len(defined) - rank) * p_values[at]))
        adjusted[at] = highest
    return adjusted
