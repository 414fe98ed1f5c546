"""Logs: a line of text or a JSON object for each event, without anything that people wrote.

A record may say what happened, where in the code, and by which route template; never a path with
its ids, a query, a message of an exception, a token or, unless asked for, somebody's address.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import secrets
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readmark.server.operations.metrics import observe_request
from readmark.server.settings import HallSettings

LOG = logging.getLogger("readmark.hall.requests")
LogFormat = Literal["text", "json"]
REQUEST_HEADER = "x-request-id"
_FIELDS = ("method", "route", "status", "ms", "client", "job", "chore", "error", "places")
"""What a record may have besides its time, level, event, request and worker."""
_OWN = ("readmark", "uvicorn")
"""Loggers with messages that hold nothing that people wrote; of others only the name is logged."""
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_MACHINE = platform.node()[:50]
_request: ContextVar[str] = ContextVar("request", default="")


def configure_logs(form: LogFormat, level: str) -> None:
    """Send every record to stderr in one form; uvicorn's log of requests, with addresses and
    queries, is turned off."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("readmark", "uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"
        logger.setLevel(level.upper() if name == "readmark" else logging.WARNING)
    # How the columns of an upload were read is not the operator's business.
    logging.getLogger("readmark.formats").setLevel(logging.WARNING)


def entry_of(record: logging.LogRecord) -> dict[str, Any]:
    """What is logged of a record."""
    moment = datetime.fromtimestamp(record.created, UTC)
    entry: dict[str, Any] = {
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": record.getMessage() if record.name.startswith(_OWN) else record.name,
    }
    entry |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
    if record.exc_info and record.exc_info[1] is not None:
        entry |= error_fields(record.exc_info[1])
    if request := _request.get():
        entry["request"] = request
    return {**entry, "worker": f"{_MACHINE}:{os.getpid()}"}


def error_fields(error: BaseException) -> dict[str, Any]:
    """An exception by its type and places: its message may hold what people wrote."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "places": places}


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(entry_of(record), ensure_ascii=False, default=str)


class PlainLines(logging.Formatter):
    """The same for people: time, level, event, and ``name=value`` of the rest."""

    def format(self, record: logging.LogRecord) -> str:
        entry = entry_of(record)
        places = entry.pop("places", ())
        begin = [entry.pop(name) for name in ("time", "level", "event")]
        rest = [f"{name}={value}" for name, value in entry.items()]
        return "\n    ".join((" ".join([*begin, *rest]), *places))


class RequestRecorder:
    """Gives each request an id, which its answer has in a header, and counts, times and logs it."""

    def __init__(self, app: ASGIApp, settings: HallSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and record what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, start, status = secrets.token_hex(8), time.perf_counter(), 499
        token = _request.set(request)

        async def sender(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_HEADER] = request
            await send(message)

        try:
            await self._app(scope, receive, sender)
        finally:
            seconds = time.perf_counter() - start
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route = template_of(scope)
            observe_request(scope, route=route, method=method, status=status, seconds=seconds)
            if LOG.isEnabledFor(logging.INFO):
                fields = {"method": method, "route": route, "status": status}
                fields["ms"] = round(1000 * seconds, 1)
                if self._settings.logs_addresses and scope.get("client"):
                    fields["client"] = scope["client"][0]
                LOG.info("request", extra=fields)
            _request.reset(token)


def template_of(scope: Scope) -> str:
    """The template of the route that answered: it has names where the path has ids and secrets."""
    route = getattr(scope.get("route"), "path", None)
    if isinstance(route, str):
        return route
    return "/static" if scope["path"].startswith("/static/") else "none"
