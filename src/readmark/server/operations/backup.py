"""Backing up: a whole hall in one file, which either kind of database takes back.

All rows are of one moment, also while people work.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec
from sqlalchemy import LargeBinary, Table, select, text
from sqlalchemy.engine import Connection

from readmark.core.errors import DataError
from readmark.core.version import __version__
from readmark.core.writing import put_in_place
from readmark.server.database import Database
from readmark.server.operations.backup_file import (
    FORMAT,
    MANIFEST,
    MOST_ROWS,
    SECRET,
    VERSIONS,
    BackupManifest,
    HallBackup,
    StoredTable,
    hall_tables,
    member_of,
    row_line,
)
from readmark.server.operations.processes import is_alive
from readmark.server.operations.row_numbers import last_number


def back_up(database: Database, output: str | Path, *, secret: Path | None) -> HallBackup:
    """Write everything as it is at one moment; the file appears when it is complete."""
    try:
        content = None if secret is None else secret.read_bytes()
    except OSError as error:
        message = f"the hall's secret cannot be read ({error.strerror}): use --without-secret"
        raise DataError(message, file=secret) from error
    with _private_file(Path(output)) as stream, database.reading() as session:
        connection = session.connection()
        # The first question fixes the moment that all others see.
        revision = connection.scalar(text(f"SELECT version_num FROM {VERSIONS}"))
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            tables = {
                table.name: _write_table(archive, connection, table)
                for table in hall_tables(connection).sorted_tables
            }
            if content is not None:
                archive.writestr(SECRET, content)
            manifest = BackupManifest(
                readmark_hall=FORMAT,
                revision=revision,
                version=__version__,
                database=connection.dialect.name,
                created=time.time(),
                tables=tables,
                secret=None if content is None else hashlib.sha256(content).hexdigest(),
            )
            archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return HallBackup.of(output, manifest)


def _write_table(archive: zipfile.ZipFile, connection: Connection, table: Table) -> StoredTable:
    has_files = any(isinstance(column.type, LargeBinary) for column in table.columns)
    query = select(table).order_by(*table.primary_key.columns)
    rows, digest = 0, hashlib.sha256()
    member = zipfile.ZipInfo(member_of(table.name), time.gmtime()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    # Files may be large: they are read one by one.
    options = {"yield_per": 1 if has_files else MOST_ROWS}
    with archive.open(member, "w", force_zip64=True) as stream:
        for row in connection.execute(query, execution_options=options).mappings():
            line = row_line(dict(row))
            stream.write(line)
            digest.update(line)
            rows += 1
    return StoredTable(rows, digest.hexdigest(), last_number(connection, table))


@contextmanager
def _private_file(target: Path) -> Iterator[IO[bytes]]:
    """A file that only its owner reads, under its name when it is complete."""
    if target.is_dir():
        raise DataError("is a directory, expected a file to write", file=target)
    for old in target.parent.glob(f".{target.name}.*.part"):
        owner = old.name.split(".")[-3]
        if owner.isdecimal() and not is_alive(int(owner)):
            old.unlink(missing_ok=True)  # of a backup that was killed
    # In a folder that others write to, nobody can put a file or a link under this name first.
    part = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(8)}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
        if target.exists():
            target.chmod(0o600)
        put_in_place(part, target)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=target) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
