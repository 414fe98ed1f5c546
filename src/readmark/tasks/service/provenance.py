"""Answers to a task, and one of them with what it rests on: its tree beside the document's words.

Every line of the tree and every excerpt has a name on the page, and each leads to the other. The
derivation is the text that answers keep, which ``task explain`` prints.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from readmark.core.errors import ReadmarkError
from readmark.core.records import Unit
from readmark.core.sitting import Sitting
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, open_test
from readmark.tasks.derivation_page import passage_pieces
from readmark.tasks.hall.judging_view import value_words
from readmark.tasks.reasoning.derivation_text import DerivationLine, read_derivation
from readmark.tasks.records import QueryKey, Solution

RIGHT, WRONG, OUT_OF_BOUNDS = "right", "wrong", "out_of_bounds"


# Which answers there are.


class AnswerEntry(NamedTuple):
    """An answer in a list: to which unit, which of its answers, and the answer in a line."""

    unit: str
    number: int
    document: str
    question: str
    solution: Solution
    verdict: str = ""


@dataclass(frozen=True)
class TaskAnswers:
    """The answers of a sitting to a task in the order of the task, or the task's gold."""

    test: Test
    sitting: Sitting | None = None

    @cached_property
    def entries(self) -> list[AnswerEntry]:
        """All of them."""
        if self.sitting is None:
            return list(_gold(self.test))
        return list(_answers(self.test, self.sitting))

    def shown(self, unit: str, number: int) -> AnswerProvenance | None:
        """An answer to a unit, with its place in the list; None if there is no such answer."""
        return _provenance(self.test, self.entries, unit, number)


@contextmanager
def task_answers(task: Path | bytes, sitting: bytes | None = None) -> Iterator[TaskAnswers]:
    """The answers of a sitting to a packed task, or its gold; files are there while it is open."""
    with tempfile.TemporaryDirectory(prefix="readmark-answers-") as folder:
        path = task if isinstance(task, Path) else Path(folder, "task.zip")
        if isinstance(task, bytes):
            path.write_bytes(task)
        try:
            test, sat = open_test(path), None
            if sitting is not None:
                Path(folder, "sitting.jsonl").write_bytes(sitting)
                sat = open_sitting(Path(folder, "sitting.jsonl"), test.kind)
            yield TaskAnswers(test, sat)
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            raise


def _answers(test: Test, sitting: Sitting) -> Iterator[AnswerEntry]:
    for unit in test.units():
        number = 0
        for row in sitting.of(unit.id):
            if row.error is not None:
                continue
            try:
                solutions = test.kind.read_answer(row).solutions
            except ReadmarkError:
                continue
            for solution in solutions:
                number += 1
                yield _entry(unit, number, solution)


def _gold(test: Test) -> Iterator[AnswerEntry]:
    """The gold of a test as far as it has any, with what was judged wrong or out of bounds."""
    for unit in test.units():
        key: QueryKey | None = unit.key
        if key is None:
            continue
        groups = ((RIGHT, key.solutions), (WRONG, key.rejected), (OUT_OF_BOUNDS, key.out_of_bounds))
        number = 0
        for verdict, solutions in groups:
            for solution in solutions:
                number += 1
                yield _entry(unit, number, solution, verdict)


def _entry(unit: Unit, number: int, solution: Solution, verdict: str = "") -> AnswerEntry:
    question = unit.item.text or unit.item.graph
    return AnswerEntry(unit.id, number, unit.group, question, solution, verdict)


# One of them, as the page shows it.


@dataclass(frozen=True)
class ShownNode:
    """A line of the tree, with the excerpt that it quotes, if it does."""

    id: str
    text: str
    place: str = ""
    number: int = 0
    below: list[ShownNode] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many lines are below it."""
        return sum(1 + node.size for node in self.below)


@dataclass(frozen=True)
class ShownPlace:
    """Where an excerpt begins in the document, and the lines that quote it."""

    id: str
    number: int
    nodes: tuple[str, ...]


class ShownPiece(NamedTuple):
    """A stretch of the document."""

    text: str
    is_marked: bool
    places: tuple[ShownPlace, ...]


@dataclass(frozen=True)
class AnswerProvenance:
    """An answer with its tree and its document."""

    entry: AnswerEntry
    graph: str
    values: Sequence[tuple[str, str]]
    nodes: Sequence[ShownNode]
    pieces: Sequence[ShownPiece]
    title: str
    split: str | None
    elsewhere: Sequence[tuple[str, str]]
    """Excerpts that are not in this document as they say: the document, and the quotation."""
    gold: Sequence[AnswerEntry] = ()
    """The gold of the same unit, where it may be seen."""
    before: AnswerEntry | None = None
    after: AnswerEntry | None = None
    position: int = 0
    count: int = 0


def _provenance(
    test: Test, entries: Sequence[AnswerEntry], unit_id: str, number: int
) -> AnswerProvenance | None:
    named = [(entry.unit, entry.number) for entry in entries]
    if (unit_id, number) not in named:
        return None
    position = named.index((unit_id, number))
    entry = entries[position]
    unit = next(unit for unit in test.units() if unit.id == unit_id)
    text: str = unit.record.text
    solution = entry.solution
    lines = read_derivation(solution.derivation or "")
    quoted = [line.excerpt for line in _every(lines) if line.excerpt is not None]
    every = dict.fromkeys((*solution.excerpts, *quoted))
    own = [
        excerpt
        for excerpt in every
        if excerpt.document == unit.group and excerpt_fault(excerpt, text) is None
    ]
    numbers = {excerpt: place for place, excerpt in enumerate(sorted(own), 1)}
    lines += [
        DerivationLine(f"“{excerpt.quote}”", excerpt=excerpt)
        for excerpt in own
        if excerpt not in quoted
    ]
    nodes, by_excerpt = _nodes(lines, numbers)
    places = {
        excerpt: ShownPlace(f"e{place}", place, tuple(by_excerpt[excerpt]))
        for excerpt, place in numbers.items()
    }
    gold = [] if entry.verdict else [each for each in _gold(test) if each.unit == unit_id]
    return AnswerProvenance(
        entry=entry,
        graph=unit.item.graph,
        values=[
            (name, value_words(value, solution.mentions)) for name, value in solution.values.items()
        ],
        nodes=nodes,
        pieces=[
            ShownPiece(piece.text, piece.is_marked, tuple(places[each] for each in piece.begins))
            for piece in passage_pieces(text, sorted(own))
        ],
        title=unit.record.title or unit.group,
        split=unit.record.split,
        elsewhere=[(each.document, each.quote) for each in every if each not in numbers],
        gold=gold,
        before=entries[position - 1] if position else None,
        after=entries[position + 1] if position + 1 < len(entries) else None,
        position=position + 1,
        count=len(entries),
    )


def _every(lines: Sequence[DerivationLine]) -> Iterator[DerivationLine]:
    stack = list(reversed(lines))
    while stack:
        line = stack.pop()
        yield line
        stack.extend(reversed(line.below))


def _nodes(
    lines: Sequence[DerivationLine], numbers: dict[Excerpt, int]
) -> tuple[list[ShownNode], dict[Excerpt, list[str]]]:
    """The lines with names in their order, and the names of those that quote each excerpt."""
    by_excerpt: dict[Excerpt, list[str]] = {excerpt: [] for excerpt in numbers}
    names = {id(line): f"n{number}" for number, line in enumerate(_every(lines), 1)}

    def node(line: DerivationLine) -> ShownNode:
        name = names[id(line)]
        place = numbers.get(line.excerpt, 0) if line.excerpt is not None else 0
        if line.excerpt is not None and place:
            by_excerpt[line.excerpt].append(name)
        below = [node(each) for each in line.below]
        return ShownNode(name, line.text, f"e{place}" if place else "", place, below)

    return [node(line) for line in lines], by_excerpt
