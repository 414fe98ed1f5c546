"""Restoring a backup into an empty database, which may be of the other kind.

The tables are made as they were, filled in one transaction, and upgraded then.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Table, bindparam, select, text
from sqlalchemy.engine import Connection

from readmark.core.errors import DataError, UsageError
from readmark.server.database import Database
from readmark.server.erasure import erase_due
from readmark.server.hall_secret import write_secret
from readmark.server.operations.backup_file import (
    SECRET,
    VERSIONS,
    BackupManifest,
    HallBackup,
    batches_of_rows,
    checked_manifest,
    hall_tables,
    opened_backup,
)
from readmark.server.operations.row_numbers import continue_after


def restore(file: str | Path, database: Database, *, secret: Path) -> HallBackup:
    """Fill an empty database with a backup, upgrade it, and erase the classes that are due."""
    with opened_backup(file) as archive:
        manifest = checked_manifest(archive, file)
        content = archive.read(SECRET) if manifest.secret is not None else None
        if content is not None and secret.exists() and secret.read_bytes() != content:
            raise DataError(
                "is another hall's secret: move it away, or name another file with --secret-file",
                file=secret,
            )
        _clear(database)
        database.upgrade(manifest.revision)
        with database.writing() as session:
            _fill(session.connection(), archive, manifest)
    database.upgrade()
    if content is not None:
        write_secret(secret, content)
    erased = tuple(erased.classroom for erased in erase_due(database))
    place = database.engine.url.render_as_string(hide_password=True)
    return replace(HallBackup.of(file, manifest), database=place, erased=erased)


def _clear(database: Database) -> None:
    """Remove the empty tables of a hall that was never used; refuse a hall with anything in it."""
    with database.writing() as session:
        connection = session.connection()
        metadata = hall_tables(connection)
        for table in metadata.sorted_tables:
            if connection.execute(select(1).select_from(table).limit(1)).first() is not None:
                raise UsageError(
                    f"the database is not empty ({table.name}): restore into a new one with --db"
                )
        metadata.drop_all(connection)
        connection.execute(text(f"DROP TABLE IF EXISTS {VERSIONS}"))


def _fill(connection: Connection, archive: zipfile.ZipFile, manifest: BackupManifest) -> None:
    """Store all rows, and let numbers go on where they were."""
    metadata = hall_tables(connection)
    if missing := manifest.tables.keys() - metadata.tables.keys():
        raise DataError(f"the backup has a table that this schema lacks: {min(missing)}")
    filled: set[str] = set()
    late: list[tuple[Table, list[str]]] = []
    for table in metadata.sorted_tables:
        # A row may name another one that comes after it: that is filled in at the end.
        columns = [
            key.parent.name
            for key in table.foreign_keys
            if key.column.table.name not in filled and key.parent.nullable
        ]
        if columns:
            late.append((table, columns))
        filled.add(table.name)
        if table.name in manifest.tables:
            empty = dict.fromkeys(columns)
            for batch in batches_of_rows(archive, table.name):
                connection.execute(table.insert(), [{**row, **empty} for row in batch])
    for table, columns in late:
        if table.name in manifest.tables:
            _fill_late(connection, archive, table, columns)
    for name, stored in manifest.tables.items():
        if stored.last:
            continue_after(connection, metadata.tables[name], stored.last)


def _fill_late(
    connection: Connection, archive: zipfile.ZipFile, table: Table, columns: Sequence[str]
) -> None:
    """Fill the columns of a table that name rows stored after it."""
    keys = list(table.primary_key.columns)
    update = (
        table.update()
        .where(*(key == bindparam(f"key_{key.name}") for key in keys))
        .values({name: bindparam(f"new_{name}") for name in columns})
    )
    for batch in batches_of_rows(archive, table.name):
        changes = [
            {f"key_{key.name}": row[key.name] for key in keys}
            | {f"new_{name}": row[name] for name in columns}
            for row in batch
            if any(row[name] is not None for name in columns)
        ]
        if changes:
            connection.execute(update, changes)
