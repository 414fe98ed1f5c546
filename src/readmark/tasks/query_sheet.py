"""Queries that people answer in a sheet: the questions of a task, and the answers as a sitting.

"Formally specified queries submitted to Reading Systems will be re-formulated as natural language
questions for human readers" ("The DARPA Machine Reading Program", section 3.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.display import Result, counted
from readmark.core.errors import DataError
from readmark.core.files import require_distinct_files
from readmark.core.records import Unit
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.spans import Excerpt, places
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.formats.sheets import read_rows, write_sheet
from readmark.tasks.gold_versions import WrittenAnswers
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import variables_of
from readmark.tasks.records import Query, Solution, asked_of, is_value

if TYPE_CHECKING:
    from rich.console import Console

ID, WORDS = "id", "words"
_QUOTED = re.compile(r"(?P<words>.*?)(?:#(?P<number>[0-9]+))?", re.DOTALL)


@dataclass(frozen=True, repr=False)
class QuerySheet(Result):
    """A sheet that was written for people to fill in."""

    output: str
    documents: int
    questions: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What to do with it."""
        what = f"{counted(self.questions, 'question')} on {counted(self.documents, 'document')}"
        return (
            f"{self.output}: {what}; fill in the answers and their words, one row for each answer",
        )

    def as_json(self) -> dict[str, Any]:
        """The file and the counts."""
        counts = {"documents": self.documents, "questions": self.questions}
        return {"output": self.output, **counts}

    def show(self, console: Console) -> None:
        """Nothing: the questions are in the file."""

    def __str__(self) -> str:
        return "\n".join(self.notes)


def write_query_sheet(task: str, output: str, *, split: str | None = None) -> QuerySheet:
    """Write the questions of a task as a sheet: a row each, with a column for each value."""
    require_distinct_files([output], [task])
    test = open_test(task, split=split)
    test.require_kind("task")
    units = list(test.units())
    width = max((len(variables_asked(unit.item)) for unit in units), default=1)
    columns = [ID, "question", "asked", *(f"answer_{at + 1}" for at in range(width)), WORDS, "text"]

    def rows() -> Iterator[list[str]]:
        before = None
        for unit in units:
            text = unit.record.text if unit.group != before else ""
            asked = ", ".join(variables_asked(unit.item))
            yield [unit.id, unit.item.text or unit.item.graph, asked, *[""] * (width + 1), text]
            before = unit.group

    write_sheet(output, columns, rows())
    return QuerySheet(output, len({unit.group for unit in units}), len(units))


def read_query_sheet(
    task: str, sheet: str, output: str, *, annotator: str, split: str | None = None
) -> WrittenAnswers:
    """Write the answers in a sheet as a person's sitting.

    Of a document with any answer, a question without one has none. A row without an id is one more
    answer to the question above it. Values other than numbers, dates, true and false are words for
    entities; the column ``words`` has what an answer was read from.
    """
    require_distinct_files([output], [task, sheet])
    test = open_test(task, split=split)
    test.require_kind("task")
    units = {unit.id: unit for unit in test.units()}
    found: dict[str, list[Solution]] = {}
    unit = None
    for place, row in read_rows(sheet):
        cells = {str(name).strip().lower(): _cell(value) for name, value in row.items()}
        if id := cells.get(ID):
            if id not in units:
                raise DataError(f"{id!r} is no question of {task}", file=sheet, where=place)
            unit = units[id]
        if unit is None:
            raise DataError("has no id", file=sheet, where=place)
        try:
            if (solution := _solution(unit, cells)) is not None:
                found.setdefault(unit.id, []).append(solution)
        except ValueError as wrong:
            raise DataError(f"{unit.id}: {wrong}", file=sheet, where=place) from None
    if not found:
        raise DataError("has no answers", file=sheet)
    read = {units[id].group for id in found}
    rows = {
        one.id: Row(id=one.id, bindings=msgspec.to_builtins(found.get(one.id, [])))
        for one in units.values()
        if one.group in read
    }
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=annotator,
        signature={"annotator": annotator, "sheet": Path(sheet).name},
        covers=None if len(rows) == len(units) else tuple(rows),
    )
    NATIVE_SITTING.write_sitting(Sitting(header, rows), Path(output))
    return WrittenAnswers(output, len(rows), annotator)


def variables_asked(query: Query) -> tuple[str, ...]:
    """The variables that an answer to a query has values for."""
    names = asked_of(query.fields)
    if names is not None:
        return names
    return tuple(dict.fromkeys(each.text for each in variables_of(parse_query(query.graph))))


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    whole = isinstance(value, float) and value.is_integer()
    return "" if value is None else str(int(value) if whole else value).strip()  # type: ignore[call-overload]


def _solution(unit: Unit, cells: Mapping[str, str]) -> Solution | None:
    names = variables_asked(unit.item)
    said = [cells.get(f"answer_{at + 1}", "") for at in range(len(names))]
    if not any(said):
        if cells.get(WORDS):
            raise ValueError("words without an answer")
        return None
    return solution_in_words(names, said, _excerpts(unit, cells.get(WORDS, "")))


def solution_in_words(
    names: Sequence[str], said: Sequence[str], excerpts: Iterable[Excerpt] = ()
) -> Solution:
    """A person's answer to a query: what they wrote for each variable, and where they read it.

    Words other than numbers, dates, true and false stand for entities. A value that is not there
    is a ``ValueError``.
    """
    values: dict[str, str | int | float | bool] = {}
    mentions: dict[str, tuple[str, ...]] = {}
    for at, (name, text) in enumerate(zip(names, said, strict=True), 1):
        if not text:
            raise ValueError(f"answer_{at} ({name}) is empty")
        values[name] = text
        if not is_value(text):
            entity = re.sub(r"[^\w.:-]+", "-", text).strip("-") or "x"
            values[name], mentions[entity] = entity, (text,)
    return Solution(values=values, mentions=mentions, excerpts=tuple(excerpts))


def _excerpts(unit: Unit, words: str) -> Iterator[Excerpt]:
    """Where the document has the words; several are joined by +, and #2 is the second place."""
    text = unit.record.text
    for piece in filter(None, re.split(r"\s\+\s", words)):
        match = _QUOTED.fullmatch(piece)
        quote, number = (match["words"], match["number"]) if match else (piece, None)
        found = places(text, quote)
        if number is not None:
            found = found[int(number) - 1 : int(number)] if int(number) else []
        if len(found) != 1:
            many = f"{len(found)} times in the document: add #1, #2 or another"
            raise ValueError(f"“{piece}” is {many if found else 'not in the document'}")
        yield Excerpt(unit.group, found[0], found[0] + len(quote), quote)
