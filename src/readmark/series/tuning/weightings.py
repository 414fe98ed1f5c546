"""The weightings that a search tries: whole numbers, or real numbers that sum to 1."""

from __future__ import annotations

import itertools
import math

import numpy as np

from readmark.core.arrays import Floats
from readmark.statistics.similarity.order_weights import OrderWeights

# Chosen for a search that takes seconds, not by the document: about a weighting per 0.02 of each
# weight, then steps around the best one.
_DRAWS = 2000
_STEPS = 200


def integer_weights(most: int) -> list[OrderWeights]:
    """Every weighting in whole numbers up to the largest, each ratio once."""
    return [
        (float(u), float(b), float(t))
        for u, b, t in itertools.product(range(most + 1), repeat=3)
        if math.gcd(u, b, t) == 1
    ]


def real_weights(seed: int) -> list[OrderWeights]:
    """Weights that sum to 1, drawn evenly."""
    draws = np.random.default_rng(seed).dirichlet((1.0, 1.0, 1.0), _DRAWS)
    return [rounded_weights(weights) for weights in draws]


def nearby_weights(best: OrderWeights, seed: int) -> list[OrderWeights]:
    """Weights that sum to 1 around the best, in smaller and smaller steps; the best comes first."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(_STEPS, 3)) * np.geomspace(0.1, 0.0005, _STEPS)[:, None]
    moved = np.clip(np.array(best) + steps, 0.0, None)
    moved = moved[moved.sum(axis=1) > 0]
    return [best, *(rounded_weights(weights / weights.sum()) for weights in moved)]


def rounded_weights(weights: Floats) -> OrderWeights:
    """Weights with six decimals, as the name of a metric has them."""
    u, b, t = (round(float(weight), 6) for weight in weights)
    return u, b, t
