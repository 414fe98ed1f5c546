"""Whether an answer chooses a right sentence, and how many words of the key it has, as stems."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from readmark.core.records import PROPOSED, PUBLISHER, Offsets, Unit
from readmark.core.registry import parameter
from readmark.hooks import MetricFacts
from readmark.marking.metrics import Ratio, RatioInLanguage
from readmark.text.answers.places import (
    SOURCE,
    chosen_sentence,
    holding,
    passage_sentences,
    recalled,
    taken_by,
)
from readmark.text.bags import Bags

# What the metrics over bags of words share: the bags of one language, each text's made once.


class KnownBags:
    """Bags of the texts of one language, kept for as long as they are likely to come again."""

    def __init__(self, language: str) -> None:
        self._bags = Bags(language)
        self.of = functools.lru_cache(maxsize=4096)(self._bags.of)

    def signature(self) -> Mapping[str, str]:
        """What decides a bag."""
        return self._bags.signature()


@dataclass
class RightSentence(RatioInLanguage, ABC):
    """Share of answers that choose a right sentence; a unit's vector is (right, 1).

    A unit for which no sentence is right by the key has (0, 0): it does not count, and is named.
    """

    _record: Any = field(default=None, init=False, repr=False)
    _sentences: list[Offsets] = field(default_factory=list, init=False, repr=False)

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, uncounted="no answer sentence")

    @abstractmethod
    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """The sentences that are right, by their numbers in the passage."""

    def sentences(self, unit: Unit) -> list[Offsets]:
        """The passage's sentences; its questions come one after another, so they are cut once."""
        if unit.record is not self._record:
            self._sentences = passage_sentences(unit.record, self.language)
            self._record = unit.record
        return self._sentences

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """Right or wrong; nothing where there is no right sentence."""
        right = self.right(unit, references)
        if not right:
            return 0.0, 0.0
        if answer is None:
            return 0.0, 1.0
        chosen = chosen_sentence(answer, unit.record.text, self.sentences(unit))
        return float(chosen in right), 1.0

    def signature(self) -> Mapping[str, str]:
        """How sentences are cut and compared."""
        return {"sentences": SOURCE, "match": "one sentence, half covered", "units": "mean"}


# AutSent: whether the answer is the sentence that recalls most of the key's words.


@dataclass
class AutSent(RightSentence):
    """A sentence with the highest recall, over every alternative of the key.

    ``ties=first`` has one right sentence; ``ties=any`` takes each of those that recall as much.
    """

    ties: str = parameter(
        "first", choices=("first", "any"), help="which of several tied sentences count as right"
    )

    facts: ClassVar[MetricFacts] = replace(
        Ratio.facts,
        uncounted="no word of the key in any sentence, or no content word in the key",
    )

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """The sentences of the highest recall; none when no sentence recalls anything."""
        of = self._bags.of
        text = unit.record.text
        recalls = recalled(
            [of(one.text) for person in references for one in person],
            [of(text[start:end]) for start, end in self.sentences(unit)],
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
        """How sentences are cut, how words are compared, and which of equals is taken."""
        return {**super().signature(), **self._bags.signature(), "ties": self.ties}


# HumSent: whether the answer is a sentence that people marked as answering the question.


@dataclass
class HumSent(RightSentence):
    """The sentences marked in the key; where none are, those that hold the answers' spans.

    Sentences that are only proposed do not count as marked: a person has not seen them.
    """

    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """Marked sentences, else the ones that hold a reference."""
        among = self.sentences(unit)
        marked = unit.key.sentences
        if marked and "sentences" not in unit.key.fields.get(PROPOSED, ()):  # of nobody yet
            return frozenset(at for span in marked for at in taken_by(span, among))
        # A publisher's key is no span: AutSent is for those.
        spans = [
            one
            for person in references
            for one in person
            if one.text and one.annotator != PUBLISHER
        ]
        return holding(spans, unit.record.text, among)


# Precision and recall of an answer's words against the answer key's, as sets of stems.


Bag = frozenset[str]


@dataclass
class KeyWords(RatioInLanguage, ABC):
    """Words shared over words counted, best over the alternatives of the key.

    ``average=micro`` adds words up over units, ``macro`` is the mean of the units' own shares.
    """

    average: str = parameter(
        "micro", choices=("micro", "macro"), help="average over all words, or over units"
    )

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, uncounted="no content word in the key")

    @functools.cached_property
    def _bags(self) -> KnownBags:
        return KnownBags(self.language)

    @abstractmethod
    def counted(self, answer: Bag, key: Bag) -> Bag:
        """The words that the shared ones are a share of."""

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(shared, counted) of the best alternative; a key without content words has no mark."""
        of = self._bags.of
        keys = [bag for person in references for one in person if (bag := of(one.text))]
        if not keys:
            return 0.0, 0.0
        said = of(answer.text) if answer is not None else frozenset()
        # Of equal shares the one with more words weighs more: the order of keys must not matter.
        # An answer without a word counts as if it had the key's number of words, all wrong.
        found = [(len(said & key), len(self.counted(said, key)) or len(key)) for key in keys]
        shared, counted = max(found, key=lambda one: (one[0] / one[1], *one))
        if self.average == "macro":
            return shared / counted, 1.0
        return float(shared), float(counted)

    def signature(self) -> Mapping[str, str]:
        """How words are cut, and how references and units come together."""
        return {**self._bags.signature(), "references": "best", "units": self.average}


@dataclass
class Precision(KeyWords):
    """|A ∩ K| / |A|."""

    def counted(self, answer: Bag, key: Bag) -> Bag:
        """The answer's words."""
        return answer


@dataclass
class Recall(KeyWords):
    """|A ∩ K| / |K|."""

    def counted(self, answer: Bag, key: Bag) -> Bag:
        """The key's words."""
        return key
