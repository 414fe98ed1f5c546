"""Asking a server over HTTP: silence, redirects and attempts are bounded, no secret is revealed."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.redaction import NO_SECRETS, Secrets, credentials
from readmark.core.version import __version__

LARGEST = 4 << 30
"""Bytes of a file, unless the configuration allows more."""
_DOCUMENT = 32 << 20
"""Bytes of a document that is read into memory."""
_REDIRECTS = 5
_LOCAL = ("localhost", "127.0.0.1", "::1")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a fetch may take."""

    largest: int = LARGEST
    silence: float = 60.0
    """Seconds without a byte after which a connection is given up."""
    attempts: int = 5
    first_wait: float = 1.0
    """Seconds before the second attempt; each further wait is twice the last."""

    def __post_init__(self) -> None:
        if self.largest < 1 or self.attempts < 1 or not 0 < self.silence < float("inf"):
            raise UsageError("the limits of a fetch must be above 0")


class FetchAgain(Exception):
    """Trying again may help."""

    def __init__(self, words: str, wait: float | None = None) -> None:
        super().__init__(words)
        self.wait = wait


class Complete(Exception):
    """The whole file had been downloaded already."""


class Guard(urllib.request.HTTPRedirectHandler):
    """Follows a few redirects, none of them out of encryption or to another sort of address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.followed = 0

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        self.followed += 1
        if self.followed > _REDIRECTS:
            raise DataError(f"{self.url}: redirected more than {_REDIRECTS} times")
        target = urlsplit(newurl)
        if target.scheme not in ("http", "https"):
            raise DataError(f"{self.url}: redirected to {target.scheme}:, which is not followed")
        if urlsplit(req.full_url).scheme == "https" and target.scheme == "http":
            raise DataError(f"{self.url}: redirected out of encryption, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch_document(url: str, limits: FetchLimits, *, secret: str | None = None) -> bytes:
    """Fetch a small document."""

    def fetch() -> bytes:
        with open_url(url, {}, limits, secret) as response:
            body = read_block(response.read, _DOCUMENT + 1)
        if len(body) > _DOCUMENT:
            raise DataError(f"{url}: more than {_DOCUMENT} bytes for a small document")
        total = content_length(response)
        if total is not None and len(body) < total:
            raise FetchAgain(f"cut after {len(body)} of {total} bytes")
        return body

    return with_retries(fetch, url, limits)


def open_url(url: str, headers: dict[str, str], limits: FetchLimits, secret: str | None) -> Any:
    """A server's response, open; a refusal is reported in one line."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not an http or https address")
    usual = {"User-Agent": f"readmark/{__version__}", "Accept-Encoding": "identity"}
    request = urllib.request.Request(url, headers=usual | headers)
    proxies = urllib.request.getproxies().values()
    secrets = Secrets(secret, *(word for proxy in proxies for word in credentials(proxy)))
    if secret and (parts.scheme == "https" or parts.hostname in _LOCAL):
        # Not sent on to where a redirect leads.
        request.add_unredirected_header("Authorization", f"Bearer {secret}")
    handlers: list[Any] = [Guard(url)]
    if parts.hostname in _LOCAL:
        handlers.append(urllib.request.ProxyHandler({}))
    opener = urllib.request.build_opener(*handlers)
    try:
        return opener.open(request, timeout=limits.silence)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(url, error, headers, closed=secret is None) from None
    except (OSError, http.client.HTTPException) as error:
        raise FetchAgain(_error_words(error, secrets)) from None
    except ValueError:  # its message may quote a header, and a header the secret
        raise DataError(f"{url}: not a valid address, or not a valid header") from None


def read_block(read: Callable[[int], bytes], most: int) -> bytes:
    """Bytes as they come; a connection that breaks is one to try again."""
    try:
        return read(most)
    except (OSError, http.client.HTTPException) as error:
        raise FetchAgain(_error_words(error)) from None


def content_length(response: Any) -> int | None:
    """How many bytes a server says it sends."""
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdigit() else None


def with_retries(attempt_once: Callable[[], T], url: str, limits: FetchLimits) -> T:
    """Try, and wait and try again where that may help."""
    wait = limits.first_wait
    for attempt in range(1, limits.attempts + 1):
        try:
            return attempt_once()
        except FetchAgain as error:
            if attempt == limits.attempts:
                times = "once" if attempt == 1 else f"{attempt} times"
                raise ReadmarkError(f"{url}: {error} (tried {times})") from None
            time.sleep(min(error.wait if error.wait is not None else wait, 60.0))
            wait *= 2
    raise ReadmarkError(f"{url}: not tried")


def _refused(
    url: str, error: urllib.error.HTTPError, headers: dict[str, str], *, closed: bool
) -> Exception:
    status = error.code
    if status == 416 and headers:
        size = error.headers.get("Content-Range", "").rpartition("/")[2]
        downloaded = headers["Range"].removeprefix("bytes=").removesuffix("-")
        if size == downloaded:
            return Complete()
        return DataError(
            f"{url}: the partial download is longer than the file; remove it and try again"
        )
    if status in (408, 425, 429) or status >= 500:
        wait = error.headers.get("Retry-After", "")
        return FetchAgain(f"status {status}", float(wait) if wait.isdigit() else None)
    if status in (401, 403):
        hint = "; if the data set is closed, set HF_TOKEN" if closed else ""
        return DataError(f"{url}: not allowed (status {status}){hint}")
    if 300 <= status < 400:
        return DataError(f"{url}: redirected in a circle, or to nowhere (status {status})")
    return DataError(f"{url}: {'no such file' if status in (404, 410) else 'refused'} ({status})")


def _error_words(error: BaseException, secrets: Secrets = NO_SECRETS) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "cut in the middle"
    cause = getattr(error, "reason", error)
    if isinstance(cause, TimeoutError) or "timed out" in str(cause):
        return "silence"
    message = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return secrets.one_line(str(message), 200)
