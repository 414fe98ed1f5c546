"""N-Quads and N-Triples straight into the tables: split and coded inside the database.

Lines in the usual form (terms one space apart) never become Python objects; distinct terms are
looked at once. Other lines go through the RDF parser, and so does a file with any fault, so that
the message has its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from readmark.core.confinement import OutOfMemory
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.engine.store import TABLES, Store, inline_code, load
from readmark.tasks.reasoning.graphs import Asserted, Namespaces
from readmark.tasks.reasoning.rdf import Reader, is_assertable, parse, read_rdf
from readmark.tasks.reasoning.terms import Literal
from readmark.tasks.records import SHORT, document_id

SUFFIXES = (".nq", ".nt")
_PLAIN = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
_IRI = r'<[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\x00-\x20]*>'
_LONGEST = 1 << 21
LINES = (
    "(SELECT line FROM read_csv(?, columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', "
    f"escape = '', header = false, auto_detect = false, max_line_size = {_LONGEST}) "
    "WHERE line <> '' AND NOT starts_with(line, '#'))"
)
"""The lines of a file that are no remarks."""


def load_quads(store: Store, file: Path, namespaces: Namespaces, graph: str) -> None:
    """Fills an empty store from a file; triples without a graph go to the one named."""
    require("duckdb")
    import duckdb

    try:
        usual = _split(store, file)
        if usual:
            _code(store, namespaces, graph)
    except OutOfMemory:
        raise OutOfMemory(store.memory, TABLES) from None
    except (duckdb.Error, _Odd):
        usual = False
    if not usual:
        _forget(store)
        load(store, _slowly(file, namespaces, graph))


class _Odd(Exception):
    """Something that only the RDF parser can judge."""


def _split(store: Store, file: Path) -> bool:
    """Fills ``quads`` with texts; whether every line could be split."""
    store.run(
        "CREATE OR REPLACE TEMP TABLE quads AS SELECT a[1] AS s, a[2] AS p, a[3] AS o, "
        "CASE WHEN len(a) = 5 THEN a[4] END AS g, len(a) BETWEEN 4 AND 5 AND a[-1] = '.' AS usual "
        f"FROM (SELECT string_split(line, ' ') AS a FROM {LINES})",
        [str(file)],
    )
    return not store.run("SELECT 1 FROM quads WHERE NOT usual LIMIT 1")


def _code(store: Store, namespaces: Namespaces, graph: str) -> None:
    """Turns the texts of ``quads`` into codes and fills the properties' tables."""
    _graphs(store, namespaces, graph)
    store.run(
        "CREATE OR REPLACE TEMP TABLE told AS SELECT text, NULL::VARCHAR AS name, "
        "NULL::BIGINT AS code FROM (SELECT DISTINCT text FROM (SELECT s AS text FROM quads "
        "UNION ALL SELECT p FROM quads UNION ALL SELECT o FROM quads))"
    )
    _names(store, namespaces)
    _literals(store)
    properties = store.run(
        "SELECT q.p, t.name FROM (SELECT DISTINCT p FROM quads) q JOIN told t ON t.text = q.p"
    )
    if any(name is None or not is_assertable(name) for _, name in properties):
        raise _Odd
    store.run(
        "CREATE OR REPLACE TEMP TABLE coded AS SELECT gs.id AS g, q.p AS p, a.code AS s, "
        "b.code AS o, a.name IS NULL AS odd FROM quads q JOIN told a ON a.text = q.s "
        "JOIN told b ON b.text = q.o JOIN graph_texts gs ON gs.text IS NOT DISTINCT FROM q.g"
    )
    if store.run("SELECT 1 FROM coded WHERE odd LIMIT 1"):
        raise _Odd
    for text, name in sorted(properties):
        table = store.table(name)
        store.run(
            f"INSERT INTO {table} SELECT DISTINCT g, s, o, 0, false FROM coded WHERE p = ?", [text]
        )
    store.run("DROP TABLE quads; DROP TABLE coded; DROP TABLE told; DROP TABLE graph_texts")


def _graphs(store: Store, namespaces: Namespaces, graph: str) -> None:
    rows = store.run("SELECT DISTINCT g FROM quads ORDER BY g")
    names: dict[str, int] = {}
    pairs = []
    for (text,) in rows:
        name = graph
        if text is not None:
            if not (text.startswith("<") and text.endswith(">")):
                raise _Odd
            name = document_id(text[1:-1]) or namespaces.compact(text[1:-1]).text
        pairs.append((text, names.setdefault(name, len(names))))
    store.run(
        "CREATE OR REPLACE TEMP TABLE graph_texts AS "
        "SELECT unnest(?::VARCHAR[]) AS text, unnest(?::INTEGER[]) AS id",
        [[text for text, _ in pairs], [code for _, code in pairs]],
    )
    store.run(
        "INSERT INTO graphs SELECT unnest(?::INTEGER[]), unnest(?::VARCHAR[])",
        [list(names.values()), list(names)],
    )


def _names(store: Store, namespaces: Namespaces) -> None:
    """Plain names of the default namespace in SQL, the few others one by one."""
    start = f"<{namespaces.default}"
    store.run(
        "UPDATE told SET name = substr(text, length(?) + 1, length(text) - length(?) - 1) "
        "WHERE starts_with(text, ?) AND ends_with(text, '>') AND "
        f"regexp_full_match(substr(text, length(?) + 1), '{_PLAIN}>')",
        [start] * 4,
    )
    store.run(f"UPDATE told SET name = NULL WHERE name IN ({', '.join(map(repr, SHORT))})")
    others = store.run(
        "SELECT text, regexp_full_match(text, ?) FROM told WHERE name IS NULL "
        "AND starts_with(text, '<')",
        [_IRI],
    )
    if not all(well for _, well in others):
        raise _Odd
    if store.run("SELECT 1 FROM told WHERE starts_with(text, '_:') LIMIT 1"):
        raise _Odd
    _set(store, [(text, namespaces.compact(text[1:-1]).text, None) for text, _ in others])
    store.run(
        "CREATE OR REPLACE TEMP TABLE numbered AS SELECT name, "
        "row_number() OVER (ORDER BY name) - 1 AS code "
        "FROM (SELECT DISTINCT name FROM told WHERE name IS NOT NULL)"
    )
    store.run("INSERT INTO names SELECT code, name FROM numbered")
    store.run("UPDATE told SET code = n.code FROM numbered n WHERE n.name = told.name")
    store.next_name = int(store.run("SELECT count(*) FROM numbered")[0][0])
    store.run("DROP TABLE numbered")


def _literals(store: Store) -> None:
    texts = [text for (text,) in store.run("SELECT text FROM told WHERE starts_with(text, '\"')")]
    unknown = store.run(
        "SELECT 1 FROM told WHERE name IS NULL AND NOT starts_with(text, '\"') LIMIT 1"
    )
    if unknown:
        raise _Odd
    if not texts:
        return
    lines = "".join(f"<a:s> <a:p> {text} .\n" for text in texts)
    try:
        quads = parse(lines.encode(), file="literals.nt").quads
        reader = Reader(Namespaces(), "literals.nt")
        found = [reader.term(quad.object, quad.line) for quad in quads]
    except DataError:
        raise _Odd from None
    if len(found) != len(texts):
        raise _Odd
    looked_up: list[Literal] = []
    codes: list[int | None] = []
    for one in found:
        code = inline_code(one) if isinstance(one, Literal) else None
        codes.append(code)
        if code is None and isinstance(one, Literal):
            looked_up.append(one)
    rest = iter(store.add_literals(looked_up))
    _set(
        store,
        [
            (text, None, next(rest) if code is None else code)
            for text, code in zip(texts, codes, strict=True)
        ],
    )


def _set(store: Store, rows: list[tuple[str, str | None, int | None]]) -> None:
    if not rows:
        return
    columns = [list(column) for column in zip(*rows, strict=True)]
    store.run(
        "CREATE OR REPLACE TEMP TABLE given AS SELECT unnest(?::VARCHAR[]) AS text, "
        "unnest(?::VARCHAR[]) AS name, unnest(?::BIGINT[]) AS code",
        columns,
    )
    store.run("UPDATE told SET name = v.name, code = v.code FROM given v WHERE v.text = told.text")


def _forget(store: Store) -> None:
    for table in store.tables.values():
        store.run(f"DROP TABLE {table}")
    store.tables.clear()
    store.run("DELETE FROM names; DELETE FROM graphs; DELETE FROM literals WHERE kind <> 'bool'")
    store.next_name = 0


def _slowly(file: Path, namespaces: Namespaces, graph: str) -> Iterator[Asserted]:
    data = file.read_bytes()
    for _, named, statement in read_rdf(data, file=str(file), namespaces=namespaces):
        name = graph if named is None else document_id(named) or namespaces.compact(named).text
        yield Asserted(name, statement)
