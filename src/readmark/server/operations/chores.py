"""Chores of a running hall: erasing classes and deleting what has expired.

Of several processes on one database a single one does them: the one that holds a lock, which goes
to another when its holder ends.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import func, select, text
from sqlalchemy.engine import Connection

from readmark.core.errors import ReadmarkError
from readmark.core.new_folders import locked
from readmark.server.access import Hall
from readmark.server.database import DATABASE_ERRORS, Database
from readmark.server.days import DAY
from readmark.server.erasure import erase_due
from readmark.server.operations.clock_check import is_clock_doubtful
from readmark.server.operations.logs import error_fields
from readmark.server.operations.metrics import forget_process
from readmark.server.operations.retention import prune
from readmark.server.reading_tasks.packages import forget_packages
from readmark.server.tables import Classroom

LOG = logging.getLogger("readmark.hall")
ROUND = 30.0
"""Seconds between two looks at what is due, and between two attempts to get the lock."""
_LOCK = text("SELECT pg_try_advisory_lock(hashtext('readmark chores'))")


@dataclass
class Chore:
    """Something that is done now and then."""

    name: str
    do: Callable[[], object]
    every: float
    again: float = 60.0
    """Seconds until a chore that failed is tried again."""
    due: float = field(default=0.0)


def keep_house(hall: Hall, stop: threading.Event) -> threading.Thread:
    """Do the chores at once and then regularly, in a thread, until ``stop`` is set."""
    database, retention = hall.database, hall.settings.retention

    def erase() -> None:
        erase_due(database, only_interrupted=is_clock_doubtful(database))

    def delete_expired() -> None:
        if not is_clock_doubtful(database):
            prune(database, retention)

    chores = [
        Chore("erasure", erase, every=3600.0),
        Chore("retention", delete_expired, every=DAY, again=3600.0),
    ]

    erased: float | None = None

    def forget_copies() -> None:
        """Remove this process's copies of what another one has erased."""
        nonlocal erased
        with database.reading() as session:
            newest = session.scalar(select(func.max(Classroom.erasing)))
        if newest != erased:
            forget_packages()
            erased = newest

    def run() -> None:
        while not stop.is_set():
            try:
                forget_copies()
                with lead(database) as leads:
                    while leads() and not stop.is_set():
                        _do(chores)
                        forget_copies()
                        stop.wait(ROUND)
            except (*DATABASE_ERRORS, OSError) as error:
                LOG.warning("chores", extra=error_fields(error))
            stop.wait(ROUND)

    thread = threading.Thread(target=run, name="chores", daemon=True)
    thread.start()
    return thread


def _do(chores: list[Chore]) -> None:
    for chore in chores:
        if time.monotonic() < chore.due:
            continue
        try:
            chore.do()
        except (ReadmarkError, *DATABASE_ERRORS) as error:
            LOG.error("chore failed", extra={"chore": chore.name, **error_fields(error)})
            chore.due = time.monotonic() + chore.again
        else:
            LOG.info("chore done", extra={"chore": chore.name})
            chore.due = time.monotonic() + chore.every


@contextmanager
def lead(database: Database) -> Iterator[Callable[[], bool]]:
    """Whether this process has the lock of the chores, and still has it.

    PostgreSQL gives it back with the connection. For SQLite it is the lock of a file next to the
    database; never of the database itself, where to close it would end SQLite's own locks.
    """
    with ExitStack() as stack:
        if database.is_sqlite:
            file = Path(f"{database.engine.url.database}.lock")
            file.touch(mode=0o600)
            has_lock = stack.enter_context(locked(file)) is not False
            yield lambda: has_lock
            return
        engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        connection: Connection = stack.enter_context(engine.connect())
        stack.callback(connection.invalidate)  # a connection of the pool would keep the lock
        has_lock = bool(connection.scalar(_LOCK))
        stack.callback(_release, connection)  # at once: the server may notice the end later

        def leads() -> bool:
            return has_lock and connection.scalar(text("SELECT true")) is True

        yield leads


def _release(connection: Connection) -> None:
    with suppress(*DATABASE_ERRORS):  # it may be what ended the lead
        connection.execute(text("SELECT pg_advisory_unlock_all()"))


@asynccontextmanager
async def keeping_house(hall: Hall) -> AsyncIterator[None]:
    """The chores of a served hall, from its start to its end."""
    stop = threading.Event()
    thread = keep_house(hall, stop)
    try:
        yield
    finally:
        stop.set()
        thread.join(5)
        forget_process()
        hall.database.close()
