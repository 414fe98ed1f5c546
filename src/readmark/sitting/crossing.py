"""Cross-language sitting: the question from one side of a parallel corpus, the passage from the
other.

The passages' test is the one that is sat and marked, so a right answer is the parallel answer
sentence. What its candidate sees of a question is the other side's.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, Question


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

    def __call__(self, paper: Passage) -> Passage:
        """A passage whose questions are the other side's, under its own ids."""
        return msgspec.structs.replace(
            paper, questions=tuple(self._other(one) for one in paper.questions)
        )

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
        shown = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        raise DataError(
            f"{len(missing)} of {passages.facts.units} questions have no parallel in "
            f"{questions.file} (equal parallel ids, or ids): {shown}",
            file=passages.file,
        )
    return Crossing(name, asked, questions.facts.paper, found)
