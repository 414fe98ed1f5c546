"""What weights are tried on: rewrites of both strategies, and golds with one word moved or lost.

The document's requirements on a metric: a rewrite that is identical to a gold scores 1, and a
change of word order costs something, but less than a lost word of content.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.errors import DataError
from readmark.core.test import Test
from readmark.series.failures import is_content
from readmark.series.tuning.order_similarities import OrderSimilarities, mean_scores
from readmark.series.tuning.sitting_rewrites import gold_words, keyed_units
from readmark.series.tuning.weighted_metric import Compare
from readmark.series.words import cutter
from readmark.statistics.similarity.order_weights import OrderWeights


@dataclass(frozen=True, slots=True)
class Probes:
    """The rewrites of one half of the series that weights are judged by."""

    low: Sequence[OrderSimilarities]
    high: Sequence[OrderSimilarities]
    identical: Sequence[OrderSimilarities]
    """Golds as their own rewrites."""
    moved: Sequence[OrderSimilarities]
    """Golds in which one content word was moved."""
    lost: Sequence[OrderSimilarities]
    """The same golds without that word."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Weights on one half: both strategies, and what the requirements look at."""

    low: float
    high: float
    identical: float
    moving: float
    """What moving a content word costs."""
    losing: float
    """What losing it costs."""

    @property
    def gap(self) -> float:
        """The difference between the strategies."""
        return self.high - self.low

    def meets(self, order_cost: float) -> bool:
        """Whether identical is 1, the gap is above 0, and order costs less than content."""
        return (
            math.isclose(self.identical, 1.0, abs_tol=1e-9)
            and self.gap > 0
            and order_cost <= self.moving < self.losing
        )


def build_probes(
    test: Test,
    series: frozenset[str],
    worse: Mapping[str, str | None],
    better: Mapping[str, str | None],
    compare: Compare,
    seed: int,
) -> Probes:
    """The probes of some series, from the questions that both sittings were asked."""
    no_rewrite = OrderSimilarities(np.zeros((1, 3)), np.ones((1, 3)))
    probes: dict[str, list[OrderSimilarities]] = {
        name: [] for name in ("low", "high", "identical", "moved", "lost")
    }
    cut = cutter(test.language)
    for unit in keyed_units(test):
        if unit.group not in series or unit.id not in worse or unit.id not in better:
            continue
        golds = gold_words(test, unit)
        for name, rewrites in (("low", worse), ("high", better)):
            text = rewrites[unit.id]
            probes[name].append(no_rewrite if text is None else compare(cut(text), golds))
        words = golds[0]
        probes["identical"].append(compare(words, golds))
        rng = random.Random(f"{seed}:{unit.id}")
        for index, word in enumerate(words):
            if is_content(word, test.language) and len(words) > 2:
                rest = [*words[:index], *words[index + 1 :]]
                target = rng.choice([place for place in range(len(words)) if place != index])
                moved = [*rest[:target], word, *rest[target:]]
                probes["moved"].append(compare(moved, golds[:1]))
                probes["lost"].append(compare(rest, golds[:1]))
    if not probes["moved"]:
        raise DataError("one half of the series has no gold with a content word", file=test.file)
    return Probes(**probes)


def try_weights(probes: Probes, weightings: Sequence[OrderWeights]) -> list[Tried]:
    """Each weighting on the probes."""
    columns = (
        mean_scores(probes.low, weightings),
        mean_scores(probes.high, weightings),
        mean_scores(probes.identical, weightings),
        1.0 - mean_scores(probes.moved, weightings),
        1.0 - mean_scores(probes.lost, weightings),
    )
    return [Tried(*map(float, row)) for row in zip(*columns, strict=True)]
