"""Limits on how long rules and queries may take.

The database can be interrupted, but it looks up only between blocks of rows, and one block of a
join of everything with everything can take minutes. So what the planner expects to be that large
runs in a process of its own, which can be ended at once.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.core.confinement import LEAST_MEMORY, Late, OutOfMemory, connect, run_confined
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.engine.codes import MACROS
from readmark.tasks.reasoning.engine.store import Store

SECONDS = 600.0
"""Time for the rules of a task, unless a user gives another."""
LARGE = 50_000_000
"""Rows that the planner expects at any step, from which on a query runs in its own process."""
MOST = 100_000_000
"""A rule that holds more often than this in one step, and was expected to be large, is stopped."""
ROOM = 3
"""Memory of the process, in multiples of its database's, which does not count everything."""
AGAIN = 0.05
"""Seconds between interruptions: one that comes between two statements stops neither."""

_ROWS = re.compile(r'"Estimated Cardinality": "(\d+)"')
_TABLE = re.compile(r"\b(?:p\d+|literals|graphs)\b")


class OutOfTime(DataError):
    """Rules ran longer than they may."""


class Deadline:
    """A time by which several statements over one store must be done."""

    def __init__(self, store: Store, seconds: float) -> None:
        self.seconds = seconds
        self._store = store
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left; Late when none are."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Late
        return left

    def check(self) -> None:
        """Late when the time is up."""
        _ = self.left

    def is_over(self, wrong: Exception) -> bool:
        """Whether a statement ended because the time was up."""
        require("duckdb")
        import duckdb

        return isinstance(wrong, duckdb.InterruptException)

    @contextlib.contextmanager
    def enforced(self) -> Iterator[None]:
        """Statements run here are interrupted at the deadline: Late."""
        require("duckdb")
        import duckdb

        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(done, self.left), daemon=True)
        watch.start()
        try:
            yield
        except duckdb.InterruptException:
            raise Late from None
        finally:
            done.set()
            watch.join()

    def _watch(self, done: threading.Event, left: float) -> None:
        while not done.wait(left):
            self._store.connection.interrupt()
            left = AGAIN


def run_limited(store: Store, sql: str, seconds: float | None) -> list[tuple[Any, ...]]:
    """The rows of a query; a DataError when it takes longer."""
    if seconds is None:
        return store.run(sql)
    try:
        if expected_rows(store, sql) >= LARGE:
            with _copied(store, sql) as file:
                return [tuple(row) for row in _run_apart(store, sql, file, seconds)]
        with Deadline(store, seconds).enforced():
            return store.run(sql)
    except Late:
        raise DataError(f"the query took more than {seconds:g} s and was stopped") from None


def fetch_large(store: Store, sql: str, deadline: Deadline) -> str:
    """Fills a temporary table with the rows of a large query, and gives its name."""
    limited = f"CREATE TABLE found AS SELECT * FROM ({sql}) LIMIT {MOST + 1}"
    with _copied(store, sql) as file:
        _run_apart(store, limited, file, deadline.left)
        with _attached(store, file):
            store.run("CREATE OR REPLACE TEMP TABLE brought AS SELECT * FROM apart.found")
    if store.run("SELECT count(*) FROM brought")[0][0] > MOST:
        raise DataError(f"it holds more than {MOST:,} times")
    return "brought"


def expected_rows(store: Store, sql: str) -> int:
    """The most rows that the planner expects of any step."""
    plan = store.run(f"EXPLAIN (FORMAT json) {sql}")
    return max((int(rows) for rows in _ROWS.findall(str(plan))), default=0)


def work(task: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The other process: runs a query over tables in a file."""
    require("duckdb")
    import duckdb

    folder = Path(task["file"]).parent
    with connect(task["file"], folder=folder, memory=task["memory"]) as connection:
        try:
            connection.execute(MACROS)
            return connection.execute(task["sql"]).fetchall()
        except duckdb.OutOfMemoryException as wrong:
            raise MemoryError from wrong


def _run_apart(store: Store, sql: str, file: str, seconds: float) -> list[list[Any]]:
    """The rows of a query, run by another process over the tables that were copied to a file."""
    task = {"file": file, "sql": sql, "memory": store.memory}
    rows: list[list[Any]]
    try:
        rows = run_confined(work, task, seconds=seconds, memory=ROOM * store.memory + LEAST_MEMORY)
    except OutOfMemory:
        raise OutOfMemory(store.memory) from None
    return rows


@contextlib.contextmanager
def _copied(store: Store, sql: str) -> Iterator[str]:
    """A database file with the tables that a query reads."""
    every_table = {*store.tables.values(), "literals", "graphs"}
    with tempfile.TemporaryDirectory(dir=store.folder) as folder:
        file = str(Path(folder, "tables.duckdb"))
        with _attached(store, file):
            for table in sorted(every_table & set(_TABLE.findall(sql))):
                store.run(f"CREATE TABLE apart.{table} AS SELECT * FROM {table}")
        yield file


@contextlib.contextmanager
def _attached(store: Store, file: str) -> Iterator[None]:
    store.run(f"ATTACH '{file.replace(chr(39), chr(39) * 2)}' AS apart")
    try:
        yield
    finally:
        store.run("DETACH apart")
