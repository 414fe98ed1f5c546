"""Boards kept in memory for visitors who are not logged in: most of those who look at a board.

The layer is behind `Protection` and in front of the routes. It keeps what a route answered to
somebody without an account, and asks the database at most twice a second whether the task has a
new board or a new configuration, whichever process stored it.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import unquote

from sqlalchemy import bindparam, func, select
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readmark.server.access import Hall
from readmark.server.boards.board import boards_stored
from readmark.server.boards.filter import BoardFilter
from readmark.server.boards.tags import accepted_form, has_tag
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


@dataclass(frozen=True)
class CachedAnswer:
    """An answer, and the state of the task that it was made of."""

    state: BoardState
    headers: list[tuple[bytes, bytes]]
    tag: str
    body: bytes
    size: int
    """Bytes in all, with the key."""


@dataclass
class _WatchedTask:
    """A task's state, and when the database was last asked for it."""

    state: BoardState
    asked: float
    boards: int
    """How many boards this process had stored by then."""


@dataclass
class BoardCache:
    """Answers requests for boards from memory while nothing has changed."""

    app: ASGIApp
    hall: Hall
    _answers: OrderedDict[tuple[str, ...], CachedAnswer] = field(default_factory=OrderedDict)
    _tasks: OrderedDict[str, _WatchedTask] = field(default_factory=OrderedDict)
    _size: int = 0
    _in_progress: dict[tuple[str, ...], asyncio.Event] = field(default_factory=dict)
    """Answers that a request is waiting for just now: others need not ask for them too."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        path = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if path is None or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        headers = request.headers
        has_account = "authorization" in headers or self.hall.settings.cookie in request.cookies
        task = unquote(path[1])
        if has_account or len(task) > LONGEST_NAME:
            await self.app(scope, receive, send)
            return
        state = await self._state(task)
        key = _key(request)
        answer = await self._current(key, state)
        if answer is not None:
            await _send(answer, headers.get("if-none-match", ""), send)
            return
        self._in_progress[key] = done = asyncio.Event()
        try:
            await self._pass_on(scope, receive, send, key, state)
        finally:
            done.set()
            if self._in_progress.get(key) is done:
                del self._in_progress[key]

    async def _current(self, key: tuple[str, ...], state: BoardState) -> CachedAnswer | None:
        """An answer in memory that is still good.

        While another request makes the next one, the last board is shown if nothing else has
        changed; the first requests of all wait for it.
        """
        answer = self._answers.get(key)
        in_progress = self._in_progress.get(key)
        if answer is not None and answer.state != state:
            is_older_board = answer.state[:-1] == state[:-1]
            if in_progress is None or not is_older_board:
                answer = None
        if answer is None and in_progress is not None:
            await in_progress.wait()
            answer = self._answers.get(key)
            if answer is not None and answer.state != state:
                answer = None
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    async def _state(self, task: str) -> BoardState:
        """The state of a task, as it was half a second ago at most."""
        now = time.monotonic()
        watched = self._tasks.get(task)
        boards = boards_stored()
        if watched is not None and now - watched.asked < FRESH and watched.boards == boards:
            return watched.state
        if watched is not None:
            watched.asked = now  # others need not ask meanwhile
        state = await run_in_threadpool(self._look, task)
        self._tasks[task] = _WatchedTask(state, now, boards)
        self._tasks.move_to_end(task)
        while len(self._tasks) > MOST_TASKS:
            self._tasks.popitem(last=False)
        return state

    def _look(self, task: str) -> BoardState:
        with self.hall.database.reading() as session:
            row = session.execute(_STATE, {"slug": task}).one_or_none()
        return () if row is None else tuple(row)

    async def _pass_on(
        self, scope: Scope, receive: Receive, send: Send, key: tuple[str, ...], state: BoardState
    ) -> None:
        """Ask the route, and keep a whole answer."""
        start: Message = {}
        body = bytearray()

        async def send_and_keep(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                start["headers"] = list(message["headers"])
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    self._keep(key, state, start, bytes(body))
            await send(message)

        await self.app(scope, receive, send_and_keep)

    def _keep(self, key: tuple[str, ...], state: BoardState, start: Message, body: bytes) -> None:
        headers = dict(start["headers"])
        tag = headers.get(b"etag", b"").decode("latin-1")
        if start["status"] != 200 or not tag or len(body) > MOST_BYTES // 8:
            return
        self._forget(key)
        # The security headers are added again on the way out.
        kept_headers = [
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
        self._answers[key] = CachedAnswer(state, kept_headers, tag, body, size)
        self._size += size
        while self._size > MOST_BYTES or len(self._answers) > MOST_ANSWERS:
            self._forget(next(iter(self._answers)))

    def _forget(self, key: tuple[str, ...]) -> None:
        answer = self._answers.pop(key, None)
        if answer is not None:
            self._size -= answer.size


def _key(request: Request) -> tuple[str, ...]:
    """What an answer depends on: not the query string as it came, which may hold anything."""
    chosen = request.query_params
    return (
        request.scope["path"],
        language_of(request),
        accepted_form(request.headers.get("accept", "")),
        *(str(chosen.get(field.name, field.default)) for field in fields(BoardFilter)),
    )


async def _send(answer: CachedAnswer, if_none_match: str, send: Send) -> None:
    headers, body, status = answer.headers, answer.body, 200
    if has_tag(if_none_match, answer.tag):
        body, status = b"", 304
    else:
        headers = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
