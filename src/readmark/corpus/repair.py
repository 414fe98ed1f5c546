"""Repairing offsets that do not point at their answers, where the text leaves no choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from readmark.corpus.problems import Report
from readmark.corpus.spans import clip, offset_fault, places
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import Answer, Passage, Question

SHOWN_PLACES = 5


@dataclass(frozen=True, slots=True)
class Repairs:
    """What a repair did, by question: ids that were mended, and those left with the reason."""

    fixed: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


def repair(test: Test) -> tuple[Test, Repairs]:
    """The test with every answer placed that stands at exactly one place, and what was done.

    The text is trusted, never the numbers: of several places the nearest is still a guess.
    """
    if test.header.kind != "comprehension":
        return test, Repairs()
    fixed: dict[str, None] = {}
    left: list[tuple[str, str]] = []
    for passage in test.records():
        for question in passage.questions:
            for answer in _astray(passage.text, question):
                found = places(passage.text, answer.text)
                if len(found) == 1:
                    fixed[question.id] = None
                else:
                    left.append((question.id, _reason(answer, found)))

    def stream(report: Report) -> Iterator[Placed]:
        for place, passage in test.stream(report):
            yield place, _mended(passage)

    return replace(test, stream=stream), Repairs(tuple(fixed), tuple(left))


def _astray(text: str, question: Question) -> Iterator[Answer]:
    """The answers that have no place or a wrong one."""
    if question.key is not None:
        for answer in (*question.key.answers, *question.key.plausible):
            if _is_astray(text, answer):
                yield answer


def _is_astray(text: str, answer: Answer) -> bool:
    return answer.offsets is None or offset_fault(text, answer) is not None


def _mended(passage: Passage) -> Passage:
    questions = tuple(_mended_question(passage.text, one) for one in passage.questions)
    if all(new is old for new, old in zip(questions, passage.questions, strict=True)):
        return passage
    return msgspec.structs.replace(passage, questions=questions)


def _mended_question(text: str, question: Question) -> Question:
    key = question.key
    if key is None or not any(_astray(text, question)):
        return question
    answers = tuple(_placed(text, one) for one in key.answers)
    plausible = tuple(_placed(text, one) for one in key.plausible)
    mended = msgspec.structs.replace(key, answers=answers, plausible=plausible)
    return msgspec.structs.replace(question, key=mended)


def _placed(text: str, answer: Answer) -> Answer:
    if not _is_astray(text, answer):
        return answer
    found = places(text, answer.text)
    if len(found) != 1:
        return answer
    end = None if answer.end is None else found[0] + len(answer.text)
    return msgspec.structs.replace(answer, start=found[0], end=end)


def _reason(answer: Answer, found: list[int]) -> str:
    said = f"answer {clip(answer.text)!r}"
    if not found:
        return f"{said} does not stand in the passage" if answer.text else "the answer is empty"
    shown = ", ".join(map(str, found[:SHOWN_PLACES]))
    more = ", …" if len(found) > SHOWN_PLACES else ""
    return f"{said} stands at {len(found)} places: {shown}{more}"
