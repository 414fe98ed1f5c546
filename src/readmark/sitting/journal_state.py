"""What a journal already holds: the units that it answers, and those that failed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, MutableSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.core.errors import ReadmarkError
from readmark.core.sitting import Row
from readmark.core.spent import Spent

if TYPE_CHECKING:
    import sqlite3

UnitRepeat = tuple[str, int]
"""A unit's id and the number of the repeat."""


class AnsweredUnits(MutableSet[UnitRepeat]):
    """A set of what may be millions of units, kept in a private SQLite database.

    SQLite moves the database to a temporary file when it grows. It is made with the first unit,
    since most journals begin empty. Threads may share the set.
    """

    def __init__(self) -> None:
        self._database: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def add(self, value: UnitRepeat) -> None:
        if self._database is None:
            self._database = _private_database()
        self._run("INSERT OR IGNORE INTO answered VALUES (?)", _database_key(value))

    def discard(self, value: UnitRepeat) -> None:
        self._run("DELETE FROM answered WHERE unit = ?", _database_key(value))

    def __contains__(self, value: object) -> bool:
        return bool(self._run("SELECT 1 FROM answered WHERE unit = ?", _database_key(value)))

    def __len__(self) -> int:
        counts = self._run("SELECT count(*) FROM answered")
        return int(counts[0][0]) if counts else 0

    def __iter__(self) -> Iterator[UnitRepeat]:
        for (key,) in self._run("SELECT unit FROM answered"):
            repeat, _, id = key.partition(" ")
            yield id, int(repeat)

    def close(self) -> None:
        """Delete the database: the set is empty afterwards."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _run(self, statement: str, *values: str) -> list[Any]:
        if self._database is None:
            return []
        import sqlite3

        with self._lock:
            if self._database is None:  # closed while this thread waited for the lock
                return []
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise ReadmarkError(
                    f"the list of answered units cannot be stored in a temporary file ({error})"
                ) from None


def _private_database() -> sqlite3.Connection:
    import sqlite3

    # With an empty name, the database belongs to this connection and is deleted with it.
    database = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    # Nobody reads it after a crash, so neither a rollback journal nor a commit is needed.
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("CREATE TABLE answered (unit TEXT PRIMARY KEY) WITHOUT ROWID")
    database.execute("BEGIN")
    return database


def _database_key(value: Any) -> str:
    """Id and repeat as one text: a repeat in a file may be larger than SQLite's integers."""
    id, repeat = value
    return f"{repeat} {id}"


@dataclass
class JournalState:
    """The units that a journal answers, those that failed, and what its rows cost."""

    answered: AnsweredUnits = field(default_factory=AnsweredUnits)
    failed: dict[UnitRepeat, int] = field(default_factory=dict)
    """How often each unit was tried of which the last row is an error."""
    repaired: str | None = None
    """What was removed from a damaged file, in words."""
    spent: Spent = field(default_factory=Spent)
    """What all rows cost, those that a later row replaces included."""

    def take(self, row: Row) -> None:
        """Add a row of the file: the last row of a unit and repeat wins."""
        unit = row.id, row.repeat
        self.failed.pop(unit, None)
        if row.usage is not None:
            self.spent = self.spent.with_row(row)
        if row.error is None and row.states_answer:
            self.answered.add(unit)
            return
        self.answered.discard(unit)
        if row.error is not None:
            self.failed[unit] = row.attempt

    def restrict_to(self, units: Iterable[UnitRepeat]) -> int:
        """Forget failures of other units, and count how many of these are answered."""
        if not self.failed and not len(self.answered):
            return 0
        answered = 0
        failed = {}
        for unit in units:
            answered += unit in self.answered
            if unit in self.failed:
                failed[unit] = self.failed[unit]
        self.failed = failed
        return answered
