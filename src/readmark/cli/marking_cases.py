"""The shipped marking cases: made-up answers with the marks that they should get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.core.test import Header, in_memory
from readmark.marking import Marks, mark

TOLERANCE = 5e-7
"""Marks are stated to six decimals."""


class MarkingCase(msgspec.Struct, frozen=True):
    """A made-up answer with the marks that the profile's rules give it, and why."""

    id: str
    profile: str
    answers: list[str]
    prediction: str
    em: float
    f1: float
    why: str


@dataclass(frozen=True, slots=True)
class MarkedCases:
    """The cases of one profile, marked, and those whose marks are others."""

    profile: str
    cases: list[MarkingCase]
    marks: Marks
    wrong: list[str]


def shipped_cases() -> list[MarkingCase]:
    """The cases in the bundle."""
    lines = files("readmark.bundle").joinpath("cases.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=MarkingCase) for line in lines if line.strip()]


def mark_cases() -> Iterator[MarkedCases]:
    """Mark the shipped cases, profile by profile."""
    cases = shipped_cases()
    for profile in dict.fromkeys(case.profile for case in cases):
        chosen = [case for case in cases if case.profile == profile]
        header = Header(name=f"{profile} cases", language="en", profile=profile)
        test = in_memory(header, [_passage(case) for case in chosen])
        rows: Rows = {case.id: Row(id=case.id, answer=case.prediction) for case in chosen}
        sitting = Sitting(SittingHeader(candidate="made-up answers"), rows)
        marks = mark(test, sitting, metrics=["em", "f1"])
        values = marks.per_unit()
        wrong = [
            case.id
            for case in chosen
            if abs((values[case.id]["em"] or 0.0) - case.em) > TOLERANCE
            or abs((values[case.id]["f1"] or 0.0) - case.f1) > TOLERANCE
        ]
        yield MarkedCases(profile, chosen, marks, wrong)


def _passage(case: MarkingCase) -> Passage:
    key = QuestionKey(
        answers=tuple(Answer(text=text) for text in case.answers),
        unanswerable=not case.answers,
    )
    question = Question(id=case.id, text=case.why, key=key)
    return Passage(text=" / ".join(case.answers) or case.why, id=case.id, questions=(question,))
