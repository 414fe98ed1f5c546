"""The hall's database: SQLite in one file, or PostgreSQL by its address."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import make_url, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import (
    DBAPIError,
    PendingRollbackError,
    ProgrammingError,
    ResourceClosedError,
    TimeoutError,
)
from sqlalchemy.orm import Session, sessionmaker

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.engine import CHECKED, WRITES, hall_engine, sqlite_file

PATIENCE = 30.0
"""Seconds to wait for readers that still see what was deleted."""
ROWS = 5000
"""Rows that are inserted at a time."""
_OLD_READERS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND pid <> pg_backend_pid() AND age(backend_xmin) > age(%(now)s::xid)
"""

DATABASE_ERRORS = (DBAPIError, TimeoutError, PendingRollbackError, ResourceClosedError)
"""What a database that is away, full or restarted is noticed by."""
AWAY = "The hall cannot save at the moment. Your work stays in the browser and is sent later."


class Database:
    """Sessions that read, and transactions that write.

    SQLite has one writer at a time: writers of this process queue for a lock instead of polling.
    """

    def __init__(self, url: str) -> None:
        self.engine = hall_engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writers = sessionmaker(self.engine, expire_on_commit=False)
        # SQLite's readers see one state anyway; PostgreSQL's must ask for it.
        reader = (
            self.engine
            if self.is_sqlite
            else self.engine.execution_options(isolation_level="REPEATABLE READ")
        )
        self._readers = sessionmaker(reader, expire_on_commit=False)
        self._writer: Any = threading.Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database."""
        with self._readers() as session:
            yield session

    @contextmanager
    def glancing(self, session: Session) -> Iterator[None]:
        """Look up rows without a transaction around them, and give the connection back.

        A request that waits for a thread must not hold a connection: otherwise all threads may
        wait for connections, and all connections for threads.
        """
        if not self.is_sqlite:  # where a transaction costs two messages
            session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})
        try:
            yield
        except BaseException:
            # To commit what the database has cut off would be another error, in place of this one.
            session.rollback()
            raise
        session.commit()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction: committed on success, rolled back on an error."""
        with self._writer, self._writers() as session:
            session.connection(execution_options={WRITES: True})
            yield session
            session.commit()

    def require_writable(self) -> None:
        """Write a row as it is; a database that can only be read is an error of its own."""
        with self.writing() as session:
            session.execute(text("UPDATE alembic_version SET version_num = version_num"))

    def scrub(self, tables: Iterable[str]) -> None:
        """Remove the traces of deleted rows: free pages, dead rows, the write-ahead log.

        Waits for readers that may still see the rows. PostgreSQL's own log of changes is left to
        PostgreSQL.
        """
        if self.is_sqlite:
            self._scrub_sqlite()
        else:
            self._scrub_postgres(tables)

    def _scrub_sqlite(self) -> None:
        end, pooled = time.monotonic() + PATIENCE, self.engine.raw_connection()
        connection: Any = pooled.driver_connection
        connection.execute("PRAGMA busy_timeout=500")  # others save while this waits
        try:
            with self._writer:
                connection.execute("VACUUM")
            while True:
                with self._writer:
                    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
                if not busy:
                    return
                if time.monotonic() > end:
                    raise ReadmarkError("a reader keeps the write-ahead log: try again later")
                time.sleep(0.1)
        except self.engine.dialect.loaded_dbapi.OperationalError as error:
            raise ReadmarkError(f"the file cannot be rewritten now ({error})") from error
        finally:
            pooled.invalidate()  # with its short patience

    def _scrub_postgres(self, tables: Iterable[str]) -> None:
        end = time.monotonic() + PATIENCE
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            now = connection.exec_driver_sql("SELECT pg_current_xact_id()::xid::text").scalar_one()
            while connection.exec_driver_sql(_OLD_READERS, {"now": now}).scalar_one():
                if time.monotonic() > end:
                    raise ReadmarkError("a reader still sees the deleted rows: try again later")
                time.sleep(0.2)
            for table in tables:
                connection.exec_driver_sql(f'VACUUM (FULL, ANALYZE) "{table}"')
            # Statistics have samples of values; files of replaced tables go at a checkpoint.
            # Who may do neither gets a warning or an error, and the server does both by itself.
            for statement in ("VACUUM FULL pg_statistic", "CHECKPOINT"):
                try:
                    connection.exec_driver_sql(statement)
                except ProgrammingError:
                    continue

    def take_turns(self, session: Session | Connection, what: str) -> None:
        """Let no other process write the same thing until the transaction ends.

        On SQLite a transaction that writes is alone anyway.
        """
        if not self.is_sqlite:
            turn = text("SELECT pg_advisory_xact_lock(hashtext(:what))")
            session.execute(turn, {"what": f"readmark {what}"})

    def upgrade(self, revision: str = "head") -> None:
        """Bring the tables to the newest version, or to a given one; one process at a time."""
        from alembic import command

        config = _migrations()
        with self.engine.connect() as connection:
            connection = connection.execution_options(**{WRITES: True})
            config.attributes["connection"] = connection
            with connection.begin():
                self.take_turns(connection, "upgrade")
                command.upgrade(config, revision)

    def revision(self) -> str | None:
        """The version of the tables; None where there are none."""
        from alembic.migration import MigrationContext

        with self.engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision()

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def store_rows(
    session: Session, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows by the hundred thousand; their texts must be names and ids of the hall's making.

    To compile and check the parameters of each row takes longer than the database does.
    """
    connection = session.connection()
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    statement = (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(mark for _ in columns)})"
    )
    for start in range(0, len(rows), ROWS):
        batch = [*rows[start : start + ROWS]]
        connection.exec_driver_sql(statement, batch, {CHECKED: True})


@functools.cache
def known_revisions() -> tuple[str, ...]:
    """The versions of the tables that this Readmark knows, newest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_migrations()).walk_revisions()
    return tuple(script.revision for script in scripts)


def _migrations() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


@contextmanager
def reported(url: str, what: str = "opened") -> Iterator[None]:
    """Make one line of what a database refuses: it cannot be opened, or used later on."""
    from alembic.util import CommandError

    try:
        yield
    except DBAPIError as error:
        reason = str(error.orig).strip().partition("\n")[0]
        raise DataError(f"the database cannot be {what}: {reason}", file=_place(url)) from error
    except TimeoutError as error:
        message = f"the database cannot be {what}: it does not answer"
        raise DataError(message, file=_place(url)) from error
    except CommandError as error:
        message = "the database was made by a newer version of Readmark"
        raise DataError(message, file=_place(url)) from error


def _place(url: str) -> str:
    """What messages call a database."""
    return sqlite_file(url) or make_url(url).render_as_string(hide_password=True)
