"""Numbers that tables give to rows: those of deleted rows are not given again after a restore.

SQLite keeps the last number in ``sqlite_sequence``, PostgreSQL in a sequence of each table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Integer, Table, func, select, text
from sqlalchemy.engine import Connection


def last_number(connection: Connection, table: Table) -> int | None:
    """The last number that a table has given out; None if its rows have no numbers."""
    column = _numbered(table)
    if column is None:
        return None
    largest = connection.scalar(select(func.max(table.c[column]))) or 0
    if connection.dialect.name == "sqlite":
        # The table is there once a table with AUTOINCREMENT is.
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


def continue_after(connection: Connection, table: Table, last: int) -> None:
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
    definition = text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :table")
    if "AUTOINCREMENT" in (connection.scalar(definition, {"table": table.name}) or "").upper():
        for statement in (
            "DELETE FROM sqlite_sequence WHERE name = :table",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)",
        ):
            connection.execute(text(statement), {"table": table.name, "last": last})


def _numbered(table: Table) -> str | None:
    """The column that numbers a table's rows, if there is one."""
    keys: Iterable[Any] = table.primary_key.columns
    names = [key.name for key in keys if isinstance(key.type, Integer)]
    return names[0] if names and len(table.primary_key.columns) == 1 else None


def _sequence(connection: Connection, table: str, column: str) -> str | None:
    query = text("SELECT pg_get_serial_sequence(:table, :column)")
    name: str | None = connection.scalar(query, {"table": f'"{table}"', "column": column})
    return name
