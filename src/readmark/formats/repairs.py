"""Repairing offsets that do not point at their answers, where the text leaves no choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from readmark.core.numbers import first_ids
from readmark.core.records import Answer, Passage, Question
from readmark.core.spans import clip, offset_fault, places
from readmark.core.test import Test

_SHOWN_PLACES = 5


@dataclass(frozen=True, slots=True)
class Repairs:
    """What a repair did, by question: ids that were repaired, and those left with the reason."""

    fixed: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


def repair(test: Test) -> tuple[Test, Repairs]:
    """The test with every answer placed that occurs at exactly one place, and what was done.

    The text is trusted, never the numbers: of several places the nearest is still a guess.
    """
    if test.header.kind != "comprehension":
        return test, Repairs()
    fixed: dict[str, None] = {}
    left: list[tuple[str, str]] = []
    for passage in test.records():
        for question in passage.questions:
            for answer in _misplaced_answers(passage.text, question):
                if _only_place(passage.text, answer) is not None:
                    fixed[question.id] = None
                else:
                    left.append((question.id, _reason(passage.text, answer)))
    return test.changed(_repaired_passage), Repairs(tuple(fixed), tuple(left))


def _only_place(text: str, answer: Answer) -> int | None:
    """Where an answer begins, if there is exactly one place for it."""
    starts = places(text, answer.text)
    return starts[0] if len(starts) == 1 else None


def _misplaced_answers(text: str, question: Question) -> Iterator[Answer]:
    if question.key is not None:
        for answer in (*question.key.answers, *question.key.plausible):
            if _is_misplaced(text, answer):
                yield answer


def _is_misplaced(text: str, answer: Answer) -> bool:
    """Whether an answer has no place or a wrong one."""
    return answer.offsets is None or offset_fault(text, answer) is not None


def _repaired_passage(passage: Passage) -> Passage:
    questions = tuple(_repaired_question(passage.text, question) for question in passage.questions)
    return msgspec.structs.replace(passage, questions=questions)


def _repaired_question(text: str, question: Question) -> Question:
    key = question.key
    if key is None or not any(_misplaced_answers(text, question)):
        return question
    repaired = msgspec.structs.replace(
        key,
        answers=tuple(_repaired_answer(text, answer) for answer in key.answers),
        plausible=tuple(_repaired_answer(text, answer) for answer in key.plausible),
    )
    return msgspec.structs.replace(question, key=repaired)


def _repaired_answer(text: str, answer: Answer) -> Answer:
    if not _is_misplaced(text, answer):
        return answer
    start = _only_place(text, answer)
    if start is None:
        return answer
    end = None if answer.end is None else start + len(answer.text)
    return msgspec.structs.replace(answer, start=start, end=end)


def _reason(text: str, answer: Answer) -> str:
    """Why an answer stays as it is."""
    starts = places(text, answer.text)
    if not answer.text and not starts:
        return "the answer is empty"
    if not starts:
        return f"answer {clip(answer.text)!r} does not occur in the passage"
    shown = first_ids([str(start) for start in starts], _SHOWN_PLACES)
    return f"answer {clip(answer.text)!r} occurs at {len(starts):,} places: {shown}"
