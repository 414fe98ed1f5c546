"""What HumSent and AutSent share: an answer is right if it is in a right sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from readmark.core.records import Offsets, Unit
from readmark.hooks import MetricFacts
from readmark.marking import Ratio, RatioInLanguage
from readmark.text.answers.sentences import SOURCE, chosen_sentence, passage_sentences


@dataclass
class RightSentence(RatioInLanguage, ABC):
    """Share of answers in a right sentence; a unit's vector is (right, 1).

    If the key makes no sentence right, the vector is (0, 0): the unit does not count, and is
    named.
    """

    _record: Any = field(default=None, init=False, repr=False)
    _sentences: list[Offsets] = field(default_factory=list, init=False, repr=False)

    facts: ClassVar[MetricFacts] = replace(Ratio.facts, uncounted="no answer sentence")

    @abstractmethod
    def right(self, unit: Unit, references: Sequence[Sequence[Any]]) -> frozenset[int]:
        """The indices of the right sentences."""

    def sentences(self, unit: Unit) -> list[Offsets]:
        """The passage's sentences, split once: questions on one passage follow each other."""
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
        right = self.right(unit, references)
        if not right:
            return 0.0, 0.0
        if answer is None:
            return 0.0, 1.0
        chosen = chosen_sentence(answer, unit.record.text, self.sentences(unit))
        return float(chosen in right), 1.0

    def signature(self) -> Mapping[str, str]:
        return {"sentences": SOURCE, "match": "one sentence, half covered", "units": "mean"}
