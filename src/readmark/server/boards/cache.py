"""Boards kept in memory for visitors who are not logged in: most of those who look at a board.

The layer is behind `Protection` and in front of the routes. It keeps what a route answered to
somebody without an account, and asks the database at most twice a second whether the task has a
new board or a new configuration, whichever process stored it.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import OrderedDict
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import unquote

from sqlalchemy import bindparam, func, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readmark.server.access import Hall
from readmark.server.boards.board import boards_stored
from readmark.server.boards.filter import BoardFilter
from readmark.server.pages import language_of
from readmark.server.tables import BoardVersion, ConfigurationVersion, Project

FRESH = 0.5
"""Seconds for which a board counts as the newest without a look into the database."""
MOST_BYTES = 32 << 20
"""Of all kept answers, with what they are kept by."""
MOST_ANSWERS = 2000
OVERHEAD = 1000
"""Bytes that an answer takes besides its body and key: headers, objects, its place in the table."""
MOST_TASKS = 1000
LONGEST_NAME = 60
"""Of a task: a longer one is none, and is not remembered."""
_PATH = re.compile(r"(?:/api)?/tasks/([^/]+)/board(?:[./][^?]*)?")
_STATE = select(
    Project.id,
    Project.is_open,
    select(func.max(ConfigurationVersion.version))
    .where(ConfigurationVersion.project_id == Project.id)
    .scalar_subquery(),
    select(func.max(BoardVersion.number))
    .where(BoardVersion.project_id == Project.id)
    .scalar_subquery(),
).where(Project.slug == bindparam("slug"))

BoardState = tuple[Any, ...]
"""What the pages of a board depend on: the task, its configuration, the number of the board."""


def tagged(request: Request, response: Response) -> Response:
    """An answer that clients may keep and ask for again: with a tag, or 304 if they have it."""
    tag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "Accept, Accept-Language, Cookie"}
    if _has_tag(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response


def accepted_form(accept: str) -> str:
    """The form in which a client wants a board: ``csv``, ``md`` or ``json``."""
    media = {"csv": "text/csv", "md": "text/markdown"}
    return next((name for name, kind in media.items() if kind in accept), "json")


def _has_tag(sent: str, tag: str) -> bool:
    return tag in (part.strip().removeprefix("W/") for part in sent.split(","))


@dataclass(frozen=True)
class _Kept:
    """An answer, and the state of the task that it was made of."""

    state: BoardState
    headers: list[tuple[bytes, bytes]]
    tag: str
    body: bytes
    size: int
    """Bytes in all, with the key."""


@dataclass
class _Watched:
    """A task's state, and when the database was last asked for it."""

    state: BoardState
    asked: float
    stored: int
    """How many boards this process had stored by then."""


@dataclass
class BoardCache:
    """Answers requests for boards from memory while nothing has changed."""

    app: ASGIApp
    hall: Hall
    _kept: OrderedDict[tuple[str, ...], _Kept] = field(default_factory=OrderedDict)
    _watched: OrderedDict[str, _Watched] = field(default_factory=OrderedDict)
    _size: int = 0
    _made: dict[tuple[str, ...], asyncio.Event] = field(default_factory=dict)
    """Answers that a request is waiting for just now: others need not make them too."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        path = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if path is None or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        headers = request.headers
        if "authorization" in headers or self.hall.settings.cookie in request.cookies:
            await self.app(scope, receive, send)
            return
        task = unquote(path[1])
        if len(task) > LONGEST_NAME:
            await self.app(scope, receive, send)
            return
        state = await self._state(task)
        key = _key(request)
        kept = await self._current(key, state)
        if kept is not None:
            await _send(kept, headers.get("if-none-match", ""), send)
            return
        self._made[key] = made = asyncio.Event()
        try:
            await self._pass_on(scope, receive, send, key, state)
        finally:
            made.set()
            if self._made.get(key) is made:
                del self._made[key]

    async def _current(self, key: tuple[str, ...], state: BoardState) -> _Kept | None:
        """A kept answer that is still good. While another request makes the next one, the last
        board is shown if nothing else has changed; who comes first of all waits."""
        kept = self._kept.get(key)
        making = self._made.get(key)
        if kept is not None and kept.state != state:
            is_older_board = kept.state[:-1] == state[:-1]
            if making is None or not is_older_board:
                kept = None
        if kept is None and making is not None:
            await making.wait()
            kept = self._kept.get(key)
            if kept is not None and kept.state != state:
                kept = None
        if kept is not None:
            self._kept.move_to_end(key)
        return kept

    async def _state(self, task: str) -> BoardState:
        """The state of a task, as it was half a second ago at most."""
        now = time.monotonic()
        known = self._watched.get(task)
        stored = boards_stored()
        if known is not None and now - known.asked < FRESH and known.stored == stored:
            return known.state
        if known is not None:
            known.asked = now  # others need not ask meanwhile
        state = await run_in_threadpool(self._look, task)
        self._watched[task] = _Watched(state, now, stored)
        self._watched.move_to_end(task)
        while len(self._watched) > MOST_TASKS:
            self._watched.popitem(last=False)
        return state

    def _look(self, task: str) -> BoardState:
        with self.hall.database.reading() as session:
            row = session.execute(_STATE, {"slug": task}).one_or_none()
        return () if row is None else tuple(row)

    async def _pass_on(
        self, scope: Scope, receive: Receive, send: Send, key: tuple[str, ...], state: BoardState
    ) -> None:
        """Ask the route, and keep a whole answer."""
        started: Message = {}
        body = bytearray()

        async def keeping(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = message
                started["headers"] = list(message["headers"])
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    self._keep(key, state, started, bytes(body))
            await send(message)

        await self.app(scope, receive, keeping)

    def _keep(self, key: tuple[str, ...], state: BoardState, start: Message, body: bytes) -> None:
        headers = dict(start["headers"])
        tag = headers.get(b"etag", b"").decode("latin-1")
        if start["status"] != 200 or not tag or len(body) > MOST_BYTES // 8:
            return
        self._forget(key)
        # The security headers are added again on the way out.
        own = [
            (name, headers[name])
            for name in (
                b"content-type",
                b"content-disposition",
                b"etag",
                b"cache-control",
                b"vary",
            )
            if name in headers
        ]
        size = len(body) + sum(len(part.encode("utf-8", "replace")) for part in key) + OVERHEAD
        self._kept[key] = _Kept(state, own, tag, body, size)
        self._size += size
        while self._size > MOST_BYTES or len(self._kept) > MOST_ANSWERS:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: tuple[str, ...]) -> None:
        if (old := self._kept.pop(key, None)) is not None:
            self._size -= old.size


def _key(request: Request) -> tuple[str, ...]:
    """What an answer depends on: not the query string as it came, which may hold anything."""
    chosen = request.query_params
    return (
        request.scope["path"],
        language_of(request),
        accepted_form(request.headers.get("accept", "")),
        *(str(chosen.get(field.name, field.default)) for field in fields(BoardFilter)),
    )


async def _send(kept: _Kept, sent: str, send: Send) -> None:
    is_known = _has_tag(sent, kept.tag)
    body = b"" if is_known else kept.body
    length = [] if is_known else [(b"content-length", str(len(body)).encode())]
    status = 304 if is_known else 200
    await send(
        {"type": "http.response.start", "status": status, "headers": [*kept.headers, *length]}
    )
    await send({"type": "http.response.body", "body": body})
