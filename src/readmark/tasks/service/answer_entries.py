"""The answers of a sitting to a task, or its gold, as a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from readmark.core.errors import ReadmarkError
from readmark.core.records import Unit
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.tasks.manifest import VERDICTS
from readmark.tasks.records import QueryKey, Solution


class AnswerEntry(NamedTuple):
    """An answer in a list: to which unit, which of its answers, and the answer in a line."""

    unit: str
    number: int
    document: str
    question: str
    solution: Solution
    verdict: str = ""


def sitting_entries(test: Test, sitting: Sitting) -> Iterator[AnswerEntry]:
    """The answers of a sitting in the order of the test; what cannot be read is passed over."""
    for unit in test.units():
        solutions: list[Solution] = []
        for row in sitting.of(unit.id):
            if row.error is not None:
                continue
            try:
                solutions += test.kind.read_answer(row).solutions
            except ReadmarkError:
                continue
        yield from _entries(unit, ((solution, "") for solution in solutions))


def gold_entries(test: Test) -> Iterator[AnswerEntry]:
    """The gold of a test as far as it has any, with what was judged wrong or out of bounds."""
    for unit in test.units():
        key: QueryKey | None = unit.key
        if key is None:
            continue
        groups = zip(VERDICTS, (key.solutions, key.rejected, key.out_of_bounds), strict=True)
        yield from _entries(
            unit, ((solution, verdict) for verdict, group in groups for solution in group)
        )


def _entries(unit: Unit, solutions: Iterable[tuple[Solution, str]]) -> Iterator[AnswerEntry]:
    question = unit.item.text or unit.item.graph
    for number, (solution, verdict) in enumerate(solutions, 1):
        yield AnswerEntry(unit.id, number, unit.group, question, solution, verdict)
