"""Series as rows of a table, one for each question."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.problems import ReportProblem
from readmark.core.records import Answer
from readmark.core.test import Placed
from readmark.formats.losses import Losses, answer_losses, layer_losses
from readmark.formats.tables.columns import SPLIT, Column, of_item, of_record
from readmark.formats.tables.option_keys import Habit
from readmark.formats.tables.rows import PlacedRow, field_losses, read_rows, record_losses
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

_COLUMNS = (
    Column("id", "the question's id", value=lambda unit: unit.id),
    Column("series_id", "the series' id", value=lambda unit: unit.group),
    Column("target", "what the series is about", value=of_record("target")),
    Column("target_type", "the sort of target", value=of_record("target_type"), always=False),
    Column(SPLIT, "such as train, dev or test", value=of_record("split"), always=False),
    Column(
        "turn",
        "the question's place in the series",
        type="int32",
        value=of_item("turn"),
        always=False,
    ),
    Column("category", "the sort of question", value=of_item("category"), always=False),
    Column("question", "the question", value=of_item("text")),
    Column(
        "previous",
        "answers that are known before it",
        repeated=True,
        value=lambda unit: list(unit.item.previous),
    ),
    Column(
        "previous_of", "the question that they answer", value=of_item("previous_of"), always=False
    ),
    Column(
        "rewrites",
        "the question written to stand alone; empty where the key is withheld",
        repeated=True,
        value=lambda unit: [rewrite.text for rewrite in unit.key.rewrites] if unit.key else [],
    ),
)


class SeriesRows:
    """A row for each question, with its series and target."""

    columns = _COLUMNS

    def is_row(self, row: Mapping[str, Any]) -> bool:
        """A question with a target and a list of rewrites."""
        return (
            {"id", "question"} <= row.keys()
            and isinstance(row.get("target"), str)
            and isinstance(row.get("rewrites"), list)
        )

    def read(
        self, rows: Iterable[PlacedRow], report: ReportProblem, habit: Habit
    ) -> Iterator[Placed]:
        """The series, each at its first line."""
        return series(rows, report, habit)

    def losses(self, losses: Losses, record: Series, columns: Sequence[Column]) -> None:
        """What of a series the columns cannot hold."""
        unheld = ("language", "topic", "parallel")
        names = record_losses(
            losses, record, columns, noun="series", plural="series", unheld=unheld
        )
        _series_losses(losses, record, names)


class _SeriesRow(msgspec.Struct):
    id: str | int
    series_id: str | int
    target: str
    question: str
    target_type: str | None = None
    split: str | None = None
    turn: int | None = None
    category: str | None = None
    previous: list[str] | None = None
    previous_of: str | None = None
    rewrites: list[str] | None = None


def series(rows: Iterable[PlacedRow], report: ReportProblem, habit: Habit) -> Iterator[Placed]:
    """The series, each at its first line."""
    gathered: dict[tuple[Any, ...], tuple[int, list[SeriesQuestion]]] = {}
    for placed, row, further in read_rows(rows, _SeriesRow, report):
        rewrites = tuple(Answer(text=rewrite) for rewrite in row.rewrites or ())
        question = SeriesQuestion(
            id=str(row.id),
            text=row.question,
            turn=row.turn,
            category=row.category,
            previous=tuple(row.previous or ()),
            previous_of=row.previous_of,
            key=SeriesQuestionKey(rewrites=rewrites, fields=further)
            if rewrites or further
            else None,
        )
        shared = (str(row.series_id), row.target, row.target_type, row.split or placed.split)
        _, questions = gathered.setdefault(shared, (placed.number, []))
        questions.append(question)
    for (id, target, target_type, split), (number, questions) in gathered.items():
        yield (
            number,
            Series(
                id=id,
                target=target,
                target_type=target_type,
                split=split,
                questions=tuple(questions),
            ),
        )


def _series_losses(losses: Losses, series: Series, names: Container[str]) -> None:
    for question in series.questions:
        field_losses(losses, "fields ()", question.id, question.fields)
        layer_losses(losses, question)
        key = question.key
        if key is None:
            continue
        field_losses(losses, "fields ()", question.id, key.fields, names)
        if key.refers is not None:
            losses.cannot_store("which question a gold leans on", question.id)
        if key.guidelines is not None:
            losses.cannot_store("guidelines", question.id)
        if not key.rewrites:
            losses.add("keys without rewrites are read back as withheld", question.id)
        for answer in key.rewrites:
            answer_losses(losses, question.id, answer, offsets=False)
            if answer.annotator is not None:
                losses.cannot_store("annotators", question.id)


ROWS = SeriesRows()
