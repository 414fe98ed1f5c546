"""EM, F1, their average and containment by a profile's rules, and ROUGE-L, best over references."""

from __future__ import annotations

import dataclasses
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from readmark.comprehension.profiles import PROFILES, ScoringProfile, profile
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.test import Test
from readmark.hooks import MetricFacts
from readmark.marking.metrics import Ratio, RatioInLanguage
from readmark.statistics.overlap import longest_subsequence
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

MATCHES = ("substring", "subsequence", "bag")


@dataclass(frozen=True)
class BestOverReferences(Ratio, ABC):
    """Mean over units of the best score over references; a unit's vector is (best, 1)."""

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

    def rules(self) -> ScoringProfile:
        """The profile that scores."""
        return self._rules

    @functools.cached_property
    def _rules(self) -> ScoringProfile:
        match = getattr(self, "match", None)
        return profile(self.profile or "squad", match=match or "", simplify=self.simplify)

    @abstractmethod
    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
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
        texts = rules.references([one.text for person in references for one in person])
        return self.best_over(rules, texts, self.compared_text(answer)), 1.0

    def best_over(self, rules: ScoringProfile, references: Sequence[str], answer: str) -> float:
        """The best score of an answer over its references."""
        best = 0.0
        for text in references:
            best = max(best, self.pair(rules, text, answer))
            if best == 1.0:  # no other reference can better it
                break
        return best

    def compared_text(self, answer: Any) -> str:
        """What of an answer is compared: all of it, unless the short one is to be taken out."""
        text: str = answer.text
        if not self.extract:
            return text
        from readmark.text.answers.replies import short_answer

        return short_answer(text)

    def signature(self) -> Mapping[str, str]:
        """The profile's rules, and how references and units come together."""
        taken = {"extract": extraction_rules()} if self.extract else {}
        return {**self.rules().signature(), **taken, "references": "best", "units": "mean"}


def extraction_rules() -> str:
    """The rules by which a short answer is taken out of a wordy one."""
    from readmark.text.answers.replies import RULES

    return RULES


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
    return "squad2" if test.facts.count("unanswerable") else "squad"


# Token F1.


@dataclass(frozen=True)
class F1(BestOverReferences):
    """Harmonic mean of token precision and recall; the profile says what tokens share."""

    match: str | None = parameter(
        None,
        choices=MATCHES,
        help="profiles zh and cmrc2018 (no bag): which common tokens count; default: substring",
    )

    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        """Overlap of the two token sequences."""
        return rules.f1(reference, answer)


# The average of EM and F1.


@dataclass(frozen=True)
class Average(F1):
    """Half EM, half F1, each at its own best reference: what CMRC 2018's leaderboard ranks by."""

    def best_over(self, rules: ScoringProfile, references: Sequence[str], answer: str) -> float:
        """The two bests may be at different references, as on the leaderboard."""
        em = max((rules.em(text, answer) for text in references), default=0.0)
        f1 = max((rules.f1(text, answer) for text in references), default=0.0)
        return (em + f1) / 2

    def signature(self) -> Mapping[str, str]:
        """As F1, and what is averaged."""
        return {**super().signature(), "average": "em,f1"}


# Whether an answer holds a reference.


HOLDERS = ("answer", "reference", "either")


@dataclass(frozen=True)
class Contains(BestOverReferences):
    """1 when a whole reference occurs, normalised, inside the answer: for wordy candidates.

    Whole tokens are looked for, so a word does not occur in a longer one.
    """

    holder: str = parameter(
        "answer",
        choices=HOLDERS,
        help="which one must contain the other: answer for wordy, reference for terse candidates",
    )

    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        """Held or not."""
        if self.holder == "answer":
            return rules.contains(reference, answer)
        if self.holder == "reference":
            return rules.contains(answer, reference)
        return max(rules.contains(reference, answer), rules.contains(answer, reference))

    def signature(self) -> Mapping[str, str]:
        """As the profile's, but a whole reference is looked for, as one run of tokens."""
        return {**super().signature(), "match": "whole", "holder": self.holder}


# Exact match.


@dataclass(frozen=True)
class ExactMatch(BestOverReferences):
    """1 when the answer equals a reference once both are normalised (Rajpurkar et al., SQuAD)."""

    def pair(self, rules: ScoringProfile, reference: str, answer: str) -> float:
        """Equal or not."""
        return rules.em(reference, answer)

    def signature(self) -> Mapping[str, str]:
        """As the profile's, less how partial overlaps are found."""
        return {key: said for key, said in super().signature().items() if key != "match"}


# ROUGE-L, for answers of a sentence or more.


_ROUGE_WORD = re.compile("[a-z0-9]+")


@dataclass
class RougeL(RatioInLanguage):
    """F-measure of the longest common subsequence (Lin, "ROUGE: A Package for Automatic
    Evaluation of Summaries"), of words in English and of characters in Chinese.

    English tokens are those of the rouge-score package without its stemmer.
    """

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
        """Best over every reference of every person."""
        if not references:
            return 0.0, 0.0
        if answer is None:
            return 0.0, 1.0
        said = self._tokens(answer.text)
        texts = (one.text for person in references for one in person)
        return max((self._f(self._tokens(text), said) for text in texts), default=0.0), 1.0

    def signature(self) -> Mapping[str, str]:
        """Tokens, beta, and how references and units come together."""
        tokens = f"characters, {WORDS}" if self.language == "zh" else "lower,[a-z0-9]+"
        return {
            "tokens": tokens,
            "match": "subsequence",
            "beta": f"{self.beta:g}",
            "references": "best",
            "units": "mean",
        }

    def _tokens(self, text: str) -> list[str]:
        return words(text, "zh") if self.language == "zh" else _ROUGE_WORD.findall(text.lower())

    def _f(self, reference: Sequence[str], answer: Sequence[str]) -> float:
        shared = longest_subsequence(reference, answer)
        if not shared:
            return 0.0
        # (1 + b²) P R / (R + b² P) with P and R written out
        weight = self.beta * self.beta
        return (1 + weight) * shared / (len(answer) + weight * len(reference))
