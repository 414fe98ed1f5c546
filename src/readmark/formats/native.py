"""Readmark's own test files: JSON Lines, a header and then a record a line, streamed.

A folder of parts is read as one file: every part has the same header, and the records or rows of
one part follow those of the part before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import LineDecoder, decode, json_line, read_header, read_records
from readmark.core.kinds import KINDS, kind_named
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.row_lines import holds_json, row_lines
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import SCHEMA, Header, PartStream, Placed, Test
from readmark.core.writing import writing
from readmark.hooks import Kind


class Native:
    """The format that holds everything."""

    def recognises(self, source: Source) -> bool:
        """A first line with a schema version that is no sitting's and no marksheet's."""
        return source.readmark_file == "test"

    def read(self, source: Source) -> Test:
        """Header now, records as they are asked for."""
        file, files = source.file, part_names(source)
        header = shared_header(files, Header)
        if header.kind not in KINDS:
            known = ", ".join(KINDS)
            raise DataError(
                f"kind {header.kind!r} is unknown; known: {known}", file=files[0], where=1
            )
        struct: type[Any] = kind_named(header.kind).record
        if source.parts:
            return Test(header, PartStream(tuple(files), partial(records_of, struct)), file)
        return Test(header, partial(records_of, struct, file), file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Everything is kept."""
        with writing(path) as stream:
            stream.write(header_line(test.header))
            for record in test.records():
                stream.write(json_line(record))
        return []


def records_of(struct: type[Any], file: str, report: ReportProblem) -> Iterator[Placed]:
    """The records of one file with the numbers of their lines."""
    has_text = "text" in struct.__struct_fields__
    for number, record in read_records(file, struct, report):
        if record.id == "" and not has_text:
            report(Problem(file, number, "schema", "the id is empty"))
            continue
        yield number, with_id(record)


def part_names(source: Source) -> list[str]:
    """The files to read: the parts of a folder in their order, or the one file."""
    return [part.file for part in source.parts] or [source.file]


H = TypeVar("H", Header, SittingHeader)
T = TypeVar("T")


def shared_header(files: Sequence[str], struct: type[H], *apart: str) -> H:
    """The header of all files, which only the members named ``apart`` may differ in."""
    first = read_header(files[0], struct)
    for file in files[1:]:
        other = read_header(file, struct)
        for name in struct.__struct_fields__:
            mine, theirs = getattr(other, name), getattr(first, name)
            if mine != theirs and name not in apart:
                raise DataError(
                    f"its header has another {name} ({clip(str(mine))}) than that of {files[0]} "
                    f"({clip(str(theirs))})",
                    file=file,
                    where=1,
                )
    return first


def header_line(header: Header) -> bytes:
    """The first line. Defaults are left out of records, never of it: readers look for them."""
    said = {"readmark": header.readmark, "kind": header.kind}
    return json_line({**said, **msgspec.to_builtins(header)})


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
        """Every row that counts, of all parts where there are several."""
        files = part_names(source)
        header, papers = sitting_header(source, kind)
        rows = PackedRows()
        notes: list[str] = []
        for index, file in enumerate(files):
            before = len(rows)
            own = rows if not before else PackedRows()
            read_rows(lines_of_rows(file), file, kind, own, notes)
            if own is rows:
                continue
            for id in own:
                if id in rows:
                    raise _in_two_parts(id, file, files[:index], kind)
                rows.take(id, own)
        return Sitting(header, rows, source.file, tuple(notes), papers, kind.name)

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """Everything is kept."""
        header = {"readmark": SCHEMA, "file": "sitting", **msgspec.to_builtins(sitting.header)}
        lines = row_lines(sitting.kind)
        with writing(path) as stream:
            stream.write(json_line({"candidate": "", **header}))
            for id in sitting:
                for row in sitting.of(id):
                    stream.write(lines.line(row))
        return []


def sitting_header(source: Source, kind: Kind) -> tuple[SittingHeader, tuple[str, ...]]:
    """The header of a sitting, and the papers of its parts where each was sat by itself."""
    files = part_names(source)
    header = shared_header(files, SittingHeader, "paper", "splits")
    if header.kind not in (None, kind.name):
        raise DataError(
            f"is a sitting of a {header.kind} test, expected {kind.name}", file=files[0], where=1
        )
    papers = [read_header(file, SittingHeader).paper for file in files[1:]]
    if all(paper == header.paper for paper in papers):
        return header, ()
    if None in (header.paper, *papers) or (header.covers, header.limit) != (None, None):
        raise DataError("its parts are sittings of different papers", file=source.file)
    each = tuple(paper for paper in (header.paper, *papers) if paper is not None)
    return msgspec.structs.replace(header, paper=None, splits={}), each


def read_rows(
    lines: Iterator[tuple[int, bytes]], file: str, kind: Kind, rows: PackedRows, notes: list[str]
) -> None:
    """Take in the rows of a journal, without its header: the last for an id and repeat wins."""
    empty: dict[tuple[str, int], int] = {}
    for number, _, row in whole_rows(lines, file, row_lines(kind), notes):
        empty.pop((row.id, row.repeat), None)
        if row.error is None and not row.states_answer:
            empty[row.id, row.repeat] = number
        else:
            keep(rows, sound_row(row, kind, f"{file}:{number}", notes))
    for (id, _), number in empty.items():  # nothing came after it that would win
        raise DataError(
            f"the row of {id!r} has neither {kind.answer!r} nor 'error'", file=file, where=number
        )


def whole_rows(
    lines: Iterator[tuple[int, bytes]], file: str, decoder: LineDecoder[T], notes: list[str]
) -> Iterator[tuple[int, bytes, T]]:
    """Rows with their numbers and lines; a last line that is cut off is noted and left out."""
    torn: list[Problem] = []
    for number, raw in lines:
        if torn:
            fail(torn[0])
        row = decode(file, number, raw, decoder, torn.append)
        if row is not None:
            yield number, raw, row
        elif torn[0].code != "json":
            fail(torn[0])
    if torn:
        notes.append(f"{file}:{torn[0].where}: the last line is cut off and was left out")


def lines_of_rows(file: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a journal after its header."""
    lines = read_lines(file)
    next(lines)
    return lines


def _in_two_parts(id: str, file: str, before: Sequence[str], kind: Kind) -> DataError:
    """The error for a unit with rows in two parts of a sitting: neither is the later one."""
    for other in before:
        rows = PackedRows()
        read_rows(lines_of_rows(other), other, kind, rows, [])
        if id in rows:
            return DataError(f"rows of {id!r} are in {other} too", file=file)
    return DataError(f"rows of {id!r} are in two parts", file=file)  # pragma: no cover


def sound_row(row: Row, kind: Kind, place: str, notes: list[str]) -> Row:
    """The row; one whose answer only the kind can read, and cannot, is an error row."""
    if not holds_json(kind) or row.error is not None:
        return row
    try:
        kind.read_answer(row)
    except DataError as wrong:
        notes.append(f"{place}: {wrong.message}")
        return Row(id=row.id, repeat=row.repeat, attempt=row.attempt, error=wrong.message)
    return row


NATIVE_SITTING = NativeSitting()
