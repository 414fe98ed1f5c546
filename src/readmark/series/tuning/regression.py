"""Weights by least squares: people's scores as a linear function of similarities."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import DataError
from readmark.series.tuning.order_similarities import OrderSimilarities
from readmark.series.tuning.weightings import rounded_weights
from readmark.statistics.similarity.order_weights import OrderWeights


@dataclass(frozen=True, slots=True)
class Regression:
    """judgement = intercept + slope · (weighted similarity), weights summing to 1."""

    weights: OrderWeights
    slope: float
    intercept: float
    residual: float
    """The root of the mean square that is left."""


def regress(
    rewrites: Sequence[OrderSimilarities],
    judged: Sequence[float],
    start: OrderWeights,
    *,
    file: object = None,
) -> Regression:
    """Least squares with weights of at least 0; the nearest golds are found again each round.

    Every order must be present in ``rewrites``: only then is a score linear in the weights. An
    error names ``file``, which the judgements are from.
    """
    weights = start
    seen_rows: set[bytes] = set()
    while True:
        nearest = [int(np.argmax(parts.scores(np.array([weights])))) for parts in rewrites]
        rows = np.array(
            [parts.similarities[gold] for parts, gold in zip(rewrites, nearest, strict=True)]
        )
        regression = _least_squares(rows, np.array(judged, dtype=np.float64))
        if regression is None:
            raise DataError(
                "the judgements do not rise with similarity to a gold: no weights fit them",
                file=file,
            )
        weights = regression.weights
        if rows.tobytes() in seen_rows:  # the same nearest golds again: settled, or a circle
            return regression
        seen_rows.add(rows.tobytes())


def _least_squares(rows: Floats, judged: Floats) -> Regression | None:
    """All subsets of the three orders are solved: the best one without a negative weight wins.

    None where every such weight is 0.
    """
    centred, deviations = rows - rows.mean(axis=0), judged - judged.mean()
    best: tuple[float, Floats] | None = None
    for subset in itertools.product((False, True), repeat=3):
        orders = np.array(subset)
        weights = np.zeros(3)
        if orders.any():
            weights[orders] = np.linalg.lstsq(centred[:, orders], deviations, rcond=None)[0]
        if (weights < 0).any():
            continue
        squares = float(((deviations - centred @ weights) ** 2).sum())
        # 1e-12: more orders must not win by rounding alone.
        if best is None or squares < best[0] - 1e-12:
            best = squares, weights
    if best is None or not best[1].any():
        return None
    squares, weights = best
    slope = float(weights.sum())
    return Regression(
        weights=rounded_weights(weights / slope),
        slope=slope,
        intercept=float(judged.mean() - rows.mean(axis=0) @ weights),
        residual=math.sqrt(squares / len(judged)),
    )
