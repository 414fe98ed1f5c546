"""The format: what is taken for it, which kind of test its columns imply, what it is called."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS
from readmark.core.kinds import KINDS, kind_named
from readmark.core.problems import Report
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.tables.columns import habits, rows_of
from readmark.formats.tables.reader import (
    LINES,
    PlacedRow,
    Rows,
    rows_of_lines,
    shards,
    split_of,
    stem,
)
from readmark.formats.tables.recast import (
    has_question,
    key_ways,
    lacks_passage,
)
from readmark.formats.tables.writer import write_flat
from readmark.hooks import Kind

# Flat files are recognised by the columns of their first line.


def kind_of(source: Source) -> str | None:
    """The kind of test in a flat file; None for any other file."""
    return kind_of_row(_first(source))


def kind_of_row(row: Any) -> str | None:
    """The kind of test that a row's columns imply."""
    if not isinstance(row, dict) or "readmark" in row or _is_squad(row):
        return None
    fits = (name for name, kind in KINDS.working() if _is_row_of(kind, row))
    return next(fits, None)


def _is_squad(document: dict[str, Any]) -> bool:
    """Whether it is a document as SQuAD has it: the usual one, for which no kind need be loaded."""
    match document:
        case {"data": [{"paragraphs": list()}, *_]}:
            return True
    return False


def _is_row_of(kind: Kind, row: dict[str, Any]) -> bool:
    rows = rows_of(kind)
    return bool(rows.columns) and rows.is_row(row)


def is_question(row: Any) -> bool:
    """Whether an object is a question of some test, whatever else it has, and no predictions."""
    return isinstance(row, dict) and has_question(row)


def unrecognised(file: str, row: Any) -> DataError:
    """What a file's columns lack."""
    found = ", ".join(row) if isinstance(row, dict) else "none"
    if isinstance(row, dict) and lacks_passage(row):
        what = "there is a question with options and no passage to read; expected a column context"
    else:
        what = (
            "expected rows with id, context, question and answers, with a passage, question and "
            "options, or with id, target, question and rewrites"
        )
    return DataError(f"{what}; found: {found}", file=file, where=1)


def _first(source: Source) -> Any:
    """The first line as JSON; a long passage makes it longer than what a source looks at."""
    if not source.looks_json or b"\n" in source.head.strip() or b'"que' not in source.head:
        return source.first_line
    try:
        return msgspec.json.decode(source.long_first_line)
    except JSON_ERRORS:
        return None


class Flat:
    """One question per line; the passage is repeated in each of its questions."""

    folders = True

    def recognises(self, source: Source) -> bool:
        """JSON Lines without a header whose first line has the columns of either kind.

        A folder whose JSON Lines are all such is taken too: the splits of a hub's set.
        """
        if source.folder is not None:
            return bool(_parts(source))
        return kind_of(source) is not None

    def read(self, source: Source) -> Test:
        """The test in a file; the lines are gathered into records as these are asked for."""
        if source.folder is not None:
            return self._together(source)
        kind = kind_of(source)
        if kind is None:
            raise unrecognised(source.file, source.first_line)
        return flat_test(source, kind, partial(rows_of_lines, source.file, None))

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a line a question; what the columns cannot hold is named."""
        return write_flat(test, path)

    def _together(self, source: Source) -> Test:
        parts = _parts(source)
        kinds = {kind_of(part) for part in parts}
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is None:
            raise DataError("holds no flat JSON Lines of one kind", file=source.file)

        def rows(report: Report) -> Iterator[PlacedRow]:
            for part in parts:
                yield from rows_of_lines(part.file, split_of(part.path), report)

        return flat_test(source, kind, rows)


def flat_test(source: Source, kind: str, rows: Rows) -> Test:
    """The test that rows make; those of a folder are placed by their passages' ids."""
    read = rows_of(kind_named(kind)).read
    header = Header(kind=kind, name=source.named(stem(source.path)))
    several = source.folder is not None

    @cache
    def found() -> dict[str, frozenset[str]]:
        ways = (key_ways(row.row) for row in rows(lambda problem: None))
        return habits(way for way in ways if way is not None)

    def habit(column: str) -> frozenset[str]:
        return found().get(column, frozenset())  # all rows are gone through at the first doubt

    def stream(report: Report) -> Iterator[Placed]:
        for number, record in read(rows(report), report, habit):
            yield (record.id if several else number), record

    return Test(header, stream, source.file)


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
