"""The graph of a reading task, written as it is sent.

"This interface simply streams the reading task RDF graph to the reading system" ("The DARPA
Machine Reading Program", section 3.4).
"""

from __future__ import annotations

import contextlib
import io
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from readmark.core.errors import DataError
from readmark.works import CallLimit

GRAPHS = CallLimit(4)
"""Downloads of a graph, which is written while the client reads it."""
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


WritesGraph = Callable[[Any, str], None]
"""What writes a graph into a file, in a format."""


def graph_stream(write: WritesGraph, format: GraphFormat) -> GraphStream:
    """The graph in pieces. What a format cannot hold is an error before the first piece."""
    if format.format == "RDF_XML":  # not every text and name can be written in it
        try:
            write(_Nowhere(), format.format)
        except DataError as error:
            raise DataError(f"{error.message}: ask for another format") from None
    return GraphStream(write, format)


class GraphStream(Iterator[bytes]):
    """The pieces of a graph: a thread writes them, and waits while the client is slow.

    It ends when everything is written, or when the stream is closed.
    """

    def __init__(self, write: WritesGraph, format: GraphFormat) -> None:
        self._write_graph, self._format = write, format
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
            self._write_graph(self._pieces, self._format.format)
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
