"""Readmark's own test files: JSON Lines, a header and then a record a line, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import (
    decode,
    line,
    read_header,
    read_lines,
    read_records,
    writing,
)
from readmark.core.fingerprint import text_id
from readmark.core.kinds import KINDS, kind_named
from readmark.core.problems import Problem, Report, fail
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.core.source import Source
from readmark.core.test import SCHEMA, Header, Placed, Test
from readmark.hooks import Kind


class Native:
    """The format that holds everything."""

    def recognises(self, source: Source) -> bool:
        """A first line with a schema version that is no sitting's and no marksheet's."""
        return source.readmark_file == "test"

    def read(self, source: Source) -> Test:
        """Header now, records as they are asked for."""
        file = source.file
        header = read_header(file, Header)
        if header.kind not in KINDS:
            known = ", ".join(KINDS)
            raise DataError(f"kind {header.kind!r} is unknown; known: {known}", file=file, where=1)
        struct: type[Any] = kind_named(header.kind).record

        def stream(report: Report) -> Iterator[Placed]:
            for number, record in read_records(file, struct, report):
                if record.id == "" and not hasattr(record, "text"):
                    report(Problem(file, number, "schema", "the id is empty"))
                    continue
                yield number, with_id(record)

        return Test(header, stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Everything is kept."""
        with writing(path) as stream:
            stream.write(header_line(test.header))
            for record in test.records():
                stream.write(line(record))
        return []


def header_line(header: Header) -> bytes:
    """The first line. Defaults are left out of records, never of it: readers look for them."""
    said = {"readmark": header.readmark, "kind": header.kind}
    return line({**said, **msgspec.to_builtins(header)})


def with_id(record: Any) -> Any:
    """A passage without an id gets one from its text, so equal texts are one passage."""
    if getattr(record, "id", "-") != "":
        return record
    return msgspec.structs.replace(record, id=text_id(record.text))


NATIVE = Native()


# Sittings: Readmark's journal in JSON Lines.


class NativeSitting:
    """A journal: the last row for an id and repeat wins; a torn last line is noted."""

    def recognises(self, source: Source) -> bool:
        """A header with a candidate."""
        return source.readmark_file == "sitting"

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """Every row that counts."""
        file = source.file
        header = read_header(file, SittingHeader)
        if header.kind not in (None, kind.name):
            raise DataError(
                f"is a sitting of a {header.kind} test, expected {kind.name}", file=file, where=1
            )
        rows = PackedRows()
        notes: list[str] = []
        torn: list[Problem] = []
        empty: dict[tuple[str, int], int] = {}
        decoder = msgspec.json.Decoder(Row)
        lines = read_lines(file)
        next(lines)
        for number, raw in lines:
            if torn:
                fail(torn[0])
            row = decode(file, number, raw, decoder, torn.append)
            if row is None:
                if torn[0].code != "json":
                    fail(torn[0])
                continue
            empty.pop((row.id, row.repeat), None)
            unset = getattr(row, kind.answer) is msgspec.UNSET
            if row.error is None and unset and row.no_answer_reason is None:
                empty[row.id, row.repeat] = number
            else:
                keep(rows, sound_row(row, kind, f"{file}:{number}", notes))
        for (id, _), number in empty.items():  # nothing came after it that would win
            raise DataError(
                f"the row of {id!r} has neither {kind.answer!r} nor 'error'",
                file=file,
                where=number,
            )
        if torn:
            notes.append(f"{file}:{torn[0].where}: the last line is cut off and was left out")
        return Sitting(header, rows, file, tuple(notes))

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """Everything is kept."""
        header = {"readmark": SCHEMA, "file": "sitting", **msgspec.to_builtins(sitting.header)}
        with writing(path) as stream:
            stream.write(line({"candidate": "", **header}))
            for id in sitting:
                for row in sitting.of(id):
                    stream.write(line(row))
        return []


def sound_row(row: Row, kind: Kind, place: str, notes: list[str]) -> Row:
    """The row; one whose answers to a query cannot be read is an error row."""
    if kind.answer != "bindings" or row.error is not None:
        return row
    try:
        kind.read_answer(row)
    except DataError as wrong:
        notes.append(f"{place}: {wrong.message}")
        return Row(id=row.id, repeat=row.repeat, attempt=row.attempt, error=wrong.message)
    return row


NATIVE_SITTING = NativeSitting()
