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
from readmark.setting.blind.names import require_name

ANSWER_COLUMNS = ("answer", "text")
NAME_COLUMNS = ("annotator", "person")
_ENDINGS = (".gz", ".zst", ".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".zip", ".answers")


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
    question: str | None = None
    """What was asked, where the file tells it."""
    signed: str | None = None
    """Whose the file says it is."""


def returned(path: str | Path, test: Test, name: str | None = None) -> Iterator[Returned]:
    """The answers of a file; ``name`` is whose they are, whatever the file says."""
    source = Source(path)
    if is_rows(source, "id"):
        yield from _of_sheet(source, name)
    elif source.readmark_file == "sitting" or _is_predictions(source):
        yield from _of_sitting(source, test, name)
    else:
        yield from _of_test(source, name)


def _of_sheet(source: Source, name: str | None) -> Iterator[Returned]:
    for place, row in read_rows(source.path):
        column = next((one for one in ANSWER_COLUMNS if one in row), None)
        if column is None:
            raise DataError("has no column 'answer'", file=source.file, where=place)
        signed = next(filter(None, (_cell(row, one) for one in NAME_COLUMNS)), None)
        yield Returned(
            id=str(row["id"]).strip(),
            annotator=name or _named(signed or _stem(source), source, place),
            text=str(row[column] or ""),
            start=_whole(row.get("start"), source.file, place),
            file=source.file,
            place=place,
            version=_cell(row, "version"),
            question=_cell(row, "question"),
            signed=signed,
        )


def _named(signed: str, source: Source, place: int) -> str:
    return require_name(signed, "annotator", file=source.file, where=place)


def _cell(row: dict[str, Any], column: str) -> str | None:
    said = row.get(column)
    return None if said is None else str(said).strip() or None


def _of_sitting(source: Source, test: Test, name: str | None) -> Iterator[Returned]:
    sitting = open_sitting(source.path, test.kind)
    header = sitting.header
    if header.paper not in (None, test.facts.paper):
        raise DataError(
            f"was sat on another paper ({header.paper}, this test's is {test.facts.paper})",
            file=source.file,
        )
    if header.signature and name is None:
        raise DataError(
            f"is what the candidate {header.candidate} sat, no person's answers; "
            "if a person gave them, say whose they are by --name",
            file=source.file,
        )
    signed = header.candidate or None
    for id in sitting:
        rows: Sequence[Row] = sitting.of(id)
        if rows[-1].answered:
            yield Returned(
                id=id,
                annotator=name or signed or _stem(source),
                text=rows[-1].words(test.kind.answer),
                start=rows[-1].start,
                file=source.file,
                place=id,
                signed=signed,
            )


def _of_test(source: Source, name: str | None) -> Iterator[Returned]:
    theirs = open_test(source.path)
    for _, record in theirs.placed():
        for question in record.questions:
            answers = question.key.answers if question.key is not None else ()
            for one in answers:
                yield Returned(
                    id=question.id,
                    annotator=name or one.annotator or _stem(source),
                    text=one.text,
                    start=one.start,
                    file=source.file,
                    place=question.id,
                    passage=record.text,
                    question=question.text.strip() or None,
                    signed=one.annotator,
                )


def _is_predictions(source: Source) -> bool:
    document = source.document
    return isinstance(document, dict) and all(isinstance(one, str) for one in document.values())


def _stem(source: Source) -> str:
    """The annotator by the file's name: J. Smith of J. Smith.answers.csv."""
    name = source.path.name
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    if not name.strip():
        raise UsageError(f"{source.file}: whose answers are these? --name NAME")
    return name.strip()


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
