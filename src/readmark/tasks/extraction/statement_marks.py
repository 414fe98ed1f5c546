"""Statements against annotated ones: precision, recall and F for each class and property.

Entities are matched by their names and by the words for them, those that are only counted
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
TYPE = "type"
_COUNTED = re.compile(r"-\d+$")
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
        """A member a class or property."""
        marks = {name: mark._asdict() for name, mark in self.marks.items()}
        return {"candidate": self.candidate, "documents": self.documents, "marks": marks}

    def table_rows(self) -> list[dict[str, Any]]:
        """A row a class or property."""
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
    wanted = {
        id: text
        for id, text in package.documents.items()
        if split is None or package.splits.get(id) == split
    }
    gold = [one for one in package.asserted() if one.graph in wanted]
    if not gold:
        raise DataError("no document of it has annotated statements", file=task)
    if len(who := annotators(gold)) > 1:
        raise UsageError(f"annotated by {' and '.join(sorted(who))}; the gold is of one person")
    built = build_extractor(extractor, package)
    annotated = {one.graph for one in gold}
    said, failed = built.read_all(
        [Document(id=id, text=text) for id, text in wanted.items() if id in annotated]
    )
    for error in failed.values():
        raise error
    found = compare_statements(said, gold, ontology, seed=seed, draws=draws)
    return StatementMarks(extractor, len(annotated), found)


def compare_statements(
    said: Iterable[Asserted],
    gold: Iterable[Asserted],
    ontology: Ontology | None = None,
    *,
    seed: int = 1,
    draws: int = 1_000,
) -> dict[str, StatementMark]:
    """The marks by class and property, all statements first; documents are the clusters."""
    ours, theirs = _by_document(said, ontology), _by_document(gold, ontology)
    documents = sorted(theirs)
    counts: dict[str, dict[str, list[float]]] = defaultdict(
        lambda: {id: [0.0, 0.0, 0.0] for id in documents}
    )
    for id in documents:
        read, wanted = ours.get(id, []), theirs[id]
        for column, solutions in ((1, read), (2, wanted)):
            for sort, _ in solutions:
                for name in (ALL, sort):
                    counts[name][id][column] += 1
        for pair in align([one for _, one in read], [one for _, one in wanted]):
            for name in (ALL, wanted[pair.gold][0]):
                counts[name][id][0] += pair.credit
    names = [ALL, *sorted(name for name in counts if name != ALL)]
    return {name: _mark(list(counts[name].values()), seed, draws) for name in names}


def _by_document(
    asserted: Iterable[Asserted], ontology: Ontology | None
) -> dict[str, list[tuple[str, Solution]]]:
    """Each document's statements, once each, as answers with a subject and an object."""
    every = list(asserted)
    mentions = mentions_of(every)
    unread = (
        {one.name for one in ontology.with_role(*UNREAD)} if ontology is not None else set[Name]()
    )
    found: dict[str, dict[object, tuple[str, Solution]]] = defaultdict(dict)
    for one in every:
        statement = one.statement
        if statement.predicate in unread:
            continue
        is_type = statement.predicate.text == TYPE
        sort = written(statement.object) if is_type else statement.predicate.text
        terms = {"subject": statement.subject} | ({} if is_type else {"object": statement.object})
        named = {
            written(term): mentions.get((one.graph, term), ())
            for term in terms.values()
            if isinstance(term, Name) and not _COUNTED.search(term.text)
        }
        values = {name: _token(term) for name, term in terms.items()}
        solution = Solution(values={**values, "sort": f'"{sort}"'}, mentions=named)
        found[one.graph].setdefault(statement, (sort, solution))
    return {id: list(several.values()) for id, several in found.items()}


def _token(term: Name | Literal) -> str:
    """A term as answers have it; an entity that is only counted has no name of its own."""
    if isinstance(term, Name) and _COUNTED.search(term.text):
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
