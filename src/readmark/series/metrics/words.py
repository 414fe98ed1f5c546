"""What Jaccard, Dice, cosine and block share: words, pairs and triples of words, weighted."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from readmark.marking.metrics import parameter
from readmark.series import words as words
from readmark.series.metrics.rewrites import VARIANT_HELP, VARIANTS, ManyRewrites, OverWords
from readmark.series.text_pairs import many
from readmark.stats.similarity import block, cosine, dice, euclidean, jaccard
from readmark.stats.similarity.orders import Weights, check_weights, weighted
from readmark.stats.similarity.shared import Grams, Pair, Shared
from readmark.stats.similarity.simmetrics import cosine as simmetrics
from readmark.stats.similarity.simmetrics import euclidean as simmetrics_euclidean

WordMeasure = Callable[[Shared[float]], float]


@dataclass
class WeightedOrders(ManyRewrites, ABC):
    """(u S₁ + b S₂ + t S₃) / (u + b + t), where Sₙ is the similarity of the texts' n-grams.

    "Evaluation against the Gold Standard" of the question series document.
    """

    u: float = parameter(2.0, help="the weight of words")
    b: float = parameter(1.0, help="the weight of pairs of words")
    t: float = parameter(0.0, help="the weight of triples of words")
    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    name: ClassVar[str]

    def __post_init__(self) -> None:
        check_weights(self.weights, of=f"metric {self.name}")

    @property
    def weights(self) -> Weights:
        """u, b and t."""
        return self.u, self.b, self.t

    @abstractmethod
    def measure(self) -> WordMeasure:
        """The similarity of what two texts share of one order."""

    def alike(self, answer: str, gold: str) -> float:
        """The weighted mean over the orders."""
        first, second = self._grams(answer), self._grams(gold)
        return weighted(self._measure, self.weights, lambda n: Pair(first[n - 1], second[n - 1]))

    def alike_in_each(self, answers: Sequence[str], golds: Sequence[str]) -> Sequence[float]:
        """That of each pair."""
        cut = words.cutter(self.language)
        found: list[float] = many(self._measure, self.weights, answers, golds, cut=cut).tolist()
        return found

    def signature(self) -> Mapping[str, str]:
        """How words are cut and the variant; the weights stand in the name's parameters."""
        return {
            "weights": "/".join(f"{weight:g}" for weight in self.weights),
            "variant": self.variant,
            "words": words.signature(self.language),
            **super().signature(),
        }

    @functools.cached_property
    def _measure(self) -> WordMeasure:
        return self.measure()

    @functools.cached_property
    def _grams(self) -> Callable[[str], tuple[Grams, Grams, Grams]]:
        cut = words.cutter(self.language)

        def grams(text: str) -> tuple[Grams, Grams, Grams]:
            listed = cut(text)
            return Grams(listed, 1), Grams(listed, 2), Grams(listed, 3)

        return functools.lru_cache(maxsize=4096)(grams)


# City-block distance of rewrite and gold, as a similarity.


@dataclass
class Block(WeightedOrders):
    """1 - Σ |a - b| / (Σ a + Σ b), over counts in both variants."""

    name: ClassVar[str] = "block"

    def measure(self) -> WordMeasure:
        """The formula."""
        return block.block


# The cosine of rewrite and gold.


@dataclass
class Cosine(WeightedOrders):
    """Σ a b / √(Σ a² Σ b²), over counts; SimMetrics' over sets."""

    name: ClassVar[str] = "cosine"

    def measure(self) -> WordMeasure:
        """The variant's formula."""
        return cosine.cosine if self.variant == "standard" else simmetrics.cosine


# The Dice coefficient of rewrite and gold.


@dataclass
class Dice(WeightedOrders):
    """2 |A ∩ B| / (|A| + |B|), over sets in both variants."""

    name: ClassVar[str] = "dice"

    def measure(self) -> WordMeasure:
        """The formula."""
        return dice.dice


# Euclidean distance of rewrite and gold, as a similarity.


@dataclass
class Euclidean(OverWords):
    """Of the counts of words, from the greatest distance (0) to none (1)."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The variant's formula."""
        formula = (
            euclidean.euclidean if self.variant == "standard" else simmetrics_euclidean.euclidean
        )
        return formula(Pair(Grams(answer, 1), Grams(gold, 1)))


# The Jaccard coefficient of rewrite and gold.


@dataclass
class Jaccard(WeightedOrders):
    """|A ∩ B| / |A ∪ B|, over sets in both variants."""

    name: ClassVar[str] = "jaccard"

    def measure(self) -> WordMeasure:
        """The formula."""
        return jaccard.jaccard
