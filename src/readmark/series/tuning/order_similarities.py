"""Similarities of words, pairs and triples apart, so that any weights can be tried on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.statistics.similarity.order_weights import OrderWeights

_GRID = 2**40  # parts of 1 that scores are summed in: the sum of whole numbers has no order


@dataclass(frozen=True, slots=True)
class OrderSimilarities:
    """A rewrite against its golds: a row per gold with the similarity of words, pairs, triples."""

    similarities: Floats
    """Of an order that neither text has: 1 where the texts are equal, else 0."""
    present: Floats
    """1 where at least one of the two texts has n-grams of the order: only those count."""

    def scores(self, weights: Floats) -> Floats:
        """The weighted similarity to each gold by each row of weights: (gold, weighting)."""
        total, used = (self.similarities * self.present) @ weights.T, self.present @ weights.T
        # Where no order with a weight is left, the similarities of all orders are equal.
        scores: Floats = self.similarities @ weights.T / weights.sum(axis=1)
        np.divide(total, used, out=scores, where=used != 0)
        return scores


def mean_scores(
    rewrites: Sequence[OrderSimilarities], weightings: Sequence[OrderWeights]
) -> Floats:
    """The mean over rewrites of the best weighted similarity to a gold, for each weighting."""
    weights = np.array(weightings, dtype=np.float64)
    total = np.zeros(len(weights), dtype=np.int64)
    for similarities in rewrites:
        total += np.rint(similarities.scores(weights).max(axis=0) * _GRID).astype(np.int64)
    return total / (_GRID * len(rewrites))
