"""What comes back from an annotator: a filled sheet, a sitting, or a test with answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.formats import open_sitting, open_test
from readmark.corpus.rows import is_rows, read_rows
from readmark.corpus.sitting import Row
from readmark.corpus.source import Source
from readmark.corpus.test import Test

ANSWER_COLUMNS = ("answer", "text")
NAME_COLUMNS = ("annotator", "person")


@dataclass(frozen=True, slots=True)
class Returned:
    """One answer as it came back; an empty one says that none was given."""

    id: str
    annotator: str
    text: str
    start: int | None
    file: str
    place: int | str
    version: str | None = None
    """Which text of the passage was read, as the sheet tells it."""
    passage: str | None = None
    """The text itself, where the file holds it."""


def returned(path: str | Path, test: Test, name: str | None = None) -> Iterator[Returned]:
    """The answers of a file; ``name`` is the annotator's where the file does not say."""
    source = Source(path)
    if is_rows(source, "id"):
        yield from _of_sheet(source, name or _stem(source))
    elif source.readmark_file == "sitting" or _is_predictions(source):
        yield from _of_sitting(source, test, name)
    else:
        yield from _of_test(source, name or _stem(source))


def _of_sheet(source: Source, otherwise: str) -> Iterator[Returned]:
    for place, row in read_rows(source.path):
        column = next((one for one in ANSWER_COLUMNS if one in row), None)
        if column is None:
            raise DataError("has no column 'answer'", file=source.file, where=place)
        named = next((str(row[one]).strip() for one in NAME_COLUMNS if row.get(one)), otherwise)
        yield Returned(
            id=str(row["id"]).strip(),
            annotator=named,
            text=str(row[column] or ""),
            start=_whole(row.get("start"), source.file, place),
            file=source.file,
            place=place,
            version=str(row.get("version") or "").strip() or None,
        )


def _of_sitting(source: Source, test: Test, name: str | None) -> Iterator[Returned]:
    sitting = open_sitting(source.path, test.kind)
    if sitting.header.paper not in (None, test.facts.paper):
        raise DataError(
            f"was sat on another paper ({sitting.header.paper}, this test's is {test.facts.paper})",
            file=source.file,
        )
    annotator = name or sitting.header.candidate or _stem(source)
    for id in sitting:
        rows: Sequence[Row] = sitting.of(id)
        if rows[-1].error is None:
            said = rows[-1].words(test.kind.answer)
            yield Returned(id, annotator, said, rows[-1].start, source.file, id)


def _of_test(source: Source, name: str) -> Iterator[Returned]:
    theirs = open_test(source.path)
    for _, record in theirs.placed():
        for question in record.questions:
            answers = question.key.answers if question.key is not None else ()
            for one in answers:
                yield Returned(
                    id=question.id,
                    annotator=one.annotator or name,
                    text=one.text,
                    start=one.start,
                    file=source.file,
                    place=question.id,
                    passage=record.text,
                )


def _is_predictions(source: Source) -> bool:
    document = source.document
    return isinstance(document, dict) and all(isinstance(one, str) for one in document.values())


def _stem(source: Source) -> str:
    """The annotator by the file's name: ann of ann.answers.csv."""
    name = source.path.name.split(".")[0].strip()
    if not name:
        raise UsageError(f"{source.file}: whose answers are these? --name NAME")
    return name


def _whole(said: Any, file: str, place: int) -> int | None:
    if said is None or not str(said).strip():
        return None
    try:
        found = float(str(said).strip())
    except ValueError:
        found = -1.0
    if found < 0 or not found.is_integer():
        raise DataError(
            f"start is {said!r}, expected a whole number of characters", file=file, where=place
        )
    return int(found)
