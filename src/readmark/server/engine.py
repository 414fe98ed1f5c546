"""SQLAlchemy's engine for either kind of database, with the rules that the hall needs."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import create_engine, event, make_url
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import ArgumentError, DisconnectionError

from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require

IDLE_SECONDS = 5.0
"""After this a connection to PostgreSQL is tried before it is used."""
CONNECT_SECONDS = 10
"""Patience with a PostgreSQL that does not answer; the address may set its own."""
THREADS = 40
"""Requests that are answered at a time: each takes a connection, or two to read and write."""
WRITES = "readmark_writes"
"""The option of a connection whose transaction writes."""
CHECKED = "readmark_checked"
"""The option of a statement whose texts were checked before."""


def sqlite_file(url: str) -> str | None:
    """The file of a SQLite database; None for any other address."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None
    file = parsed.database if parsed.get_backend_name() == "sqlite" else None
    return None if not file or file.startswith((":", "file:")) else file


def hall_engine(url: str) -> Engine:
    """The engine for an address; one that is neither kind of database is refused."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UsageError(
            f"{url!r} is not a database address: "
            "expected sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
        ) from error
    if parsed.get_backend_name() == "sqlite":
        file = parsed.database or ""
        if not file or ":memory:" in file or parsed.query.get("mode") == "memory":
            # Each connection would have a database of its own.
            raise UsageError(f"{url}: a hall needs a file, expected sqlite:///FILE")
        return _sqlite(url)
    if parsed.drivername != "postgresql+psycopg":
        raise UsageError(
            f"{parsed.drivername} is not supported: expected sqlite or postgresql+psycopg"
        )
    return _postgres(url)


def _postgres(url: str) -> Engine:
    require("psycopg", extra="postgres")
    has_patience = "connect_timeout" in make_url(url).query
    engine = create_engine(
        url,
        connect_args={} if has_patience else {"connect_timeout": CONNECT_SECONDS},
        pool_size=10,
        max_overflow=THREADS,
        hide_parameters=True,
    )
    event.listen(engine, "before_cursor_execute", _check_texts)

    @event.listens_for(engine, "checkin")
    def note_use(_: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def check_idle(connection: Any, record: Any, _: Any) -> None:
        # To ask before each use whether a connection still works would cost a message each time.
        if time.monotonic() - record.info.get("used", time.monotonic()) > IDLE_SECONDS:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError from error

    return engine


def _check_texts(
    _: Connection, cursor: Any, statement: str, parameters: Any, context: Any, many: bool
) -> None:
    """Refuse NUL, which PostgreSQL does not store, on SQLite too."""
    if context is not None and context.execution_options.get(CHECKED):
        return
    for row in parameters if isinstance(parameters, list) else (parameters,):
        for value in row.values() if isinstance(row, dict) else row:
            if isinstance(value, str) and "\0" in value:
                raise DataError("the text holds a NUL character")


def _sqlite(url: str) -> Engine:
    # The driver's own transactions are off: "begin" below decides how each starts.
    engine = create_engine(
        url,
        connect_args={"timeout": 30, "isolation_level": None},
        pool_size=10,
        max_overflow=2 * THREADS,
        hide_parameters=True,
    )
    event.listen(engine, "before_cursor_execute", _check_texts)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        for statement in (
            "PRAGMA journal_mode=WAL",
            "PRAGMA synchronous=FULL",  # what is acknowledged survives a power cut
            "PRAGMA foreign_keys=ON",
            "PRAGMA secure_delete=ON",
        ):
            connection.execute(statement).close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
