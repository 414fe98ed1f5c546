"""``--map``: what the columns of the files are that a command reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import click

from readmark.core.configuration import put_in_force, settings_in_force
from readmark.core.errors import UsageError


def map_columns(context: click.Context, _: click.Parameter, pairs: tuple[str, ...]) -> None:
    """Put ``COLUMN=FIELD`` in force as ``[columns]``, here and in processes that are started."""
    if not pairs or context.resilient_parsing:
        return
    from readmark.formats.tables.column_map import columns_by_field

    names: dict[str, str] = {}
    for pair in pairs:
        column, sign, field = pair.rpartition("=")
        if not sign or not column.strip() or not field.strip():
            raise UsageError(f"--map {pair}: expected COLUMN=FIELD, such as gold=answer")
        if column.strip() in names:
            raise UsageError(f"--map names the column {column.strip()!r} twice")
        names[column.strip()] = field.strip()
    columns = [
        f"columns.{field}={json.dumps(listed, ensure_ascii=False)}"
        for field, listed in columns_by_field(names).items()
    ]
    put_in_force(None, [*settings_in_force(), *columns])
    context.with_resource(_every_column_met(tuple(names)))


@contextmanager
def _every_column_met(columns: tuple[str, ...]) -> Iterator[None]:
    """Refuse columns that no file had, once the command has read all of its files."""
    yield
    from readmark.formats.tables.column_map import was_met

    missing = [column for column in columns if not was_met(column)]
    if missing:
        names = ", ".join(map(repr, missing))
        raise UsageError(f"no file has a column {names}, which `map` names")
