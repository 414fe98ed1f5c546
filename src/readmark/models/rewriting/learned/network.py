"""The network that ranks candidates: one hidden layer, and a straight way beside it.

The loss is what is expected to be lost: one less the mean likeness to a gold, candidates weighed
by their probabilities (minimum risk training), with some cross-entropy towards the best ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.network import Adam, Weights, softmax
from readmark.models.rewriting.learned.lessons import Lesson


@dataclass(frozen=True)
class Plan:
    """How a network is trained."""

    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    hidden: int = 32
    epochs: int = 12
    batch: int = 32
    rate: float = 0.003
    decay: float = 0.02
    dropout: float = 0.2
    risk: float = 60.0
    """How much the expected loss weighs beside the cross-entropy."""
    sharpness: float = 12.0
    """How much likelier a better candidate is to be aimed at."""


class Batch(NamedTuple):
    """Several lessons one after another."""

    numbers: Floats
    scores: Floats
    aims: Floats
    starts: Ints
    sizes: Ints


def initial(width: int, hidden: int, seed: int) -> Weights:
    """Random weights of the hidden layer; the straight way begins at nothing."""
    draw = np.random.Generator(np.random.PCG64(seed))
    return {
        "hidden": (draw.standard_normal((width, hidden)) / np.sqrt(width)).astype(np.float32),
        "hidden_bias": np.zeros(hidden, np.float32),
        "out": (draw.standard_normal((hidden, 1)) / np.sqrt(hidden)).astype(np.float32),
        "straight": np.zeros((width, 1), np.float32),
    }


def forward(weights: Weights, numbers: Floats) -> tuple[Floats, Floats]:
    """A score a row, and the hidden layer that it came from."""
    hidden = np.maximum(numbers @ weights["hidden"] + weights["hidden_bias"], 0.0)
    scores: Floats = (hidden @ weights["out"] + numbers @ weights["straight"]).ravel()
    return scores, hidden


def trained(lessons: Sequence[Lesson], seed: int, plan: Plan) -> Weights:
    """One network on standardised lessons."""
    draw = np.random.Generator(np.random.PCG64(seed))
    weights = initial(lessons[0].numbers.shape[1], plan.hidden, seed)
    adam = Adam(weights, decay=plan.decay)
    steps = -(-len(lessons) // plan.batch) * plan.epochs
    done = 0
    for _ in range(plan.epochs):
        order = draw.permutation(len(lessons))
        for at in range(0, len(order), plan.batch):
            data = _batch([lessons[one] for one in order[at : at + plan.batch]], plan)
            drawn = draw.random(data.numbers.shape[1])
            keep = np.where(drawn < plan.dropout, 0.0, 1.0).astype(np.float32)
            rate = plan.rate * min(1.0, 10 * done / steps + 0.1) * (1 - done / steps)
            adam.step(weights, _gradient(weights, data, keep / (1 - plan.dropout), plan), rate)
            done += 1
    return weights


def _batch(lessons: Sequence[Lesson], plan: Plan) -> Batch:
    sizes = np.array([len(one.scores) for one in lessons])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    scores = np.concatenate([one.scores for one in lessons])
    aims = softmax(scores * np.float32(plan.sharpness), starts, sizes)
    numbers = np.concatenate([one.numbers for one in lessons])
    return Batch(numbers, scores, aims, starts, sizes)


def _gradient(weights: Weights, data: Batch, keep: Floats, plan: Plan) -> Weights:
    numbers = data.numbers * keep
    scores, hidden = forward(weights, numbers)
    shares = softmax(scores, data.starts, data.sizes)
    mean = np.repeat(np.add.reduceat(shares * data.scores, data.starts), data.sizes)
    error = shares - data.aims + np.float32(plan.risk) * shares * (mean - data.scores)
    slopes = (error / len(data.sizes)).astype(np.float32)[:, None]
    at_hidden = (slopes * weights["out"].T) * (hidden > 0)
    return {
        "out": hidden.T @ slopes,
        "straight": numbers.T @ slopes,
        "hidden": numbers.T @ at_hidden,
        "hidden_bias": at_hidden.sum(0),
    }
