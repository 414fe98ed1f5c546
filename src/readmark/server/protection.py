"""What stands before every route: which host, where from, how large; and the headers after it."""

from __future__ import annotations

import logging
from functools import partial

from fastapi import HTTPException
from python_multipart.multipart import parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readmark.core.program_files import UPGRADED, is_replaced
from readmark.server import full_disk
from readmark.server.access import caller_of, hall_of
from readmark.server.bodies import decoded
from readmark.server.body_faults import fault_of
from readmark.server.database import AWAY, DATABASE_ERRORS
from readmark.server.full_disk import is_disk_full
from readmark.server.limited_body import LimitedBody, UploadParts, readable_size
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
STRANGERS_BODY = 64 << 10
"""Bytes of a body whose sender is not logged in: forms to log in and to register are small."""


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
        # Python converts no number of thousands of digits; twenty are above any limit.
        is_large = not (length.isascii() and length.isdigit()) or int(length[:20]) > limit
        is_stranger = False
        is_long = not is_large and ("transfer-encoding" in headers or int(length) > STRANGERS_BODY)
        if is_long and scope["method"] not in SAFE:
            is_stranger = not await run_in_threadpool(_is_signed_in, Request(scope))
        if is_stranger:
            limit = min(limit, STRANGERS_BODY)
            is_large = int(length) > limit
        parts = (
            UploadParts(boundary, self._settings.largest_body) if is_upload and boundary else None
        )
        body = LimitedBody(receive, limit, parts)
        if not is_large and not is_upload and scope["method"] not in SAFE:
            await body.read()
        if body.is_cut:  # the client has left
            return
        if is_large or body.is_large:
            await body.drain()
            if is_stranger:  # a page whose session has ended keeps the work, and asks to log in
                await _refuse(scope, send, 401, "Please log in.")
                return
            await _refuse(scope, send, 413, f"The request is larger than {readable_size(limit)}.")
            return
        content = bytes(body.content)
        # Most saves are smaller, and wait for no thread.
        fault = await decoded(content, partial(fault_of, kind), quick=STRANGERS_BODY)
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


def _log(error: Exception) -> None:
    """Where an error was raised, and of which type: its message may hold what people wrote."""
    LOG.error("error", extra=error_fields(error))


def _name(host: str) -> str:
    """The name of a Host header without its port."""
    name, colon, port = host.rpartition(":")
    if colon and not host.endswith("]"):
        return name.lower() if port.isascii() and port.isdigit() else ""
    return host.lower()
