"""What HumSent and AutSent share: an answer is right if it chooses a right sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from readmark.core.records import Offsets, Unit
from readmark.hooks import MetricFacts
from readmark.marking import Ratio, RatioInLanguage
from readmark.text.answers.places import SOURCE, chosen_sentence, passage_sentences


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
