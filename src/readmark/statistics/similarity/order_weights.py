"""One score of several orders of n-grams: the weighted mean of a measure at each order."""

from __future__ import annotations

import math

from readmark.core.errors import UsageError
from readmark.statistics.similarity.ngrams import GramMeasure, SharedGrams, TextGrams

OrderWeights = tuple[float, float, float]
"""How much words, pairs of words and triples of words weigh."""


def check_weights(weights: OrderWeights, *, of: str) -> None:
    """Weights that no mean can be made of are a usage error."""
    if not all(0 <= weight < float("inf") for weight in weights) or not any(weights):
        raise UsageError(f"{of}: weights u, b and t must be 0 or more, and not all 0")
    if not math.isfinite(sum(weights)):
        raise UsageError(f"{of}: the sum of weights u, b and t is infinite")


ORDERS = "present"
"""The rule of ``weighted`` for orders that neither text has, in signatures."""


def weighted(measure: GramMeasure, weights: OrderWeights, a: TextGrams, b: TextGrams) -> float:
    """(u S₁ + b S₂ + t S₃) / (u + b + t) over the orders that at least one of two texts has.

    Texts too short for every order with a weight are alike only if they are equal.
    """
    total = used = 0.0
    for order, weight in enumerate(weights, 1):
        if not weight:
            continue
        first, second = a.of_order(order), b.of_order(order)
        if first.listed or second.listed:
            total += weight * measure(SharedGrams(first, second))
            used += weight
    return total / used if used else float(a.words == b.words)
