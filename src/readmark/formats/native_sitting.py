"""Readmark's own sittings: the journal of a candidate in JSON Lines, or a folder of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.json_lines import LineDecoder, decode, json_line, read_header
from readmark.core.problems import Problem, fail
from readmark.core.row_lines import holds_json, row_lines
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.core.source import Source
from readmark.core.test import SCHEMA
from readmark.core.writing import writing
from readmark.formats.parts import part_names, shared_header
from readmark.hooks import Kind

T = TypeVar("T")


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
            if not len(rows):
                read_rows(lines_of_rows(file), file, kind, rows, notes)
                continue
            part = PackedRows()
            read_rows(lines_of_rows(file), file, kind, part, notes)
            for id in part:
                if id in rows:
                    raise _in_two_parts(id, file, files[:index], kind)
                rows.take(id, part)
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
    of_parts = tuple(paper for paper in (header.paper, *papers) if paper is not None)
    return msgspec.structs.replace(header, paper=None, splits={}), of_parts


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
    for (id, _), number in empty.items():  # no later row wins over these
        raise DataError(
            f"the row of {id!r} has neither {kind.answer!r} nor 'error'", file=file, where=number
        )


def whole_rows(
    lines: Iterator[tuple[int, bytes]], file: str, decoder: LineDecoder[T], notes: list[str]
) -> Iterator[tuple[int, bytes, T]]:
    """Rows with their numbers and lines; a last line that is cut off is noted and left out.

    A killed process leaves at most one such line, since each row is one write.
    """
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


def _in_two_parts(id: str, file: str, earlier: Sequence[str], kind: Kind) -> DataError:
    """The error for a unit with rows in two parts of a sitting: neither is the later one."""
    for part in earlier:
        rows = PackedRows()
        read_rows(lines_of_rows(part), part, kind, rows, [])
        if id in rows:
            return DataError(f"rows of {id!r} are in {part} too", file=file)
    return DataError(f"rows of {id!r} are in two parts", file=file)  # pragma: no cover


def sound_row(row: Row, kind: Kind, place: str, notes: list[str]) -> Row:
    """The row; one whose answer only the kind can read, and cannot, is an error row."""
    if not holds_json(kind) or row.error is not None:
        return row
    try:
        kind.read_answer(row)
    except DataError as error:
        notes.append(f"{place}: {error.message}")
        return Row(id=row.id, repeat=row.repeat, attempt=row.attempt, error=error.message)
    return row


NATIVE_SITTING = NativeSitting()
