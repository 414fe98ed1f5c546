"""Error classes: what is wrong with an answer that is not right, for machines and people alike.

After "SMART: A Stratified Machine Reading Test" (section 5): people miss the edges of the right
answer (主编李大同 for 李大同), machines give a wholly wrong one or none. Every answer is of one
class, and the first that fits is taken; docs/errors.md has the order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Offsets, Unit
from readmark.marking.metrics.em import ExactMatch
from readmark.marking.metrics.f1 import F1
from readmark.measures.grid import to_grid
from readmark.text.answer_places import answer_places
from readmark.text.answer_sentences import SOURCE, passage_sentences
from readmark.text.answer_types import RULES, answer_type, differ, marked_type

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
"""A number a class, then the F1 of what is of class boundary."""


class Failed:
    """Stands for the answer of a row that holds an error."""


FAILED = Failed()


@dataclass(slots=True)
class ErrorClasses:
    """Classes answers to one test; a unit's vector has 1 at its class.

    It has what a metric's vectors are made by, so that repeats, leave-one-out and panels are
    worked out as for metrics. There is no mark of it.
    """

    em: ExactMatch
    f1: F1
    language: str
    _record: Any = field(default=None, repr=False)
    _sentences: list[Offsets] = field(default_factory=list, repr=False)

    width = WIDTH

    @classmethod
    def of(cls, test: Test) -> ErrorClasses | None:
        """For a test whose answers are words of a passage; None for options and other kinds."""
        if test.kind.name != "comprehension" or test.facts.choices == test.facts.units:
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
            return _ONE[name]
        overlap = self.f1.statistics(unit, references, answer)[0]
        return (*_ONE[BOUNDARY][:-1], to_grid(overlap))

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
        wanted = [one for person in references for one in person if one.text.strip()]
        if not wanted:
            return FALSE_ANSWER
        return self._wrong(unit, wanted, answer)

    def _wrong(self, unit: Unit, wanted: Sequence[Answer], answer: Answer) -> str:
        text = unit.record.text
        given = answer_places(text, answer, parts=True)
        keys = [(one, answer_places(text, one, parts=True)) for one in wanted]
        held = [place for _, several in keys for place in several]
        if any(_overlap(one, other) for one in given for other in held):
            return BOUNDARY
        if not given or not held:  # then the words must tell what the place cannot
            rules = self.em.rules()
            if any(rules.contains(one.text, answer.text) for one in wanted):
                return BOUNDARY
        if self._of_another_type(unit, keys, answer, given):
            return WRONG_TYPE
        among = self._cut(unit)
        right = _touched(held, among) or _touched(getattr(unit.key, "sentences", ()), among)
        chosen = _touched(given or _said(answer), among)
        if not right or not chosen:
            return UNPLACED
        return RIGHT_SENTENCE if right & chosen else WRONG_SENTENCE

    def _of_another_type(
        self,
        unit: Unit,
        keys: Sequence[tuple[Answer, Sequence[Offsets]]],
        answer: Answer,
        given: Sequence[Offsets],
    ) -> bool:
        """Whether the answer's type is none of the key's."""
        own = self._type(unit, answer, given)
        return all(
            differ(one.text, answer.text, self.language, (self._type(unit, one, spans), own))
            for one, spans in keys
        )

    def _type(self, unit: Unit, answer: Answer, spans: Sequence[Offsets]) -> str | None:
        """What the passage's own layer of entities says, else the rules."""
        layer = unit.record.layers.get("ne")
        marked = marked_type(spans[0], layer) if spans and layer is not None else None
        return marked or answer_type(answer.text, self.language)

    def _cut(self, unit: Unit) -> list[Offsets]:
        """The passage's sentences; its questions come one after another, so they are cut once."""
        if unit.record is not self._record:
            self._sentences = sorted(passage_sentences(unit.record, self.language))
            self._record = unit.record
        return self._sentences

    def signature(self) -> str:
        """Everything that decides a class."""
        em = "|".join(f"{key}:{value}" for key, value in self.em.signature().items())
        return f"rules:errors-2|{em}|sentences:{SOURCE}|types:file's, else {RULES}"


def _said(answer: Answer) -> Sequence[Offsets]:
    """The sentence that the candidate itself names, where its words stand nowhere."""
    return [answer.sentence] if answer.sentence is not None else []


def _touched(spans: Sequence[Offsets], among: Sequence[Offsets]) -> frozenset[Offsets]:
    """The sentences that any of the spans is in; they stand one after another."""
    starts = [start for start, _ in among]
    found: set[Offsets] = set()
    for start, end in spans:
        at = max(bisect_right(starts, start) - 1, 0)
        while at < len(among) and among[at][0] < end:
            if among[at][1] > start:
                found.add(among[at])
            at += 1
    return frozenset(found)


def _overlap(one: Offsets, other: Offsets) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_NOTHING = (0.0,) * WIDTH
_ONE = {
    name: tuple(float(at == place) for place in range(WIDTH)) for at, name in enumerate(CLASSES)
}
