"""Learns how what features find likely is pooled with what an encoder finds likely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from readmark.comprehension.evidence.pooling import Pooling, floored_logs
from readmark.core.arrays import AnyFloats, AnyInts
from training.networks import softmax

_STEPS = 50
_RIDGE = 1e-4
"""Keeps exponents finite where one side is always right."""


class PoolingExample(NamedTuple):
    """A question: the probabilities of its sentences by both sides, and which are right."""

    features: AnyFloats
    encoder: AnyFloats
    right: AnyFloats
    weight: float = 1.0


def learn_pooling(examples: Sequence[PoolingExample]) -> Pooling:
    """The exponents under which the right sentences are likeliest, by Newton's method.

    With several right sentences the step takes their shares as given, so that no step can lose.
    """
    rows = np.concatenate(
        [
            np.stack([floored_logs(one.features), floored_logs(one.encoder)], axis=1)
            for one in examples
        ]
    )
    sizes = np.array([len(one.right) for one in examples])
    starts = np.cumsum(sizes) - sizes
    right = np.concatenate([one.right for one in examples]).astype(np.float64)
    weights = np.array([one.weight for one in examples])
    weights = np.repeat(weights / weights.sum(), sizes)
    exponents = np.full(2, 0.5)
    for _ in range(_STEPS):
        slope, curve = _slope_and_curve(exponents, rows, right, weights, starts, sizes)
        step = np.linalg.solve(curve, slope)
        exponents = exponents - step
        if np.abs(step).max() < 1e-9:
            break
    return Pooling(float(exponents[0]), float(exponents[1]))


def _slope_and_curve(
    exponents: AnyFloats,
    rows: AnyFloats,
    right: AnyFloats,
    weights: AnyFloats,
    starts: AnyInts,
    sizes: AnyInts,
) -> tuple[AnyFloats, AnyFloats]:
    """The first and second derivatives of minus the log-likelihood, with the ridge."""
    shares = softmax(rows @ exponents, starts, sizes)
    correct = shares * right
    correct = correct / np.repeat(np.add.reduceat(correct, starts), sizes)
    slope = rows.T @ (weights * (shares - correct))
    means = np.repeat(np.add.reduceat(shares[:, None] * rows, starts), sizes, axis=0)
    centred = rows - means
    curve = (centred * (weights * shares)[:, None]).T @ centred
    return slope + _RIDGE * exponents, curve + _RIDGE * np.eye(2)
