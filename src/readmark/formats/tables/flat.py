"""Flat files, a question a row: JSON Lines, a JSON array, or a folder of shards as the hub has.

They are known by the columns of their first line, which also show the kind of test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, read_lines
from readmark.core.json_lines import decode
from readmark.core.problems import Problem, ReportProblem
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.members import unexpected
from readmark.formats.tables.columns import Column
from readmark.formats.tables.named_rows import NamedRows, named_rows, recognised, say_names
from readmark.formats.tables.row_kinds import unrecognised
from readmark.formats.tables.rows import (
    PlacedRow,
    ReadRows,
    all_columns,
    flat_test,
    require_columns,
    write_rows,
)
from readmark.formats.tables.shards import LINES, shards, split_of


class Flat:
    """One question per line; the passage is repeated in each of its questions."""

    def recognises(self, source: Source) -> bool:
        """JSON Lines without a header whose first line has the columns of either kind.

        A folder whose JSON Lines are all such is taken too: the splits of a hub's set.
        """
        if source.folder is not None:
            return bool(_parts(source))
        return recognised_in(source) is not None

    def read(self, source: Source) -> Test:
        """The test in a file; the lines are gathered into records as these are asked for."""
        if source.folder is None:
            first = recognised_in(source)
            if first is None:
                raise unrecognised(source.file, _first_row(source))
            kind, names = first
            return flat_test(source, kind, [source.file], _reader(source, names))
        parts = _parts(source)
        kinds = {first[0] for part in parts if (first := recognised_in(part)) is not None}
        if len(kinds) != 1:
            raise DataError("holds no flat JSON Lines of one kind", file=source.file)
        _, names = recognised_in(parts[0]) or ("", None)
        read = _reader(parts[0], names, is_shard=True)
        return flat_test(source, kinds.pop(), [part.file for part in parts], read)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a line a question; what the columns cannot hold is named."""
        return write_flat(test, path)


def write_flat(test: Test, path: Path, columns: Sequence[Column] | None = None) -> list[str]:
    """Write the rows of a test, in the columns given or in those that it needs."""
    require_columns(test, "flat")
    columns = all_columns(test) if columns is None else columns
    with writing(path) as stream:
        return write_rows(test, stream, columns)


def recognised_in(source: Source) -> tuple[str, NamedRows | None] | None:
    """The kind of test in a flat file, and how its members are called; None for any other file."""
    return recognised(_first_row(source))


def _reader(source: Source, names: NamedRows | None, *, is_shard: bool = False) -> ReadRows:
    """How the rows of files are read that are like this one."""
    read: ReadRows = partial(rows_of_file, is_shard=is_shard)
    if names is None:
        return read
    say_names(source.file, names.described(_first_row(source)))
    return partial(_renamed, read, names)


def _renamed(
    read: ReadRows, names: NamedRows, file: str, report: ReportProblem
) -> Iterator[PlacedRow]:
    return named_rows(read(file, report), names, report)


def _first_row(source: Source) -> Any:
    """The first line or element; a long passage makes a line longer than what a source looks at."""
    if _is_array(source):
        document = source.document
        return document[0] if isinstance(document, list) and document else None
    if not source.looks_json or b"\n" in source.head.strip() or b'"que' not in source.head:
        return source.first_line
    try:
        return msgspec.json.decode(source.long_first_line)
    except JSON_ERRORS:
        return None


def _is_array(source: Source) -> bool:
    return source.head.lstrip()[:1] == b"["


def rows_of_file(
    file: str, report: ReportProblem, *, is_shard: bool = False
) -> Iterator[PlacedRow]:
    """The rows of JSON Lines or of a JSON array; what is no row is reported.

    A shard's name has its split.
    """
    split = split_of(Path(file)) if is_shard else None
    source = Source(file)
    if _is_array(source):
        for number, row in enumerate(source.json, 1):
            if isinstance(row, dict):
                yield PlacedRow(file, number, split, row)
            else:
                report(Problem(file, number, "schema", unexpected("a row", row, "an object")))
        return
    decoder: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
    for number, raw in read_lines(file):
        row = decode(file, number, raw, decoder, report)
        if row is not None:
            yield PlacedRow(file, number, split, row)


def _parts(source: Source) -> list[Source]:
    """The files of a folder, when they are all flat JSON Lines in one place."""
    folder = source.folder
    if folder is None or folder.is_zip:
        return []
    try:
        sources = [Source(path) for path in shards(folder, LINES)]
    except DataError:
        return []
    return sources if all(recognised_in(source) is not None for source in sources) else []


FLAT = Flat()
