"""The tables: one a property, with the graph as a column, and the terms they are coded with."""

from __future__ import annotations

import datetime
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from readmark.core.confinement import OutOfMemory, connect, default_memory
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.graphs import PARTS, Asserted, Statement, Support
from readmark.tasks.reasoning.terms import (
    LARGEST,
    ZONELESS,
    Literal,
    Name,
    Term,
    ZonedDate,
    date,
    moment,
    universal,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


# Terms as 64-bit numbers: whole numbers and dates stand for themselves, in their own order.


ZERO = -(2**62)
"""The code of the integer 0."""
WIDEST = 2**60
"""Integers from here on are kept as other literals."""
DATES = -(2**61)
"""Where the codes of dates begin."""
EPOCH = -(2**60)
"""The code of 1970-01-01."""
LITERALS = 2**61
"""Where the codes of other literals begin; names lie between 0 and here."""
FALSE = LITERALS
TRUE = LITERALS + 1
_FIRST_HASHED = LITERALS + 2
_HASHED = 2**61 - 4
_ZEROS = "0" * 12
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()

MACROS = f"""
CREATE MACRO literal_code(kind, lexical) AS
    ({_FIRST_HASHED} + (hash(kind || ' ' || lexical) % {_HASHED})::BIGINT);
CREATE MACRO float_code(value) AS CASE WHEN value = 0 AND signbit(value::DOUBLE)
    THEN literal_code('float', '-0.0')
    ELSE {_FIRST_HASHED} + (hash(value::DOUBLE) % {_HASHED})::BIGINT END;
CREATE MACRO integer_code(value) AS
    CASE WHEN abs(value) < {WIDEST} THEN (value + ({ZERO}))::BIGINT
    ELSE error('an integer beyond ' || {WIDEST})::BIGINT END;
CREATE MACRO real_order(one, other) AS
    CASE WHEN one < other THEN -1 WHEN one > other THEN 1 WHEN one = other THEN 0 END;
CREATE MACRO mixed_order(whole, real) AS
    CASE WHEN abs(real) >= {float(LARGEST)!r} THEN CASE WHEN real > 0 THEN -1 ELSE 1 END
    WHEN whole <> floor(real)::HUGEINT THEN real_order(whole, floor(real)::HUGEINT)
    WHEN whole = floor(real)::HUGEINT THEN CASE WHEN real > floor(real) THEN -1 ELSE 0 END END;
CREATE MACRO number_order(whole, real, other_whole, other_real) AS
    CASE WHEN whole IS NOT NULL AND other_whole IS NOT NULL THEN real_order(whole, other_whole)
    WHEN whole IS NOT NULL THEN mixed_order(whole, other_real)
    WHEN other_whole IS NOT NULL THEN -mixed_order(other_whole, real)
    ELSE real_order(real, other_real) END;
CREATE MACRO moment_order(one, zoned, other, other_zoned) AS
    CASE WHEN zoned = other_zoned THEN real_order(one, other)
    WHEN one < other - INTERVAL {ZONELESS} HOURS THEN -1
    WHEN one > other + INTERVAL {ZONELESS} HOURS THEN 1 END;
CREATE MACRO natural_key(text) AS regexp_replace(
    regexp_replace(text, '([0-9]+)', '{_ZEROS}\\1', 'g'),
    '0*([0-9]{{{len(_ZEROS)},}})', '\\1', 'g');
"""
"""The same codes inside the database, for values that rules compute; how numbers compare exactly
(an integer, or else a real number, with another), and times, where NULL says that the zone which
one of them lacks decides; and an order of texts for people."""


def inline_code(literal: Literal) -> int | None:
    """The code of a literal that stands for itself; None for one that must be looked up."""
    value = literal.value
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return value + ZERO if abs(value) < WIDEST else None
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.toordinal() - _FIRST_DAY + EPOCH
    return None


def inline_literal(code: int) -> Literal | None:
    """The literal that a code stands for by itself."""
    if code < DATES:
        return Literal(code - ZERO)
    if code < 0:
        return Literal(datetime.date.fromordinal(code - EPOCH + _FIRST_DAY))
    if code in (FALSE, TRUE):
        return Literal(code == TRUE)
    return None


def stored_literal(kind: str, lexical: str, number: float | None) -> Literal:
    """The literal that the table of other literals holds."""
    if kind == "float":
        return Literal(float(number if number is not None else "nan"))
    if kind == "int":
        return Literal(int(lexical))
    if kind == "datetime":
        return Literal(moment(lexical))
    if kind == "date":
        return Literal(date(lexical))
    return Literal(lexical, kind.partition("@")[2])


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
        """The rows of a statement."""
        with self._limited():
            return self.connection.execute(sql, parameters or None).fetchall()

    def batches(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a statement in batches, while others run."""
        with self._limited():
            rows = self.connection.cursor().execute(sql)
            while batch := rows.fetchmany(BATCH):
                yield batch

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Turns what the database raises into what commands understand."""
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
        """Frees the database if anything goes wrong."""
        try:
            yield
        except BaseException:
            self.close()
            raise

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


class StatementKey(NamedTuple):
    """A statement in codes."""

    graph: int
    predicate: str
    subject: int
    object: int


# Input statements into the tables: coded once, a set a property.


TABLES = "the table of statements"
Supports = dict[tuple[str, Statement], tuple[Asserted, ...]]
"""The input statements that have text behind them or are not certain."""


def load(store: Store, asserted: Iterable[Asserted]) -> Supports:
    """Fills the tables; gives back what the tables do not hold: excerpts and annotators."""
    require("duckdb")
    import duckdb

    try:
        return _load(store, asserted)
    except duckdb.InvalidInputException as wrong:
        raise DataError(f"a term cannot be kept: {str(wrong).splitlines()[0]}") from None
    except OutOfMemory:
        raise OutOfMemory(store.memory, TABLES) from None


def _load(store: Store, asserted: Iterable[Asserted]) -> Supports:
    names: dict[str, int] = {}
    graphs: dict[str, int] = {}
    others: dict[Literal, int] = {}
    supports: dict[tuple[str, Statement], list[Asserted]] = {}
    columns: tuple[list[int], ...] = ([], [], [], [])
    chances: list[float] = []
    uncertain = False
    add_g, add_p, add_s, add_o = (column.append for column in columns)
    for one in asserted:
        statement = one.statement
        add_g(graphs.setdefault(one.graph, len(graphs)))
        add_p(names.setdefault(statement.predicate.text, len(names)))
        add_s(names.setdefault(statement.subject.text, len(names)))
        value = statement.object
        if isinstance(value, Name):
            add_o(names.setdefault(value.text, len(names)))
        else:
            code = inline_code(value)
            add_o(LITERALS + 2 + others.setdefault(value, len(others)) if code is None else code)
        chances.append(one.probability)
        if one.probability != 1.0:
            if not 0 < one.probability <= 1:
                raise DataError(f"a probability is above 0 and at most 1, not {one.probability}")
            uncertain = True
        if one.support or one.annotator is not None:
            supports.setdefault((one.graph, statement), []).append(one)
    _keep_texts(store, "names", list(names))
    store.next_name = len(names)
    _keep_texts(store, "graphs", list(graphs))
    arrays = {
        name: np.array(column, dtype=np.int64) for name, column in zip("gpso", columns, strict=True)
    }
    if others:
        codes = np.array(store.add_literals(list(others)), dtype=np.int64)
        o = arrays["o"]
        placed = o >= LITERALS + 2
        o[placed] = codes[o[placed] - (LITERALS + 2)]
    texts = list(names)
    for code in np.unique(arrays["p"]).tolist():
        rows = arrays["p"] == code
        _fill(store, texts[code], {name: arrays[name][rows] for name in "gso"})
    if uncertain:
        batch = {**arrays, "c": np.array(chances)}
        store.connection.register("batch", batch)
        store.run(  # What anybody is certain of is certain.
            "INSERT INTO chances SELECT g, p, s, o, max(c) FROM batch "
            "GROUP BY g, p, s, o HAVING max(c) < 1"
        )
        store.connection.unregister("batch")
    return {key: tuple(rows) for key, rows in supports.items()}


def support_of(found: tuple[Asserted, ...]) -> Support:
    """The excerpts of every annotation of one statement together."""
    return Support(
        *(
            tuple(dict.fromkeys(e for asserted in found for e in getattr(asserted.support, part)))
            for part in PARTS
        )
    )


def _fill(store: Store, predicate: str, batch: dict[str, np.ndarray]) -> None:
    table = store.table(predicate)
    store.connection.register("batch", batch)
    store.run(f"INSERT INTO {table} SELECT DISTINCT g, s, o, 0, false FROM batch")
    store.connection.unregister("batch")


def _keep_texts(store: Store, table: str, texts: list[str]) -> None:
    batch = {"id": np.arange(len(texts)), "text": np.array(texts, dtype=object)}
    store.connection.register("batch", batch)
    store.run(f"INSERT INTO {table} SELECT id, text FROM batch")
    store.connection.unregister("batch")
