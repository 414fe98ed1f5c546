"""Metrics that count the words, pairs and triples of words that rewrite and gold share."""

from __future__ import annotations

import functools
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from readmark.core.registry import parameter
from readmark.series import words
from readmark.series.metrics.rewrites import VARIANT_HELP, VARIANTS, BatchedRewrites, OverWords
from readmark.series.text_pairs import text_similarities
from readmark.stats.similarity import ngrams, simmetrics
from readmark.stats.similarity.ngrams import (
    Grams,
    Shared,
    SharedByPair,
    Weights,
    check_weights,
    weighted,
)

WordMeasure = Callable[[Shared[float]], float]


@dataclass
class WeightedOrders(BatchedRewrites, ABC):
    """(u S₁ + b S₂ + t S₃) / (u + b + t), where Sₙ is the similarity of the texts' n-grams.

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
    formulas: ClassVar[tuple[WordMeasure, WordMeasure]]
    """The usual one, and SimMetrics': the similarity of what two texts share of one order."""

    def __post_init__(self) -> None:
        check_weights(self.weights, of=f"metric {self.name}")

    @property
    def weights(self) -> Weights:
        """u, b and t."""
        return self.u, self.b, self.t

    def alike(self, answer: str, gold: str) -> float:
        """The weighted mean over the orders."""
        first, second = self._grams(answer), self._grams(gold)
        return weighted(
            self.measure, self.weights, lambda n: SharedByPair(first[n - 1], second[n - 1])
        )

    def alike_in_each(self, answers: Sequence[str], golds: Sequence[str]) -> Sequence[float]:
        """That of each pair."""
        if self.pairs == "disjoint":
            return [self.alike(*pair) for pair in zip(answers, golds, strict=True)]
        cut = words.cutter(self.language)
        values: list[float] = text_similarities(
            self.measure, self.weights, answers, golds, cut=cut
        ).tolist()
        return values

    def signature(self) -> Mapping[str, str]:
        """How words are cut, and the variant; the weights are parameters of the name."""
        return {
            "weights": "/".join(f"{weight:g}" for weight in self.weights),
            "variant": self.variant,
            **({"pairs": self.pairs} if self.pairs != "sliding" else {}),
            "words": words.signature(self.language),
            **super().signature(),
        }

    @property
    def measure(self) -> WordMeasure:
        """The variant's."""
        return self.formulas[VARIANTS.index(self.variant)]

    @functools.cached_property
    def _grams(self) -> Callable[[str], tuple[Grams, Grams, Grams]]:
        cut = words.cutter(self.language)
        disjoint = self.pairs == "disjoint"

        def grams(text: str) -> tuple[Grams, Grams, Grams]:
            listed = cut(text)
            one, two, three = (Grams(listed, order, disjoint=disjoint) for order in (1, 2, 3))
            return one, two, three

        return functools.lru_cache(maxsize=4096)(grams)


@dataclass
class Block(WeightedOrders):
    """1 - Σ |a - b| / (Σ a + Σ b), over counts in both variants."""

    name: ClassVar[str] = "block"
    formulas = ngrams.block, ngrams.block


@dataclass
class Cosine(WeightedOrders):
    """Σ a b / √(Σ a² Σ b²), over counts; SimMetrics' over sets."""

    name: ClassVar[str] = "cosine"
    formulas = ngrams.cosine, simmetrics.cosine


@dataclass
class Dice(WeightedOrders):
    """2 |A ∩ B| / (|A| + |B|), over sets in both variants."""

    name: ClassVar[str] = "dice"
    formulas = ngrams.dice, ngrams.dice


@dataclass
class Jaccard(WeightedOrders):
    """|A ∩ B| / |A ∪ B|, over sets in both variants."""

    name: ClassVar[str] = "jaccard"
    formulas = ngrams.jaccard, ngrams.jaccard


@dataclass
class Euclidean(OverWords):
    """Of the counts of words, from the greatest distance (0) to none (1)."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The variant's formula."""
        formulas: tuple[WordMeasure, WordMeasure] = ngrams.euclidean, simmetrics.euclidean
        return formulas[VARIANTS.index(self.variant)](
            SharedByPair(Grams(answer, 1), Grams(gold, 1))
        )
