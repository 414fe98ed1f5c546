"""Rows of flat files: read into structs of a kind, gathered into records, and written again."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import msgspec

from readmark.core.errors import UsageError
from readmark.core.json_lines import in_words, json_line
from readmark.core.kinds import KINDS, kind_named
from readmark.core.problems import Problem, ReportProblem, ignore
from readmark.core.records import AS_WRITTEN
from readmark.core.source import Source
from readmark.core.test import Header, PartStream, Placed, Test
from readmark.formats.losses import Losses, header_losses, layer_losses
from readmark.formats.members import others
from readmark.formats.tables.columns import (
    OWN_FIELD,
    SPLIT,
    Column,
    columns_of,
    field_columns,
    row,
    rows_of,
)
from readmark.formats.tables.option_keys import habits
from readmark.formats.tables.recast import key_ways
from readmark.formats.tables.shards import stem


class PlacedRow(NamedTuple):
    """A row with its file and number; ``split`` comes from its file's name."""

    file: str
    number: int
    split: str | None
    row: dict[str, Any]


ReadRows = Callable[[str, ReportProblem], Iterator[PlacedRow]]
"""The rows of a file."""

S = TypeVar("S", bound=msgspec.Struct)


def read_rows(
    rows: Iterable[PlacedRow], struct: type[S], report: ReportProblem
) -> Iterator[tuple[PlacedRow, S, dict[str, Any]]]:
    """Every row as a struct of a kind, and its other columns that have something."""
    known = frozenset(struct.__struct_fields__)
    for placed in rows:
        try:
            row = msgspec.convert(placed.row, struct)
        except msgspec.ValidationError as error:
            report(Problem(placed.file, placed.number, "schema", in_words(error)))
            continue
        more = others(placed.row, known)
        yield placed, row, {name: value for name, value in more.items() if value is not None}


def flat_test(source: Source, kind: str, files: Sequence[str], rows: ReadRows) -> Test:
    """The test that rows of files make; those of a folder are placed by their passages' ids.

    Parts have whole passages each, so that only one part is held. In other files the rows of a
    passage may be anywhere.
    """
    is_remote_folder = source.folder is None and bool(source.parts)  # no file has its name
    name = stem(Path(source.file)) if is_remote_folder else source.named(stem(source.path))
    header = Header(kind=kind, name=name)
    flat = _FlatFiles(kind, tuple(files), rows)
    if source.parts:
        return Test(header, PartStream(flat.files, flat.records_of), source.file)
    return Test(header, partial(flat.records, by_id=source.folder is not None), source.file)


@dataclass(frozen=True)
class _FlatFiles:
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
        """How keys are written in each column; all rows are gone through at the first doubt."""
        ways = (key_ways(row.row) for file in self.files for row in self.rows(file, ignore))
        return habits(way for way in ways if way is not None)


def require_columns(test: Test, format: str) -> None:
    """Refuse the kinds of test that have no columns."""
    if not rows_of(test.kind).columns:
        known = " and ".join(name for name, kind in KINDS.working() if rows_of(kind).columns)
        raise UsageError(f"{test.file}: only {known} tests can be written as {format}")


def all_columns(test: Test) -> list[Column]:
    """The columns that a test needs, with those of its questions' own fields."""
    return [*columns_of(test), *field_columns(test)]


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
    losses: Losses, what: str, id: str, fields: Mapping[str, Any], columns: Container[str] = ()
) -> None:
    """Name the fields that have no column."""
    names = [name for name in fields if name != AS_WRITTEN and name not in columns]
    if names:
        losses.cannot_store(what, id, names=names)
