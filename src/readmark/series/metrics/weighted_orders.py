"""The weighted mean of a similarity of words, of pairs and of triples of words."""

from __future__ import annotations

import functools
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from readmark.core.registry import parameter
from readmark.series.metrics.best import VARIANT_HELP, VARIANTS, BestOverRewrites
from readmark.series.words import cutter, signature
from readmark.statistics.similarity.ngrams import GramMeasure, TextGrams
from readmark.statistics.similarity.order_weights import (
    ORDERS,
    OrderWeights,
    check_weights,
    weighted,
)


@functools.lru_cache(maxsize=1024)
def _grams(text: str, language: str, pairs: str) -> TextGrams:
    """The n-grams of a text; several metrics look at the same texts one after the other."""
    return TextGrams(cutter(language)(text), disjoint=pairs == "disjoint")


@dataclass
class WeightedOrders(BestOverRewrites, ABC):
    """(u S₁ + b S₂ + t S₃) / (u + b + t), where Sₙ is the similarity of the texts' n-grams.

    An order that neither text has is left out of both sums.
    "Evaluation against the Gold Standard" of the question series document.
    """

    u: float = parameter(2.0, help="the weight of words")
    b: float = parameter(1.0, help="the weight of pairs of words")
    t: float = parameter(0.0, help="the weight of triples of words")
    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)
    pairs: str = parameter(
        "sliding",
        choices=("sliding", "disjoint"),
        help="pairs and triples begin at each word, or where the one before ended",
    )

    name: ClassVar[str]
    formulas: ClassVar[tuple[GramMeasure, GramMeasure]]
    """The usual one, and SimMetrics': the similarity of what two texts share of one order."""

    def __post_init__(self) -> None:
        check_weights(self.weights, of=f"metric {self.name}")

    @property
    def weights(self) -> OrderWeights:
        """u, b and t."""
        return self.u, self.b, self.t

    def alike(self, answer: str, gold: str) -> float:
        """The weighted mean over the orders."""
        if answer == gold:
            return 1.0
        a = _grams(answer, self.language, self.pairs)
        b = _grams(gold, self.language, self.pairs)
        return weighted(self.measure, self.weights, a, b)

    def signature(self) -> Mapping[str, str]:
        """How words are cut, the variant, and which orders count."""
        return {
            "weights": "/".join(f"{weight:g}" for weight in self.weights),
            "orders": ORDERS,
            "variant": self.variant,
            **({"pairs": self.pairs} if self.pairs != "sliding" else {}),
            "words": signature(self.language),
            **super().signature(),
        }

    @property
    def measure(self) -> GramMeasure:
        """The variant's formula."""
        return self.formulas[VARIANTS.index(self.variant)]
