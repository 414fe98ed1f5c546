"""Cross-language sitting: questions in one language of a parallel corpus, passages in the other.

The passages' test is the one that is sat and marked, so a right answer is the parallel answer
sentence, or the option at the same place. What the candidate sees of a question comes from the
other test.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from readmark.comprehension.metrics.accuracy import keyed_options
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.records import Passage, Question, Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row, evidence_without
from readmark.core.test import Test
from readmark.formats.inputs import as_test
from readmark.hooks import PaperTransform
from readmark.sitting import Ask
from readmark.text.answers.options import options_meant, options_worded

CHOSEN = "chosen"
"""The member of a row's evidence that has an option as the candidate said it."""

Options = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """The questions of one language for the passages of another."""

    name: str
    """As the user writes it: ``en-zh`` has questions in English and passages in Chinese."""
    language: str
    """The questions' language."""
    paper: str
    """The fingerprint of the questions' test."""
    questions: dict[str, Question]
    """The questions to ask, by the id that both tests share."""
    options: Mapping[str, tuple[Options, Options]]
    """By unit, the options of the passages' test, and those that are shown in their place."""

    def cross(self, passage: Passage) -> Passage:
        """A passage with the questions of the other test, under its own ids."""
        return msgspec.structs.replace(
            passage, questions=tuple(map(self._crossed, passage.questions))
        )

    def _crossed(self, question: Question) -> Question:
        other = self.questions[question.shared_id]
        return msgspec.structs.replace(
            question,
            text=other.text,
            options=other.options,
            layers=other.layers,
            language=self.language,
        )

    def translated(self, row: Row) -> Row:
        """A row whose answer is the chosen option as the passages' test has it.

        The candidate's words are kept in the evidence. Marking reads letters by the test's own
        words, so an answer whose letter and words contradict each other in the options shown must
        not reach it: it becomes empty.
        """
        options, shown_options = self.options.get(row.id, ((), ()))
        reply = row.text
        if not options or not isinstance(reply, str):
            return row
        indices = options_worded(reply, shown_options)
        if not indices:
            if options_worded(reply, options):
                return row  # the candidate answered in the passages' language
            indices = options_meant(reply, shown_options, row.order)
        chosen = {options[index] for index in indices}
        if len(chosen) == 1:
            return _with_text(row, chosen.pop(), {CHOSEN: reply})
        if options_meant(reply, options, row.order):
            return _with_text(row, "", {CHOSEN: reply, "reason": "unreadable"})
        return row


def _with_text(row: Row, text: str, members: Mapping[str, str]) -> Row:
    """A row with a text that does not occur in the passage, so without a place."""
    evidence = {**evidence_without(row.evidence, CHOSEN), **members}
    return msgspec.structs.replace(row, answer=text, start=None, end=None, evidence=evidence)


def crossing(name: str, passages: Test, questions: Test) -> Crossing:
    """The crossing ``QUESTIONS-PASSAGES`` of two tests in those languages with shared ids."""
    questions_language, _, passages_language = name.partition("-")
    if not questions_language or not passages_language or questions_language == passages_language:
        raise UsageError(f"`cross` {name}: name two languages, as in en-zh (questions-passages)")
    for noun, test, language in (
        ("passages", passages, passages_language),
        ("questions", questions, questions_language),
    ):
        if test.language != language:
            raise UsageError(
                f"`cross` {name} needs {noun} in {language}; {test.file} is in {test.language}"
            )
    if passages.kind.name != "comprehension" or questions.kind.name != "comprehension":
        raise UsageError("`cross` is for comprehension tests")
    by_shared_id = {unit.item.shared_id: unit.item for unit in questions.paper().units()}
    missing = [unit.id for unit in passages.units() if unit.item.shared_id not in by_shared_id]
    if missing:
        raise DataError(
            f"{len(missing)} of {passages.facts.units} questions have no parallel in "
            f"{questions.file} (equal parallel ids, or ids): {first_ids(missing)}",
            file=passages.file,
        )
    options = _parallel_options(passages, questions)
    return Crossing(name, questions_language, questions.facts.paper, by_shared_id, options)


def _parallel_options(passages: Test, questions: Test) -> dict[str, tuple[Options, Options]]:
    """Both tests' options of every unit that has some: as many, the keyed ones at the same places.

    Without a key on both sides nobody can tell whether the options are in the same order: then
    the tests are trusted.
    """
    other_options = {
        unit.item.shared_id: (unit.item.options, _keyed(questions, unit))
        for unit in questions.units()
    }
    options: dict[str, tuple[Options, Options]] = {}
    unlike = []
    for unit in passages.units():
        here, keyed_here = unit.item.options, _keyed(passages, unit)
        there, keyed_there = other_options[unit.item.shared_id]
        if len(here) != len(there) or (keyed_here and keyed_there and keyed_here != keyed_there):
            unlike.append(unit.id)
        elif here:
            options[unit.id] = here, there
    if unlike:
        raise DataError(
            f"{len(unlike)} of {passages.facts.units} questions have other options in "
            f"{questions.file} (as many, in the same order): {first_ids(unlike)}",
            file=passages.file,
        )
    return options


def _keyed(test: Test, unit: Unit) -> frozenset[int]:
    options = unit.item.options
    people = test.kind.references(unit) if options and unit.key is not None else ()
    return keyed_options(options, people)


@dataclass
class Cross:
    """Asks the questions of a parallel test about the passages of the test that is sat."""

    languages: str = parameter(help="QUESTIONS-PASSAGES, such as en-zh")
    questions: Test | str | os.PathLike[str] | None = parameter(
        None, help="the parallel test that the questions are in"
    )
    _crossing: Crossing | None = field(default=None, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        if self.questions is None:
            raise UsageError(
                "`cross` needs the parallel test that the questions are in: `questions`"
            )
        self._crossing = crossing(self.languages, test, as_test(self.questions))

    @property
    def crossing(self) -> Crossing:
        """The crossing, once it is prepared."""
        assert self._crossing is not None
        return self._crossing

    def header(self) -> Mapping[str, Any]:
        return {"cross": self.languages}

    def signature(self) -> Mapping[str, Any]:
        return {"questions": f"{self.crossing.language} {self.crossing.paper}"}

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        for ask in asks:
            yield replace(ask, record=self.crossing.cross(ask.record))

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        return map(self.crossing.translated, rows)
