"""RDF in and out: RDF/XML, Turtle, N-Triples, N-Quads and TriG, every triple with its line.

Parsing and serialising are pyoxigraph's. Nothing outside a file is ever fetched: an external
entity is an error, and so are entities that could grow beyond their file.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import PurePath, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.names import DEFAULT, ILLEGAL, XSD
from readmark.tasks.reasoning.graphs import Asserted, Namespaces, Statement
from readmark.tasks.reasoning.ontology import FRACTIONS, INTEGERS
from readmark.tasks.reasoning.terms import (
    Literal,
    Name,
    Value,
    date,
    moment,
    real_number,
    whole_number,
)

if TYPE_CHECKING:
    import pyoxigraph


# Names and literals as RDF terms, and back.


_T = TypeVar("_T")

BLANK = "_:"
"""What the names of blank nodes begin with."""

_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_FRACTION = {"INF": "inf", "+INF": "inf", "-INF": "-inf", "NaN": "nan"}
_SPACES = " \t\r\n"
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(_DECIMAL.pattern + r"(?:[eE][+-]?[0-9]+)?")
_WRITTEN = {
    "bool": "boolean",
    "int": "integer",
    "float": "double",
    "date": "date",
    "datetime": "dateTime",
}


def literal_of(term: pyoxigraph.Literal, *, file: str, line: int) -> Literal:
    """The typed value of an RDF literal; one that its datatype does not have is an error."""
    type = term.datatype.value
    text = term.value
    if not type.startswith(XSD):
        return Literal(text, (term.language or "").lower())
    local = type[len(XSD) :]
    try:
        return Literal(_value(text, local))
    except (ValueError, KeyError) as wrong:
        shown = text if len(text) <= 40 else text[:39] + "…"
        why = f": {wrong}" if isinstance(wrong, _Unkept) else ""
        message = f"{shown!r} is no xsd:{local} that can be kept{why}"
        raise DataError(message, file=file, where=line) from None


class _Unkept(ValueError):
    """Why a value that its datatype has is none that is kept."""


def _value(text: str, type: str) -> Value:
    if type in INTEGERS:
        text = _matching(_INTEGER, text)
        value = _kept(whole_number, text)
        least, most = INTEGERS[type]
        if (least is not None and value < least) or (most is not None and value > most):
            raise ValueError
        return value
    if type == "decimal":
        text = _matching(_DECIMAL, text)
        number = _kept(real_number, text)
        if Decimal(repr(number)) != Decimal(text):
            raise _Unkept("it has more digits than are kept")
        return number
    if type in FRACTIONS:
        special = _FRACTION.get(text.strip(_SPACES))
        return float(special) if special else _kept(real_number, _matching(_DOUBLE, text))
    if type == "boolean":
        return _TRUTH[text.strip(_SPACES)]
    if type == "date":
        return _kept(date, text.strip(_SPACES))
    if type == "dateTime":
        return _kept(moment, text.strip(_SPACES))
    return text


def _matching(form: re.Pattern[str], text: str) -> str:
    """The text without the spaces around it, in a form that XML Schema gives its datatype."""
    match = form.fullmatch(text.strip(_SPACES))
    if match is None:
        raise ValueError
    return match[0]


def _kept(value: Callable[[str], _T], text: str) -> _T:
    try:
        return value(text)
    except ValueError as wrong:
        raise _Unkept(str(wrong)) from None


def node_of(
    term: Name | Literal, namespaces: Namespaces
) -> pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal:
    """The RDF term of a name or literal."""
    require("pyoxigraph")
    import pyoxigraph

    if isinstance(term, Name):
        if term.text.startswith(BLANK):
            return pyoxigraph.BlankNode(term.text[len(BLANK) :])
        try:
            return pyoxigraph.NamedNode(namespaces.expand(term))
        except ValueError as wrong:
            raise DataError(f"the name {term.text!r} is no IRI: {wrong}") from None
    if isinstance(term.value, str):
        return pyoxigraph.Literal(term.value, language=term.language or None)
    return pyoxigraph.Literal(
        term.lexical, datatype=pyoxigraph.NamedNode(XSD + _WRITTEN[term.kind])
    )


# Blank nodes of several files kept apart: "RDF 1.1 Concepts" gives each document its own.


_ODD = re.compile(r"[^A-Za-z0-9_-]")


def scopes(files: Iterable[str]) -> dict[str, str]:
    """What the labels of each file's blank nodes begin with: nothing, where there is one file.

    It is the file's name as far as a label can have it, with a number where two are alike. Up to
    its full stop no other scope is the same, so that no label of one file becomes another's.
    """
    every = list(dict.fromkeys(files))
    if len(every) < 2:
        return dict.fromkeys(every, "")
    found: dict[str, str] = {}
    taken: set[str] = set()
    for file in every:
        plain = _ODD.sub("-", PurePath(file).stem)
        plain = plain if plain[:1].isalpha() else f"_{plain}"  # RDF/XML wants a letter first.
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name)
        found[file] = f"{name}."
    return found


def scoped(one: Asserted, scope: str) -> Asserted:
    """The statement with the scope in the labels of its blank nodes."""
    statement = one.statement
    if not scope or not (_is_blank(statement.subject) or _is_blank(statement.object)):
        return one
    subject = _within(statement.subject, scope)
    object_ = (
        statement.object
        if isinstance(statement.object, Literal)
        else _within(statement.object, scope)
    )
    return replace(one, statement=Statement(subject, statement.predicate, object_))


def _is_blank(term: Name | Literal) -> bool:
    return isinstance(term, Name) and term.text.startswith(BLANK)


def _within(name: Name, scope: str) -> Name:
    return Name(f"{BLANK}{scope}{name.text[len(BLANK) :]}") if _is_blank(name) else name


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
_MOST_NODES = 10_000
"""Names whose terms are kept while statements are written."""

_LONGEST_ENTITY = 256
_ENTITY = re.compile(rb"<!ENTITY\s+(%?)\s*(\S+)\s+(\"[^\"]*\"|'[^']*'|[A-Z]+)", re.DOTALL)
_SAMPLE = 1 << 12
_LONGEST = 200
_PLACE = re.compile(r"^Parser error at line (\d+)(?: column | between columns )(\d+)[^:]*: ")
_DRAWN = re.compile(r"[0-9a-f]{24,32}")
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
        known = ", ".join(SUFFIXES)
        raise DataError(f"no RDF file by its name, which ends in one of {known}", file=file)
    return SUFFIXES[suffix]


def parse(data: bytes, *, file: str, format: str | None = None, base: str = DEFAULT) -> ParsedRdf:
    """Every triple of a file with its line; a DataError has the place of what is malformed."""
    require("pyoxigraph")
    import pyoxigraph

    format = format or format_of(file)
    if format == "RDF_XML":
        _guard(data, file)
    lines: Any = _Lines(data)
    quads: list[Quad] = []
    try:
        parser: Any = pyoxigraph.parse(
            input=lines,
            format=getattr(pyoxigraph.RdfFormat, format),
            base_iri=base.removesuffix("#"),
        )
        for one in parser:
            graph = getattr(one, "graph_name", None)
            named = None if graph is None else getattr(graph, "value", None)
            quads.append(Quad(lines.number, named, one.subject, one.predicate, one.object))
    except SyntaxError as wrong:
        raise _malformed(wrong, file, lines.number) from None
    except MemoryError:
        raise DataError(
            "a term is longer than 16 MiB, the longest that is read", file=file, where=lines.number
        ) from None
    except ValueError as wrong:
        message = f"not well formed: {_line(str(wrong))}"
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
"""What is written: a triple of a file, a statement, or one with its graph."""


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
        found = nodes.get(term.text)
        if found is None:
            if len(nodes) >= _MOST_NODES:
                nodes.clear()
            found = nodes[term.text] = node_of(term, namespaces)
        return found

    for statement in statements:
        if isinstance(statement, Quad):
            graph, terms = statement.graph, (*statement[2:],)
        else:
            graph, own = (None, statement) if isinstance(statement, Statement) else statement
            terms = node(own.subject), node(own.predicate), node(own.object)
        if format == "RDF_XML":
            _require_xml(terms[2], file)
        if named:
            place = default if graph is None else pyoxigraph.NamedNode(graph)
            yield pyoxigraph.Quad(*terms, place)
        else:
            yield pyoxigraph.Triple(*terms)


class _Lines(io.RawIOBase):
    """Hands the parser one line at a time, so that its last line is that of a triple."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = self._end = 0
        self.number = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self._at == self._end:
            found = self._data.find(b"\n", self._at)
            self._end = len(self._data) if found < 0 else found + 1
            self.number += self._end > self._at
        end = self._end if size < 0 else min(self._end, self._at + size)
        piece = self._data[self._at : end]
        self._at = end
        return piece


def _guard(data: bytes, file: str) -> None:
    """Refuse entities that lie outside the file, hold others, or are more than a short IRI."""
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
    said = message[match.end() :] if match else message
    return DataError(f"not well formed: {_line(said)}", file=file, where=where)


def _line(text: str) -> str:
    """A parser's words in one line, which may quote much of the file."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\r]")


def _require_xml(term: Any, file: object) -> None:
    value = term.value if type(term).__name__ == "Literal" else ""
    if match := _NO_XML.search(value):
        message = f"RDF/XML cannot hold the character U+{ord(match[0]):04X} of a literal"
        raise DataError(message, file=file)
