"""Queries that people answer in a sheet: the questions of a task, and the answers as a sitting.

"Formally specified queries submitted to Reading Systems will be re-formulated as natural language
questions for human readers" ("The DARPA Machine Reading Program", section 3.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError
from readmark.core.language import primary
from readmark.core.records import Unit
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.spans import Excerpt, places
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.formats.sheets import read_rows, write_sheet
from readmark.tasks.asked_values import asked_in, variables_asked
from readmark.tasks.gold_versions import WrittenAnswers
from readmark.tasks.records import Solution
from readmark.tasks.typed.answers import DoubtfulWords, ReadAnswer, read_answer
from readmark.tasks.typed.entities import DocumentEntity, document_entities
from readmark.tasks.typed.offers import choices_for, offers_for

if TYPE_CHECKING:
    from rich.console import Console

ID, WORDS, CHOICES = "id", "words", "choices"
_UNREAD_HINT = ' (in double quotes, "so", it counts as it stands)'
_QUOTE = re.compile(r"(?P<words>.*?)(?:#(?P<number>[0-9]+))?", re.DOTALL)


@dataclass(frozen=True, repr=False)
class QuerySheet(Result):
    """A sheet that was written for people to fill in."""

    output: str
    documents: int
    questions: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What to do with it."""
        size = f"{counted(self.questions, 'question')} on {counted(self.documents, 'document')}"
        return (
            f"{self.output}: {size}; fill in the answers and their words, one row for each answer",
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
    """Write the questions of a task as a sheet: a row each, with a column for each value.

    Where the task has its gold, the column ``choices`` says what a question can be about.
    """
    require_distinct_files([output], [task])
    test = open_test(task, split=split)
    test.require_kind("task")
    units = list(test.units())
    width = max((len(variables_asked(unit.item)) for unit in units), default=1)
    answers = [f"answer_{place}" for place in range(1, width + 1)]
    columns = [ID, "question", "asked", CHOICES, *answers, WORDS, "text"]

    def rows() -> Iterator[list[str]]:
        document = None
        for unit in units:
            is_first = unit.group != document
            if is_first:
                offers = offers_for(unit.record.queries, primary(test.language))
            names = variables_asked(unit.item)
            choices = [
                f"{name}: {' | '.join(words)}" for name, words in offers[unit.item.id].items()
            ]
            question = unit.item.text or unit.item.graph
            blank = [""] * (width + 1)
            text = unit.record.text if is_first else ""
            yield [unit.id, question, ", ".join(names), "; ".join(choices), *blank, text]
            document = unit.group

    write_sheet(output, columns, rows())
    return QuerySheet(output, len({unit.group for unit in units}), len(units))


def read_query_sheet(
    task: str, sheet: str, output: str, *, annotator: str, split: str | None = None
) -> WrittenAnswers:
    """Write the answers in a sheet as a person's sitting.

    Of a document with any answer, a question without one has none. A row without an id is one more
    answer to the question above it. Values are read by the ontology's ranges, and one that cannot
    be read is an error with its row; the column ``words`` has what an answer was read from.
    """
    require_distinct_files([output], [task, sheet])
    test = open_test(task, split=split)
    test.require_kind("task")
    units = {unit.id: unit for unit in test.units()}
    entities: dict[str, Mapping[str, DocumentEntity]] = {}
    solutions: dict[str, list[Solution]] = {}
    doubts: list[str] = []
    unit = None
    for place, row in read_rows(sheet):
        cells = {str(name).strip().lower(): _cell(value) for name, value in row.items()}
        if id := cells.get(ID):
            if id not in units:
                raise DataError(f"{task} has no question {id!r}", file=sheet, where=place)
            unit = units[id]
        if unit is None:
            raise DataError("has no id", file=sheet, where=place)
        if unit.group not in entities:
            entities[unit.group] = document_entities(unit.record.queries)
        try:
            answer = _answer(unit, cells, entities[unit.group], primary(test.language))
        except ValueError as error:
            raise DataError(f"{unit.id}: {error}", file=sheet, where=place) from None
        if answer is not None:
            solutions.setdefault(unit.id, []).append(answer.solution)
            doubts += [f"{sheet}:{place}: {unit.id}: {_doubt(words)}" for words in answer.doubtful]
    if not solutions:
        raise DataError("has no answers", file=sheet)
    answered = {units[id].group for id in solutions}
    rows = {
        id: Row(id=id, answer=msgspec.to_builtins(solutions.get(id, [])))
        for id, unit in units.items()
        if unit.group in answered
    }
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=annotator,
        signature={"annotator": annotator, "sheet": Path(sheet).name},
        covers=None if len(rows) == len(units) else tuple(rows),
    )
    NATIVE_SITTING.write_sitting(Sitting(header, rows), Path(output))
    return WrittenAnswers(output, len(rows), annotator, tuple(doubts))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():  # spreadsheets write 5 as 5.0
        return str(int(value))
    return str(value).strip()


def _answer(
    unit: Unit, cells: Mapping[str, str], entities: Mapping[str, DocumentEntity], language: str
) -> ReadAnswer | None:
    names = variables_asked(unit.item)
    texts = [cells.get(f"answer_{place}", "") for place in range(1, len(names) + 1)]
    if not any(texts):
        if cells.get(WORDS):
            raise ValueError("words without an answer")
        return None
    excerpts = _excerpts(unit, cells.get(WORDS, ""))
    asked = asked_in(unit.item)
    answer = read_answer(
        unit.item,
        names,
        texts,
        excerpts,
        document=unit.record.text,
        entities=entities,
        offers={name: choices_for(asked[name], entities, language) for name in asked},
    )
    if answer.unread:
        # A silent zero would be a wrong mark; in quotes the words stay as they are.
        raise ValueError("; ".join(map(str, answer.unread)) + _UNREAD_HINT)
    return answer


def _doubt(doubtful: DoubtfulWords) -> str:
    if doubtful.is_absent:
        return f"“{doubtful.words}” is not in the document; use its words"
    return f"“{doubtful.words}” does not say which is meant; use one of the choices"


def _excerpts(unit: Unit, words: str) -> Iterator[Excerpt]:
    """Where the document has the words; several are joined by +, and #2 is the second place."""
    text = unit.record.text
    for piece in filter(None, re.split(r"\s\+\s", words)):
        match = _QUOTE.fullmatch(piece)
        quote, number = (match["words"], match["number"]) if match else (piece, None)
        offsets = places(text, quote)
        if number is not None:
            offsets = offsets[int(number) - 1 : int(number)] if int(number) else []
        if not offsets:
            raise ValueError(f"“{piece}” is not in the document")
        if len(offsets) > 1:
            times = f"{len(offsets)} times in the document"
            raise ValueError(f"“{piece}” is {times}: add #1, #2 or another")
        yield Excerpt(unit.group, offsets[0], offsets[0] + len(quote), quote)
