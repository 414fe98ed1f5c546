"""The file of a backup: a zip with the rows of each table as JSON Lines, and a manifest.

The manifest has counts and sums. Bytes stand in rows as ``{"base64": ...}``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from sqlalchemy import MetaData, inspect
from sqlalchemy.engine import Connection

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import DataError
from readmark.server.database import known_revisions
from readmark.server.tables import HallTable

FORMAT = 1
MANIFEST, SECRET = "manifest.json", "readmark.secret"
VERSIONS = "alembic_version"
"""The table that says which version the others are of; it is not among the rows."""
MOST_ROWS = 500
_MOST_BYTES = 4 << 20
"""Rows, or bytes of their lines, that are in memory at a time."""
_CHUNK = 1 << 20


class StoredTable(msgspec.Struct, frozen=True):
    """The rows of a table in a backup."""

    rows: int
    sha256: str
    last: int | None = None
    """The last number that the table has given out, also to rows that are deleted."""


class BackupManifest(msgspec.Struct, frozen=True):
    """What a backup says of itself."""

    readmark_hall: int
    """The version of this format."""
    revision: str
    version: str
    database: str
    created: float
    tables: dict[str, StoredTable]
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

    @classmethod
    def of(cls, file: str | Path, manifest: BackupManifest) -> HallBackup:
        """What a manifest says of a file."""
        counts = {name: stored.rows for name, stored in manifest.tables.items()}
        has_secret = manifest.secret is not None
        return cls(str(file), manifest.revision, manifest.created, counts, has_secret)

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


def hall_tables(connection: Connection) -> MetaData:
    """The hall's tables as the database has them, which may be of an older version."""
    names = set(inspect(connection).get_table_names()) & HallTable.metadata.tables.keys()
    metadata = MetaData()
    metadata.reflect(connection, only=sorted(names))
    return metadata


def member_of(table: str) -> str:
    """The file of a table in the zip."""
    return f"tables/{table}.jsonl"


def row_line(row: Mapping[str, Any]) -> bytes:
    """A row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False, default=_packed).encode() + b"\n"


def _packed(value: object) -> dict[str, str]:
    if not isinstance(value, bytes | memoryview):
        raise TypeError(f"{type(value).__name__} in a column")
    return {"base64": base64.b64encode(bytes(value)).decode()}


def batches_of_rows(archive: zipfile.ZipFile, table: str) -> Iterator[list[dict[str, Any]]]:
    """The rows of a table, so many at a time that memory stays bounded."""
    batch: list[dict[str, Any]] = []
    size = 0
    with archive.open(member_of(table)) as stream:
        for line in stream:
            batch.append({name: _unpacked(value) for name, value in json.loads(line).items()})
            size += len(line)
            if len(batch) >= MOST_ROWS or size >= _MOST_BYTES:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _unpacked(value: Any) -> Any:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


@contextmanager
def opened_backup(file: str | Path) -> Iterator[zipfile.ZipFile]:
    """The zip of a backup; whatever shows that it is damaged is one line."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=file) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
        raise DataError("is no backup of a hall, or is damaged", file=file) from error


def checked_manifest(archive: zipfile.ZipFile, file: str | Path) -> BackupManifest:
    """The manifest, after every part was compared with its sum."""
    try:
        manifest = msgspec.json.decode(archive.read(MANIFEST), type=BackupManifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError("is no backup of a hall, or is damaged", file=file) from error
    if manifest.readmark_hall > FORMAT or manifest.revision not in known_revisions():
        raise DataError(
            f"was made by a newer version of Readmark ({manifest.version}); install that one",
            file=file,
        )
    sums = {member_of(name): stored.sha256 for name, stored in manifest.tables.items()}
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
