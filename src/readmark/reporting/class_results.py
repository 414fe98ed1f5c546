"""The results of a class: what pupils found hard, question by question, with a machine beside them.

Every figure is that of ``mark`` or ``people`` on the pupils' sittings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from readmark.core.csv_text import SheetCell, csv_text
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.records import Unit
from readmark.core.sitting import Row, Sitting
from readmark.core.test import Test
from readmark.marking import Mark, Marks, mark, people
from readmark.statistics.grid import to_grid

LEAST_F1 = 0.8
"""The F1 from which an answer is right, unless a teacher chooses another.

An answer of three words of which one is too many is right (0.8), one of two words is not (0.67).
"""
RIGHT_OR_WRONG = ("f1", "em", "accuracy")
"""Metrics by which an answer is right or wrong."""
MOST_WRONG = 3
"""Wrong answers that are listed for a question."""


@dataclass(frozen=True)
class ClassQuestion:
    """A question and what became of it; marks are from 0 to 1, None where there is no answer."""

    id: str
    text: str
    sat: int
    """How many pupils answered it, or handed it in without an answer."""
    right: int
    seconds: float | None
    """The median of those who answered."""
    wrong: tuple[tuple[str, int], ...]
    """The most common wrong answers, and how many gave each."""
    marks: Mapping[str, float | None]
    """By pupil."""
    skipped: frozenset[str] = frozenset()
    """The pupils who handed it in without an answer."""
    machine: float | None = None

    @property
    def share(self) -> float | None:
        """The part of those who sat it who are right; None where nobody sat it."""
        return self.right / self.sat if self.sat else None


@dataclass(frozen=True)
class ClassResults:
    """What a class found hard."""

    metric: str = ""
    least: float = LEAST_F1
    """The mark from which an answer is right."""
    pupils: Mapping[str, Mark] = field(default_factory=dict)
    """Each pupil's mark; questions without an answer count as wrong."""
    questions: tuple[ClassQuestion, ...] = ()
    mean: Mark | None = None
    machine: str = ""
    machine_mark: Mark | None = None
    problem: str = ""
    """Why there are no results, or no machine among them."""

    def right_of(self, pupil: str) -> int:
        """How many questions a pupil has right."""
        return sum(self.verdict(question.marks[pupil]) == "right" for question in self.questions)

    def verdict(self, value: float | None) -> str:
        """``right``, ``part``, ``wrong``, or nothing where there is no answer."""
        if value is None:
            return ""
        if _is_right(value, self.least):
            return "right"
        return "part" if value > 0 else "wrong"

    def hardest_first(self) -> tuple[ClassQuestion, ...]:
        """The questions with the smallest share of right answers first; unanswered ones last."""

        def share(question: ClassQuestion) -> float:
            return 2.0 if question.share is None else question.share  # after every share

        return tuple(sorted(self.questions, key=share))

    def as_csv(self) -> str:
        """A row for each question, a column for each pupil."""
        heads = ["id", "question", "sat", "right", "seconds", "wrong"]
        heads += [self.machine] if self.machine_mark else []
        rows: list[list[SheetCell]] = []
        for question in self.questions:
            wrong = " | ".join(f"{text} ({count})" for text, count in question.wrong)
            row: list[SheetCell] = [question.id, question.text, question.sat, question.right]
            row += [question.seconds, wrong]
            row += [question.machine] if self.machine_mark else []
            rows.append([*row, *(question.marks[pupil] for pupil in self.pupils)])
        return csv_text([*heads, *self.pupils], rows)

    def as_json(self) -> dict[str, Any]:
        """Everything on the page, by question and by pupil."""
        document = self.without_pupils()
        for row, question in zip(document["questions"], self.questions, strict=True):
            row |= {"wrong": [list(pair) for pair in question.wrong], "marks": question.marks}
        each = {name: asdict(mark) for name, mark in self.pupils.items()}
        return {**document, "each": each, "problem": self.problem or None}

    def without_pupils(self) -> dict[str, Any]:
        """The figures of the class without pseudonyms, and without anything that pupils wrote."""
        return {
            "pupils": len(self.pupils),
            "metric": self.metric,
            "right_from": self.least,
            "mean": asdict(self.mean) if self.mean else None,
            "machine": self.machine or None,
            "machine_mark": asdict(self.machine_mark) if self.machine_mark else None,
            "questions": [
                {
                    "id": question.id,
                    "question": question.text,
                    "sat": question.sat,
                    "right": question.right,
                    "seconds": question.seconds,
                    "machine": question.machine,
                }
                for question in self.questions
            ],
        }


def _is_right(value: float, least: float) -> bool:
    # Marks of units are rounded to the grid, where an F1 of 0.8 is a little less than 0.8.
    return value >= to_grid(least)


def _metric(test: Test) -> str:
    """The metric by which answers to a test are right or wrong; a test without one is refused."""
    names = test.kind.metrics(test.header, test.facts)
    metric = test.kind.main_metric if test.kind.main_metric in names else names[0]
    if metric not in RIGHT_OR_WRONG:
        raise UsageError("this kind of test has no right and wrong answers")
    return metric


def mark_class(
    test: Test,
    sittings: Mapping[str, Sitting],
    *,
    finished: Mapping[str, Container[str]],
    least_f1: float | None = None,
    machine: str = "",
    machine_sitting: Callable[[], Sitting | Path] | None = None,
) -> ClassResults:
    """The results of pupils by their sittings, with a machine's next to them where it has one.

    ``finished`` has the records that each pupil has handed in. The machine sits when it is needed;
    if it cannot sit or be marked, the results are without it and say why.
    """
    metric = _metric(test)
    pupils = {
        name: _PupilSitting(
            mark(test, sitting, metrics=[metric], classes=False), sitting, finished[name]
        )
        for name, sitting in sittings.items()
    }
    mean = people(test, *sittings.values(), metrics=[metric]).marks[metric] if pupils else None
    machine_marks, problem = None, ""
    if machine_sitting is not None and pupils:
        try:
            machine_marks = mark(test, machine_sitting(), metrics=[metric], classes=False)
        except ReadmarkError as error:
            problem = f"{machine}: {error}"
    least = 1.0
    if metric == "f1":
        least = LEAST_F1 if least_f1 is None else least_f1
    by_machine = machine_marks.per_unit() if machine_marks is not None else {}
    questions = [
        _question(unit, metric, least, pupils, by_machine.get(unit.id, {}).get(metric))
        for unit in test.units()
    ]
    return ClassResults(
        metric=metric,
        least=least,
        pupils={name: pupil.marks.marks[metric] for name, pupil in pupils.items()},
        questions=tuple(questions),
        mean=mean,
        machine=machine,
        machine_mark=machine_marks.marks[metric] if machine_marks is not None else None,
        problem=problem,
    )


class _PupilSitting:
    """A pupil's sitting with its marks by question."""

    def __init__(self, marks: Marks, sitting: Sitting, finished: Container[str]) -> None:
        self.marks = marks
        self._values = marks.per_unit()
        self._sitting = sitting
        self._finished = finished

    def row(self, unit: Unit) -> Row | None:
        """The answer to a question."""
        rows = self._sitting.rows.get(unit.id)
        first = rows[0] if isinstance(rows, tuple) else rows
        return first if first is not None and first.answered else None

    def value(self, unit: Unit, metric: str) -> float | None:
        """The mark of the answer to a question."""
        return None if self.row(unit) is None else self._values.get(unit.id, {}).get(metric)

    def has_skipped(self, unit: Unit) -> bool:
        """Whether a question was handed in without an answer."""
        if self.row(unit) is not None:
            return False
        covers = self._sitting.header.covers
        return unit.record.id in self._finished if covers is None else unit.id in covers


def _question(
    unit: Unit,
    metric: str,
    least: float,
    pupils: Mapping[str, _PupilSitting],
    machine: float | None,
) -> ClassQuestion:
    rows = {name: row for name, pupil in pupils.items() if (row := pupil.row(unit)) is not None}
    marks = {name: pupil.value(unit, metric) for name, pupil in pupils.items()}
    skipped = frozenset(name for name, pupil in pupils.items() if pupil.has_skipped(unit))
    right = {name for name, value in marks.items() if value is not None and _is_right(value, least)}
    wrong = Counter(text for name, row in rows.items() if name not in right and (text := row.text))
    seconds = [row.seconds for row in rows.values() if row.seconds is not None]
    return ClassQuestion(
        id=unit.id,
        text=str(unit.field("text") or unit.id),
        sat=len(rows) + len(skipped),
        right=len(right),
        seconds=round(median(seconds), 3) if seconds else None,
        wrong=tuple(sorted(wrong.items(), key=lambda pair: (-pair[1], pair[0])))[:MOST_WRONG],
        marks=marks,
        skipped=skipped,
        machine=machine,
    )
