"""Flat files, a question a line: JSON Lines, or the shards of a folder, as the hub has its sets.

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
from readmark.core.problems import ReportProblem
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.tables.columns import Column
from readmark.formats.tables.row_kinds import kind_of_row, unrecognised
from readmark.formats.tables.rows import (
    PlacedRow,
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
        return kind_of(source) is not None

    def read(self, source: Source) -> Test:
        """The test in a file; the lines are gathered into records as these are asked for."""
        if source.folder is None:
            kind = kind_of(source)
            if kind is None:
                raise unrecognised(source.file, source.first_line)
            return flat_test(source, kind, [source.file], rows_of_lines)
        parts = _parts(source)
        kinds = {kind_of(part) for part in parts}
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is None:
            raise DataError("holds no flat JSON Lines of one kind", file=source.file)
        files = [part.file for part in parts]
        return flat_test(source, kind, files, partial(rows_of_lines, is_shard=True))

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a line a question; what the columns cannot hold is named."""
        return write_flat(test, path)


def write_flat(test: Test, path: Path, columns: Sequence[Column] | None = None) -> list[str]:
    """Write the rows of a test, in the columns given or in those that it needs."""
    require_columns(test, "flat")
    columns = all_columns(test) if columns is None else columns
    with writing(path) as stream:
        return write_rows(test, stream, columns)


def kind_of(source: Source) -> str | None:
    """The kind of test in a flat file; None for any other file."""
    return kind_of_row(_first_row(source))


def _first_row(source: Source) -> Any:
    """The first line as JSON; a long passage makes it longer than what a source looks at."""
    if not source.looks_json or b"\n" in source.head.strip() or b'"que' not in source.head:
        return source.first_line
    try:
        return msgspec.json.decode(source.long_first_line)
    except JSON_ERRORS:
        return None


def rows_of_lines(
    file: str, report: ReportProblem, *, is_shard: bool = False
) -> Iterator[PlacedRow]:
    """The rows of JSON Lines; a line that is none is reported. A shard's name has its split."""
    split = split_of(Path(file)) if is_shard else None
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
    return sources if all(kind_of(source) is not None for source in sources) else []


FLAT = Flat()
