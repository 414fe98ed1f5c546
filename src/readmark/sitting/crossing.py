"""Cross-language sitting: the question from one side of a parallel corpus, the passage from the
other.

The passages' test is the one that is sat and marked, so a right answer is the parallel answer
sentence, or the option at the same place. What its candidate sees of a question is the other
side's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.sitting import Row
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, Question, Unit
from readmark.text.options import options_exactly, options_meant, options_worded

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
            paper, questions=tuple(self._other(one) for one in paper.questions)
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
        raise UsageError(f"--cross {name}: name two languages, as in en-zh (questions-passages)")
    for what, test, wanted in (("passages", passages, read), ("questions", questions, asked)):
        if test.language != wanted:
            raise UsageError(
                f"--cross {name} wants {what} in {wanted}; {test.file} is in {test.language}"
            )
    if passages.kind.name != "comprehension" or questions.kind.name != "comprehension":
        raise UsageError("--cross is for comprehension tests")
    found = {unit.item.shared_id: unit.item for unit in questions.paper().units()}
    missing = [unit.id for unit in passages.units() if unit.item.shared_id not in found]
    if missing:
        raise DataError(
            f"{len(missing)} of {passages.facts.units} questions have no parallel in "
            f"{questions.file} (equal parallel ids, or ids): {_some(missing)}",
            file=passages.file,
        )
    return Crossing(name, asked, questions.facts.paper, found, _options(passages, questions))


def _options(passages: Test, questions: Test) -> dict[str, tuple[Options, Options]]:
    """Both sides' options of every unit that has any: as many, the keyed ones at the same places.

    Where a side has no key, nobody can tell whether they stand in one order.
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
            f"{questions.file} (as many, in the same order): {_some(unlike)}",
            file=passages.file,
        )
    return found


def _keyed(test: Test, unit: Unit) -> frozenset[int]:
    """The places of the keyed options."""
    options = unit.item.options
    people = test.kind.references(unit) if options and unit.key is not None else ()
    return frozenset(
        at for person in people for one in person for at in options_exactly(one.text, options)
    )


def _instead(row: Row, text: str, told: Mapping[str, str]) -> Row:
    """A row with another text, which stands nowhere in the passage."""
    own = row.evidence
    if own is None:
        own = {}
    elif not isinstance(own, dict) or CHOSEN in own:
        own = {"evidence": own}
    return msgspec.structs.replace(row, text=text, start=None, end=None, evidence={**own, **told})


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
