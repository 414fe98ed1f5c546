"""What stands before every route: which host, where from, how large; and the headers after it."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readmark.server.settings import HallSettings

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
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class Protection:
    """Refuses foreign hosts, cross-site requests and large bodies; adds the security headers."""

    def __init__(self, app: ASGIApp, settings: HallSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sender = self._with_headers(scope, send)
        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            await refusal(scope, receive, sender)
            return
        await self._app(scope, self._limited(receive), sender)

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if _name(host) not in self._settings.hosts:
            return PlainTextResponse("This host is not served here.\n", 400)
        if method not in SAFE and not _is_own(headers, host):
            return PlainTextResponse("Requests from other sites are refused.\n", 403)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._settings.largest_upload:
            largest = self._settings.largest_upload >> 20
            return PlainTextResponse(f"The upload is larger than {largest} MB.\n", 413)
        return None

    def _limited(self, receive: Receive) -> Receive:
        left = self._settings.largest_upload

        async def limited() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                return {"type": "http.disconnect"}
            return message

        return limited

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sender(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self._settings.is_secure:
                    headers["strict-transport-security"] = "max-age=31536000"
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        return sender


def _name(host: str) -> str:
    """The name of a Host header without its port."""
    return host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host


def _is_own(headers: Headers, host: str) -> bool:
    """Whether a browser sent the request from the hall's own pages, or a program with a token.

    A browser states Sec-Fetch-Site or Origin; a request with a cookie and neither is refused.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin is not None and urlsplit(origin).netloc != host:
        return False
    return site is not None or origin is not None or "cookie" not in headers
