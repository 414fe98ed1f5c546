"""Requests to an exam hall: bounded, tried again where that is safe, and to that hall alone.

A token goes to no other host: redirects are followed within the hall's own origin only, and a token
is not sent without encryption except to this machine.
"""

from __future__ import annotations

import email.utils
import http.client
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from readmark.client.addresses import hall_address
from readmark.client.request_bodies import HttpBody
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.redaction import Secrets, credentials
from readmark.core.version import __version__

TOKEN_VARIABLE = "READMARK_TOKEN"
"""The environment variable that a token is read from."""
_LOCAL = ("localhost", "127.0.0.1", "::1")
_BLOCK = 1 << 16
_LONGEST_MESSAGE = 500  # characters of what a hall says
_BUSY = (408, 425, 429, 502, 503, 504)
"""What a hall answers while it cannot do something yet."""
_REDIRECTS = (301, 302, 303, 307, 308)

T = TypeVar("T")


class ClientError(ReadmarkError):
    """A hall cannot be reached, or refuses a request; ``status`` is its HTTP status, if it has one.

    The message is one line with what the hall said and what to do about it.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class ClientLimits:
    """What requests to a hall may take."""

    silence: float = 60.0
    """Seconds without a byte after which a connection is given up."""
    attempts: int = 8
    """Attempts per request, including the first."""
    first_wait: float = 0.5
    """Seconds before the second attempt; each further wait is twice the last."""
    longest_wait: float = 30.0
    """Seconds between two attempts at most; a hall that asks for more gets no further attempt."""
    largest_document: int = 64 << 20
    """Bytes of a reply that is held in memory."""
    largest_file: int = 4 << 30
    """Bytes of a file, either way."""

    def __post_init__(self) -> None:
        if self.attempts < 1 or not 0 < self.silence < float("inf"):
            raise UsageError("the limits of a client must be above 0")


class Connection:
    """A hall by its address, with the token that it is asked with."""

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        limits: ClientLimits | None = None,
        allow_http: bool = False,
    ) -> None:
        self.address = hall_address(address)
        self.limits = limits or ClientLimits()
        parts = urlsplit(self.address)
        is_local = parts.hostname in _LOCAL
        if token is not None:
            token = token.strip()
            if not token or not token.isascii() or not token.isprintable() or " " in token:
                raise UsageError("this is not an API token: copy one from the hall's account page")
            if parts.scheme != "https" and not is_local and not allow_http:
                raise UsageError(
                    f"{self.address} is not encrypted, and an API token is a password: use https, "
                    "or allow it with `allow_http`"
                )
        self.token = token
        proxies = [] if is_local else list(urllib.request.getproxies().values())
        self._secrets = Secrets(token, *(word for proxy in proxies for word in credentials(proxy)))
        handlers: list[Any] = [_SameOrigin(self.address)]
        if is_local:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def __repr__(self) -> str:
        return f"<Connection to {self.address}{' with a token' if self.token else ''}>"

    def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: HttpBody | None = None,
        is_repeatable: bool = True,
    ) -> tuple[int, Any]:
        """The status and the JSON document of a reply.

        A request that is not repeatable is not sent again once the hall may have taken it.
        """
        status, data = self.fetch(method, path, query=query, body=body, is_repeatable=is_repeatable)
        try:
            return status, msgspec.json.decode(data) if data else None
        except JSON_ERRORS:
            raise ClientError(
                f"{self.address}{path}: the reply is not JSON: is this the address of an exam hall?"
            ) from None

    def fetch(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: HttpBody | None = None,
        accept: str = "application/json",
        is_repeatable: bool = True,
    ) -> tuple[int, bytes]:
        """The status and the bytes of a reply that fits in memory."""

        def once() -> tuple[int, bytes]:
            with self._open(method, path, query, body, accept) as answer:
                data = self._all(answer, path)
                return answer.status, data

        return self._tried(once, path, is_repeatable=is_repeatable)

    def save(
        self,
        path: str,
        stream: IO[bytes],
        *,
        query: Mapping[str, Any] | None = None,
        body: HttpBody | None = None,
        accept: str = "*/*",
        progress: Callable[[int], None] = lambda size: None,
    ) -> str:
        """Write a reply to a file as it comes, and give its content type; cut off, it restarts."""
        start = stream.tell()

        def once() -> str:
            stream.seek(start)
            stream.truncate()
            with self._open("GET" if body is None else "POST", path, query, body, accept) as answer:
                size = 0
                while block := self._read(answer, _BLOCK):
                    stream.write(block)
                    size += len(block)
                    progress(size)
                    if size > self.limits.largest_file:
                        raise ClientError(
                            f"{self.address}{path}: more than {self.limits.largest_file:,} bytes"
                        )
                _require_length(answer, size)
                return str(answer.headers.get_content_type())

        return self._tried(once, path)

    def _open(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: HttpBody | None,
        accept: str,
    ) -> Any:
        """A reply, open; what the hall refuses is one line."""
        url = f"{self.address}{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {
            "User-Agent": f"readmark/{__version__}",
            "Accept": accept,
            "Accept-Encoding": "identity",
        }
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers |= {"Content-Type": body.kind, "Content-Length": str(body.length)}
        request = urllib.request.Request(
            url,
            data=None if body is None else body.blocks(),
            headers=headers,
            method=method,
        )
        try:
            return self._opener.open(request, timeout=self.limits.silence)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refused(path, error) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._unreached(error) from None

    def _read(self, answer: Any, size: int) -> bytes:
        """Bytes of a reply; a connection that breaks may be tried again, a full disk may not."""
        try:
            data: bytes = answer.read(size)
        except (OSError, http.client.HTTPException) as error:
            raise self._unreached(error) from None
        return data

    def _all(self, answer: Any, path: str) -> bytes:
        most = self.limits.largest_document
        data = self._read(answer, most + 1)
        if len(data) > most:
            raise ClientError(f"{self.address}{path}: the reply has more than {most:,} bytes")
        _require_length(answer, len(data))
        return data

    def _tried(self, once: Callable[[], T], path: str, *, is_repeatable: bool = True) -> T:
        """Try, and try again after a while where that may help."""
        wait = self.limits.first_wait
        for attempt in range(1, self.limits.attempts + 1):
            try:
                return once()
            except _Again as error:
                pause = wait if error.wait is None else error.wait
                is_last = attempt == self.limits.attempts or pause > self.limits.longest_wait
                if is_last or not (is_repeatable or error.is_untaken):
                    times = "" if attempt == 1 else f" (tried {attempt} times)"
                    raise ClientError(
                        f"{self.address}{path}: {error}{times}", error.status
                    ) from None
                time.sleep(pause)
                wait = min(2 * wait, self.limits.longest_wait)
        raise AssertionError("there is an attempt at least")

    def _refused(self, path: str, error: urllib.error.HTTPError) -> Exception:
        """What the hall says against a request, and what to do about it."""
        status = error.code
        if status in _REDIRECTS:
            return ClientError(
                f"{self.address}{path}: the hall is at another address "
                f"({self._line(error.headers.get('Location', ''))}): use that one",
                status,
            )
        try:
            detail = self._line(_detail(error.read(_BLOCK)))
        except (OSError, http.client.HTTPException):
            detail = ""
        if status in _BUSY and (status != 429 or "Retry-After" in error.headers):
            wait = _retry_after(error.headers.get("Retry-After", ""))
            return _Again(detail or f"status {status}", status, wait, is_untaken=status == 429)
        words, advice = detail or f"refused with status {status}", ""
        if status == 401 and self.token is None:
            advice = (
                "This needs an API token: make one on the hall's account page, and set "
                f"{TOKEN_VARIABLE}"
            )
        elif status == 401:
            advice = "Make a new API token on the hall's account page"
        elif status == 404:
            advice = "There is no such thing, or it is not open to you"
        if advice:
            words = f"{words.removesuffix('.')}. {advice}"
        return ClientError(f"{self.address}{path}: {words}", status)

    def _unreached(self, error: Exception) -> Exception:
        cause = getattr(error, "reason", error)
        if isinstance(cause, ssl.SSLCertVerificationError):
            return ClientError(
                f"{self.address}: its certificate is not trusted ({cause.verify_message}); "
                "if it is your own, name its file in SSL_CERT_FILE"
            )
        if isinstance(cause, http.client.IncompleteRead):
            return _Again("the reply was cut off")
        if isinstance(cause, TimeoutError):
            return _Again(f"no reply within {self.limits.silence:g} seconds")
        words = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
        is_untaken = isinstance(cause, ConnectionRefusedError)
        return _Again(f"cannot be reached: {self._line(words)}", is_untaken=is_untaken)

    def _line(self, text: str) -> str:
        return self._secrets.one_line(text, _LONGEST_MESSAGE)


class _Again(Exception):
    """Trying again may help."""

    def __init__(
        self,
        words: str,
        status: int | None = None,
        wait: float | None = None,
        *,
        is_untaken: bool = False,
    ) -> None:
        super().__init__(words)
        self.status = status
        self.wait = wait
        self.is_untaken = is_untaken
        """Whether the hall has certainly not done what was asked."""


class _SameOrigin(urllib.request.HTTPRedirectHandler):
    """Follows redirects of what is only read, and none to another origin."""

    def __init__(self, origin: str) -> None:
        self._origin = origin

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        try:
            is_own = hall_address(newurl) == self._origin
        except UsageError:
            is_own = False
        if not is_own or req.get_method() not in ("GET", "HEAD"):
            return None  # urllib raises the status as an error
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _require_length(answer: Any, size: int) -> None:
    announced = answer.headers.get("Content-Length", "")
    if announced.isascii() and announced.isdigit() and size < int(announced[:20]):
        raise _Again(f"the reply was cut off after {size:,} of {int(announced):,} bytes")


def _detail(data: bytes) -> str:
    """What an error document says: a line, or the first of pydantic's findings."""
    try:
        detail = msgspec.json.decode(data)["detail"]
    except (*JSON_ERRORS, KeyError, TypeError):
        return ""
    if isinstance(detail, list) and detail and isinstance(detail[0], dict):
        place = ".".join(str(part) for part in detail[0].get("loc", ()))
        return f"{place}: {detail[0].get('msg', '')}"
    return str(detail)


def _retry_after(words: str) -> float | None:
    """What a hall asks for in Retry-After: seconds, or a date."""
    try:
        return max(0.0, float(words))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(words).timestamp() - time.time())
    except ValueError:
        return None


def require_size(file: Path, limits: ClientLimits) -> None:
    """Refuse to send a file that no hall takes."""
    try:
        size = file.stat().st_size
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=file) from None
    if size > limits.largest_file:
        raise DataError(f"{size:,} bytes, the limit is {limits.largest_file:,}", file=file)
