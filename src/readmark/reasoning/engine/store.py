"""The tables: one a property, with the graph as a column, and the terms they are coded with."""

from __future__ import annotations

import datetime
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.corpus.confinement import OutOfMemory, connect, default_memory
from readmark.corpus.errors import DataError
from readmark.reasoning.engine.encoding import (
    FALSE,
    LITERALS,
    MACROS,
    TRUE,
    inline_code,
    inline_literal,
    stored_literal,
)
from readmark.reasoning.moments import ZonedDate, universal
from readmark.reasoning.terms import Literal, Name, Term

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TABLES = f"""
CREATE TABLE names (id BIGINT, text VARCHAR);
CREATE TABLE graphs (id INTEGER, text VARCHAR);
CREATE TABLE literals (id BIGINT, kind VARCHAR, text VARCHAR, number DOUBLE, moment TIMESTAMP);
INSERT INTO literals VALUES
    ({FALSE}, 'bool', 'false', NULL, NULL), ({TRUE}, 'bool', 'true', NULL, NULL);
CREATE TABLE chances (g INTEGER, p BIGINT, s BIGINT, o BIGINT, probability DOUBLE);
"""
BATCH = 65_536
_INTERRUPTED = "Query interrupted"
"""What the database says of a signal, whose own exception it swallows."""


class Store:
    """An in-process database of coded statements; each table is a set of rows (g, s, o).

    ``round`` is 0 for what was asserted and otherwise the round that derived the row; ``assumed``
    marks the conclusions of defaults.
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        memory: int | None = None,
        files: Iterable[Path] = (),
    ) -> None:
        """``memory`` is a limit in bytes; ``files`` are those that may be read."""
        self.memory = memory or default_memory()
        self.folder = Path(tempfile.mkdtemp(prefix="readmark-"))
        """For what does not fit into memory, and for tables that another process works on."""
        self._remove = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.connection: DuckDBPyConnection = connect(
            folder=self.folder, files=files, memory=self.memory, threads=threads, ordered=False
        )
        self.connection.execute(_TABLES + MACROS)
        self.tables: dict[str, str] = {}
        """The table of each property."""
        self.kinds: set[str] = set()
        """The kinds of the literals that must be looked up."""
        self.weighed = False
        """Whether the tables have a column ``chance``: something is less than certain."""
        self.next_name = 0
        self._codes: dict[Name | Literal, int] = {}

    def run(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        import duckdb

        try:
            return self.connection.execute(sql, parameters or None).fetchall()
        except duckdb.OutOfMemoryException:
            raise OutOfMemory(self.memory) from None
        except RuntimeError as wrong:
            if str(wrong) == _INTERRUPTED:
                raise KeyboardInterrupt from None
            raise

    def batches(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a statement in batches, while others run."""
        import duckdb

        try:
            rows = self.connection.cursor().execute(sql)
            while batch := rows.fetchmany(BATCH):
                yield batch
        except duckdb.OutOfMemoryException:
            raise OutOfMemory(self.memory) from None

    def change(self, sql: str) -> int:
        """Runs an INSERT; how many rows came."""
        return int(self.run(sql)[0][0])

    def table(self, predicate: str) -> str:
        """The property's table, made empty when it is not there."""
        known = self.tables.get(predicate)
        if known is None:
            known = self.tables[predicate] = f"p{len(self.tables)}"
            chance = ", chance DOUBLE" if self.weighed else ""
            self.run(
                f"CREATE TABLE {known} "
                f"(g INTEGER, s BIGINT, o BIGINT, round INTEGER, assumed BOOLEAN{chance})"
            )
        return known

    def code(self, term: Name | Literal) -> int:
        """The term's code; one that is new is added."""
        known = self._codes.get(term)
        if known is None:
            known = self._codes[term] = self._look_up(term)
        return known

    def _look_up(self, term: Name | Literal) -> int:
        if isinstance(term, Name):
            found = self.run("SELECT id FROM names WHERE text = ?", [term.text])
            if found:
                return int(found[0][0])
            code = self.next_name
            self.next_name += 1
            self.run("INSERT INTO names VALUES (?, ?)", [code, term.text])
            return code
        inline = inline_code(term)
        return inline if inline is not None else self.add_literals([term])[0]

    def add_literals(self, literals: Sequence[Literal]) -> list[int]:
        """The codes of literals that must be looked up, added where they are new."""
        rows = [_row(one) for one in literals]
        if not rows:
            return []
        columns = [list(column) for column in zip(*rows, strict=True)]
        self.run(
            "CREATE OR REPLACE TEMP TABLE fresh AS SELECT nth, kind, text, number, "
            "moment::TIMESTAMP AS moment, CASE WHEN kind = 'float' AND number IS NOT NULL "
            "THEN float_code(number) ELSE literal_code(kind, text) END AS id FROM "
            "(SELECT unnest(?::BIGINT[]) AS nth, unnest(?::VARCHAR[]) AS kind, "
            "unnest(?::VARCHAR[]) AS text, unnest(?::DOUBLE[]) AS number, "
            "unnest(?::VARCHAR[]) AS moment)",
            [list(range(len(rows))), *columns],
        )
        self.keep_literals("fresh")
        return [int(row[0]) for row in self.run("SELECT id FROM fresh ORDER BY nth")]

    def keep_literals(self, table: str) -> None:
        """Adds the rows of a table of literals that are not there yet."""
        self.run(
            f"INSERT INTO literals SELECT id, any_value(kind), any_value(text), any_value(number), "
            f"any_value(moment) FROM {table} t WHERE id IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM literals l WHERE l.id = t.id) GROUP BY id"
        )
        clash = self.run(
            f"SELECT t.text, l.text FROM {table} t JOIN literals l USING (id) WHERE "
            "l.kind <> t.kind OR (l.text <> t.text AND l.kind <> 'float') LIMIT 1"
        )
        if clash:  # pragma: no cover - one chance in 10**12 for a million literals
            raise DataError(f"two literals have the same code: {clash[0][0]} and {clash[0][1]}")
        kinds = self.run("SELECT DISTINCT kind FROM literals WHERE kind <> 'bool'")
        self.kinds = {kind for (kind,) in kinds}

    def terms(self, codes: Iterable[int]) -> Mapping[int, Name | Literal]:
        """The terms of many codes at once."""
        found: dict[int, Name | Literal] = {}
        names: list[int] = []
        others: list[int] = []
        for code in set(codes):
            literal = inline_literal(code)
            if literal is not None:
                found[code] = literal
            else:
                (names if code < LITERALS else others).append(code)
        if names:
            rows = self.run(
                "SELECT id, text FROM names JOIN (SELECT unnest(?::BIGINT[]) AS id) USING (id)",
                [names],
            )
            found.update((code, Name(text)) for code, text in rows)
        if others:
            rows = self.run(
                "SELECT id, kind, text, number FROM literals "
                "JOIN (SELECT unnest(?::BIGINT[]) AS id) USING (id)",
                [others],
            )
            found.update((code, stored_literal(*rest)) for code, *rest in rows)
        return found

    def graph_names(self, codes: Iterable[int]) -> Mapping[int, str]:
        """The graphs' own names."""
        wanted = sorted(set(codes))
        rows = self.run(
            "SELECT id, text FROM graphs JOIN (SELECT unnest(?::INTEGER[]) AS id) USING (id)",
            [wanted],
        )
        return {int(code): str(text) for code, text in rows}

    def graph_codes(self, names: Iterable[str]) -> list[int]:
        """The codes of the graphs of those names that there are."""
        rows = self.run(
            "SELECT id FROM graphs JOIN (SELECT unnest(?::VARCHAR[]) AS text) USING (text)",
            [sorted(set(names))],
        )
        return sorted(int(code) for (code,) in rows)

    def close(self) -> None:
        """Frees the database and its folder."""
        self.connection.close()
        self._remove()


def is_name(sql: str) -> str:
    """The condition that a code is a name's."""
    return f"({sql} >= 0 AND {sql} < {LITERALS})"


def ground(term: Term) -> Name | Literal:
    """The term, which is no variable."""
    if isinstance(term, Name | Literal):
        return term
    raise DataError(f"?{term.text} has no value")


def _row(literal: Literal) -> tuple[str, str, float | None, str | None]:
    value = literal.value
    number: float | None = None
    moment: str | None = None
    if isinstance(value, float):
        number = None if value != value else value  # NaN is comparable with nothing.
    elif isinstance(value, int):
        number = float(value) if abs(value) < 2**1023 else None
    elif isinstance(value, datetime.datetime | ZonedDate):
        moment = universal(value)
    return literal.kind, literal.lexical, number, moment
