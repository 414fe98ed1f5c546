"""rouge_l: longest common subsequence of answer and reference, for answers in free text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from readmark.comprehension.metrics.best_over_references import BestOverReferences
from readmark.core.errors import UsageError
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.hooks import MetricFacts
from readmark.marking import RatioInLanguage
from readmark.statistics.runs import longest_subsequence
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

# The tokens of the rouge-score package without its stemmer.
_ENGLISH_TOKEN = re.compile("[a-z0-9]+")


@dataclass
class RougeL(RatioInLanguage):
    """F-measure of the longest common subsequence (Lin, "ROUGE: A Package for Automatic
    Evaluation of Summaries"), of words in English and of characters in Chinese."""

    beta: float = parameter(1.0, help="how much more recall weighs than precision")

    facts: ClassVar[MetricFacts] = BestOverReferences.facts

    def __post_init__(self) -> None:
        if not 0 < self.beta < float("inf"):
            raise UsageError(f"rouge_l: beta {self.beta:g} is not a number above 0")

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """The best F over every reference of every person, and 1."""
        if not references:
            return 0.0, 0.0
        if answer is None:
            return 0.0, 1.0
        tokens = self._tokens(answer.text)
        texts = (reference.text for person in references for reference in person)
        return max((self._f(self._tokens(text), tokens) for text in texts), default=0.0), 1.0

    def signature(self) -> Mapping[str, str]:
        tokens = f"characters, {WORDS}" if self.language == "zh" else "lower,[a-z0-9]+"
        return {
            "tokens": tokens,
            "match": "subsequence",
            "beta": f"{self.beta:g}",
            "references": "best",
            "units": "mean",
        }

    def _tokens(self, text: str) -> list[str]:
        return words(text, "zh") if self.language == "zh" else _ENGLISH_TOKEN.findall(text.lower())

    def _f(self, reference: Sequence[str], answer: Sequence[str]) -> float:
        shared = longest_subsequence(reference, answer)
        if not shared:
            return 0.0
        # (1 + b²) P R / (R + b² P) with P and R written out
        weight = self.beta * self.beta
        return (1 + weight) * shared / (len(answer) + weight * len(reference))
