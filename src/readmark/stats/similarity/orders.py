"""One score of several orders of n-grams: the weighted mean of a measure at each order."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from readmark.core.errors import UsageError

if TYPE_CHECKING:
    from readmark.stats.similarity.shared import Measure, N, Shared


Weights = tuple[float, float, float]
"""How much words, pairs of words and triples of words weigh."""


def check_weights(weights: Weights, *, of: str) -> None:
    """Weights that no mean can be made of are a usage error."""
    if not all(0 <= weight < float("inf") for weight in weights) or not any(weights):
        raise UsageError(f"{of}: weights u, b and t are at least 0, and one is more")
    if not math.isfinite(sum(weights)):
        raise UsageError(f"{of}: the sum of weights u, b and t is beyond any number")


def weighted(measure: Measure[N], weights: Weights, at: Callable[[int], Shared[N]]) -> N:
    """(u S₁ + b S₂ + t S₃) / (u + b + t); an order without weight is not looked at."""
    used = [(order, weight) for order, weight in enumerate(weights, 1) if weight]
    parts = [weight * measure(at(order)) for order, weight in used]
    return sum(parts[1:], parts[0]) / sum(weight for _, weight in used)
