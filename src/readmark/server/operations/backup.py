"""Backups: a whole hall in one file, which either kind of database takes back.

A zip with the rows of each table as JSON Lines, the hall's secret, and a manifest with counts and
sums. All rows are of one moment, also while people work. Restoring needs an empty database; it
makes the tables as they were, fills them in one transaction, and upgrades them then.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import msgspec
from rich.console import Console
from sqlalchemy import Integer, LargeBinary, MetaData, Table, bindparam, func, inspect, select, text
from sqlalchemy.engine import Connection

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError
from readmark.core.version import __version__
from readmark.core.writing import put_in_place
from readmark.server.database import Database, known_revisions
from readmark.server.erasure import erase_due
from readmark.server.operations.metrics import is_alive
from readmark.server.settings import write_secret
from readmark.server.tables import HallTable

FORMAT = 1
MANIFEST, SECRET = "manifest.json", "readmark.secret"
_VERSIONS = "alembic_version"
_ROWS = 500
_BYTES = 4 << 20
"""Rows, or bytes of their lines, that are stored at a time."""
_CHUNK = 1 << 20


class _Stored(msgspec.Struct, frozen=True):
    """The rows of a table in a backup."""

    rows: int
    sha256: str
    last: int | None = None
    """The last number that the table has given out, also to rows that are deleted."""


class _Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself."""

    readmark_hall: int
    """The version of this format."""
    revision: str
    version: str
    database: str
    created: float
    tables: dict[str, _Stored]
    secret: str | None = None
    """The sum of the secret, if it is there."""


@dataclass(frozen=True)
class HallBackup(Result):
    """What is in a backup, or was restored from it."""

    file: str
    revision: str
    created: float
    tables: Mapping[str, int]
    has_secret: bool
    erased: tuple[str, ...] = ()
    """Classes that were erased after the restoring, because their day has come."""
    database: str = ""
    """Where it was restored to."""

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "revision": self.revision,
            "created": self.created,
            "rows": sum(self.tables.values()),
            "tables": dict(self.tables),
            "secret": self.has_secret,
            **({"database": self.database, "erased": list(self.erased)} if self.database else {}),
        }

    def show(self, console: Console) -> None:
        """How much it is, and what to know about the secret."""
        filled = {name: rows for name, rows in self.tables.items() if rows}
        size = f"{counted(sum(filled.values()), 'row')} of {counted(len(filled), 'table')}"
        if not self.database:
            about = "with the hall's secret" if self.has_secret else "without the hall's secret"
            console.print(f"{self.file}: {size}, {about}", soft_wrap=True)
            return
        console.print(f"{self.file}: {size} restored", soft_wrap=True)
        if not self.has_secret:
            console.print("It has no secret: everybody must log in again, and tokens and links end")
        for classroom in self.erased:
            console.print(f"class {classroom}: erased, its day has come", soft_wrap=True)


# Writing.


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
        revision = connection.scalar(text(f"SELECT version_num FROM {_VERSIONS}"))
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            tables = {
                table.name: _write_table(archive, connection, table)
                for table in _reflect(connection).sorted_tables
            }
            if content is not None:
                archive.writestr(SECRET, content)
            manifest = _Manifest(
                readmark_hall=FORMAT,
                revision=revision,
                version=__version__,
                database=connection.dialect.name,
                created=time.time(),
                tables=tables,
                secret=None if content is None else hashlib.sha256(content).hexdigest(),
            )
            archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return _summary(output, manifest)


def _summary(file: str | Path, manifest: _Manifest) -> HallBackup:
    counts = {name: stored.rows for name, stored in manifest.tables.items()}
    has_secret = manifest.secret is not None
    return HallBackup(str(file), manifest.revision, manifest.created, counts, has_secret)


def _member(table: str) -> str:
    return f"tables/{table}.jsonl"


def _reflect(connection: Connection) -> MetaData:
    """The hall's tables as the database has them, which may be of an older version."""
    wanted = set(inspect(connection).get_table_names()) & HallTable.metadata.tables.keys()
    metadata = MetaData()
    metadata.reflect(connection, only=sorted(wanted))
    return metadata


def _write_table(archive: zipfile.ZipFile, connection: Connection, table: Table) -> _Stored:
    has_files = any(isinstance(column.type, LargeBinary) for column in table.columns)
    query = select(table).order_by(*table.primary_key.columns)
    rows, digest = 0, hashlib.sha256()
    member = zipfile.ZipInfo(_member(table.name), time.gmtime()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    options = {"yield_per": 1 if has_files else _ROWS}
    with archive.open(member, "w", force_zip64=True) as stream:
        for row in connection.execute(query, execution_options=options).mappings():
            line = json.dumps(dict(row), ensure_ascii=False, default=_packed).encode() + b"\n"
            stream.write(line)
            digest.update(line)
            rows += 1
    return _Stored(rows, digest.hexdigest(), _last_number(connection, table))


def _packed(value: object) -> dict[str, str]:
    if not isinstance(value, bytes | memoryview):
        raise TypeError(f"{type(value).__name__} in a column")
    return {"base64": base64.b64encode(bytes(value)).decode()}


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


# Restoring.


def restore(file: str | Path, database: Database, *, secret: Path) -> HallBackup:
    """Fill an empty database with a backup, upgrade it, and erase the classes that are due."""
    with _opened(file) as archive:
        manifest = _checked(archive, file)
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
    erased = tuple(done.classroom for done in erase_due(database))
    place = database.engine.url.render_as_string(hide_password=True)
    return replace(_summary(file, manifest), database=place, erased=erased)


@contextmanager
def _opened(file: str | Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=file) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
        raise DataError("is no backup of a hall, or is damaged", file=file) from error


def _checked(archive: zipfile.ZipFile, file: str | Path) -> _Manifest:
    """The manifest, after every part was compared with its sum."""
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST), type=_Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError("is no backup of a hall, or is damaged", file=file) from error
    if manifest.readmark_hall > FORMAT or manifest.revision not in known_revisions():
        raise DataError(
            f"was made by a newer version of Readmark ({manifest.version}); install that one",
            file=file,
        )
    sums = {_member(name): stored.sha256 for name, stored in manifest.tables.items()}
    if manifest.secret is not None:
        sums[SECRET] = manifest.secret
    for member, expected in sums.items():
        digest = hashlib.sha256()
        with archive.open(member) as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        if digest.hexdigest() != expected:
            raise DataError(f"{member} is damaged: its sum differs", file=file)
    return manifest


def _clear(database: Database) -> None:
    """Remove the empty tables of a hall that was never used; refuse a hall with anything in it."""
    with database.writing() as session:
        connection = session.connection()
        metadata = _reflect(connection)
        for table in metadata.sorted_tables:
            if connection.execute(select(1).select_from(table).limit(1)).first() is not None:
                raise UsageError(
                    f"the database is not empty ({table.name}): restore into a new one with --db"
                )
        metadata.drop_all(connection)
        connection.execute(text(f"DROP TABLE IF EXISTS {_VERSIONS}"))


def _fill(connection: Connection, archive: zipfile.ZipFile, manifest: _Manifest) -> None:
    metadata = _reflect(connection)
    tables = metadata.sorted_tables
    if missing := manifest.tables.keys() - metadata.tables.keys():
        raise DataError(f"the backup has a table that this schema lacks: {min(missing)}")
    stored_tables: set[str] = set()
    late: list[tuple[Table, list[str]]] = []
    for table in tables:
        # A row may name another one that comes after it: that is filled in at the end.
        names = [
            key.parent.name
            for key in table.foreign_keys
            if key.column.table.name not in stored_tables and key.parent.nullable
        ]
        if names:
            late.append((table, names))
        stored_tables.add(table.name)
        if table.name in manifest.tables:
            empty = dict.fromkeys(names)
            for batch in _batches(archive, table.name):
                connection.execute(table.insert(), [{**row, **empty} for row in batch])
    for table, names in late:
        if table.name in manifest.tables:
            _fill_late(connection, archive, table, names)
    for name, stored in manifest.tables.items():
        if stored.last:
            _continue_after(connection, metadata.tables[name], stored.last)


def _fill_late(
    connection: Connection, archive: zipfile.ZipFile, table: Table, names: list[str]
) -> None:
    keys = list(table.primary_key.columns)
    update = (
        table.update()
        .where(*(key == bindparam(f"key_{key.name}") for key in keys))
        .values({name: bindparam(f"new_{name}") for name in names})
    )
    for batch in _batches(archive, table.name):
        changes = [
            {f"key_{key.name}": row[key.name] for key in keys}
            | {f"new_{name}": row[name] for name in names}
            for row in batch
            if any(row[name] is not None for name in names)
        ]
        if changes:
            connection.execute(update, changes)


def _batches(archive: zipfile.ZipFile, table: str) -> Iterator[list[dict[str, Any]]]:
    """The rows of a table, so many at a time that memory stays bounded."""
    batch: list[dict[str, Any]] = []
    size = 0
    with archive.open(_member(table)) as stream:
        for line in stream:
            batch.append({name: _unpacked(value) for name, value in json.loads(line).items()})
            size += len(line)
            if len(batch) >= _ROWS or size >= _BYTES:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _unpacked(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


# Numbers that tables give out.


def _numbered(table: Table) -> str | None:
    """The column that numbers a table's rows, if there is one."""
    keys: Iterable[Any] = table.primary_key.columns
    names = [key.name for key in keys if isinstance(key.type, Integer)]
    return names[0] if names and len(table.primary_key.columns) == 1 else None


def _last_number(connection: Connection, table: Table) -> int | None:
    """The last number that was given out: numbers of deleted rows are not used again."""
    column = _numbered(table)
    if column is None:
        return None
    largest = connection.scalar(select(func.max(table.c[column]))) or 0
    if connection.dialect.name == "sqlite":
        counter = connection.scalar(
            text("SELECT 1 FROM sqlite_master WHERE name='sqlite_sequence'")
        )
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
        last = connection.scalar(query, {"table": table.name}) if counter else 0
    else:
        sequence = _sequence(connection, table.name, column)
        query = text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")
        last = connection.scalar(query) if sequence else 0
    return max(int(largest), int(last or 0))


def _continue_after(connection: Connection, table: Table, last: int) -> None:
    """Let a table's next number be a new one."""
    column = _numbered(table)
    if column is None:
        return
    if connection.dialect.name != "sqlite":
        if sequence := _sequence(connection, table.name, column):
            connection.execute(
                text("SELECT setval(:name, :last)"), {"name": sequence, "last": last}
            )
        return
    made = text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :table")
    if "AUTOINCREMENT" in (connection.scalar(made, {"table": table.name}) or "").upper():
        for statement in (
            "DELETE FROM sqlite_sequence WHERE name = :table",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)",
        ):
            connection.execute(text(statement), {"table": table.name, "last": last})


def _sequence(connection: Connection, table: str, column: str) -> str | None:
    query = text("SELECT pg_get_serial_sequence(:table, :column)")
    name: str | None = connection.scalar(query, {"table": f'"{table}"', "column": column})
    return name
