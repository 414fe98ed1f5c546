"""Writing flat files, a question a line; what the columns cannot hold is named."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from readmark.core.errors import UsageError
from readmark.core.files import line, writing
from readmark.core.records import AS_WRITTEN, PUBLISHER, Passage, Question, QuestionKey
from readmark.core.test import Test
from readmark.formats.losses import Losses, answer_losses, header_losses
from readmark.formats.tables.columns import COLUMNS, SPLIT, Column, columns_of, field_columns, row
from readmark.series.records import Series


def write_flat(test: Test, path: Path, columns: Sequence[Column] | None = None) -> list[str]:
    """Write the rows of a test, in the columns given or in those that it needs."""
    require_columns(test, "flat")
    columns = all_columns(test) if columns is None else columns
    with writing(path) as stream:
        return write_rows(test, stream, columns)


def all_columns(test: Test) -> list[Column]:
    """The columns that a test needs, with those of its questions' own fields."""
    return [*columns_of(test), *field_columns(test)]


def require_columns(test: Test, format: str) -> None:
    """Refuse the kinds of test that have no columns."""
    if test.kind.name not in COLUMNS:
        known = " and ".join(COLUMNS)
        raise UsageError(f"{test.file}: only {known} tests can be written as {format}")


def write_rows(test: Test, stream: IO[bytes], columns: Sequence[Column]) -> list[str]:
    """Write a line a question; what the columns cannot hold is named."""
    losses = Losses()
    header_losses(losses, test.header, profile=None)
    _fields(losses, "the header's fields ()", test.header.name or "header", test.header.fields)
    for record in test.records():
        _record_losses(losses, record, columns)
        for unit in test.kind.units(record):
            stream.write(line(row(unit, columns)))
    return losses.lines()


def _record_losses(losses: Losses, record: Any, columns: Sequence[Column]) -> None:
    noun = "series" if isinstance(record, Series) else "passage"
    if not record.questions:
        plural = "series" if noun == "series" else "passages"
        losses.cannot_hold(f"{plural} without questions", record.id)
    unheld = ("language", "topic", "parallel") if noun == "series" else ("language",)
    split = () if any(column.name == SPLIT for column in columns) else (SPLIT,)
    for name in (*unheld, *split):
        if getattr(record, name) is not None:
            losses.cannot_hold(f"the {noun}'s {name}", record.id)
    _fields(losses, "fields ()", record.id, record.fields)
    _layers(losses, record.id, record)
    if record.key is not None:
        _fields(losses, "fields ()", record.id, record.key.fields)
    held = {one.name for one in columns}
    held -= {one.name for kind in COLUMNS.values() for one in kind}
    if isinstance(record, Passage):
        worded = any(column.name == "level" and column.type == "string" for column in columns)
        for question in record.questions:
            _question_losses(losses, question, worded, held)
    else:
        _series_losses(losses, record, held)


def _question_losses(
    losses: Losses, question: Question, worded: bool, held: Container[str]
) -> None:
    for name in ("language", "series", "turn", "parallel"):
        if getattr(question, name) is not None:
            losses.cannot_hold(f"the question's {name}", question.id)
    _fields(losses, "fields ()", question.id, question.fields)
    _layers(losses, question.id, question)
    if question.key is not None:
        _fields(losses, "fields ()", question.id, question.key.fields, held)
        _key_losses(losses, question.id, question.key, worded)


def _key_losses(losses: Losses, id: str, key: QuestionKey, worded: bool) -> None:
    if key.sentences or any(one.sentence for one in key.answers):
        losses.cannot_hold("answer sentences", id)
    if key.plausible:
        losses.cannot_hold("plausible answers", id)
    if any(one.layers for one in key.published):
        losses.cannot_hold("layers of published keys", id)
    if key.unanswerable and (key.answers or key.published):
        losses.cannot_hold("answers of questions that are marked unanswerable", id)
        return
    if worded and isinstance(key.level, int):
        losses.add("levels that are numbers are read back as words", id)
    for answer in key.answers:
        answer_losses(losses, id, answer, offsets=True)
        if answer.annotator in ("", PUBLISHER):
            losses.cannot_hold(f"an annotator called {answer.annotator!r}", id)


def _series_losses(losses: Losses, series: Series, held: Container[str]) -> None:
    for question in series.questions:
        _fields(losses, "fields ()", question.id, question.fields)
        _layers(losses, question.id, question)
        key = question.key
        if key is None:
            continue
        _fields(losses, "fields ()", question.id, key.fields, held)
        if key.refers is not None:
            losses.cannot_hold("which question a gold leans on", question.id)
        if key.guidelines is not None:
            losses.cannot_hold("guidelines", question.id)
        if not key.rewrites:
            losses.add("keys without rewrites are read back as withheld", question.id)
        for one in key.rewrites:
            answer_losses(losses, question.id, one, offsets=False)
            if one.annotator is not None:
                losses.cannot_hold("annotators", question.id)


def _fields(
    losses: Losses, what: str, id: str, fields: Mapping[str, Any], held: Container[str] = ()
) -> None:
    names = [name for name in fields if name != AS_WRITTEN and name not in held]
    if names:
        losses.cannot_hold(what, id, names=names)


def _layers(losses: Losses, id: str, owner: Any) -> None:
    names = [*owner.layers, *getattr(owner.key, "layers", ())]
    if names:
        losses.cannot_hold("layers ()", id, names=names)
