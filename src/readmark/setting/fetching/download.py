"""One file over HTTP: goes on where it was cut, and is whole or is not there.

Silence, size, redirects and attempts are all bounded; a connection that began encrypted stays so.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from readmark.corpus.errors import DataError, ReadmarkError, UsageError
from readmark.corpus.version import __version__

LARGEST = 4 << 30
_DOCUMENT = 32 << 20
_BLOCK = 1 << 16
_REDIRECTS = 5
_LOCAL = ("localhost", "127.0.0.1", "::1")
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
_HTML = re.compile(rb"\s*(?:<!doctype html|<html)", re.IGNORECASE)

T = TypeVar("T")

Progress = Callable[[int, int | None], None]
"""Bytes that are here, and of how many where that is known."""


@dataclass(frozen=True, slots=True)
class Limits:
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


class Part(msgspec.Struct, frozen=True):
    """What a file that is not whole yet is of."""

    url: str
    validator: str | None = None
    """The server's own mark of the content, without which there is no going on."""


class _Again(Exception):
    """Trying again may help."""

    def __init__(self, words: str, wait: float | None = None) -> None:
        super().__init__(words)
        self.wait = wait


class _Guard(urllib.request.HTTPRedirectHandler):
    """Follows a few redirects, none of them out of encryption or to another sort of address."""

    def __init__(self, asked: str) -> None:
        self.asked = asked
        self.followed = 0

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        self.followed += 1
        if self.followed > _REDIRECTS:
            raise DataError(f"{self.asked}: redirected more than {_REDIRECTS} times")
        target = urlsplit(newurl)
        if target.scheme not in ("http", "https"):
            raise DataError(f"{self.asked}: redirected to {target.scheme}:, which is not followed")
        if urlsplit(req.full_url).scheme == "https" and target.scheme == "http":
            raise DataError(f"{self.asked}: redirected out of encryption, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def look(url: str, limits: Limits, *, secret: str | None = None) -> bytes:
    """A small document."""

    def once() -> bytes:
        with _asked(url, {}, limits, secret) as answer:
            body = _bytes(answer.read, _DOCUMENT + 1)
        if len(body) > _DOCUMENT:
            raise DataError(f"{url}: more than {_DOCUMENT} bytes for a small document")
        _require_whole(answer, len(body))
        return body

    return _persistently(once, url, limits)


def download(
    url: str,
    part: Path,
    limits: Limits,
    *,
    secret: str | None = None,
    size: int | None = None,
    progress: Progress = lambda here, total: None,
) -> str:
    """Bring a file to ``part``, from where it is; the SHA-256 of the whole."""
    if size is not None and size > limits.largest:
        raise _too_large(url, size, limits)
    _persistently(lambda: _on(url, part, limits, secret, progress), url, limits)
    _note(part).unlink(missing_ok=True)
    return sha256_of(part)


def sha256_of(path: Path) -> str:
    """The hash of a file as it lies there."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def forget(part: Path) -> None:
    """Remove what was begun."""
    part.unlink(missing_ok=True)
    _note(part).unlink(missing_ok=True)


def _on(url: str, part: Path, limits: Limits, secret: str | None, progress: Progress) -> None:
    """Ask for what is missing, and write it down as it comes."""
    here, known = _begun(part, url)
    headers = {}
    if here and known is not None and known.validator:
        headers = {"Range": f"bytes={here}-", "If-Range": known.validator}
    try:
        with _asked(url, headers, limits, secret) as answer:
            start, total = _placed(answer, here if headers else 0)
            if total is not None and total > limits.largest:
                forget(part)
                raise _too_large(url, total, limits)
            _note(part).write_bytes(msgspec.json.encode(Part(url, _validator(answer.headers))))
            with part.open("r+b" if start else "wb") as stream:
                stream.seek(start)
                stream.truncate()
                came = _written(answer, stream, start, total, limits, progress)
    except _Complete:
        return
    if came > limits.largest:
        forget(part)
        raise _too_large(url, came, limits)
    if total is not None and came != total:
        raise _Again(f"cut after {came} of {total} bytes")
    if start == 0 and part.stat().st_size and _is_page(part):
        forget(part)
        raise DataError(f"{url}: a web page came, not a data file")


class _Complete(Exception):
    """All of it was here already."""


def _written(
    answer: Any,
    stream: IO[bytes],
    start: int,
    total: int | None,
    limits: Limits,
    progress: Progress,
) -> int:
    came = start
    while came <= limits.largest:
        block = _bytes(answer.read1, _BLOCK)  # as it comes, so that nothing of it is lost
        if not block:
            break
        stream.write(block)
        stream.flush()
        came += len(block)
        progress(came, total)
    return came


def _placed(answer: Any, here: int) -> tuple[int, int | None]:
    """Where the coming bytes belong, and how many there are in all."""
    if answer.headers.get("Content-Encoding", "identity").lower() not in ("identity", ""):
        raise DataError(f"{answer.url}: sent compressed although that was not asked for")
    if answer.status == 206:
        placed = _RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
        if placed is None or int(placed[1]) != here:
            raise DataError(f"{answer.url}: another part came than the one asked for")
        return here, None if placed[3] == "*" else int(placed[3])
    return 0, _length(answer)


def _begun(part: Path, url: str) -> tuple[int, Part | None]:
    try:
        known = msgspec.json.decode(_note(part).read_bytes(), type=Part)
        here = part.stat().st_size
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return 0, None
    return (here, known) if known.url == url else (0, None)


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _validator(headers: Mapping[str, str]) -> str | None:
    """What If-Range takes: a strong entity tag, else a date (RFC 9110, section 13.1.5)."""
    tag = headers.get("ETag", "")
    if tag and not tag.startswith("W/"):
        return tag
    return headers.get("Last-Modified") or None


def _asked(url: str, headers: dict[str, str], limits: Limits, secret: str | None) -> Any:
    """A server's answer, open; what it refuses is told in one line."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is no http or https address")
    request = urllib.request.Request(
        url, headers={"User-Agent": f"readmark/{__version__}", "Accept-Encoding": "identity"}
    )
    for name, value in headers.items():
        request.add_header(name, value)
    if secret and (parts.scheme == "https" or parts.hostname in _LOCAL):
        # Not sent on to where a redirect leads.
        request.add_unredirected_header("Authorization", f"Bearer {secret}")
    handlers: list[Any] = [_Guard(url)]
    if parts.hostname in _LOCAL:
        handlers.append(urllib.request.ProxyHandler({}))
    opener = urllib.request.build_opener(*handlers)
    try:
        return opener.open(request, timeout=limits.silence)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(url, error, headers, closed=secret is None) from None
    except (OSError, http.client.HTTPException) as error:
        raise _Again(_words(error)) from None


def _refused(
    url: str, error: urllib.error.HTTPError, headers: dict[str, str], *, closed: bool
) -> Exception:
    status = error.code
    if status == 416 and headers:
        whole = error.headers.get("Content-Range", "").rpartition("/")[2]
        begun = headers["Range"].removeprefix("bytes=").removesuffix("-")
        if whole == begun:
            return _Complete()
        return DataError(f"{url}: what was begun is longer than the file; remove it and ask again")
    if status in (408, 425, 429) or status >= 500:
        wait = error.headers.get("Retry-After", "")
        return _Again(f"status {status}", float(wait) if wait.isdigit() else None)
    if status in (401, 403):
        hint = "; if it is a closed set, set HF_TOKEN" if closed else ""
        return DataError(f"{url}: not allowed (status {status}){hint}")
    if 300 <= status < 400:
        return DataError(f"{url}: redirected in a circle, or to nowhere (status {status})")
    return DataError(f"{url}: {'no such file' if status in (404, 410) else 'refused'} ({status})")


def _bytes(read: Callable[[int], bytes], most: int) -> bytes:
    try:
        return read(most)
    except (OSError, http.client.HTTPException) as error:
        raise _Again(_words(error)) from None


def _length(answer: Any) -> int | None:
    said = answer.headers.get("Content-Length", "")
    return int(said) if said.isdigit() else None


def _require_whole(answer: Any, came: int) -> None:
    total = _length(answer)
    if total is not None and came < total:
        raise _Again(f"cut after {came} of {total} bytes")


def _persistently(once: Callable[[], T], url: str, limits: Limits) -> T:
    wait = limits.first_wait
    for attempt in range(1, limits.attempts + 1):
        try:
            return once()
        except _Again as error:
            if attempt == limits.attempts:
                times = "once" if attempt == 1 else f"{attempt} times"
                raise ReadmarkError(f"{url}: {error} (tried {times})") from None
            time.sleep(min(error.wait if error.wait is not None else wait, 60.0))
            wait *= 2
    raise ReadmarkError(f"{url}: not tried")


def _is_page(path: Path) -> bool:
    with path.open("rb") as stream:
        return _HTML.match(stream.read(256)) is not None


def _too_large(url: str, size: int, limits: Limits) -> DataError:
    return DataError(f"{url}: {size} bytes or more, the limit is {limits.largest} (--max-size)")


def _words(error: BaseException) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "cut in the middle"
    cause = getattr(error, "reason", error)
    if isinstance(cause, TimeoutError) or "timed out" in str(cause):
        return "silence"
    said = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return " ".join(str(said).split())[:200]


def place(source: Path, target: Path) -> None:
    """Put a whole file where it belongs, in one step."""
    with contextlib.suppress(OSError), source.open("rb") as stream:
        os.fsync(stream.fileno())
    source.replace(target)
