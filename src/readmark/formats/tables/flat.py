"""Flat files, a question a line: JSON Lines, or the shards of a folder, as the hub has its sets.

They are known by the columns of their first line, which also show the kind of test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple, TypeVar

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, read_lines
from readmark.core.folders import Folder
from readmark.core.json_lines import decode, in_words, json_line
from readmark.core.kinds import KINDS, kind_named
from readmark.core.numbers import first_ids
from readmark.core.problems import Problem, ReportProblem, ignore
from readmark.core.records import AS_WRITTEN
from readmark.core.source import Source
from readmark.core.test import Header, PartStream, Placed, Test
from readmark.core.writing import writing
from readmark.formats.losses import Losses, header_losses, layer_losses
from readmark.formats.members import others
from readmark.formats.tables.columns import (
    OWN_FIELD,
    SPLIT,
    Column,
    columns_of,
    field_columns,
    habits,
    row,
    rows_of,
)
from readmark.formats.tables.recast import (
    has_question,
    key_ways,
    lacks_passage,
)

LINES = (".jsonl", ".ndjson")
_COMPRESSED = (".gz", ".zst")
_SPLIT = re.compile(r"(?:^|[-_.])(train|validation|valid|dev|test)(?=$|[-_.])", re.IGNORECASE)
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


class PlacedRow(NamedTuple):
    """A row with its file and number; ``split`` comes from its file's name."""

    file: str
    number: int
    split: str | None
    row: dict[str, Any]


ReadRows = Callable[[str, ReportProblem], Iterator[PlacedRow]]
"""The rows of a file."""


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


def shards(folder: Folder, suffixes: tuple[str, ...]) -> list[Path]:
    """The files of a folder that make one test, in order; none where it holds no such files.

    A hub's folder may hold a set in several versions, a folder each: one must be named.
    """
    if folder.is_zip:
        return []
    names = [name for name in folder.names if _suffix(name) in suffixes]
    places = sorted({str(PurePosixPath(name).parent) for name in names})
    if len(places) > 1:
        raise DataError(
            f"holds tests in several folders ({first_ids(places, 4)}): name one of them",
            file=folder.path,
        )
    return [folder.path / name for name in names]


def split_of(path: Path) -> str | None:
    """The split named by a shard's file name: ``test-00000-of-00001.parquet`` is of test."""
    match = _SPLIT.search(stem(path))
    return match[1].lower() if match is not None else None


def stem(path: Path) -> str:
    """A file's name without its suffixes."""
    name = path.name
    for suffix in (*_COMPRESSED, *LINES, ".json", ".parquet", ".csv", ".tsv", ".xlsx", ".xlsm"):
        name = name.removesuffix(suffix)
    return name


def is_shard(path: Path) -> bool:
    """Whether a name is that of a part of a set, such as ``train-00000-of-00002.parquet``."""
    return _SHARD.search(stem(path)) is not None


def _suffix(name: str) -> str:
    suffixes = [suffix.lower() for suffix in PurePosixPath(name).suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


# Reading flat files: lines gathered into passages and series, wherever in the file they are.


S = TypeVar("S", bound=msgspec.Struct)


def read_rows(
    rows: Iterable[PlacedRow], struct: type[S], report: ReportProblem
) -> Iterator[tuple[PlacedRow, S, dict[str, Any]]]:
    """Every row as it should be, and its other columns that have something."""
    known = frozenset(struct.__struct_fields__)
    for placed in rows:
        try:
            row = msgspec.convert(placed.row, struct)
        except msgspec.ValidationError as error:
            report(Problem(placed.file, placed.number, "schema", in_words(error)))
            continue
        more = others(placed.row, known)
        yield placed, row, {name: value for name, value in more.items() if value is not None}


# Writing: what the columns cannot hold is named.


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
    if not rows_of(test.kind).columns:
        known = " and ".join(name for name, kind in KINDS.working() if rows_of(kind).columns)
        raise UsageError(f"{test.file}: only {known} tests can be written as {format}")


def write_rows(test: Test, stream: IO[bytes], columns: Sequence[Column]) -> list[str]:
    """Write a line a question; what the columns cannot hold is named."""
    losses, kind = table_losses(test), rows_of(test.kind)
    for record in test.records():
        kind.losses(losses, record, columns)
        for unit in test.kind.units(record):
            stream.write(json_line(row(unit, columns)))
    return losses.lines()


def table_losses(test: Test) -> Losses:
    """What no table says of a test itself."""
    losses, header = Losses(), test.header
    header_losses(losses, header, profile=None)
    field_losses(losses, "the header's fields ()", header.name or "header", header.fields)
    return losses


def record_losses(
    losses: Losses,
    record: Any,
    columns: Sequence[Column],
    *,
    noun: str,
    plural: str,
    unheld: Sequence[str],
) -> frozenset[str]:
    """Name what of a record itself the columns cannot hold; the columns of fields come back."""
    if not record.questions:
        losses.cannot_store(f"{plural} without questions", record.id)
    split = () if any(column.name == SPLIT for column in columns) else (SPLIT,)
    for name in (*unheld, *split):
        if getattr(record, name) is not None:
            losses.cannot_store(f"the {noun}'s {name}", record.id)
    field_losses(losses, "fields ()", record.id, record.fields)
    layer_losses(losses, record)
    if record.key is not None:
        field_losses(losses, "fields ()", record.id, record.key.fields)
    return frozenset(column.name for column in columns if column.about == OWN_FIELD)


def field_losses(
    losses: Losses, what: str, id: str, fields: Mapping[str, Any], held: Container[str] = ()
) -> None:
    names = [name for name in fields if name != AS_WRITTEN and name not in held]
    if names:
        losses.cannot_store(what, id, names=names)


# Flat files are recognised by the columns of their first line.


def kind_of(source: Source) -> str | None:
    """The kind of test in a flat file; None for any other file."""
    return kind_of_row(_first(source))


def kind_of_row(row: Any) -> str | None:
    """The kind of test that a row's columns imply."""
    if not isinstance(row, dict) or "readmark" in row or _is_squad(row):
        return None
    for name, kind in KINDS.working():
        rows = rows_of(kind)
        if rows.columns and rows.is_row(row):
            return name
    return None


def _is_squad(document: dict[str, Any]) -> bool:
    """Whether it is a document as SQuAD has it: the usual one, for which no kind need be loaded."""
    match document:
        case {"data": [{"paragraphs": list()}, *_]}:
            return True
    return False


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
        return flat_test(source, kind, [source.file], rows_of_lines)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a line a question; what the columns cannot hold is named."""
        return write_flat(test, path)

    def _together(self, source: Source) -> Test:
        parts = _parts(source)
        kinds = {kind_of(part) for part in parts}
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is None:
            raise DataError("holds no flat JSON Lines of one kind", file=source.file)
        files = [part.file for part in parts]
        return flat_test(source, kind, files, partial(rows_of_lines, is_shard=True))


def flat_test(source: Source, kind: str, files: Sequence[str], rows: ReadRows) -> Test:
    """The test that rows of files make; those of a folder are placed by their passages' ids.

    Parts have whole passages each, so that only one part is held. In other files the rows of a
    passage may be anywhere.
    """
    is_remote_folder = source.folder is None and bool(source.parts)  # no file has its name
    name = stem(Path(source.file)) if is_remote_folder else source.named(stem(source.path))
    header = Header(kind=kind, name=name)
    flat = FlatFiles(kind, tuple(files), rows)
    if source.parts:
        return Test(header, PartStream(flat.files, flat.records_of), source.file)
    return Test(header, partial(flat.records, by_id=source.folder is not None), source.file)


@dataclass(frozen=True)
class FlatFiles:
    """The records that the rows of files make; all of them show what a column means."""

    kind: str
    files: tuple[str, ...]
    rows: ReadRows

    def records(self, report: ReportProblem, *, by_id: bool) -> Iterator[Placed]:
        """Those of all files, each at its first row or its id."""
        rows = chain.from_iterable(self.rows(file, report) for file in self.files)
        for number, record in self._gathered(rows, report):
            yield (record.id if by_id else number), record

    def records_of(self, file: str, report: ReportProblem) -> Iterator[Placed]:
        """Those of one file."""
        return self._gathered(self.rows(file, report), report)

    def _gathered(self, rows: Iterable[PlacedRow], report: ReportProblem) -> Iterator[Placed]:
        read = rows_of(kind_named(self.kind)).read
        return read(rows, report, lambda column: self._habits.get(column, frozenset()))

    @cached_property
    def _habits(self) -> dict[str, frozenset[str]]:
        """All rows are gone through at the first doubt."""
        ways = (key_ways(row.row) for file in self.files for row in self.rows(file, ignore))
        return habits(way for way in ways if way is not None)


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
