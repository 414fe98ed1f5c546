"""Cross-language sitting: questions in one language of a parallel corpus, passages in the other.

The passages' test is the one that is sat and marked, so a right answer is the parallel answer
sentence, or the option at the same place. What its candidate sees of a question is the other
side's.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from readmark.comprehension.metrics.accuracy import keyed_options
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.records import Passage, Question, Unit
from readmark.core.sitting import Row, evidence_without
from readmark.core.test import Test
from readmark.formats.registry import as_test
from readmark.hooks import PaperTransform
from readmark.sitting import Ask, UnitCount
from readmark.text.answers.options import options_meant, options_worded

CHOSEN = "chosen"
"""The member of a row's evidence that has an option as it was said, in the questions' language."""

Options = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crossing:
    """The questions of one language for the passages of another."""

    name: str
    """As it was asked for: ``en-zh`` has questions in English and passages in Chinese."""
    language: str
    paper: str
    """The fingerprint of the questions' test."""
    questions: dict[str, Question]
    """The other side's questions by the id that both sides share."""
    options: Mapping[str, tuple[Options, Options]]
    """The options of a unit, and those that are shown in their place."""

    def __call__(self, paper: Passage) -> Passage:
        """A passage whose questions are the other side's, under its own ids."""
        return msgspec.structs.replace(
            paper, questions=tuple(self._other(question) for question in paper.questions)
        )

    def noted(self, row: Row) -> Row:
        """A row whose answer is the option of the passages' test that was chosen.

        What was said is kept in the evidence. Marking reads letters by the test's own words, so an
        answer whose letter and words are at odds in those that were shown means nothing here.
        """
        own, shown = self.options.get(row.id, ((), ()))
        said = row.text
        if not own or not isinstance(said, str):
            return row
        meant = options_worded(said, shown)
        if not meant and options_worded(said, own):
            return row  # said in the passages' language
        meant = meant or options_meant(said, shown, row.order)
        chosen = {own[at] for at in meant}
        if len(chosen) == 1:
            return _instead(row, chosen.pop(), {CHOSEN: said})
        if options_meant(said, own, row.order):
            return _instead(row, "", {CHOSEN: said, "reason": "unreadable"})
        return row

    def _other(self, question: Question) -> Question:
        other = self.questions[question.shared_id]
        return msgspec.structs.replace(
            question,
            text=other.text,
            options=other.options,
            layers=other.layers,
            language=self.language,
        )


def crossing(name: str, passages: Test, questions: Test) -> Crossing:
    """The crossing ``QUESTIONS-PASSAGES`` of two tests in those languages with shared ids."""
    asked, _, read = name.partition("-")
    if not asked or not read or asked == read:
        raise UsageError(f"`cross` {name}: name two languages, as in en-zh (questions-passages)")
    for what, test, wanted in (("passages", passages, read), ("questions", questions, asked)):
        if test.language != wanted:
            raise UsageError(
                f"`cross` {name} wants {what} in {wanted}; {test.file} is in {test.language}"
            )
    if passages.kind.name != "comprehension" or questions.kind.name != "comprehension":
        raise UsageError("`cross` is for comprehension tests")
    found = {unit.item.shared_id: unit.item for unit in questions.paper().units()}
    missing = [unit.id for unit in passages.units() if unit.item.shared_id not in found]
    if missing:
        raise DataError(
            f"{len(missing)} of {passages.facts.units} questions have no parallel in "
            f"{questions.file} (equal parallel ids, or ids): {first_ids(missing)}",
            file=passages.file,
        )
    return Crossing(name, asked, questions.facts.paper, found, _options(passages, questions))


def _options(passages: Test, questions: Test) -> dict[str, tuple[Options, Options]]:
    """Both sides' options of every unit that has any: as many, the keyed ones at the same places.

    Where a side has no key, nobody can tell whether they are in one order.
    """
    others = {
        unit.item.shared_id: (unit.item.options, _keyed(questions, unit))
        for unit in questions.units()
    }
    found, unlike = {}, []
    for unit in passages.units():
        own, (shown, theirs) = unit.item.options, others[unit.item.shared_id]
        ours = _keyed(passages, unit)
        if len(own) != len(shown) or (ours and theirs and ours != theirs):
            unlike.append(unit.id)
        elif own:
            found[unit.id] = own, shown
    if unlike:
        raise DataError(
            f"{len(unlike)} of {passages.facts.units} questions have other options in "
            f"{questions.file} (as many, in the same order): {first_ids(unlike)}",
            file=passages.file,
        )
    return found


def _keyed(test: Test, unit: Unit) -> frozenset[int]:
    """The places of the keyed options."""
    options = unit.item.options
    people = test.kind.references(unit) if options and unit.key is not None else ()
    return keyed_options(options, people)


def _instead(row: Row, text: str, members: Mapping[str, str]) -> Row:
    """A row with another text, which does not occur in the passage."""
    evidence = {**evidence_without(row.evidence, CHOSEN), **members}
    return msgspec.structs.replace(row, answer=text, start=None, end=None, evidence=evidence)


@dataclass
class Cross:
    """Asks the questions of a parallel test about the passages of the test that is sat."""

    languages: str = field(metadata={"help": "QUESTIONS-PASSAGES, such as en-zh"})
    questions: Test | str | os.PathLike[str] | None = field(
        default=None, metadata={"help": "the parallel test that the questions are in"}
    )
    _crossing: Crossing | None = field(default=None, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """Find the other side's question for every question of the test."""
        if self.questions is None:
            raise UsageError(
                "`cross` needs the parallel test that the questions are in: `questions`"
            )
        questions = self.questions
        other = as_test(questions)
        self._crossing = crossing(self.languages, test, other)

    @property
    def crossing(self) -> Crossing:
        """The prepared crossing."""
        assert self._crossing is not None
        return self._crossing

    def header(self) -> Mapping[str, Any]:
        """The two languages."""
        return {"cross": self.languages}

    def signature(self) -> Mapping[str, Any]:
        """The other side's paper."""
        return {"questions": f"{self.crossing.language} {self.crossing.paper}"}

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        """Passages with the other side's questions."""
        for ask in asks:
            yield replace(ask, record=self.crossing(ask.record))

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows whose answer is the option of the passages' test that was chosen."""
        return map(self.crossing.noted, rows)


# Options in another order: what a candidate chooses should not depend on its place.


def order_of(seed: int, id: str, repeat: int, options: int) -> tuple[int, ...]:
    """The order of a unit's options in a repeat, by their places in the test.

    Each repeat turns the first order by one place, so after as many repeats as there are options
    every option has stood at every place once; then another order begins.
    """
    if options < 2:
        return tuple(range(options))
    turns, turned = divmod(repeat, options)
    drawn = sorted(range(options), key=lambda at: _drawn(seed, id, turns, at))
    return tuple(drawn[turned:] + drawn[:turned])


def _drawn(seed: int, id: str, turns: int, at: int) -> bytes:
    """The same on any machine, for any unit by itself: resuming needs no state."""
    return hashlib.sha256(f"{seed} {turns} {at} {id}".encode("utf-8", "surrogatepass")).digest()


@dataclass
class ShuffleOptions:
    """Shuffles the options of each question, differently in each repeat."""

    seed: int = field(metadata={"help": "makes the order reproducible"})
    _lettered: UnitCount = field(default_factory=UnitCount, init=False, repr=False)
    """Units that were answered by a letter: it is one of the order shown, so the text is kept."""
    _shown: dict[str, tuple[tuple[int, ...], Options]] = field(
        default_factory=dict, init=False, repr=False
    )
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """A test without options has nothing to shuffle."""
        if not test.facts.count("choices"):
            raise UsageError(f"`shuffle_options`: no question of {test.file} has options")
        self._lettered, self._shown = UnitCount(), {}

    def header(self) -> Mapping[str, Any]:
        """The seed."""
        return {"shuffle_options": self.seed}

    def signature(self) -> Mapping[str, Any]:
        """How the options were ordered."""
        return {"options": f"shuffled, seed {self.seed}"}

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        """Passages whose questions have their options in the order of the repeat."""
        for ask in asks:
            wanted = frozenset(ask.wanted)
            questions = tuple(
                self._shuffled(question, repeat)
                if question.options and question.id in wanted
                else question
                for question in ask.record.questions
            )
            yield replace(ask, record=msgspec.structs.replace(ask.record, questions=questions))

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows with the order that was shown."""
        return map(self._noted, rows)

    def closing_notes(self) -> Iterable[str]:
        """How many answers were letters."""
        if self._lettered.count:
            yield (
                "answers by letter were journalled as the option they name in the order shown: "
                f"{self._lettered}"
            )

    def _shuffled(self, question: Question, repeat: int) -> Question:
        order = order_of(self.seed, question.id, repeat, len(question.options))
        shown = tuple(question.options[at] for at in order)
        with self._lock:
            self._shown[question.id] = order, shown
        return msgspec.structs.replace(question, options=shown)

    def _noted(self, row: Row) -> Row:
        """The row with the order that was shown; a letter becomes the option that it names."""
        with self._lock:
            order, shown = self._shown.pop(row.id, ((), ()))
        if not order:
            return row
        row = msgspec.structs.replace(row, order=order)
        if not isinstance(row.answer, str):
            return row
        meant = options_meant(row.text, shown)
        if not meant or options_worded(row.text, shown):
            return row
        self._lettered.add(row.id)
        return msgspec.structs.replace(row, answer=shown[meant[0]])
