"""Writing flat files, a question a line; what the columns cannot hold is named."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from readmark.core.errors import UsageError
from readmark.core.files import line, writing
from readmark.core.kinds import KINDS
from readmark.core.records import AS_WRITTEN
from readmark.core.test import Test
from readmark.formats.losses import Losses, header_losses
from readmark.formats.tables.columns import (
    OWN_FIELD,
    SPLIT,
    Column,
    columns_of,
    field_columns,
    row,
    rows_of,
)


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
    losses, kind = Losses(), rows_of(test.kind)
    header_losses(losses, test.header, profile=None)
    field_losses(losses, "the header's fields ()", test.header.name or "header", test.header.fields)
    for record in test.records():
        kind.losses(losses, record, columns)
        for unit in test.kind.units(record):
            stream.write(line(row(unit, columns)))
    return losses.lines()


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
    layer_losses(losses, record.id, record)
    if record.key is not None:
        field_losses(losses, "fields ()", record.id, record.key.fields)
    return frozenset(column.name for column in columns if column.about == OWN_FIELD)


def field_losses(
    losses: Losses, what: str, id: str, fields: Mapping[str, Any], held: Container[str] = ()
) -> None:
    names = [name for name in fields if name != AS_WRITTEN and name not in held]
    if names:
        losses.cannot_store(what, id, names=names)


def layer_losses(losses: Losses, id: str, owner: Any) -> None:
    names = [*owner.layers, *getattr(owner.key, "layers", ())]
    if names:
        losses.cannot_store("layers ()", id, names=names)
