"""One file over HTTP: resumes where it was cut off, and is complete or absent.

What is begun belongs to one process at a time, and to one content.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.redaction import NO_SECRETS, Secrets, credentials
from readmark.core.version import __version__
from readmark.core.writing import RENAMES_OPEN, lock, sync
from readmark.making.get.public_tests import require_data, require_no_page, sha256_of

# Asking a server over HTTP: silence, redirects and attempts are bounded, no secret is revealed.


LARGEST = 4 << 30
_DOCUMENT = 32 << 20
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
    """All of it was here already."""


class Guard(urllib.request.HTTPRedirectHandler):
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


def fetch_document(url: str, limits: FetchLimits, *, secret: str | None = None) -> bytes:
    """A small document."""

    def once() -> bytes:
        with open_url(url, {}, limits, secret) as answer:
            body = read_block(answer.read, _DOCUMENT + 1)
        if len(body) > _DOCUMENT:
            raise DataError(f"{url}: more than {_DOCUMENT} bytes for a small document")
        total = length(answer)
        if total is not None and len(body) < total:
            raise FetchAgain(f"cut after {len(body)} of {total} bytes")
        return body

    return with_retries(once, url, limits)


def open_url(url: str, headers: dict[str, str], limits: FetchLimits, secret: str | None) -> Any:
    """A server's answer, open; what it refuses is reported in one line."""
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
        raise FetchAgain(_words(error, secrets)) from None
    except ValueError:  # its words may hold a header, and a header the secret
        raise DataError(f"{url}: cannot be asked for: no such address, or header") from None


def read_block(read: Callable[[int], bytes], most: int) -> bytes:
    """Bytes as they come; a connection that breaks is one to try again."""
    try:
        return read(most)
    except (OSError, http.client.HTTPException) as error:
        raise FetchAgain(_words(error)) from None


def length(answer: Any) -> int | None:
    """How many bytes a server says it sends."""
    said = answer.headers.get("Content-Length", "")
    return int(said) if said.isdigit() else None


def with_retries(once: Callable[[], T], url: str, limits: FetchLimits) -> T:
    """Try, and try again after a while where that may help."""
    wait = limits.first_wait
    for attempt in range(1, limits.attempts + 1):
        try:
            return once()
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
        whole = error.headers.get("Content-Range", "").rpartition("/")[2]
        begun = headers["Range"].removeprefix("bytes=").removesuffix("-")
        if whole == begun:
            return Complete()
        return DataError(f"{url}: what was begun is longer than the file; remove it and ask again")
    if status in (408, 425, 429) or status >= 500:
        wait = error.headers.get("Retry-After", "")
        return FetchAgain(f"status {status}", float(wait) if wait.isdigit() else None)
    if status in (401, 403):
        hint = "; if it is a closed set, set HF_TOKEN" if closed else ""
        return DataError(f"{url}: not allowed (status {status}){hint}")
    if 300 <= status < 400:
        return DataError(f"{url}: redirected in a circle, or to nowhere (status {status})")
    return DataError(f"{url}: {'no such file' if status in (404, 410) else 'refused'} ({status})")


def _words(error: BaseException, secrets: Secrets = NO_SECRETS) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "cut in the middle"
    cause = getattr(error, "reason", error)
    if isinstance(cause, TimeoutError) or "timed out" in str(cause):
        return "silence"
    said = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return secrets.one_line(str(said), 200)


_BLOCK = 1 << 16
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")

Progress = Callable[[int, int | None], None]
"""Bytes that are here, and of how many where that is known."""


class PartialFile(msgspec.Struct, frozen=True):
    """What a file that is not whole yet is of."""

    url: str
    validator: str | None = None
    """The server's own mark of the content, without which there is no going on."""
    total: int | None = None


@contextlib.contextmanager
def partial_file(part: Path, target: Path) -> Iterator[IO[bytes]]:
    """What is begun of a file, open for this process alone; an empty beginning is not left."""
    stream = _locked(part, target)
    try:
        yield stream
    finally:
        if not stream.closed:
            is_empty = not os.fstat(stream.fileno()).st_size and _is_same_file(stream, part)
            if not RENAMES_OPEN:
                stream.close()
            if is_empty:
                part.unlink(missing_ok=True)
                _note(part).unlink(missing_ok=True)
            stream.close()


def download(
    url: str,
    part: Path,
    stream: IO[bytes],
    limits: FetchLimits,
    *,
    secret: str | None = None,
    size: int | None = None,
    progress: Progress = lambda here, total: None,
) -> str:
    """Bring a file to ``part``, open as ``stream``, from where it is; the SHA-256 of the whole.

    ``size`` is what it must have, where that is known from elsewhere.
    """
    if size is not None and size > limits.largest:
        raise _too_large(url, size, limits)

    def once() -> None:
        _resume(url, part, stream, limits, secret, size, progress)

    with_retries(once, url, limits)
    try:
        require_data(url, stream)
    except DataError:
        _forget(part, stream)
        raise
    _note(part).unlink(missing_ok=True)
    return sha256_of(stream)


def place(stream: IO[bytes], source: Path, target: Path) -> None:
    """Put a whole file where it belongs, in one step."""
    with contextlib.suppress(OSError):
        os.fsync(stream.fileno())
    if not RENAMES_OPEN:
        stream.close()
    source.replace(target)
    sync(target.parent)


def _locked(part: Path, target: Path) -> IO[bytes]:
    """The file, made if need be, under a lock that goes with the process."""
    while True:
        stream = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        got = lock(stream.fileno())
        if got is False:
            stream.close()
            raise DataError("is being fetched by another process", file=target)
        if got is None or _is_same_file(stream, part):
            return stream
        stream.close()  # another process completed it meanwhile


def _is_same_file(stream: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except OSError:
        return False


def _forget(part: Path, stream: IO[bytes]) -> None:
    """Begin anew."""
    stream.seek(0)
    stream.truncate()
    _note(part).unlink(missing_ok=True)


def _resume(
    url: str,
    part: Path,
    stream: IO[bytes],
    limits: FetchLimits,
    secret: str | None,
    size: int | None,
    progress: Progress,
) -> None:
    """Ask for what is missing, and write it down as it comes."""
    here, known = _known(part, stream, url)
    headers = {}
    if known is not None and known.validator:
        headers = {"Range": f"bytes={here}-", "If-Range": known.validator}
    try:
        with open_url(url, headers, limits, secret) as answer:
            start, total = _placed(url, answer, here if headers else 0)
            now = PartialFile(url, _validator(answer.headers), total)
            if start and known is not None and not _same(known, now):
                _forget(part, stream)
                raise FetchAgain("the content has changed since the download began")
            require_no_page(url, str(answer.headers.get("Content-Type", "")))
            _require_size(url, total, size, limits, lambda: _forget(part, stream))
            _note(part).write_bytes(msgspec.json.encode(now))
            stream.seek(start)
            stream.truncate()
            came = _written(answer, stream, start, total, limits, progress)
    except Complete:
        came = total = here
    whole = total if total is not None else size
    if whole is not None and came < whole:
        raise FetchAgain(f"cut after {came} of {whole} bytes")
    _require_size(url, came, size, limits, lambda: _forget(part, stream))
    if total is not None and came != total:
        raise FetchAgain(f"received {came} of {total} bytes")


def _require_size(
    url: str, here: int | None, size: int | None, limits: FetchLimits, forget: Callable[[], None]
) -> None:
    """Refuse what is too large, or not as large as it is known to be."""
    if here is None:
        return
    if here > limits.largest:
        forget()
        raise _too_large(url, here, limits)
    if size is not None and here != size:
        forget()
        raise DataError(f"{url}: {here:,} bytes, expected {size:,}")


def _written(
    answer: Any,
    stream: IO[bytes],
    start: int,
    total: int | None,
    limits: FetchLimits,
    progress: Progress,
) -> int:
    came = start
    while came <= limits.largest:
        block = read_block(answer.read1, _BLOCK)  # as it comes, so that nothing of it is lost
        if not block:
            break
        stream.write(block)
        stream.flush()
        came += len(block)
        progress(came, total)
    return came


def _placed(url: str, answer: Any, here: int) -> tuple[int, int | None]:
    """Where the coming bytes belong, and how many there are in all."""
    if answer.headers.get("Content-Encoding", "identity").lower() not in ("identity", ""):
        raise DataError(f"{url}: sent compressed although that was not asked for")
    if answer.status == 206:
        placed = _RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
        if placed is None or int(placed[1]) != here:
            raise DataError(f"{url}: the server sent a different part than requested")
        return here, None if placed[3] == "*" else int(placed[3])
    return 0, length(answer)


def _known(part: Path, stream: IO[bytes], url: str) -> tuple[int, PartialFile | None]:
    """How much is here, and of what; nothing where it is of something else."""
    here = os.fstat(stream.fileno()).st_size
    try:
        known = msgspec.json.decode(_note(part).read_bytes(), type=PartialFile)
    except (OSError, *JSON_ERRORS):
        return 0, None
    return (here, known) if here and known.url == url else (0, None)


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _same(before: PartialFile, now: PartialFile) -> bool:
    """Whether two parts can be of one content: not every server heeds If-Range."""
    if None not in (before.total, now.total) and before.total != now.total:
        return False
    one, other = before.validator, now.validator
    if one is None or other is None or one.startswith('"') != other.startswith('"'):
        return True
    return one == other


def _validator(headers: Mapping[str, str]) -> str | None:
    """What If-Range takes: a strong entity tag, else a date (RFC 9110, section 13.1.5)."""
    tag = headers.get("ETag", "")
    if tag and not tag.startswith("W/"):
        return tag
    return headers.get("Last-Modified") or None


def _too_large(url: str, size: int, limits: FetchLimits) -> DataError:
    return DataError(
        f"{url}: {size} bytes or more, the limit is {limits.largest}; "
        "if you trust it, raise the limit: readmark --set files.download=SIZE"
    )
