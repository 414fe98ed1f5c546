"""A web server on loopback with files to fetch, which misbehaves where it is told to.

A path leads to bytes, or to a function of the handler that does what it likes.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[[BaseHTTPRequestHandler], None]


class DataServer:
    """The server, running; ``url`` is what a mirror's address would be."""

    def __init__(self, paths: dict[str, bytes | Act], absent: dict[str, str] | None = None) -> None:
        """``absent`` are headers of the reply to a path that is not there."""
        self.paths = dict(paths)
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.bodies: list[bytes] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server.asked.append((self.path, dict(self.headers)))
                found = server.paths.get(self.path.partition("?")[0])
                with contextlib.suppress(OSError):
                    if found is None:
                        send(self, b"no such thing", status=404, **(absent or {}))
                    elif isinstance(found, bytes):
                        serve(self, found)
                    else:
                        found(self)

            def do_HEAD(self) -> None:
                self.do_GET()

            def do_POST(self) -> None:
                server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.do_GET()

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def ranges(self) -> list[str | None]:
        """The parts that were asked for, in order; None is the whole."""
        return [headers.get("Range") for _, headers in self.asked]

    def __enter__(self) -> DataServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """A plain reply."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


def tag(data: bytes) -> str:
    """The entity tag of a content."""
    return f'"{hashlib.sha256(data).hexdigest()[:16]}"'


def serve(handler: BaseHTTPRequestHandler, data: bytes, *, cut: int | None = None) -> None:
    """A file, or the part of it that is asked for; ``cut`` closes after so many bytes."""
    asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
    start = 0
    if asked is not None and handler.headers.get("If-Range") == tag(data):
        start = int(asked[1])
        if start >= len(data):
            send(handler, b"", status=416, Content_Range=f"bytes */{len(data)}")
            return
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
    else:
        handler.send_response(200)
    body = data[start:]
    handler.send_header("ETag", tag(data))
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[:cut])
    handler.wfile.flush()
    if cut is not None:
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)


def cut_at(data: bytes, *places: int) -> Act:
    """A file whose first replies are cut after so many bytes each, the next ones whole."""
    left = iter(places)

    def act(handler: BaseHTTPRequestHandler) -> None:
        serve(handler, data, cut=next(left, None))

    return act


def moved(to: str, status: int = 302) -> Act:
    """A redirect."""
    return lambda handler: send(handler, b"", status=status, Location=to)
