"""A reading task as one RDF graph, written as it is sent.

"This interface simply streams the reading task RDF graph to the reading system" ("The DARPA
Machine Reading Program", section 3.4). The graph has the ontology, the rules, the documents and
the queries of a public package, and its statements and answers. In formats with named graphs, a
statement is in the graph of its document.
"""

from __future__ import annotations

import contextlib
import io
import queue
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.tasks.manifest import TaskFile, content
from readmark.tasks.package import Package, open_package
from readmark.tasks.reasoning.graphs import Namespaces, Statement
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.provenance import (
    BINDING,
    GRAPH,
    LABEL,
    annotation_of,
    provenance_of,
    read_annotated,
    reified,
    statement_iri,
)
from readmark.tasks.reasoning.rdf import Writable, parse, scoped, scopes, stream_rdf
from readmark.tasks.reasoning.terms import Literal, Name
from readmark.tasks.records import document_iri, escaped, token

TASK_IRI = "urn:readmark:task:"
WAITING = 16
"""Pieces of a graph that wait for a slow client."""


@dataclass(frozen=True)
class GraphFormat:
    """A format that the graph is retrieved in."""

    name: str
    media_type: str
    format: str
    suffix: str
    also: tuple[str, ...] = ()
    """Other media types by which clients ask for it."""


GRAPH_TYPES = (
    GraphFormat("turtle", "text/turtle", "TURTLE", ".ttl", ("application/x-turtle",)),
    GraphFormat("rdfxml", "application/rdf+xml", "RDF_XML", ".rdf"),
    GraphFormat("jsonld", "application/ld+json", "JSON_LD", ".jsonld"),
    GraphFormat("nquads", "application/n-quads", "N_QUADS", ".nq", ("text/x-nquads",)),
    GraphFormat("trig", "application/trig", "TRIG", ".trig"),
)


def negotiate(accept: str, name: str | None = None) -> GraphFormat | None:
    """The format that a client asks for, by name or else by its ``Accept``; None if there is none.

    Of formats that it likes the same, the first counts.
    """
    if name is not None:
        return next((each for each in GRAPH_TYPES if each.name == name), None)
    best: tuple[float, GraphFormat | None] = (0.0, None)
    for wanted in GRAPH_TYPES:
        liking = _liking(accept or "*/*", wanted)
        if liking > best[0]:
            best = liking, wanted
    return best[1]


def _liking(accept: str, wanted: GraphFormat) -> float:
    """The weight of a format in an ``Accept`` header, by its most specific range ("RFC 9110")."""
    found: tuple[int, float] = (-1, 0.0)
    for part in accept.split(","):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if kind in (wanted.media_type, *wanted.also):
            rank = 2
        elif kind == f"{wanted.media_type.partition('/')[0]}/*":
            rank = 1
        elif kind == "*/*":
            rank = 0
        else:
            continue
        if rank > found[0]:
            found = rank, _weight(parameters)
    return found[1]


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0


# The statements of the graph.


def task_graph(package: Package, *, id: str, name: str, gold: int) -> Iterator[Writable]:
    """The graph of a task, part by part; of the documents one at a time is in memory."""
    manifest = package.manifest
    ontology = package.ontology()
    names = ontology.namespaces if ontology is not None else Namespaces()
    task = Name(TASK_IRI + escaped(id))
    yield Statement(task, TYPE, Name("rm:StoredReadingTask"))
    yield Statement(task, LABEL, Literal(name))
    about = {"language": manifest.language, "licence": manifest.licence, "phase": manifest.phase}
    for member, value in {**about, "annotation": manifest.annotation}.items():
        if value:
            yield _said(task, member, value)
    yield _said(task, "gold", gold)
    for split in manifest.hidden:
        yield _said(task, "hidden", split)
    for file in manifest.of("ontology"):
        place = package.folder.place(file.path)
        for quad in parse(content(package.folder, file.path), file=place).quads:
            yield quad._replace(graph=None)
    for file in manifest.of("rules"):
        node = Name(f"{task.text}/file/{escaped(file.path)}")
        yield Statement(node, TYPE, Name("rm:Rules"))
        yield _said(node, "text", _text(package, file))
        yield Statement(task, Name("rm:rules"), node)
    for file in manifest.of("document"):
        document = Name(document_iri(file.id or file.path))
        yield Statement(document, TYPE, Name("rm:Document"))
        yield Statement(document, Name("rm:task"), task)
        if file.split is not None:
            yield _said(document, "split", file.split)
        yield _said(document, "text", _text(package, file))
    yield from _queries(package, task)
    yield from _statements(package, names)
    yield from _answers(package, task)


def _said(subject: Name, member: str, value: str | int | float | bool) -> Statement:
    return Statement(subject, Name(f"rm:{member}"), Literal(value))


def _text(package: Package, file: TaskFile) -> str:
    try:
        return content(package.folder, file.path).decode("utf-8")
    except UnicodeDecodeError:
        raise DataError("not valid UTF-8", file=package.folder.place(file.path)) from None


def _query_name(task: Name, id: str) -> Name:
    return Name(f"{task.text}/query/{escaped(id)}")


def _queries(package: Package, task: Name) -> Iterator[Statement]:
    language = package.manifest.language or ""
    for _, _, row in package.queries():
        query = _query_name(task, row.id)
        yield Statement(query, TYPE, Name("rm:Query"))
        yield Statement(query, Name("rm:task"), task)
        yield Statement(query, LABEL, Literal(row.id))
        yield _said(query, "pattern", row.graph)
        if row.text is not None:
            yield Statement(query, Name("rm:question"), Literal(row.text, language))
        if row.property is not None:
            yield _said(query, "property", row.property)
        for variable in row.fields.get("variables") or ():
            yield _said(query, "variable", str(variable))
        for id in row.documents or ():
            yield Statement(query, Name("rm:document"), Name(document_iri(id)))


def _statements(package: Package, names: Namespaces) -> Iterator[Writable]:
    """The annotated statements: each in the graph of its document, and with its provenance."""
    files = list(package.manifest.of("annotations"))
    apart = scopes(file.path for file in files)
    texts = _Texts(package.folder, list(package.manifest.of("document")))
    seen: dict[str, int] = {}
    agents: set[str] = set()
    for file in files:
        annotated = read_annotated(
            content(package.folder, file.path),
            file=package.folder.place(file.path),
            namespaces=names,
            graph=package.graph_of(file),
            texts=texts,
        )
        for one in annotated:
            asserted = scoped(one.asserted, apart[file.path])
            node = Name(statement_iri(asserted, seen))
            statement, *about = reified(node, asserted.statement)
            yield document_iri(asserted.graph), statement
            yield from about
            yield from provenance_of(node, asserted, agents)


@dataclass
class _Texts(Mapping[str, str]):
    """The texts of documents by id, read when they are looked up; the last one is kept."""

    folder: Folder
    files: list[TaskFile]
    _last: tuple[str, str] = field(default=("", ""), init=False)

    def __post_init__(self) -> None:
        self._paths = {file.id or file.path: file.path for file in self.files}

    def __getitem__(self, id: str) -> str:
        if self._last[0] != id or not id:
            text = content(self.folder, self._paths[id]).decode("utf-8", "replace")
            self._last = id, text
        return self._last[1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _answers(package: Package, task: Name) -> Iterator[Statement]:
    for number, (_, _, row) in enumerate(package.answers(), 1):
        answer = Name(f"{task.text}/answer/{number}")
        yield Statement(answer, TYPE, Name("rm:Answer"))
        yield Statement(answer, Name("rm:query"), _query_name(task, row.query))
        yield Statement(answer, GRAPH, Name(document_iri(row.document)))
        yield _said(answer, "verdict", row.verdict)
        if row.inferred is not None:
            yield _said(answer, "inferred", row.inferred)
        if row.probability is not None:
            yield _said(answer, "probability", float(row.probability))
        for name, value in row.values.items():
            yield Statement(answer, BINDING, Literal(f"?{name} {token(value)}"))
        for entity, words in row.mentions.items():
            for word in words:
                yield _said(answer, "mention", f"{entity} “{word}”")
        if row.derivation is not None:
            yield _said(answer, "derivation", row.derivation)
        for order, excerpt in enumerate(row.excerpts, 1):
            yield from annotation_of(answer, "statement", order, excerpt)


# Sending it.


@dataclass(frozen=True)
class GraphRequest:
    """A task's package, and what its graph calls it."""

    package: Path
    id: str
    name: str
    gold: int

    def write(self, sink: Any, format: str) -> None:
        """Write the graph into a file."""
        package = open_package(self.package)
        ontology = package.ontology()
        names = ontology.namespaces if ontology is not None else Namespaces()
        graph = task_graph(package, id=self.id, name=self.name, gold=self.gold)
        stream_rdf(graph, sink, format=format, namespaces=names)


def graph_stream(request: GraphRequest, format: GraphFormat) -> GraphStream:
    """The graph in pieces. What a format cannot hold is an error before the first piece."""
    if format.format == "RDF_XML":  # not every text and name can be written in it
        try:
            request.write(_Nowhere(), format.format)
        except DataError as error:
            raise DataError(f"{error.message}: ask for another format") from None
    return GraphStream(request, format)


class GraphStream(Iterator[bytes]):
    """The pieces of a graph: a thread writes them, and waits while the client is slow.

    It ends when everything is written, or when the stream is closed.
    """

    def __init__(self, request: GraphRequest, format: GraphFormat) -> None:
        self._request, self._format = request, format
        self._pieces = _Pieces()
        self._thread: threading.Thread | None = None

    def __next__(self) -> bytes:
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, daemon=True)
            self._thread.start()
        piece = self._pieces.get()
        if piece is None:
            raise StopIteration
        return piece

    def close(self) -> None:
        """Let the thread end: nobody takes what it writes."""
        self._pieces.leave()

    def _write(self) -> None:
        try:
            self._request.write(self._pieces, self._format.format)
            self._pieces.put(None)
        except _Left:
            return
        except BaseException as error:
            with contextlib.suppress(_Left):
                self._pieces.put(error)


class GraphResponse(StreamingResponse):
    """A response that closes its stream when the client has everything, or has left.

    It ends the caller's turn too, in which the graph is written.
    """

    def __init__(self, stream: GraphStream, media_type: str, turn: contextlib.ExitStack) -> None:
        super().__init__(stream, media_type=media_type, headers={"vary": "Accept"})
        self._stream = stream
        self._turn = turn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the graph."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._stream.close()
            self._turn.close()


class _Left(Exception):
    """The client is gone."""


class _Nowhere(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data)


class _Pieces(_Nowhere):
    """A file whose content is taken by another thread, piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self._queue: queue.Queue[bytes | BaseException | None] = queue.Queue(WAITING)
        self._is_left = False

    def put(self, piece: bytes | BaseException | None) -> None:
        while not self._is_left:
            try:
                self._queue.put(piece, timeout=0.2)
                return
            except queue.Full:
                continue
        raise _Left

    def write(self, data: Any) -> int:
        self.put(bytes(data))
        return len(data)

    def get(self) -> bytes | None:
        piece = self._queue.get()
        if isinstance(piece, BaseException):
            raise piece
        return piece

    def leave(self) -> None:
        self._is_left = True
        with contextlib.suppress(queue.Full):  # then nobody waits for a piece
            self._queue.put_nowait(None)
