"""Error classes: what is wrong with an answer that is not right, for machines and people alike.

After "SMART: A Stratified Machine Reading Test" (section 5): people miss the edges of the right
answer (主编李大同 for 李大同), machines give a wholly wrong one or none. Every answer gets the
first class that fits; docs/report.md has the order.
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
from readmark.core.spans import overlap
from readmark.core.test import Test
from readmark.statistics.grid import to_grid
from readmark.text.answers.places import answer_places
from readmark.text.answers.sentences import SOURCE, passage_sentences

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
"""One number per class, then the F1 of a boundary error: how much of the answer it has."""

_UNCOUNTED = (0.0,) * WIDTH
_INDICATORS = {
    name: tuple(float(index == column) for column in range(WIDTH))
    for index, name in enumerate(CLASSES)
}


@dataclass(slots=True)
class ErrorClasses:
    """Sorts the answers to one test into classes; a unit's vector has 1 at its class.

    Vectors are made as a metric's are, so that repeats, leave-one-out and panels work as they do
    for metrics. There is no mark of it.
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
        """For a test whose answers are words of a passage; None if every question has options."""
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
        """1 at the answer's class; only zeros if the key has no answer in words."""
        if not references:
            return _UNCOUNTED
        name = self.class_of(unit, references, answer)
        if name != BOUNDARY:
            return _INDICATORS[name]
        f1 = self.f1.statistics(unit, references, answer)[0]
        return (*_INDICATORS[BOUNDARY][:-1], to_grid(f1))

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
        keys = [key for person in references for key in person if key.text.strip()]
        if not keys:
            return FALSE_ANSWER
        return self._class_of_wrong(unit, keys, answer)

    def _class_of_wrong(self, unit: Unit, keys: Sequence[Answer], answer: Answer) -> str:
        text = unit.record.text
        places = answer_places(text, answer, parts=True)
        places_of_keys = [answer_places(text, key, parts=True) for key in keys]
        key_places = [place for spans in places_of_keys for place in spans]
        if any(overlap(place, key_place) for place in places for key_place in key_places):
            return BOUNDARY
        if not places or not key_places:  # then the words must decide what the place cannot
            rules = self.em.rules()
            if any(rules.contains(key.text, answer.text) for key in keys):
                return BOUNDARY
        type = self._type(unit, answer, places)
        if all(
            differ(key.text, answer.text, self.language, (self._type(unit, key, spans), type))
            for key, spans in zip(keys, places_of_keys, strict=True)
        ):
            return WRONG_TYPE
        if unit.record is not self._record:  # questions on one passage follow each other
            self._sentences = sorted(passage_sentences(unit.record, self.language))
            self._record = unit.record
        if not places and answer.sentence is not None:
            places = [answer.sentence]  # the candidate names it, if its words occur nowhere
        right = _sentences_of(key_places, self._sentences)
        right = right or _sentences_of(unit.key.sentences, self._sentences)
        chosen = _sentences_of(places, self._sentences)
        if not right or not chosen:
            return UNPLACED
        return RIGHT_SENTENCE if right & chosen else WRONG_SENTENCE

    def _type(self, unit: Unit, answer: Answer, places: Sequence[Offsets]) -> str | None:
        """The type by the passage's own layer of entities, else by the rules."""
        layer = unit.record.layers.get("ne")
        entity_type = marked_type(places[0], layer) if places and layer is not None else None
        return entity_type or answer_type(answer.text, self.language)

    def signature(self) -> str:
        em = "|".join(f"{key}:{value}" for key, value in self.em.signature().items())
        return f"rules:errors-2|{em}|sentences:{SOURCE}|types:file's, else {RULES}"


def _sentences_of(spans: Sequence[Offsets], sentences: Sequence[Offsets]) -> frozenset[Offsets]:
    """The sentences, given in order, that share a character with any of the spans."""
    starts = [start for start, _ in sentences]
    indices: set[int] = set()
    for start, end in spans:
        index = max(bisect_right(starts, start) - 1, 0)
        while index < len(sentences) and sentences[index][0] < end:
            if sentences[index][1] > start:
                indices.add(index)
            index += 1
    return frozenset(sentences[index] for index in indices)
