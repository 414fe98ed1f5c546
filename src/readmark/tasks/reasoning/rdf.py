"""RDF files in and out: RDF/XML, Turtle, N-Triples, N-Quads and TriG, every triple with its line.

pyoxigraph parses and serialises. Nothing outside a file is ever fetched: an external entity is an
error, and so are entities that could grow beyond their file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import IO, Any, NamedTuple

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.names import DEFAULT, ILLEGAL
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf_terms import BLANK, literal_of, node_of
from readmark.tasks.reasoning.terms import Literal, Name

SUFFIXES = {
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
    ".ttl": "TURTLE",
    ".nt": "N_TRIPLES",
    ".nq": "N_QUADS",
    ".trig": "TRIG",
}
"""File suffixes with pyoxigraph's names of their formats."""
DATASETS = ("TRIG", "N_QUADS")
"""The formats with named graphs."""
GRAPH_FORMATS = (*DATASETS, "JSON_LD")
"""The same with JSON-LD, which is written and not read."""
_MOST_NODES = 10_000  # terms of names that are kept for reuse while statements are written

_LONGEST_ENTITY = 256  # bytes: OWL files abbreviate the IRIs of namespaces with entities
_ENTITY = re.compile(rb"<!ENTITY\s+(%?)\s*(\S+)\s+(\"[^\"]*\"|'[^']*'|[A-Z]+)", re.DOTALL)
_SAMPLE = 1 << 12  # bytes, in which UTF-16 and UTF-32 show by their zeros
_LONGEST_MESSAGE = 200  # characters
_PLACE = re.compile(r"^Parser error at line (\d+)(?: column | between columns )(\d+)[^:]*: ")
_DRAWN = re.compile(r"[0-9a-f]{24,32}")  # a label that pyoxigraph drew for an unnamed node
_TAIL = re.compile(r" \(line \d+\)$")


class Quad(NamedTuple):
    """A triple of a file: line, graph (None for the default one), and pyoxigraph's terms."""

    line: int
    graph: str | None
    subject: Any
    predicate: Any
    object: Any


class ParsedRdf(NamedTuple):
    """The triples of a file and the prefixes that it declares."""

    quads: list[Quad]
    prefixes: dict[str, str]


def format_of(file: str) -> str:
    """The format by a file's name."""
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in SUFFIXES:
        expected = ", ".join(SUFFIXES)
        raise DataError(f"not an RDF file by its name, expected one of {expected}", file=file)
    return SUFFIXES[suffix]


def parse(data: bytes, *, file: str, format: str | None = None, base: str = DEFAULT) -> ParsedRdf:
    """Every triple of a file with its line; a DataError has the place of what is malformed."""
    require("pyoxigraph")
    import pyoxigraph

    format = format or format_of(file)
    if format == "RDF_XML":
        _require_harmless_entities(data, file)
    lines: Any = _Lines(data)
    quads: list[Quad] = []
    try:
        parser: Any = pyoxigraph.parse(
            input=lines,
            format=getattr(pyoxigraph.RdfFormat, format),
            base_iri=base.removesuffix("#"),
        )
        for parsed in parser:
            # A default graph is an object without a value.
            graph = getattr(getattr(parsed, "graph_name", None), "value", None)
            quads.append(Quad(lines.number, graph, parsed.subject, parsed.predicate, parsed.object))
    except SyntaxError as wrong:
        raise _malformed(wrong, file, lines.number) from None
    except MemoryError:
        raise DataError(
            "a term is longer than 16 MiB, the longest that is read", file=file, where=lines.number
        ) from None
    except ValueError as wrong:
        message = f"not well formed: {_one_line(str(wrong))}"
        raise DataError(message, file=file, where=lines.number) from None
    if format == "RDF_XML" and not data.strip():
        raise DataError("not well formed: the file is empty", file=file, where=1)
    return ParsedRdf(quads, dict(parser.prefixes))


def read_rdf(
    data: bytes, *, file: str, namespaces: Namespaces, format: str | None = None
) -> Iterator[tuple[int, str | None, Statement]]:
    """The statements of a file: line, named graph, and the triple as names and literals."""
    parsed = parse(data, file=file, format=format, base=namespaces.default)
    reader = Reader(namespaces, file)
    for quad in parsed.quads:
        statement = reader.statement(quad)
        require_assertable(statement, file=file, line=quad.line)
        yield quad.line, quad.graph, statement


def is_assertable(predicate: str) -> bool:
    """Whether a statement may have this property: no built-in, and not what rules conclude."""
    return not predicate.startswith("mrq:") and predicate != "contradicts"


def require_assertable(statement: Statement, *, file: str, line: int) -> None:
    """Refuses a statement that only a rule or a query can make."""
    name = statement.predicate.text
    if not is_assertable(name):
        message = f"{name} can only be " + ("concluded" if name == "contradicts" else "computed")
        raise DataError(message, file=file, where=line)


class Reader:
    """Turns the terms of one file into names and literals; unnamed blank nodes are numbered."""

    def __init__(self, namespaces: Namespaces, file: str) -> None:
        self._namespaces = namespaces
        self._file = file
        self._names: dict[str, Name] = {}
        self._blank: dict[str, Name] = {}

    def statement(self, quad: Quad) -> Statement:
        """The triple of a quad."""
        subject, predicate = self.term(quad.subject, quad.line), self.term(quad.predicate)
        if not isinstance(subject, Name) or not isinstance(predicate, Name):
            raise DataError("a literal is no subject", file=self._file, where=quad.line)
        return Statement(subject, predicate, self.term(quad.object, quad.line))

    def term(self, term: Any, line: int = 0) -> Name | Literal:
        """The name or literal of a term."""
        kind = type(term).__name__
        if kind == "NamedNode":
            iri: str = term.value
            name = self._names.get(iri)
            if name is None:
                name = self._names[iri] = self._namespaces.compact(iri)
            return name
        if kind == "BlankNode":
            return self._blank_name(term.value)
        if kind == "Literal":
            return literal_of(term, file=self._file, line=line)
        raise DataError("a triple within a triple is not read", file=self._file, where=line)

    def _blank_name(self, label: str) -> Name:
        """A label that the file has is kept; one that the parser drew gets a number."""
        if label not in self._blank:
            drawn = _DRAWN.fullmatch(label)
            text = f"{BLANK}unnamed-{len(self._blank) + 1}" if drawn else BLANK + label
            self._blank[label] = Name(text)
        return self._blank[label]


Writable = Quad | Statement | tuple[str | None, Statement]
"""What can be written: a triple of a file, a statement, or one with its graph."""


def write_rdf(
    statements: Iterable[Statement | tuple[str | None, Statement]],
    *,
    format: str,
    namespaces: Namespaces,
    file: object = None,
) -> bytes:
    """Statements, or (graph, statement) pairs, as a file; equal input gives equal bytes."""
    sink = io.BytesIO()
    stream_rdf(statements, sink, format=format, namespaces=namespaces, file=file)
    return sink.getvalue()


def stream_rdf(
    statements: Iterable[Writable],
    sink: IO[bytes],
    *,
    format: str,
    namespaces: Namespaces,
    file: object = None,
) -> None:
    """The same into an open file, as the statements come: they are not held in memory."""
    require("pyoxigraph")
    import pyoxigraph

    terms = _terms(statements, format=format, namespaces=namespaces, file=file)
    try:
        pyoxigraph.serialize(
            terms,
            sink,
            format=getattr(pyoxigraph.RdfFormat, format),
            prefixes=_prefixes(namespaces),
        )
    except ValueError as wrong:
        raise DataError(f"cannot be written as {format}: {wrong}", file=file) from None


def _prefixes(namespaces: Namespaces) -> dict[str, str]:
    prefixes = {**namespaces.known, "": namespaces.default}
    return {name: iri for name, iri in prefixes.items() if not ILLEGAL.search(iri)}


def _terms(
    statements: Iterable[Writable], *, format: str, namespaces: Namespaces, file: object
) -> Iterator[Any]:
    """Statements as the triples, or in formats with named graphs the quads, of pyoxigraph."""
    require("pyoxigraph")
    import pyoxigraph

    nodes: dict[str, Any] = {}
    default, named = pyoxigraph.DefaultGraph(), format in GRAPH_FORMATS

    def node(term: Name | Literal) -> Any:
        if not isinstance(term, Name):
            return node_of(term, namespaces)
        if term.text not in nodes:
            if len(nodes) >= _MOST_NODES:
                nodes.clear()
            nodes[term.text] = node_of(term, namespaces)
        return nodes[term.text]

    for statement in statements:
        if isinstance(statement, Quad):
            graph, terms = statement.graph, (*statement[2:],)
        else:
            graph, triple = (None, statement) if isinstance(statement, Statement) else statement
            terms = node(triple.subject), node(triple.predicate), node(triple.object)
        if format == "RDF_XML":
            _require_xml(terms[2], file)
        if named:
            graph_node = default if graph is None else pyoxigraph.NamedNode(graph)
            yield pyoxigraph.Quad(*terms, graph_node)
        else:
            yield pyoxigraph.Triple(*terms)


class _Lines(io.RawIOBase):
    """Hands the parser one line at a time, so that its last line is that of a triple."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = self._line_end = 0
        self.number = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._offset == self._line_end:
            line_feed = self._data.find(b"\n", self._offset)
            self._line_end = len(self._data) if line_feed < 0 else line_feed + 1
            self.number += self._line_end > self._offset
        end = self._line_end if size < 0 else min(self._line_end, self._offset + size)
        piece = self._data[self._offset : end]
        self._offset = end
        return piece


def _require_harmless_entities(data: bytes, file: str) -> None:
    """Refuses entities that lie outside the file, hold others, or are more than a short IRI."""
    if b"\0" in data[:_SAMPLE]:
        raise DataError("RDF/XML in another encoding than UTF-8", file=file, where=1)
    declared = list(_ENTITY.finditer(data))
    if len(declared) != data.count(b"<!ENTITY"):
        raise DataError("an entity is declared in no form that is read", file=file)
    for match in declared:
        percent, name, value = match[1], match[2].decode("utf-8", "replace"), match[3]
        where = data.count(b"\n", 0, match.start()) + 1
        if value[:1] not in b"\"'":
            message = f"the entity {name} lies outside the file: such are never resolved"
            raise DataError(message, file=file, where=where)
        nested = b"&" in value.replace(b"&#", b"")
        if percent or nested or len(value) > _LONGEST_ENTITY:
            message = (
                f"the entity {name} holds other entities, or more than {_LONGEST_ENTITY} bytes"
            )
            raise DataError(message, file=file, where=where)


def _malformed(wrong: SyntaxError, file: str, line: int) -> DataError:
    message = _TAIL.sub("", str(wrong))
    match = _PLACE.match(message)
    where = f"{match[1]}:{match[2]}" if match else line
    what = message[match.end() :] if match else message
    return DataError(f"not well formed: {_one_line(what)}", file=file, where=where)


def _one_line(text: str) -> str:
    """A parser's message in one line, and shortened: it may quote much of the file."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[: _LONGEST_MESSAGE - 1]}…"


# "Extensible Markup Language (XML) 1.0", section 2.2; and a carriage return, which a parser would
# read as a line feed.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\r]")


def _require_xml(term: Any, file: object) -> None:
    value = term.value if type(term).__name__ == "Literal" else ""
    if match := _NOT_IN_XML.search(value):
        message = f"RDF/XML cannot hold the character U+{ord(match[0]):04X} of a literal"
        raise DataError(message, file=file)
