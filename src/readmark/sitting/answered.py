"""What a journal already answers, beside the memory: it may be millions of units."""

from __future__ import annotations

import threading
from collections.abc import Iterator, MutableSet
from typing import TYPE_CHECKING, Any

from readmark.corpus.errors import ReadmarkError

if TYPE_CHECKING:
    import sqlite3

Asked = tuple[str, int]
"""A unit's id and the number of the repeat."""


class Answered(MutableSet[Asked]):
    """A set in a private database that SQLite moves to a temporary file when it grows.

    Nothing is made before something is added. Workers' threads ask it too, in turn.
    """

    def __init__(self) -> None:
        self._base: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def add(self, value: Asked) -> None:
        """Take one in."""
        if self._base is None:
            self._base = _private()
        self._run("INSERT OR IGNORE INTO answered VALUES (?)", _told(value))

    def discard(self, value: Asked) -> None:
        """Take one out, if it is there."""
        self._run("DELETE FROM answered WHERE asked = ?", _told(value))

    def __contains__(self, value: object) -> bool:
        return bool(self._run("SELECT 1 FROM answered WHERE asked = ?", _told(value)))

    def __len__(self) -> int:
        counted = self._run("SELECT count(*) FROM answered")
        return int(counted[0][0]) if counted else 0

    def __iter__(self) -> Iterator[Asked]:
        for (told,) in self._run("SELECT asked FROM answered"):
            repeat, _, id = told.partition(" ")
            yield id, int(repeat)

    def close(self) -> None:
        """Give up what is held; it is empty then."""
        with self._lock:
            if self._base is not None:
                self._base.close()
                self._base = None

    def _run(self, statement: str, *values: str) -> list[Any]:
        if self._base is None:
            return []
        import sqlite3

        with self._lock:
            if self._base is None:
                return []
            try:
                return self._base.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise ReadmarkError(
                    f"what was answered cannot be held in a temporary file ({error})"
                ) from None


def _private() -> sqlite3.Connection:
    import sqlite3

    # A name that is empty: the database is this connection's own and is gone with it.
    base = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    base.execute("PRAGMA journal_mode = OFF")
    base.execute("CREATE TABLE answered (asked TEXT PRIMARY KEY) WITHOUT ROWID")
    base.execute("BEGIN")
    return base


def _told(asked: Any) -> str:
    """Both as one text: a repeat in a file may be larger than SQLite's numbers."""
    id, repeat = asked
    return f"{repeat} {id}"
