"""Statements against annotated ones: precision, recall and F for each class and property.

Entities are matched by their names and by the words for them, those that are only numbered
(``Event-3``) by what is stated of them, one to one within a document, as in answers to queries.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from readmark.core import numbers
from readmark.core.display import Result, counted, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.statistics.intervals import interval
from readmark.statistics.resampling import bootstrap
from readmark.tasks.alignment import BLANK, align
from readmark.tasks.extraction.extract import build_extractor
from readmark.tasks.gold import annotators
from readmark.tasks.query_answers import mentions_of
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.terms import Literal, Name, written
from readmark.tasks.records import Document, Solution
from readmark.tasks.task_folder import open_task

if TYPE_CHECKING:
    from rich.console import Console

    from readmark.core.arrays import Floats

ALL = "all"
"""The row of all statements, before those of each class and property."""
TYPE = "type"
_NUMBERED = re.compile(r"-\d+$")
UNREAD = ("auxiliary", "builtin")
"""Roles of properties that are not read from text."""


class StatementMark(NamedTuple):
    """How well the statements of one class or property were read."""

    read: int
    gold: int
    right: float
    precision: float | None
    recall: float | None
    f: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, repr=False)
class StatementMarks(Result):
    """The marks of all statements, then of each class and property."""

    candidate: str
    documents: int
    marks: Mapping[str, StatementMark]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The marks as members named after their class or property."""
        marks = {name: mark._asdict() for name, mark in self.marks.items()}
        return {"candidate": self.candidate, "documents": self.documents, "marks": marks}

    def table_rows(self) -> list[dict[str, Any]]:
        """A row for each class or property."""
        return [{"statements": name, **mark._asdict()} for name, mark in self.marks.items()]

    def show(self, console: Console) -> None:
        """A table with percentages."""
        title = f"{self.candidate}: statements of {counted(self.documents, 'document')}"
        table = plain_table("statements", "read", "gold", "P", "R", "F", "interval")
        for name, mark in self.marks.items():
            shares = [_percent(value) for value in (mark.precision, mark.recall, mark.f)]
            spread = "–" if mark.low is None else f"{_percent(mark.low)}–{_percent(mark.high)}"
            table.add_row(name, str(mark.read), str(mark.gold), *shares, spread)
        console.print(title, style="bold")
        console.print(table)


def _percent(value: float | None) -> str:
    return numbers.mark(None if value is None else 100 * value, 100)


def mark_statements(
    task: str,
    extractor: str,
    *,
    split: str | None = None,
    seed: int = 1,
    draws: int = 1_000,
) -> StatementMarks:
    """Let an extractor read a task's documents, and compare with the annotated statements.

    ``statements(file=FILE)`` is the extractor that has them in a file. Intervals resample
    documents.
    """
    package = open_task(task)
    ontology = package.ontology()
    texts = {
        id: text
        for id, text in package.documents.items()
        if split is None or package.splits.get(id) == split
    }
    gold = [asserted for asserted in package.asserted() if asserted.graph in texts]
    if not gold:
        raise DataError("no document of it has annotated statements", file=task)
    if len(people := annotators(gold)) > 1:
        raise UsageError(f"annotated by {' and '.join(sorted(people))}; the gold is of one person")
    built = build_extractor(extractor, package)
    annotated = {asserted.graph for asserted in gold}
    extracted, failures = built.read_all(
        [Document(id=id, text=text) for id, text in texts.items() if id in annotated]
    )
    for error in failures.values():
        raise error
    marks = compare_statements(extracted, gold, ontology, seed=seed, draws=draws)
    return StatementMarks(extractor, len(annotated), marks)


def compare_statements(
    extracted: Iterable[Asserted],
    gold: Iterable[Asserted],
    ontology: Ontology | None = None,
    *,
    seed: int = 1,
    draws: int = 1_000,
) -> dict[str, StatementMark]:
    """The marks by class and property, all statements first; documents are the clusters."""
    extracted_by_document = _by_document(extracted, ontology)
    gold_by_document = _by_document(gold, ontology)
    documents = sorted(gold_by_document)
    # For each name and document: credit, statements read, statements in the gold.
    counts: dict[str, dict[str, list[float]]] = defaultdict(
        lambda: {id: [0.0, 0.0, 0.0] for id in documents}
    )
    for id in documents:
        read, expected = extracted_by_document.get(id, []), gold_by_document[id]
        for column, statements in ((1, read), (2, expected)):
            for sort, _ in statements:
                for name in (ALL, sort):
                    counts[name][id][column] += 1
        pairs = align([solution for _, solution in read], [solution for _, solution in expected])
        for pair in pairs:
            for name in (ALL, expected[pair.gold][0]):
                counts[name][id][0] += pair.credit
    names = [ALL, *sorted(name for name in counts if name != ALL)]
    return {name: _mark(list(counts[name].values()), seed, draws) for name in names}


def _by_document(
    asserted: Iterable[Asserted], ontology: Ontology | None
) -> dict[str, list[tuple[str, Solution]]]:
    """Each document's statements, once each, as answers with a subject and an object."""
    all_asserted = list(asserted)
    mentions = mentions_of(all_asserted)
    unread = (
        {property.name for property in ontology.with_role(*UNREAD)}
        if ontology is not None
        else set[Name]()
    )
    by_document: dict[str, dict[object, tuple[str, Solution]]] = defaultdict(dict)
    for each in all_asserted:
        statement = each.statement
        if statement.predicate in unread:
            continue
        is_type = statement.predicate.text == TYPE
        sort = written(statement.object) if is_type else statement.predicate.text
        terms = {"subject": statement.subject} | ({} if is_type else {"object": statement.object})
        named = {
            written(term): mentions.get((each.graph, term), ())
            for term in terms.values()
            if isinstance(term, Name) and not _NUMBERED.search(term.text)
        }
        values = {name: _token(term) for name, term in terms.items()}
        solution = Solution(values={**values, "sort": f'"{sort}"'}, mentions=named)
        by_document[each.graph].setdefault(statement, (sort, solution))
    return {id: list(solutions.values()) for id, solutions in by_document.items()}


def _token(term: Name | Literal) -> str:
    """A term as answers have it; an entity that is only numbered has no name of its own."""
    if isinstance(term, Name) and _NUMBERED.search(term.text):
        return f"{BLANK}{written(term)}"
    return written(term)


def _mark(rows: Sequence[Sequence[float]], seed: int, draws: int) -> StatementMark:
    sums = np.asarray(rows, dtype=np.float64)
    right, read, gold = sums.sum(axis=0)
    low, high = interval(bootstrap(sums, _f, seed=seed, draws=draws))
    return StatementMark(
        int(read),
        int(gold),
        float(right),
        float(right / read) if read else None,
        float(right / gold) if gold else None,
        float(2 * right / (read + gold)) if read + gold else None,
        low,
        high,
    )


def _f(sums: Floats) -> Floats:
    result: Floats = 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])
    return result
