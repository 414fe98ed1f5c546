"""N-Quads and N-Triples straight into the tables: split and coded inside the database.

Lines in the usual form (terms one space apart) never become Python objects; distinct terms are
looked at once. Other lines go through the RDF parser, and so does a file with any fault, so that
the message has its place.
"""

from __future__ import annotations

import re
import struct
import tempfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from readmark.core.confinement import OutOfMemory, connect
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.names import SHORT, document_id
from readmark.tasks.reasoning.engine.inference import Inference, infer_loaded
from readmark.tasks.reasoning.engine.store import TABLES, Store, inline_code, load
from readmark.tasks.reasoning.graphs import Asserted, Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rdf import Reader, is_assertable, parse, read_rdf
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Literal

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
        "CREATE OR REPLACE TEMP TABLE texts AS SELECT text, NULL::VARCHAR AS name, "
        "NULL::BIGINT AS code FROM (SELECT DISTINCT text FROM (SELECT s AS text FROM quads "
        "UNION ALL SELECT p FROM quads UNION ALL SELECT o FROM quads))"
    )
    _names(store, namespaces)
    _literals(store)
    properties = store.run(
        "SELECT q.p, t.name FROM (SELECT DISTINCT p FROM quads) q JOIN texts t ON t.text = q.p"
    )
    if any(name is None or not is_assertable(name) for _, name in properties):
        raise _Odd
    store.run(
        "CREATE OR REPLACE TEMP TABLE coded AS SELECT gs.id AS g, q.p AS p, a.code AS s, "
        "b.code AS o, a.name IS NULL AS odd FROM quads q JOIN texts a ON a.text = q.s "
        "JOIN texts b ON b.text = q.o JOIN graph_texts gs ON gs.text IS NOT DISTINCT FROM q.g"
    )
    if store.run("SELECT 1 FROM coded WHERE odd LIMIT 1"):
        raise _Odd
    for text, name in sorted(properties):
        table = store.table(name)
        store.run(
            f"INSERT INTO {table} SELECT DISTINCT g, s, o, 0, false FROM coded WHERE p = ?", [text]
        )
    store.run("DROP TABLE quads; DROP TABLE coded; DROP TABLE texts; DROP TABLE graph_texts")


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
        "UPDATE texts SET name = substr(text, length(?) + 1, length(text) - length(?) - 1) "
        "WHERE starts_with(text, ?) AND ends_with(text, '>') AND "
        f"regexp_full_match(substr(text, length(?) + 1), '{_PLAIN}>')",
        [start] * 4,
    )
    store.run(f"UPDATE texts SET name = NULL WHERE name IN ({', '.join(map(repr, SHORT))})")
    others = store.run(
        "SELECT text, regexp_full_match(text, ?) FROM texts WHERE name IS NULL "
        "AND starts_with(text, '<')",
        [_IRI],
    )
    if not all(well for _, well in others):
        raise _Odd
    if store.run("SELECT 1 FROM texts WHERE starts_with(text, '_:') LIMIT 1"):
        raise _Odd
    _set(store, [(text, namespaces.compact(text[1:-1]).text, None) for text, _ in others])
    store.run(
        "CREATE OR REPLACE TEMP TABLE numbered AS SELECT name, "
        "row_number() OVER (ORDER BY name) - 1 AS code "
        "FROM (SELECT DISTINCT name FROM texts WHERE name IS NOT NULL)"
    )
    store.run("INSERT INTO names SELECT code, name FROM numbered")
    store.run("UPDATE texts SET code = n.code FROM numbered n WHERE n.name = texts.name")
    store.next_name = int(store.run("SELECT count(*) FROM numbered")[0][0])
    store.run("DROP TABLE numbered")


def _literals(store: Store) -> None:
    texts = [text for (text,) in store.run("SELECT text FROM texts WHERE starts_with(text, '\"')")]
    unknown = store.run(
        "SELECT 1 FROM texts WHERE name IS NULL AND NOT starts_with(text, '\"') LIMIT 1"
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
    for literal in found:
        code = inline_code(literal) if isinstance(literal, Literal) else None
        codes.append(code)
        if code is None and isinstance(literal, Literal):
            looked_up.append(literal)
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
    store.run(
        "UPDATE texts SET name = v.name, code = v.code FROM given v WHERE v.text = texts.text"
    )


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
    """The same over an N-Quads or N-Triples file, which is read inside the database."""
    store = Store(memory=memory, files=[file])
    with store.closed_on_error():
        load_quads(store, file, namespaces or Namespaces(), file.stem)
    return infer_loaded(store, {}, theory, ontology, provenance=provenance, seconds=seconds)


# A large file of quads in batches of whole graphs, so that memory does not grow with the file. No
# rule joins statements of different graphs, so each batch is inferred by itself. Where a graph's
# quads lie apart in the file, the file is first dealt out into parts by graph.


BATCH = 1 << 26
"""Bytes of a batch, but for the rest of its last graph."""
MOST_PARTS = 256
IN_ONE_PIECE, SCATTERED = "in one piece", "scattered"

_GRAPH = re.compile(rb"(<[^<>\s]*>)\s*\.\s*$")
_QUAD = (
    r'^\s*(?:<[^<>\s]*>|_:\S+)\s+<[^<>\s]*>\s+(?:<[^<>\s]*>|_:\S+|"(?:[^"\\]|\\.)*"'
    r"(?:\^\^<[^<>\s]*>|@[A-Za-z0-9-]+)?)\s+(<[^<>\s]*>)\s*\.\s*$"
)
_LINE = struct.Struct("<Q")
_BLOCK = 1 << 18


def infer_batches(
    file: Path,
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    namespaces: Namespaces | None = None,
    provenance: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
    size: int = BATCH,
    whole: Collection[str] = (),
) -> Iterator[Inference]:
    """An inference a batch of graphs, closed when the next is asked for.

    A file of one batch, with triples in no graph, or with one of the properties
    ``whole`` (IRIs) is one batch. ``seconds`` are for the rules of a batch.
    """

    def inferred(part: Path) -> Inference:
        return infer_quads(
            part,
            theory,
            ontology,
            namespaces=namespaces,
            provenance=provenance,
            seconds=seconds,
            memory=memory,
        )

    layout = _layout(file, whole) if file.stat().st_size > size else None
    if layout is None:
        with inferred(file) as inference:
            yield inference
        return
    with tempfile.TemporaryDirectory() as folder:
        parts = _cut(file, Path(folder), size)
        if layout == SCATTERED:
            parts = _dealt(file, Path(folder), size)
        for part in parts:
            try:
                inference = inferred(part.path)
            except DataError as wrong:
                raise part.placed(wrong, file) from None
            with inference:
                yield inference
            part.path.unlink()


@dataclass(frozen=True)
class _Part:
    """Lines of the file: those after the first so many, or those that a list numbers."""

    path: Path
    before: int = 0
    numbers: Path | None = None

    def placed(self, wrong: DataError, file: Path) -> DataError:
        """An error in the part, at its place in the whole file."""
        if str(wrong.file) != str(self.path):
            return wrong
        line, colon, column = str(wrong.where or "").partition(":")
        if not line.isdecimal():
            return DataError(wrong.message, file=str(file))
        number = int(line) + self.before
        if self.numbers is not None:
            (number,) = _LINE.unpack_from(self.numbers.read_bytes(), (int(line) - 1) * _LINE.size)
        return DataError(wrong.message, file=str(file), where=f"{number}{colon}{column}")


def _layout(file: Path, whole: Collection[str]) -> str | None:
    """Whether graphs lie in one piece each, or scattered; None where the file is one batch."""
    require("duckdb")
    import duckdb

    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            connect(folder=folder, files=[file]) as connection,
        ):
            odd, gaps = connection.execute(
                "SELECT bool_or(g = '' OR annotated), bool_or(lines <> last - first + 1) FROM ("
                "SELECT g, bool_or(annotated) AS annotated, count(*) AS lines, min(nth) AS first, "
                "max(nth) AS last FROM (SELECT row_number() OVER () AS nth, list_contains(?, a[2]) "
                "AS annotated, CASE WHEN len(a) = 5 AND a[4] LIKE '<%>' THEN a[4] "
                "ELSE regexp_extract(line, ?, 1) END AS g FROM (SELECT line, "
                f"string_split(line, ' ') AS a FROM {LINES})) GROUP BY g)",
                [[f"<{one}>" for one in whole], _QUAD, str(file)],
            ).fetchall()[0]
    except duckdb.Error:  # A line that is too long, or no text: the loader finds it.
        return None
    if odd or odd is None:
        return None
    return SCATTERED if gaps else IN_ONE_PIECE


def _cut(file: Path, folder: Path, size: int) -> Iterator[_Part]:
    """The file in pieces that end where a graph does."""
    start = before = 0
    with file.open("rb") as stream:
        while (end := _end(stream, start, size)) > start:
            path = folder / f"{start}.nq"
            lines = 0
            stream.seek(start)
            with path.open("wb") as sink:
                while start < end:
                    block = stream.read(min(_BLOCK, end - start))
                    lines += block.count(b"\n")
                    start += sink.write(block)
            yield _Part(path, before)
            before += lines


def _end(stream: IO[bytes], start: int, size: int) -> int:
    """Where the graph ends whose quad lies so far after the start; the file's end at the latest."""
    whole = stream.seek(0, 2)
    stream.seek(min(start + size, whole))
    stream.readline()
    end = stream.tell()
    last, back = None, _BLOCK
    while last is None:
        first = stream.seek(max(end - back, start))
        last = _last_graph(stream.read(end - first))
        if first == start:
            break
        back *= 2
    stream.seek(end)
    while (line := stream.readline()) and _graph_of(line) in (last, None):
        end = stream.tell()
    return end


def _dealt(file: Path, folder: Path, size: int) -> Iterator[_Part]:
    """The lines dealt out by their graph, each part with the numbers of its lines."""
    count = min(-(-file.stat().st_size // size), MOST_PARTS)
    parts = [
        _Part(folder / f"{index}.nq", numbers=folder / f"{index}.lines") for index in range(count)
    ]
    with ExitStack() as stack:
        sinks: list[tuple[IO[bytes], IO[bytes]]] = [
            (
                stack.enter_context(part.path.open("wb")),
                stack.enter_context((part.numbers or part.path).open("wb")),
            )
            for part in parts
        ]
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                graph = _graph_of(line)
                if graph is not None:
                    lines, numbers = sinks[zlib.crc32(graph) % count]
                    lines.write(line if line.endswith(b"\n") else line + b"\n")
                    numbers.write(_LINE.pack(number))
    yield from (part for part in parts if part.path.stat().st_size)


def _last_graph(block: bytes) -> bytes | None:
    """The graph of the last quad."""
    end = len(block)
    while end > 0:
        start = block.rfind(b"\n", 0, end - 1) + 1
        graph = _graph_of(block[start:end])
        if graph is not None:
            return graph
        end = start
    return None


def _graph_of(line: bytes) -> bytes | None:
    """The graph of a quad; None for a remark or an empty line."""
    match = None if line.startswith(b"#") else _GRAPH.search(line)
    return None if match is None else match[1]
