"""Answers that have no place in their passages, for which SQuAD's shape has no room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.core.numbers import listed_ids
from readmark.core.records import AS_WRITTEN, Answer, Unit
from readmark.core.spans import places
from readmark.core.test import Test
from readmark.formats.tables.columns import UNPLACED, answers_of
from readmark.making.export.published_parts import PublishedPart


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Published answers whose place is not known: SQuAD's shape has -1 there, or the file's own."""

    answers: int = 0
    absent: tuple[str, ...] = ()
    """Questions with an answer that does not occur in the passage."""
    repeated: tuple[str, ...] = ()
    """Questions with an answer that occurs several times, or without an offset."""
    omitted: bool = False
    """Whether ``data/`` and ``squad/`` are without these answers."""
    questions: tuple[str, ...] = ()
    """Questions that have no other answer, and are left out too."""

    @property
    def lines(self) -> list[str]:
        """How many answers these are, of which questions, and what was done with them."""
        sorts = [
            (self.absent, "answers that are not a span of the passage"),
            (self.repeated, "answers without an offset that are not exactly once in the passage"),
        ]
        done = "left out" if self.omitted else f"kept with answer_start {UNPLACED} or the file's"
        lines = [f"{what}, {done}: {listed_ids(ids)}" for ids, what in sorts if ids]
        if self.questions:
            lines.append(f"left out, they have no other answer: {listed_ids(self.questions)}")
        return lines


def unplaced_answers(test: Test, *, omit: bool) -> Unplaced:
    """The answers of a comprehension test that have no place in their passages."""
    if test.kind.name != "comprehension":
        return Unplaced()
    # In how many places each answer of a question may be: one is right.
    counts = {
        unit.id: [_places_of(unit, answer) for answer in answers_of(unit)] for unit in test.units()
    }
    answers = sum(count != 1 for of_answers in counts.values() for count in of_answers)
    emptied = tuple(id for id, of_answers in counts.items() if of_answers and 1 not in of_answers)
    return Unplaced(
        answers,
        absent=tuple(id for id, of_answers in counts.items() if 0 in of_answers),
        repeated=tuple(
            id for id, of_answers in counts.items() if any(count > 1 for count in of_answers)
        ),
        omitted=omit and answers > 0,
        questions=emptied if omit else (),
    )


def without_unplaced(part: PublishedPart, unplaced: Unplaced) -> PublishedPart:
    """A part without the answers that have no place, and without questions of no other answer."""
    if not unplaced.omitted:
        return part
    left_out, test = frozenset(unplaced.questions), part.test

    def without_left_out(record: Any) -> Any:
        units = (unit for unit in test.kind.units(record) if unit.id not in left_out)
        questions = tuple(map(_with_placed_answers, units))
        if questions == record.questions:
            return record
        return msgspec.structs.replace(
            record, questions=questions, key=_without_spellings(record.key)
        )

    ids = {unit.id for unit in test.units()}
    return replace(part, test=test.changed(without_left_out), units=len(ids - left_out))


def _places_of(unit: Unit, answer: Answer) -> int:
    """In how many places an answer may be; one with an offset, or an option, has its own."""
    text = unit.record.text
    if unit.item.options or not answer.text:
        return 1
    if answer.start is not None and answer.start >= 0:  # a wrong one is a fault, listed as such
        return int(answer.text in text)
    count = len(places(text, answer.text))
    if count == 1 and answer.start is not None:
        # The file says -1, and formats keep what it says: the place is not known either.
        return 2
    return count


def _with_placed_answers(unit: Unit) -> Any:
    """A question with only the answers that have one place."""
    key = unit.key
    if all(_places_of(unit, answer) == 1 for answer in answers_of(unit)):
        return unit.item
    key = msgspec.structs.replace(
        key,
        answers=tuple(answer for answer in key.answers if _places_of(unit, answer) == 1),
        published=tuple(
            phrase for phrase in key.published if _places_of(unit, Answer(text=phrase.text)) == 1
        ),
    )
    return msgspec.structs.replace(unit.item, key=_without_spellings(key))


def _without_spellings(key: Any) -> Any:
    """A key without how its file spelt answers: spellings go by places, and these have changed."""
    if key is None or AS_WRITTEN not in key.fields:
        return key
    fields = {name: value for name, value in key.fields.items() if name != AS_WRITTEN}
    return msgspec.structs.replace(key, fields=fields)
