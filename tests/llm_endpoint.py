"""A chat endpoint on loopback that keeps the protocol, and breaks it where it is told to.

``Endpoint(reply)`` answers every request by ``reply(body)``: a text is a model's content, a
``Misdeed`` is done instead. It counts what it was asked and how many requests it held at once.
Probes are taken, whatever they ask for, and are counted apart; with ``probed`` they are answered
by ``reply`` like everything else.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from readmark.llm.probe import PROBE

Body = dict[str, Any]


@dataclass(frozen=True)
class Misdeed:
    """What is done instead of answering."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    cut: bool = False
    """Close in the middle of the body."""
    slow: float = 0.0
    begun: Callable[[], None] | None = None
    """Called when the server has begun to hang, or to send a slow reply."""
    """Seconds between two bytes."""
    raw: bytes = b""
    """What is sent in place of a status, headers and a body."""


@dataclass(frozen=True)
class Says:
    """A reply with more than content."""

    content: str | None = None
    finish: str = "stop"
    refusal: str | None = None
    reasoning: str | None = None
    usage: dict[str, int] | None = None


Answer = str | Says | Misdeed


class Endpoint:
    """The server, running; ``url`` is its base address."""

    def __init__(
        self, reply: Callable[[Body], Answer], *, delay: float = 0.0, probed: bool = False
    ) -> None:
        self.reply, self.delay, self.probed = reply, delay, probed
        self.asked: list[Body] = []
        self.probes: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = self._at_once = 0
        self._lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                endpoint.handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length", 0))
        body = json.loads(handler.rfile.read(length))
        if is_probe(body):
            self.probes.append(body)
            unused = {"prompt_tokens": 0, "completion_tokens": 0}
            with contextlib.suppress(OSError):
                taken = self.reply(body) if self.probed else Says('{"answer": "yes"}', usage=unused)
                _send(handler, taken, body)
            return
        with self._lock:
            self.asked.append(body)
            self.headers.append(dict(handler.headers))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if not handler.path.endswith("/chat/completions"):
                said: Answer = Misdeed(404, b'{"error": {"message": "no such path"}}')
            else:
                said = self.reply(body)
            time.sleep(self.delay)
        finally:
            with self._lock:
                self._at_once -= 1
        with contextlib.suppress(OSError):
            _send(handler, said, body)


def _send(handler: BaseHTTPRequestHandler, said: Answer, body: Body) -> None:
    if not isinstance(said, Misdeed):
        data = completion(said, body)
        said = Misdeed(200, data, {"Content-Type": "application/json"})
    if said.begun is not None and not said.slow:
        said.begun()
    time.sleep(said.wait)
    if said.raw:
        handler.wfile.write(said.raw)
        handler.close_connection = True
        return
    handler.send_response(said.status)
    for name, value in said.headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(said.body)))
    handler.end_headers()
    if said.cut:
        handler.wfile.write(said.body[: len(said.body) // 2])
        handler.wfile.flush()
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)
    elif said.slow:
        for at in range(len(said.body)):
            handler.wfile.write(said.body[at : at + 1])
            handler.wfile.flush()
            if said.begun is not None and at == 0:
                said.begun()
            time.sleep(said.slow)
    else:
        handler.wfile.write(said.body)


def completion(said: str | Says, body: Body) -> bytes:
    """A body of the protocol; tokens are counted as words."""
    whole = Says(said) if isinstance(said, str) else said
    message: dict[str, Any] = {"role": "assistant", "content": whole.content}
    if whole.refusal is not None:
        message["refusal"] = whole.refusal
    if whole.reasoning is not None:
        message["reasoning_content"] = whole.reasoning
    sent = sum(len(one["content"].split()) for one in body["messages"])
    usage = {"prompt_tokens": sent, "completion_tokens": len((whole.content or "").split())}
    return json.dumps(
        {
            "id": "made-up",
            "object": "chat.completion",
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": whole.finish}],
            "usage": {**usage, "total_tokens": sum(usage.values()), **(whole.usage or {})},
        }
    ).encode()


def is_probe(body: Body) -> bool:
    """Whether a request only finds out what the endpoint takes."""
    return bool(body["messages"][-1]["content"] == PROBE)


_FENCED = re.compile(r"--- ([0-9a-f]{12})\n(.*?)\n--- \1", re.DOTALL)


def passage_of(body: Body) -> str:
    """What stands between the first fences of the last message."""
    return (*_fenced(body), "")[0]


def question_of(body: Body) -> str:
    """What stands between the second."""
    return (*_fenced(body), "", "")[1]


def _fenced(body: Body) -> list[str]:
    return [found[2] for found in _FENCED.finditer(body["messages"][-1]["content"])]


def first_words(body: Body) -> str:
    """A model that answers with the passage's first word, as it was told to."""
    passage = passage_of(body)
    sentence = re.split(r"(?<=[.。!?！？])", passage, maxsplit=1)[0]
    word = sentence.split()[0] if " " in sentence else sentence[:2]
    return json.dumps({"answer": word, "evidence": sentence.strip()}, ensure_ascii=False)


def in_turn(*answers: Answer) -> Callable[[Body], Answer]:
    """One after another, the last one for ever."""
    left: Iterator[Answer] = iter(answers)
    last = answers[-1]
    lock = threading.Lock()

    def reply(body: Body) -> Answer:
        with lock:
            return next(left, last)

    return reply
