"""autsent: share of answers in the sentence that recalls most of the key's words."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.comprehension.metrics.known_bags import KnownBags
from readmark.comprehension.metrics.right_sentence import RightSentence
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.hooks import MetricFacts
from readmark.marking import Ratio
from readmark.text.answers.sentences import key_recall


@dataclass
class AutSent(RightSentence):
    """The right sentence has the highest recall of content words, over all alternatives of the key.

    With ``ties=first`` only the first such sentence is right; with ``ties=any`` each of them is.
    """

    ties: str = parameter(
        "first", choices=("first", "any"), help="which of several tied sentences are right"
    )

    facts: ClassVar[MetricFacts] = replace(
        Ratio.facts,
        uncounted="no word of the key in any sentence, or no content word in the key",
    )

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        bag_of = self._bags.of
        text = unit.record.text
        recalls = key_recall(
            [bag_of(reference.text) for person in references for reference in person],
            [bag_of(text[start:end]) for start, end in self.sentences(unit)],
        )
        best = max(recalls, default=0.0)
        if not best:
            return frozenset()
        if self.ties == "first":
            return frozenset({recalls.index(best)})
        return frozenset(index for index, recall in enumerate(recalls) if recall == best)

    @functools.cached_property
    def _bags(self) -> KnownBags:
        return KnownBags(self.language)

    def signature(self) -> Mapping[str, str]:
        return {**super().signature(), **self._bags.signature(), "ties": self.ties}
