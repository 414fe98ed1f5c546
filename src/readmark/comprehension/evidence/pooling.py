"""What features and an encoder find likely, pooled: the second speed of the evidence reader.

A sentence's probability is a product of powers of both (a logarithmic opinion pool: "Combining
Probability Distributions: A Critique and an Annotated Bibliography", Genest and Zidek, 1986).
Exponents below 1 tone down a side that is too sure of itself, so they are learnt on questions that
neither side was trained on. Nothing in them depends on the encoder's size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from readmark.core.arrays import AnyFloats, AnyInts
from readmark.stats.networks import softmax

FLOOR = 1e-6
"""The least probability that either side gives a sentence: neither can rule one out."""
_STEPS = 50
_RIDGE = 1e-4
"""Keeps exponents finite where one side is always right."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """The exponents of both sides, and what they were learnt from."""

    features: float
    encoder: float
    note: Mapping[str, Any] = field(default_factory=dict)

    def pooled(self, features: AnyFloats, encoder: AnyFloats) -> AnyFloats:
        """The probabilities of a passage's sentences by both, or by features if that is all."""
        scores = self.features * _logs(features)
        if encoder.any():
            scores = scores + self.encoder * _logs(encoder)
        raised = np.exp(scores - scores.max())
        shares: AnyFloats = raised / raised.sum()
        return shares

    def as_json(self) -> dict[str, Any]:
        """Its part of a model's file."""
        exponents = {"features": self.features, "encoder": self.encoder}
        return {**{name: round(one, 4) for name, one in exponents.items()}, "note": self.note}


def pooling_from(said: Mapping[str, Any]) -> Pooling:
    """The exponents of a model's file."""
    return Pooling(float(said["features"]), float(said["encoder"]), said.get("note", {}))


def _logs(shares: AnyFloats) -> AnyFloats:
    logs: AnyFloats = np.log(np.maximum(shares.astype(np.float64), FLOOR))
    return logs


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
        [np.stack([_logs(one.features), _logs(one.encoder)], axis=1) for one in examples]
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
