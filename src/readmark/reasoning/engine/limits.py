"""A limit on how long a query may take.

The database can be interrupted, but it looks up only between blocks of rows, and one block of a
join of everything with everything can take minutes. So a query that the planner expects to be that
large runs in a process of its own, which can be ended at once.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError
from readmark.reasoning.engine.encoding import MACROS
from readmark.reasoning.engine.store import Store

LARGE = 50_000_000
"""From so many expected rows on, at any step, a query runs apart."""

_ROWS = re.compile(r'"Estimated Cardinality": "(\d+)"')
_TABLE = re.compile(r"\b(?:p\d+|literals|graphs)\b")


def run_limited(store: Store, sql: str, seconds: float | None) -> list[tuple[Any, ...]]:
    """The rows of a query; a DataError when it takes longer."""
    if seconds is None:
        return store.run(sql)
    if expected_rows(store, sql) >= LARGE:
        return _run_apart(store, sql, seconds)
    import duckdb

    timer = threading.Timer(seconds, store.connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        return store.run(sql)
    except duckdb.InterruptException:
        raise _late(seconds) from None
    finally:
        timer.cancel()


def expected_rows(store: Store, sql: str) -> int:
    """The most rows that the planner expects of any step."""
    plan = store.run(f"EXPLAIN (FORMAT json) {sql}")
    return max((int(rows) for rows in _ROWS.findall(str(plan))), default=0)


def work() -> None:
    """The other process: reads the task, runs the query, writes the rows."""
    import duckdb

    task = json.load(sys.stdin)
    connection = duckdb.connect(task["file"])
    connection.execute("SET enable_progress_bar = false;" + MACROS)  # It would go to stdout.
    json.dump(connection.execute(task["sql"]).fetchall(), sys.stdout)


def _run_apart(store: Store, sql: str, seconds: float) -> list[tuple[Any, ...]]:
    known = {*store.tables.values(), "literals", "graphs"}
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "tables.duckdb"))
        store.run(f"ATTACH '{file.replace(chr(39), chr(39) * 2)}' AS apart")
        try:
            for table in sorted(known & set(_TABLE.findall(sql))):
                store.run(f"CREATE TABLE apart.{table} AS SELECT * FROM {table}")
        finally:
            store.run("DETACH apart")
        command = [sys.executable, "-c", f"from {__name__} import work; work()"]
        task = json.dumps({"file": file, "sql": sql})
        try:
            done = subprocess.run(
                command, input=task, capture_output=True, text=True, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            raise _late(seconds) from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise DataError(f"the query failed: {last}")
    return [tuple(row) for row in json.loads(done.stdout)]


def _late(seconds: float) -> DataError:
    return DataError(f"the query took more than {seconds:g} s and was stopped")
