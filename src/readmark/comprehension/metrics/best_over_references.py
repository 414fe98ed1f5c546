"""What EM, F1 and their like share: an answer in words, scored by a profile's rules.

A unit's vector is (best score over every person's references, 1).
"""

from __future__ import annotations

import dataclasses
import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from readmark.comprehension.profiles import PROFILES, ScoringProfile, default_profile, profile
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.test import Test
from readmark.hooks import MetricFacts
from readmark.marking import Ratio


@dataclass(frozen=True)
class BestOverReferences(Ratio, ABC):
    """Mean over units of the best score over references."""

    profile: str | None = parameter(
        None,
        choices=tuple(PROFILES),
        help="scoring rules for normalising and comparing; default: the test's own",
    )
    simplify: bool = parameter(
        False, help="profile zh only: convert traditional characters to simplified ones"
    )
    extract: bool = parameter(False, help="extract the short answer from a wordy one first")

    facts: ClassVar[MetricFacts] = dataclasses.replace(
        Ratio.facts, uncounted="no answer in words in the key"
    )

    @abstractmethod
    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        """The score of one answer against one reference, 0 to 1."""

    def rules(self) -> ScoringProfile:
        return self._rules

    @functools.cached_property
    def _rules(self) -> ScoringProfile:
        match = getattr(self, "match", None)  # a parameter of F1 and Average only
        return profile(self.profile or "squad", match=match or "", simplify=self.simplify)

    def resolve(self, test: Test) -> Self:
        """The metric with a profile: that of its name, else the header's, else the language's."""
        resolved = dataclasses.replace(self, profile=self.profile or default_profile(test))
        resolved.rules()  # a wrong combination of parameters is reported before marking begins
        return resolved

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Best score over every reference of every person."""
        if not references:  # the key marks sentences and says nothing in words
            return 0.0, 0.0
        if answer is None:
            return 0.0, 1.0
        text = answer.text
        if self.extract:
            from readmark.text.answers.short_answers import short_answer

            text = short_answer(text)
        rules = self.rules()
        texts = rules.references([reference.text for person in references for reference in person])
        return self.best_over(rules, texts, text), 1.0

    def best_over(self, rules: ScoringProfile, references: Sequence[str], answer: str) -> float:
        best = 0.0
        for reference in references:
            best = max(best, self.pair(rules, reference, answer))
            if best == 1.0:
                break
        return best

    def signature(self) -> Mapping[str, str]:
        extract = {"extract": extraction_rules()} if self.extract else {}
        return {**self.rules().signature(), **extract, "references": "best", "units": "mean"}


def extraction_rules() -> str:
    """The rules that ``extract`` takes a short answer out of a wordy one by."""
    from readmark.text.answers.short_answers import RULES

    return RULES
