"""The database of a hall that has been started before, for commands that run beside the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import inspect

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.database import Database, known_revisions, reported
from readmark.server.engine import sqlite_file
from readmark.server.tables import Project


@contextmanager
def open_database(url: str, *, needs_newest: bool = True) -> Iterator[Database]:
    """Open the database, and close it at the end; what it refuses is an error of one line.

    With ``needs_newest``, one that another version of Readmark made is an error too.
    """
    # Before anything connects: SQLite would make an empty file.
    database = Database(url)
    file = sqlite_file(url)
    if file and not Path(file).exists():
        raise DataError("no such database: readmark serve makes one", file=file)
    try:
        with reported(url):
            is_hall = inspect(database.engine).has_table(Project.__tablename__)
            revision = database.revision()
        if not is_hall:
            raise ReadmarkError("the database is not that of a hall: readmark serve makes one")
        if needs_newest and revision != known_revisions()[0]:
            raise ReadmarkError(
                "the database is of another version of Readmark: "
                "readmark serve upgrades an older one"
            )
        with reported(url, "used"):
            yield database
    finally:
        database.close()
