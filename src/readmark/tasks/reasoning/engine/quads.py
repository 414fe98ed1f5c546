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
from readmark.tasks.names import SHORT, document_id
from readmark.tasks.reasoning.engine.codes import inline_code
from readmark.tasks.reasoning.engine.inference import Inference, infer_loaded
from readmark.tasks.reasoning.engine.loading import TABLES, load
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rdf import Reader, is_assertable, parse, read_rdf
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Literal

SUFFIXES = (".nq", ".nt")
_PLAIN_NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*"  # a local name that is spelt the same in its IRI
_IRI = r'<[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\x00-\x20]*>'
_LONGEST_LINE = 1 << 21  # bytes; a longer one goes through the RDF parser
LINES = (
    "(SELECT line FROM read_csv(?, columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', "
    f"escape = '', header = false, auto_detect = false, max_line_size = {_LONGEST_LINE}) "
    "WHERE line <> '' AND NOT starts_with(line, '#'))"
)
"""The lines of a file that hold quads."""


def load_quads(store: Store, file: Path, namespaces: Namespaces, graph: str) -> None:
    """Fills an empty store from a file; triples without a graph go to the one named."""
    require("duckdb")
    import duckdb

    try:
        _split(store, file)
        _code(store, namespaces, graph)
    except OutOfMemory:
        raise OutOfMemory(store.memory, TABLES) from None
    except (duckdb.Error, _Unusual):
        _forget(store)
        load(store, _parsed(file, namespaces, graph))


class _Unusual(Exception):
    """Something that only the RDF parser can judge."""


def _split(store: Store, file: Path) -> None:
    """Fills ``quads`` with the texts of terms; a line that is not split so simply is unusual."""
    store.run(
        "CREATE OR REPLACE TEMP TABLE quads AS SELECT a[1] AS s, a[2] AS p, a[3] AS o, "
        "CASE WHEN len(a) = 5 THEN a[4] END AS g, len(a) BETWEEN 4 AND 5 AND a[-1] = '.' AS usual "
        f"FROM (SELECT string_split(line, ' ') AS a FROM {LINES})",
        [str(file)],
    )
    if store.run("SELECT 1 FROM quads WHERE NOT usual LIMIT 1"):
        raise _Unusual


def _code(store: Store, namespaces: Namespaces, graph: str) -> None:
    """Turns the texts of ``quads`` into codes, and fills the tables of properties."""
    _number_graphs(store, namespaces, graph)
    store.run(
        "CREATE OR REPLACE TEMP TABLE texts AS SELECT text, NULL::VARCHAR AS name, "
        "NULL::BIGINT AS code FROM (SELECT DISTINCT text FROM (SELECT s AS text FROM quads "
        "UNION ALL SELECT p FROM quads UNION ALL SELECT o FROM quads))"
    )
    _number_names(store, namespaces)
    _code_literals(store)
    properties = store.run(
        "SELECT q.p, t.name FROM (SELECT DISTINCT p FROM quads) q JOIN texts t ON t.text = q.p"
    )
    if any(name is None or not is_assertable(name) for _, name in properties):
        raise _Unusual
    store.run(
        "CREATE OR REPLACE TEMP TABLE coded AS SELECT gs.id AS g, q.p AS p, a.code AS s, "
        "b.code AS o, a.name IS NULL AS odd FROM quads q JOIN texts a ON a.text = q.s "
        "JOIN texts b ON b.text = q.o JOIN graph_texts gs ON gs.text IS NOT DISTINCT FROM q.g"
    )
    if store.run("SELECT 1 FROM coded WHERE odd LIMIT 1"):
        raise _Unusual
    for text, name in sorted(properties):
        table = store.table(name)
        store.run(
            f"INSERT INTO {table} SELECT DISTINCT g, s, o, 0, false FROM coded WHERE p = ?", [text]
        )
    store.run("DROP TABLE quads; DROP TABLE coded; DROP TABLE texts; DROP TABLE graph_texts")


def _number_graphs(store: Store, namespaces: Namespaces, graph: str) -> None:
    """Fills ``graph_texts`` with the code of each graph, and the store's table of graphs."""
    rows = store.run("SELECT DISTINCT g FROM quads ORDER BY g")
    codes: dict[str, int] = {}
    code_of: dict[str | None, int] = {}
    for (text,) in rows:
        name = graph
        if text is not None:
            if not (text.startswith("<") and text.endswith(">")):
                raise _Unusual
            name = document_id(text[1:-1]) or namespaces.compact(text[1:-1]).text
        code_of[text] = codes.setdefault(name, len(codes))
    store.run(
        "CREATE OR REPLACE TEMP TABLE graph_texts AS "
        "SELECT unnest(?::VARCHAR[]) AS text, unnest(?::INTEGER[]) AS id",
        [list(code_of), list(code_of.values())],
    )
    store.run(
        "INSERT INTO graphs SELECT unnest(?::INTEGER[]), unnest(?::VARCHAR[])",
        [list(codes.values()), list(codes)],
    )


def _number_names(store: Store, namespaces: Namespaces) -> None:
    """Gives names their codes: plain ones of the default namespace in SQL, the few others here."""
    start = f"<{namespaces.default}"
    store.run(
        "UPDATE texts SET name = substr(text, length(?) + 1, length(text) - length(?) - 1) "
        "WHERE starts_with(text, ?) AND ends_with(text, '>') AND "
        f"regexp_full_match(substr(text, length(?) + 1), '{_PLAIN_NAME}>')",
        [start] * 4,
    )
    store.run(f"UPDATE texts SET name = NULL WHERE name IN ({', '.join(map(repr, SHORT))})")
    others = store.run(
        "SELECT text, regexp_full_match(text, ?) FROM texts WHERE name IS NULL "
        "AND starts_with(text, '<')",
        [_IRI],
    )
    if not all(is_iri for _, is_iri in others):
        raise _Unusual
    if store.run("SELECT 1 FROM texts WHERE starts_with(text, '_:') LIMIT 1"):
        raise _Unusual
    _set_texts(store, [(text, namespaces.compact(text[1:-1]).text, None) for text, _ in others])
    store.run(
        "CREATE OR REPLACE TEMP TABLE numbered AS SELECT name, "
        "row_number() OVER (ORDER BY name) - 1 AS code "
        "FROM (SELECT DISTINCT name FROM texts WHERE name IS NOT NULL)"
    )
    store.run("INSERT INTO names SELECT code, name FROM numbered")
    store.run("UPDATE texts SET code = n.code FROM numbered n WHERE n.name = texts.name")
    store.next_name = int(store.run("SELECT count(*) FROM numbered")[0][0])
    store.run("DROP TABLE numbered")


def _code_literals(store: Store) -> None:
    """Gives literals their codes; each distinct text is parsed once."""
    texts = [text for (text,) in store.run("SELECT text FROM texts WHERE starts_with(text, '\"')")]
    unknown = store.run(
        "SELECT 1 FROM texts WHERE name IS NULL AND NOT starts_with(text, '\"') LIMIT 1"
    )
    if unknown:
        raise _Unusual
    if not texts:
        return
    lines = "".join(f"<a:s> <a:p> {text} .\n" for text in texts)
    try:
        quads = parse(lines.encode(), file="literals.nt").quads
        reader = Reader(Namespaces(), "literals.nt")
        terms = [reader.term(quad.object, quad.line) for quad in quads]
    except DataError:
        raise _Unusual from None
    literals = [term for term in terms if isinstance(term, Literal)]
    if len(literals) != len(texts):
        raise _Unusual
    codes = [inline_code(literal) for literal in literals]
    others = [literal for literal, code in zip(literals, codes, strict=True) if code is None]
    added = iter(store.add_literals(others))
    _set_texts(
        store,
        [
            (text, None, next(added) if code is None else code)
            for text, code in zip(texts, codes, strict=True)
        ],
    )


def _set_texts(store: Store, rows: list[tuple[str, str | None, int | None]]) -> None:
    """Puts names and codes next to texts."""
    if not rows:
        return
    columns = [list(column) for column in zip(*rows, strict=True)]
    store.run(
        "CREATE OR REPLACE TEMP TABLE given AS SELECT unnest(?::VARCHAR[]) AS text, "
        "unnest(?::VARCHAR[]) AS name, unnest(?::BIGINT[]) AS code",
        columns,
    )
    store.run(
        "UPDATE texts SET name = v.name, code = v.code FROM given v WHERE v.text = texts.text"
    )


def _forget(store: Store) -> None:
    """Empties a store that was partly filled."""
    for table in store.tables.values():
        store.run(f"DROP TABLE {table}")
    store.tables.clear()
    store.run("DELETE FROM names; DELETE FROM graphs; DELETE FROM literals WHERE kind <> 'bool'")
    store.next_name = 0


def _parsed(file: Path, namespaces: Namespaces, graph: str) -> Iterator[Asserted]:
    data = file.read_bytes()
    for _, named, statement in read_rdf(data, file=str(file), namespaces=namespaces):
        name = graph if named is None else document_id(named) or namespaces.compact(named).text
        yield Asserted(name, statement)


def infer_quads(
    file: Path,
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    namespaces: Namespaces | None = None,
    provenance: bool = True,
    memory: int | None = None,
    seconds: float | None = None,
) -> Inference:
    """An inference over an N-Quads or N-Triples file, which is read inside the database."""
    store = Store(memory=memory, files=[file])
    with store.closed_on_error():
        load_quads(store, file, namespaces or Namespaces(), file.stem)
    return infer_loaded(store, {}, theory, ontology, provenance=provenance, seconds=seconds)
