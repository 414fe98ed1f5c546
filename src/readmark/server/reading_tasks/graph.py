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
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from readmark.core.errors import DataError
from readmark.server.reading_tasks.graph_formats import GraphFormat
from readmark.works import CallLimit

GRAPHS = CallLimit(4)
"""Downloads of a graph, which is written while the client reads it."""
WAITING = 16
"""Pieces of a graph that wait for a slow client."""

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
