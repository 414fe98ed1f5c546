"""The metric whose weights are tuned: its name, and its comparison of a rewrite with golds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from readmark.core.errors import UsageError
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.test import Test
from readmark.marking import METRICS, build_metrics
from readmark.series.metrics.weighted_orders import WeightedOrders
from readmark.series.tables.document_metrics import WEIGHTED
from readmark.series.tuning.order_similarities import OrderSimilarities
from readmark.statistics.similarity.ngrams import TextGrams
from readmark.statistics.similarity.order_weights import OrderWeights, weighted

Words = Sequence[str]
Compare = Callable[[Words, Sequence[Words]], OrderSimilarities]

_SINGLE_ORDERS: tuple[OrderWeights, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def weighted_name(metric: str) -> ParsedName:
    """The name of a metric that weighs orders, without weights of its own."""
    name = parse_name(metric)
    if name.base not in WEIGHTED:
        raise UsageError(f"metric {name.base} has no weights to tune; known: {', '.join(WEIGHTED)}")
    weights = [key for key in "ubt" if key in name.parameters]
    if weights:
        raise UsageError(f"tune finds the weights: leave {', '.join(weights)} out of {metric}")
    return name


def name_with_weights(name: ParsedName, weights: OrderWeights) -> str:
    """The metric's canonical name with the weights."""
    parameters = {**name.parameters, **dict(zip("ubt", weights, strict=True))}
    canonical, _ = METRICS.build(ParsedName(name.base, parameters))
    return str(canonical)


def order_comparison(test: Test, name: ParsedName) -> Compare:
    """The similarity of each order by the metric's own measure, of texts as lists of words.

    Words that were moved cannot be joined and cut again: Chinese would be cut otherwise.
    """
    [metric] = build_metrics([str(name)], test).values()
    if not isinstance(metric, WeightedOrders):
        raise UsageError(f"metric {name} has no weights to tune")
    if metric.pairs != "sliding":
        raise UsageError(f"metric {name}: weights are tuned with sliding pairs only")
    measure = metric.measure

    def compare(rewrite: Words, golds: Sequence[Words]) -> OrderSimilarities:
        grams = TextGrams(rewrite)
        similarities = []
        for gold in golds:
            gold_grams = TextGrams(gold)
            similarities.append(
                [weighted(measure, order, grams, gold_grams) for order in _SINGLE_ORDERS]
            )
        present = [
            [float(max(len(rewrite), len(gold)) >= order) for order in (1, 2, 3)] for gold in golds
        ]
        return OrderSimilarities(np.array(similarities), np.array(present))

    return compare
