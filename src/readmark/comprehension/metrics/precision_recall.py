"""Precision and recall of an answer's words against the key's, as sets of stems."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.comprehension.metrics.known_bags import KnownBags
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.hooks import MetricFacts
from readmark.marking import Ratio, RatioInLanguage


@dataclass
class SharedWords(RatioInLanguage, ABC):
    """Shared words over counted words, best over the alternatives of the key.

    ``average=micro`` sums words over units; ``macro`` is the mean of the units' own shares.
    """

    average: str = parameter(
        "micro", choices=("micro", "macro"), help="average over all words, or over units"
    )

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, uncounted="no content word in the key")

    @functools.cached_property
    def _bags(self) -> KnownBags:
        return KnownBags(self.language)

    @abstractmethod
    def counted(self, answer: frozenset[str], key: frozenset[str]) -> frozenset[str]:
        """The words of which the shared ones are a share."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(shared, counted) of the best alternative; a key without content words has no mark."""
        bag_of = self._bags.of
        bags = [bag_of(reference.text) for person in references for reference in person]
        keys = [bag for bag in bags if bag]
        if not keys:
            return 0.0, 0.0
        words = bag_of(answer.text) if answer is not None else frozenset()
        # An answer without a word counts as if it had the key's number of words, all wrong.
        counts = [(len(words & key), len(self.counted(words, key)) or len(key)) for key in keys]
        # Of equal shares the one with more words weighs more: the order of keys must not matter.
        shared, counted = max(counts, key=lambda count: (count[0] / count[1], *count))
        if self.average == "macro":
            return shared / counted, 1.0
        return float(shared), float(counted)

    def signature(self) -> Mapping[str, str]:
        return {**self._bags.signature(), "references": "best", "units": self.average}


@dataclass
class Precision(SharedWords):
    """|A ∩ K| / |A|, of the words of answer and key."""

    def counted(self, answer: frozenset[str], key: frozenset[str]) -> frozenset[str]:
        return answer


@dataclass
class Recall(SharedWords):
    """|A ∩ K| / |K|, of the words of answer and key."""

    def counted(self, answer: frozenset[str], key: frozenset[str]) -> frozenset[str]:
        return key
