"""Error classes: what is wrong with an answer that is not right, for machines and people alike.

After "SMART: A Stratified Machine Reading Test" (section 5): people miss the edges of the right
answer (主编李大同 for 李大同), machines give a wholly wrong one or none. Every answer is of one
class, and the first that fits is taken; docs/report.md has the order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension.answer_types import RULES, answer_type, differ, marked_type
from readmark.comprehension.metrics.exact_match import ExactMatch
from readmark.comprehension.metrics.f1 import F1
from readmark.core.records import Answer, Offsets, Unit
from readmark.core.sitting import Failed
from readmark.core.test import Test
from readmark.statistics.grid import to_grid
from readmark.text.answers.places import SOURCE, answer_places, passage_sentences

CORRECT = "correct"
BOUNDARY = "boundary"
WRONG_TYPE = "wrong_type"
RIGHT_SENTENCE = "right_sentence"
WRONG_SENTENCE = "wrong_sentence"
UNPLACED = "unplaced"
FALSE_ANSWER = "false_answer"
NO_ANSWER = "no_answer"
ERROR = "error"

CLASSES = (
    CORRECT,
    BOUNDARY,
    RIGHT_SENTENCE,
    WRONG_SENTENCE,
    WRONG_TYPE,
    UNPLACED,
    FALSE_ANSWER,
    NO_ANSWER,
    ERROR,
)
"""Every class, in the order of the tables and of a unit's vector."""

WIDTH = len(CLASSES) + 1
"""One number per class, then the F1 of what is of class boundary."""


@dataclass(slots=True)
class ErrorClasses:
    """Classes answers to one test; a unit's vector has 1 at its class.

    It has what a metric's vectors are made by, so that repeats, leave-one-out and panels are
    worked out as for metrics. There is no mark of it.
    """

    em: ExactMatch
    f1: F1
    language: str
    names: tuple[str, ...] = CLASSES
    _record: Any = field(default=None, repr=False)
    _sentences: list[Offsets] = field(default_factory=list, repr=False)

    width = WIDTH

    @classmethod
    def of(cls, test: Test) -> ErrorClasses | None:
        """For a test whose answers are words of a passage; None where all are options."""
        if test.facts.count("choices") == test.facts.units:
            return None
        return cls(ExactMatch().resolve(test), F1().resolve(test), test.language)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """1 at the answer's class; nothing at all where the key has no answer in words."""
        if not references:
            return _NOTHING
        name = self.class_of(unit, references, answer)
        if name != BOUNDARY:
            return _INDICATORS[name]
        overlap = self.f1.statistics(unit, references, answer)[0]
        return (*_INDICATORS[BOUNDARY][:-1], to_grid(overlap))

    def class_of(self, unit: Unit, references: Sequence[Sequence[Any]], answer: Any | None) -> str:
        """The first class that fits."""
        if isinstance(answer, Failed):
            return ERROR
        if answer is None:
            return NO_ANSWER
        if self.em.statistics(unit, references, answer)[0] == 1.0:
            return CORRECT
        if not answer.text.strip():
            return NO_ANSWER
        answers = [one for person in references for one in person if one.text.strip()]
        if not answers:
            return FALSE_ANSWER
        return self._class_of_wrong(unit, answers, answer)

    def _class_of_wrong(self, unit: Unit, references: Sequence[Answer], answer: Answer) -> str:
        text = unit.record.text
        places = answer_places(text, answer, parts=True)
        keys = [(reference, answer_places(text, reference, parts=True)) for reference in references]
        key_places = [place for _, spans in keys for place in spans]
        if any(_overlap(place, key_place) for place in places for key_place in key_places):
            return BOUNDARY
        if not places or not key_places:  # then the words must decide what the place cannot
            rules = self.em.rules()
            if any(rules.contains(reference.text, answer.text) for reference in references):
                return BOUNDARY
        if self._is_of_another_type(unit, keys, answer, places):
            return WRONG_TYPE
        sentences = self._sentences_of(unit)
        right = _touched(key_places, sentences) or _touched(unit.key.sentences, sentences)
        chosen = _touched(places or _named_sentence(answer), sentences)
        if not right or not chosen:
            return UNPLACED
        return RIGHT_SENTENCE if right & chosen else WRONG_SENTENCE

    def _is_of_another_type(
        self,
        unit: Unit,
        keys: Sequence[tuple[Answer, Sequence[Offsets]]],
        answer: Answer,
        places: Sequence[Offsets],
    ) -> bool:
        """Whether the answer's type is none of the key's."""
        type = self._type(unit, answer, places)
        return all(
            differ(
                reference.text,
                answer.text,
                self.language,
                (self._type(unit, reference, spans), type),
            )
            for reference, spans in keys
        )

    def _type(self, unit: Unit, answer: Answer, spans: Sequence[Offsets]) -> str | None:
        """What the passage's own layer of entities says, else the rules."""
        layer = unit.record.layers.get("ne")
        marked = marked_type(spans[0], layer) if spans and layer is not None else None
        return marked or answer_type(answer.text, self.language)

    def _sentences_of(self, unit: Unit) -> list[Offsets]:
        """The passage's sentences; its questions come one after another, so they are cut once."""
        if unit.record is not self._record:
            self._sentences = sorted(passage_sentences(unit.record, self.language))
            self._record = unit.record
        return self._sentences

    def signature(self) -> str:
        """Everything that decides a class."""
        em = "|".join(f"{key}:{value}" for key, value in self.em.signature().items())
        return f"rules:errors-2|{em}|sentences:{SOURCE}|types:file's, else {RULES}"


def _named_sentence(answer: Answer) -> Sequence[Offsets]:
    """The sentence that the candidate itself names, where its words occur nowhere."""
    return [answer.sentence] if answer.sentence is not None else []


def _touched(spans: Sequence[Offsets], sentences: Sequence[Offsets]) -> frozenset[Offsets]:
    """The sentences that any of the spans is in; they follow one another."""
    starts = [start for start, _ in sentences]
    touched: set[Offsets] = set()
    for start, end in spans:
        index = max(bisect_right(starts, start) - 1, 0)
        while index < len(sentences) and sentences[index][0] < end:
            if sentences[index][1] > start:
                touched.add(sentences[index])
            index += 1
    return frozenset(touched)


def _overlap(first: Offsets, second: Offsets) -> bool:
    return first[0] < second[1] and second[0] < first[1]


_NOTHING = (0.0,) * WIDTH
_INDICATORS = {
    name: tuple(float(index == place) for place in range(WIDTH))
    for index, name in enumerate(CLASSES)
}
