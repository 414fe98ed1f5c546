"""What metrics of rewrites share: the best similarity to a gold, over plain texts or over words."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.hooks import MetricFacts
from readmark.marking import Ratio, RatioInLanguage
from readmark.series.metrics.golds import golds
from readmark.series.words import RULES, cutter, plain, signature

VARIANTS = ("standard", "simmetrics")
VARIANT_HELP = "the usual definition, or SimMetrics' with its quirks"

StringSimilarity = Callable[[str, str], float]


@dataclass
class BestOverRewrites(RatioInLanguage, ABC):
    """The mean over questions of the best similarity of the rewrite to a gold."""

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, scale=1.0)

    @abstractmethod
    def alike(self, answer: str, gold: str) -> float:
        """The similarity of a rewrite to one gold, 0 to 1."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(best, 1); an unanswered question has 0."""
        best = 0.0
        if answer is not None:
            for gold in golds(unit, references):
                best = max(best, self.alike(answer.text, gold))
                if best >= 1.0:  # no other gold can better it
                    return 1.0, 1.0
        return best, 1.0

    def signature(self) -> Mapping[str, str]:
        """What every metric of rewrites says of itself."""
        return {"previous": "instantiated", "references": "best", "units": "mean"}


@dataclass
class OverWords(BestOverRewrites, ABC):
    """A metric that compares the words of both texts."""

    @abstractmethod
    def sequences(self, answer: Sequence[str], gold: Sequence[str]) -> float:
        """The similarity of two sequences of words."""

    # Metrics look at the same golds again and again; a cache of its own dies with the metric.
    @functools.cached_property
    def _words(self) -> Any:
        return functools.lru_cache(maxsize=4096)(cutter(self.language))

    def alike(self, answer: str, gold: str) -> float:
        """That of the words."""
        return self.sequences(self._words(answer), self._words(gold))

    def signature(self) -> Mapping[str, str]:
        """How words are cut."""
        return {"words": signature(self.language), **super().signature()}


@dataclass
class OverPlainTexts(BestOverRewrites):
    """A similarity of the characters of both plain forms, in two variants."""

    variant: str = parameter("standard", choices=VARIANTS, help=VARIANT_HELP)

    formulas: ClassVar[tuple[StringSimilarity, StringSimilarity]]
    """The usual one, and SimMetrics'."""

    @functools.cached_property
    def _plain(self) -> Any:
        return functools.lru_cache(maxsize=4096)(plain)

    def alike(self, answer: str, gold: str) -> float:
        """The variant's similarity of the plain forms."""
        formula = self.formulas[VARIANTS.index(self.variant)]
        return formula(self._plain(answer), self._plain(gold))

    def signature(self) -> Mapping[str, str]:
        """The form that is compared."""
        return {"text": f"plain({RULES})", **super().signature()}
