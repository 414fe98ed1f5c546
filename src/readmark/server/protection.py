"""What stands before every route: which host, where from, how large; and the headers after it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from functools import partial

import msgspec
from fastapi import HTTPException
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readmark.core.program_files import UPGRADED, is_replaced
from readmark.server import full_disk
from readmark.server.access import caller_of, hall_of
from readmark.server.bodies import QUICK_BODY, decoded
from readmark.server.database import AWAY, DATABASE_ERRORS
from readmark.server.full_disk import is_disk_full
from readmark.server.operations.logs import error_fields
from readmark.server.settings import HallSettings

LOG = logging.getLogger("readmark.hall")
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # "no-referrer" makes the Origin of forms "null"
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
_MOST_FILES = 10
"""Files of an upload: those below a megabyte are kept in memory."""
STRANGERS_BODY = 64 << 10
"""Bytes of a body whose sender is not logged in: forms to log in and to register are small."""
_DRAINED = 4
"""How many times the limit is read and dropped, so that a browser gets to see the refusal."""


class Protection:
    """Refuses foreign hosts, cross-site requests, large bodies and text that no database stores;
    adds the security headers; and logs errors without what people wrote."""

    def __init__(self, app: ASGIApp, settings: HallSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, started = Headers(scope=scope), False

        async def sender(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._add_headers(scope, message)
            await send(message)

        try:
            if not self._is_served(headers):
                await _refuse(scope, sender, 400, "This host is not served here.")
            elif scope["method"] not in SAFE and not self._is_own(headers):
                await _refuse(scope, sender, 403, "Requests from other sites are refused.")
            elif "\0" in scope["path"] or b"%00" in scope["query_string"]:
                await _refuse(scope, sender, 422, "The address holds a NUL character.")
            else:
                await self._pass_on(scope, headers, receive, sender)
        except ClientDisconnect:
            return
        except Exception as error:
            _log(error)
            if started:
                raise HTTPException(500) from None
            # Some look at the database before the application does, such as the cache of boards.
            if isinstance(error, DATABASE_ERRORS):
                await _refuse(scope, sender, 503, AWAY)
            elif is_disk_full(error):
                await _refuse(scope, sender, 503, full_disk.MESSAGE)
            elif is_replaced():
                await _refuse(scope, sender, 503, UPGRADED)
            else:
                await _refuse(scope, sender, 500, "Something went wrong in the hall.")

    def _is_served(self, headers: Headers) -> bool:
        hosts = headers.getlist("host")
        return len(hosts) == 1 and _name(hosts[0]) in self._settings.hosts

    def _is_own(self, headers: Headers) -> bool:
        """Whether a browser sent the request from the hall's own pages, or a program with a token.

        A browser states Sec-Fetch-Site or Origin; a request with a cookie and neither is refused.
        """
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None and site != "same-origin":
            return False
        scheme = "https" if self._settings.is_secure else "http"
        own_origin = self._settings.origin or f"{scheme}://{headers['host']}"
        if origin is not None and origin.lower() != own_origin.lower():
            return False
        return site is not None or origin is not None or "cookie" not in headers

    async def _pass_on(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        """Call the route with a body that is neither too large nor holds what cannot be stored."""
        name, options = parse_options_header(headers.get("content-type", ""))
        kind, boundary = name.decode("latin-1"), options.get(b"boundary")
        is_upload = kind == "multipart/form-data" and boundary is not None
        limit = self._settings.largest_upload if is_upload else self._settings.largest_body
        length = headers.get("content-length", "0")
        is_large = not (length.isascii() and length.isdigit()) or int(length[:20]) > limit
        is_stranger = False
        is_long = not is_large and ("transfer-encoding" in headers or int(length) > STRANGERS_BODY)
        if is_long and scope["method"] not in SAFE:
            is_stranger = not await run_in_threadpool(_is_signed_in, Request(scope))
        if is_stranger:
            limit = min(limit, STRANGERS_BODY)
            is_large = int(length) > limit
        parts = _Parts(boundary, self._settings.largest_body) if is_upload and boundary else None
        body = _Body(receive, limit, parts)
        if not is_large and not is_upload and scope["method"] not in SAFE:
            await body.read()
        if body.is_cut:
            return
        if is_large or body.is_large:
            await body.drain()
            if is_stranger:  # a page whose session has ended keeps the work, and asks to log in
                await _refuse(scope, send, 401, "Please log in.")
                return
            await _refuse(scope, send, 413, f"The request is larger than {_size(limit)}.")
            return
        content = bytes(body.content)
        # Most saves are smaller, and wait for no thread.
        fault = await decoded(content, partial(_fault, kind), quick=STRANGERS_BODY)
        if fault is not None:
            await _refuse(scope, send, 422, fault)
        else:
            await self._app(scope, body.receive, send)

    def _add_headers(self, scope: Scope, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if self._settings.is_secure:
            headers["strict-transport-security"] = "max-age=31536000"
        if not scope["path"].startswith("/static/"):
            headers.setdefault("cache-control", "no-store")


def _size(limit: int) -> str:
    if limit >> 20:
        return f"{limit >> 20} MB"
    return f"{limit >> 10} KB" if limit >> 10 else f"{limit} bytes"


class _Body:
    """A request's body with a limit: read here and handed on again, or streamed."""

    def __init__(self, receive: Receive, limit: int, parts: _Parts | None) -> None:
        self._receive = receive
        self._limit = limit
        self._parts = parts
        self._taken = 0
        self._is_read = self._is_over = False
        self._pieces: deque[bytes] = deque()
        """What of the last message was not handed on yet."""
        self.content = bytearray()
        self.is_large = False
        self.is_cut = False
        """Whether the client left before it had sent everything."""

    async def _next(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._taken += len(message.get("body", b""))
            self.is_large = self._taken > self._limit
            self._is_over = not message.get("more_body", False)
        else:
            self._is_over = self.is_cut = True
        return message

    async def read(self) -> None:
        """Take the whole body, unless it is too large."""
        while not self._is_over and not self.is_large:
            message = await self._next()
            self.content += message.get("body", b"")
        self._is_read = True

    async def drain(self) -> None:
        """Drop what is still on its way, within reason."""
        self.content.clear()
        while not self._is_over and self._taken < _DRAINED * self._limit:
            await self._next()

    async def receive(self) -> Message:
        """What the route is given."""
        if self._is_read:
            self._is_read = False
            body = bytes(self.content)
            self.content.clear()
            return {"type": "http.request", "body": body, "more_body": False}
        if not self._pieces:
            if self._is_over:
                return await self._receive()
            message = await self._next()
            if self.is_large:
                await self.drain()
                raise HTTPException(413, f"The upload is larger than {_size(self._limit)}.")
            if message["type"] != "http.request":
                return message
            data = message.get("body", b"")
            starts = range(0, len(data) or 1, QUICK_BODY)
            self._pieces.extend(data[start : start + QUICK_BODY] for start in starts)
        else:
            await asyncio.sleep(0)  # other requests come in between
        # An upload is parsed in the event loop: a piece at a time, since a megabyte of nothing
        # but edges of parts takes a second.
        piece = self._pieces.popleft()
        if self._parts is not None and self._parts.are_too_many(piece):
            await self.drain()
            raise HTTPException(413, "The fields of the upload are larger than expected.")
        has_more = bool(self._pieces) or not self._is_over
        return {"type": "http.request", "body": piece, "more_body": has_more}


class _Parts:
    """Counts what of an upload stays in memory: every field, and files that are small."""

    def __init__(self, boundary: bytes, limit: int) -> None:
        self._left = limit
        self._files = 0
        self._names: list[bytes] = []
        self._values: list[bytes] = []
        self._is_file = False
        self._parser: MultipartParser | None = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": lambda *data: self._take(self._names, *data),
                "on_header_value": lambda *data: self._take(self._values, *data),
                "on_header_end": self._end_header,
                "on_part_data": self._take_data,
            },
        )

    def are_too_many(self, data: bytes) -> bool:
        """Whether the fields, or the files, are too many with these bytes."""
        if self._parser is not None:
            try:
                self._parser.write(data)
            except FormParserError:
                self._parser = None  # the route says what is wrong
        return self._left < 0 or self._files > _MOST_FILES

    def _begin(self) -> None:
        self._is_file = False
        self._left -= 100  # what a part without anything in it takes

    def _take(self, pieces: list[bytes], data: bytes, start: int, end: int) -> None:
        self._left -= end - start
        if self._left >= 0:
            pieces.append(data[start:end])

    def _end_header(self) -> None:
        name, value = b"".join(self._names).lower(), b"".join(self._values)
        if name == b"content-disposition" and b"filename" in parse_options_header(value)[1]:
            self._is_file = True
            self._files += 1
        self._names, self._values = [], []

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        if not self._is_file:
            self._left -= end - start


async def _refuse(scope: Scope, send: Send, status: int, message: str) -> None:
    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    is_api = scope["path"].startswith("/api/")
    answer = (
        JSONResponse({"detail": message}, status)
        if is_api
        else PlainTextResponse(f"{message}\n", status)
    )
    await answer(scope, nothing, send)


def _is_signed_in(request: Request) -> bool:
    """Whether a request has the cookie of a session or a token that is good."""
    with hall_of(request).database.reading() as session:
        try:
            return caller_of(request, session).person is not None
        except HTTPException:
            return False
        except DATABASE_ERRORS:
            return True  # the route says that the database is away


def _fault(kind: str, body: bytes) -> str | None:
    """What no database stores and no JSON answer repeats, wherever it is in the body."""
    if b"\0" in body:
        return "The request holds a NUL character."
    if kind == "application/x-www-form-urlencoded":
        return "The request holds a NUL character." if b"%00" in body else None
    if not body or (kind and not kind.endswith("json")):
        return None
    try:
        content = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _fault_of_json(body)
    if b"\\u0000" in body and _has_nul(content):
        return "The request holds a NUL character."
    return None


def _fault_of_json(body: bytes) -> str | None:
    """Why a body that cannot be decoded is refused; None where the route says it."""
    try:
        content = json.loads(body.decode("utf-8"))
        json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeDecodeError:
        return "The request is not UTF-8."
    except UnicodeEncodeError:
        return "The request holds half of a surrogate pair."
    except json.JSONDecodeError:
        return None  # the route says where
    except (ValueError, RecursionError):
        return "The request holds a number that is not finite, or is nested too deep."
    return None


def _has_nul(content: object) -> bool:
    parts = [content]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            parts += [*part, *part.values()]
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, str) and "\0" in part:
            return True
    return False


def _log(error: Exception) -> None:
    """Where an error was raised, and of which type: its message may hold what people wrote."""
    LOG.error("error", extra=error_fields(error))


def _name(host: str) -> str:
    """The name of a Host header without its port."""
    name, colon, port = host.rpartition(":")
    if colon and not host.endswith("]"):
        return name.lower() if port.isascii() and port.isdigit() else ""
    return host.lower()
