"""What EM, F1 and their kin share: a score for an answer and a reference, best over references."""

from __future__ import annotations

import dataclasses
import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from readmark.corpus.errors import DataError, did_you_mean
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.metrics import parameter
from readmark.marking.metrics.ratio import Ratio
from readmark.marking.profiles import PROFILES, Profile, profile
from readmark.text.short_answers import RULES as EXTRACTION
from readmark.text.short_answers import short_answer

MATCHES = ("substring", "subsequence", "bag")


@dataclass(frozen=True)
class BestOverReferences(Ratio, ABC):
    """Mean over units of the best score over references; a unit's vector is (best, 1)."""

    profile: str | None = parameter(
        None,
        choices=tuple(PROFILES),
        help="whose rules normalise and compare; by default the test's own",
    )
    simplify: bool = parameter(
        False, help="profile zh only: traditional characters become simplified"
    )

    extract: bool = parameter(
        False, help="the short answer is taken out of a wordy one first, by its wording"
    )

    uncounted: ClassVar[str] = "no answer in words in the key"

    def rules(self) -> Profile:
        """The profile that scores."""
        return self._rules

    @functools.cached_property
    def _rules(self) -> Profile:
        match = getattr(self, "match", None)
        return profile(self.profile or "squad", match=match or "", simplify=self.simplify)

    @abstractmethod
    def pair(self, rules: Profile, reference: str, answer: str) -> float:
        """The score of one answer against one reference, 0 to 1."""

    def resolve(self, test: Test) -> Self:
        """The profile, from the metric's name, the test's header or its language."""
        resolved = dataclasses.replace(self, profile=self.profile or default_profile(test))
        resolved.rules()
        return resolved

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Best score over every reference of every person."""
        if not references:  # sentences are marked, and nothing in words
            return 0.0, 0.0
        if answer is None:
            return 0.0, 1.0
        rules = self.rules()
        best = 0.0
        said = self.said(answer)
        for text in rules.references([one.text for person in references for one in person]):
            best = max(best, self.pair(rules, text, said))
            if best == 1.0:  # no other reference can better it
                break
        return best, 1.0

    def said(self, answer: Any) -> str:
        """What of an answer is compared: all of it, unless the short one is to be taken out."""
        text: str = answer.text
        return short_answer(text) if self.extract else text

    def signature(self) -> Mapping[str, str]:
        """The profile's rules, and how references and units come together."""
        taken = {"extract": EXTRACTION} if self.extract else {}
        return {**self.rules().signature(), **taken, "references": "best", "units": "mean"}


def default_profile(test: Test) -> str:
    """The header's profile, else SQuAD's rules for English and CMRC 2018's for Chinese."""
    said = test.header.profile
    if said is not None and said not in PROFILES:
        raise DataError(
            f"the header's profile {said!r} is unknown; {did_you_mean(said, PROFILES)}",
            file=test.file,
        )
    if said is not None:
        return said
    if test.language == "zh":
        return "cmrc2018"
    return "squad2" if test.facts.unanswerable else "squad"
