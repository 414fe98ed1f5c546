"""A share of the hall's threads for everybody: one person's requests wait for each other.

Each request takes a thread while the database or the library works for it, and there are 40. Sixty
calls of one browser at a time kept every save waiting. Whoever has more requests under way than a
browser sends waits here, in the event loop, where it costs others nothing; from how many sessions
and with how many tokens does not matter. So does whoever sends a password while others are
compared: sixty wrong ones kept every save waiting for four seconds. And so do downloads of a task's
data: a stranger who asked sixty times for a file that took long to make stopped the hall.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from fastapi import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from readmark.server.access import PERSON
from readmark.server.bodies import HallRoute
from readmark.server.settings import HallSettings

SHARE = 8
"""Requests of a person at a time: browsers open six connections."""
PASSWORDS = 4
"""Requests with a password at a time: two are hashed, and the others look into the database."""
DOWNLOADS = 4
"""Requests for data of shared tasks at a time. One file is made at a time, by one of them."""
_MOST_KNOWN = 10_000
"""Sessions and tokens of which it is remembered whose they are."""

Sender = tuple[Literal["person", "session"], str]
"""A person, or a session or token of which it is not known yet whose it is."""


@dataclass
class _Line:
    """The requests of a sender: those that are served, and how many there are in all."""

    turns: asyncio.Semaphore
    length: int = 0


class FairShare:
    """Serves so many requests of a person at a time, and the next when one is done.

    A session or token whose person is not known is served one request at a time; that one tells.
    Requests without either are not counted together: behind a proxy they may be everybody's.
    """

    def __init__(self, app: ASGIApp, settings: HallSettings) -> None:
        self._app = app
        self._settings = settings
        self._lines: dict[Sender, _Line] = {}
        self._people: OrderedDict[str, str] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on when it is its turn."""
        key = self._key(scope) if scope["type"] == "http" else ""
        if not key:
            await self._app(scope, receive, send)
            return
        is_served = False
        while not is_served:
            sender = self._sender(key)
            turns = SHARE if sender[0] == "person" else 1
            line = self._lines.setdefault(sender, _Line(asyncio.Semaphore(turns)))
            line.length += 1
            try:
                async with line.turns:
                    # Known since it began to wait: it goes on waiting with the person's others.
                    if self._sender(key) == sender:
                        is_served = True
                        await self._app(scope, receive, send)
            finally:
                line.length -= 1
                if not line.length:
                    del self._lines[sender]
                self._remember(key, scope.get(PERSON))

    def _sender(self, key: str) -> Sender:
        person = self._people.get(key)
        return ("session", key) if person is None else ("person", person)

    def _remember(self, key: str, person: str | None) -> None:
        if person is None:
            return
        self._people[key] = person
        self._people.move_to_end(key)
        while len(self._people) > _MOST_KNOWN:
            self._people.popitem(last=False)

    def _key(self, scope: Scope) -> str:
        """What tells who sends a request, as `access` reads it."""
        request = Request(scope)
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and secret:
            return f"token {secret}"
        return request.cookies.get(self._settings.cookie, "")


class LineRoute(HallRoute):
    """A route whose requests wait for each other, whoever sends them, and no thread does."""

    places: ClassVar[int]
    """How many of them are served at a time."""
    line: ClassVar[RunVar[CapacityLimiter]]
    """Where they wait: each event loop has a line, as it has threads."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request when it is its turn."""
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                line = self.line.get()
            except LookupError:
                self.line.set(line := CapacityLimiter(self.places))
            async with line:
                return await handle(request)

        return answer


class PasswordRoute(LineRoute):
    """A route that takes a password."""

    places = PASSWORDS
    line = RunVar("requests with a password")


class DownloadRoute(LineRoute):
    """A route to a file that the hall may have to make first."""

    places = DOWNLOADS
    line = RunVar("requests for data of shared tasks")
