"""The database of an inference: a table for each property, and one for names and literals."""

from __future__ import annotations

import datetime
import math
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.confinement import OutOfMemory, connect, default_memory
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.dates import ZonedDate, universal_text
from readmark.tasks.reasoning.engine.codes import (
    FALSE,
    LITERALS,
    MACROS,
    TRUE,
    inline_code,
    inline_literal,
    stored_literal,
)
from readmark.tasks.reasoning.terms import Literal, Name

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
_BATCH = 65_536  # rows that are fetched at once, so that memory does not grow with the result
_INTERRUPTED = "Query interrupted"
"""The message of a RuntimeError that the database raises instead of KeyboardInterrupt."""


class Store:
    """An in-process database of coded statements; each table is a set of rows (g, s, o).

    ``round`` is 0 for what was asserted and otherwise the round that derived the row; ``assumed``
    marks the conclusions of defaults.
    """

    def __init__(
        self,
        *,
        memory: int | None = None,
        files: Iterable[Path] = (),
        threads: int | None = None,
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
        """The rows of an SQL statement."""
        with self._limited():
            return self.connection.execute(sql, parameters or None).fetchall()

    def batches(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of an SQL statement in batches; others may run in between."""
        with self._limited():
            rows = self.connection.cursor().execute(sql)
            while batch := rows.fetchmany(_BATCH):
                yield batch

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Turns errors of the database into those that commands report."""
        require("duckdb")
        import duckdb

        try:
            yield
        except duckdb.OutOfMemoryException:
            raise OutOfMemory(self.memory) from None
        except RuntimeError as wrong:
            if str(wrong) == _INTERRUPTED:
                raise KeyboardInterrupt from None
            raise

    @contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """Closes the store if anything goes wrong."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def change(self, sql: str) -> int:
        """Runs an INSERT or UPDATE; how many rows it changed."""
        return int(self.run(sql)[0][0])

    def table(self, predicate: str) -> str:
        """The property's table; an empty one is made if there is none."""
        if predicate not in self.tables:
            table = self.tables[predicate] = f"p{len(self.tables)}"
            chance = ", chance DOUBLE" if self.weighed else ""
            self.run(
                f"CREATE TABLE {table} "
                f"(g INTEGER, s BIGINT, o BIGINT, round INTEGER, assumed BOOLEAN{chance})"
            )
        return self.tables[predicate]

    def code(self, term: Name | Literal) -> int:
        """The term's code; a new term is added."""
        if term not in self._codes:
            self._codes[term] = self._look_up(term)
        return self._codes[term]

    def look_up(self, terms: Iterable[Name | Literal]) -> None:
        """Finds the codes of many names at once, so that each is known when it is asked for."""
        new = {term.text for term in terms if isinstance(term, Name) and term not in self._codes}
        rows = self.run(
            "SELECT id, text FROM names JOIN (SELECT unnest(?::VARCHAR[]) AS text) USING (text)",
            [sorted(new)],
        )
        self._codes.update((Name(text), int(code)) for code, text in rows)

    def _look_up(self, term: Name | Literal) -> int:
        if isinstance(term, Name):
            rows = self.run("SELECT id FROM names WHERE text = ?", [term.text])
            if rows:
                return int(rows[0][0])
            code = self.next_name
            self.next_name += 1
            self.run("INSERT INTO names VALUES (?, ?)", [code, term.text])
            return code
        inline = inline_code(term)
        return inline if inline is not None else self.add_literals([term])[0]

    def add_literals(self, literals: Sequence[Literal]) -> list[int]:
        """The codes of literals that must be looked up, added where they are new."""
        rows = [_row(literal) for literal in literals]
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
        terms: dict[int, Name | Literal] = {}
        names: list[int] = []
        literals: list[int] = []
        for code in set(codes):
            literal = inline_literal(code)
            if literal is not None:
                terms[code] = literal
            elif code < LITERALS:
                names.append(code)
            else:
                literals.append(code)
        if names:
            rows = self.run(
                "SELECT id, text FROM names JOIN (SELECT unnest(?::BIGINT[]) AS id) USING (id)",
                [names],
            )
            terms.update((code, Name(text)) for code, text in rows)
        if literals:
            rows = self.run(
                "SELECT id, kind, text, number FROM literals "
                "JOIN (SELECT unnest(?::BIGINT[]) AS id) USING (id)",
                [literals],
            )
            terms.update((code, stored_literal(*columns)) for code, *columns in rows)
        return terms

    def graph_names(self, codes: Iterable[int]) -> Mapping[int, str]:
        """The names of graphs by their codes."""
        rows = self.run(
            "SELECT id, text FROM graphs JOIN (SELECT unnest(?::INTEGER[]) AS id) USING (id)",
            [sorted(set(codes))],
        )
        return {int(code): str(text) for code, text in rows}

    def graph_codes(self, names: Iterable[str]) -> list[int]:
        """The codes of the graphs with one of the names; there may be fewer."""
        rows = self.run(
            "SELECT id FROM graphs JOIN (SELECT unnest(?::VARCHAR[]) AS text) USING (text)",
            [sorted(set(names))],
        )
        return sorted(int(code) for (code,) in rows)

    def close(self) -> None:
        """Frees the memory of the database and removes its folder."""
        self.connection.close()
        self._remove()


def _row(literal: Literal) -> tuple[str, str, float | None, str | None]:
    """Kind, text, number and moment as the table of literals has them."""
    value = literal.value
    number: float | None = None
    moment: str | None = None
    if isinstance(value, float):
        number = None if math.isnan(value) else value  # NaN is comparable with nothing.
    elif isinstance(value, int):
        number = float(value) if abs(value) < 2**1023 else None
    elif isinstance(value, datetime.datetime | ZonedDate):
        moment = universal_text(value)
    return literal.kind, literal.lexical, number, moment
