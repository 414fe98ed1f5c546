"""A share of the hall's threads for everybody: one person's requests wait for each other.

Each request takes a thread while the database or the library works for it, and there are 40. Sixty
calls of one browser at a time kept every save waiting. Whoever has more requests under way than a
browser sends waits here, in the event loop, where it costs others nothing. So does whoever sends a
password while others are compared: sixty wrong ones kept every save waiting for four seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from fastapi import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from readmark.server.bodies import HallRoute
from readmark.server.settings import HallSettings

SHARE = 8
"""Requests of a session or token at a time: browsers open six connections."""
PASSWORDS = 4
"""Requests with a password at a time: two are hashed, and the others look into the database."""
_LINE: RunVar[CapacityLimiter] = RunVar("requests with a password")
"""Where they wait: each event loop has a line, as it has threads."""


@dataclass
class _Line:
    """The requests of a session: those that are served, and how many there are in all."""

    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(SHARE))
    length: int = 0


class FairShare:
    """Serves so many requests of a session or token at a time, and the next when one is done.

    Requests without either are not counted together: behind a proxy they may be everybody's.
    """

    def __init__(self, app: ASGIApp, settings: HallSettings) -> None:
        self._app = app
        self._settings = settings
        self._lines: dict[str, _Line] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on when it is its turn."""
        key = self._key(scope) if scope["type"] == "http" else ""
        if not key:
            await self._app(scope, receive, send)
            return
        line = self._lines.setdefault(key, _Line())
        line.length += 1
        try:
            async with line.turns:
                await self._app(scope, receive, send)
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[key]

    def _key(self, scope: Scope) -> str:
        """What tells who sends a request, as `access` reads it."""
        request = Request(scope)
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and secret:
            return f"token {secret}"
        return request.cookies.get(self._settings.cookie, "")


class PasswordRoute(HallRoute):
    """A route that takes a password: its requests wait for each other, and no thread does."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request when it is its turn."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                line = _LINE.get()
            except LookupError:
                _LINE.set(line := CapacityLimiter(PASSWORDS))
            async with line:
                return await handle(request)

        return answer
