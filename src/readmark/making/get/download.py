"""One file over HTTP: resumes where it was cut off, and is complete or absent.

A partial file belongs to one process at a time, and to one content.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS
from readmark.core.writing import RENAMES_OPEN, lock, sync
from readmark.making.get.content import require_data, require_no_page, sha256_of
from readmark.making.get.http_requests import (
    Complete,
    FetchAgain,
    FetchLimits,
    content_length,
    open_url,
    read_block,
    with_retries,
)

_BLOCK = 1 << 16
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")

Progress = Callable[[int, int | None], None]
"""Called with the bytes that are here, and their total where it is known."""


class PartialFile(msgspec.Struct, frozen=True):
    """What a partial file is a part of: the content of FILE.part.json."""

    url: str
    validator: str | None = None
    """The server's own mark of the content, without which a download cannot be resumed."""
    total: int | None = None


@contextlib.contextmanager
def partial_file(part: Path, target: Path) -> Iterator[IO[bytes]]:
    """A partial file, open for this process alone; an empty one is removed."""
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
                _note_of(part).unlink(missing_ok=True)
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
    """Download a file to ``part``, open as ``stream``, and return its SHA-256.

    ``size`` is what it must have, where that is known from elsewhere.
    """
    if size is not None and size > limits.largest:
        raise _too_large(url, size, limits)

    def attempt() -> None:
        _resume(url, part, stream, limits, secret, size, progress)

    with_retries(attempt, url, limits)
    try:
        require_data(url, stream)
    except DataError:
        _start_over(part, stream)
        raise
    _note_of(part).unlink(missing_ok=True)
    return sha256_of(stream)


def place(stream: IO[bytes], source: Path, target: Path) -> None:
    """Put a complete file where it belongs, in one step."""
    with contextlib.suppress(OSError):
        os.fsync(stream.fileno())
    if not RENAMES_OPEN:
        stream.close()
    source.replace(target)
    sync(target.parent)


def _locked(part: Path, target: Path) -> IO[bytes]:
    """The file, made if need be, under a lock that ends with the process."""
    while True:
        stream = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        is_locked = lock(stream.fileno())
        if is_locked is False:
            stream.close()
            raise DataError("is being downloaded by another process", file=target)
        if is_locked is None or _is_same_file(stream, part):
            return stream
        stream.close()  # another process completed it meanwhile


def _is_same_file(stream: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except OSError:
        return False


def _start_over(part: Path, stream: IO[bytes]) -> None:
    stream.seek(0)
    stream.truncate()
    _note_of(part).unlink(missing_ok=True)


def _resume(
    url: str,
    part: Path,
    stream: IO[bytes],
    limits: FetchLimits,
    secret: str | None,
    size: int | None,
    progress: Progress,
) -> None:
    """Ask for what is missing, and write it as it comes."""
    size_here, earlier = _earlier_part(part, stream, url)
    headers = {}
    if earlier is not None and earlier.validator:
        headers = {"Range": f"bytes={size_here}-", "If-Range": earlier.validator}
    try:
        with open_url(url, headers, limits, secret) as response:
            start, total = _start_and_total(url, response, size_here if headers else 0)
            current = PartialFile(url, _validator(response.headers), total)
            if start and earlier is not None and not _may_be_same(earlier, current):
                _start_over(part, stream)
                raise FetchAgain("the content has changed since the download began")
            require_no_page(url, str(response.headers.get("Content-Type", "")))
            _require_size(url, total, size, limits, lambda: _start_over(part, stream))
            _note_of(part).write_bytes(msgspec.json.encode(current))
            stream.seek(start)
            stream.truncate()
            received = _write_blocks(response, stream, start, total, limits, progress)
    except Complete:
        received = total = size_here
    expected = total if total is not None else size
    if expected is not None and received < expected:
        raise FetchAgain(f"cut after {received} of {expected} bytes")
    _require_size(url, received, size, limits, lambda: _start_over(part, stream))
    if total is not None and received != total:
        raise FetchAgain(f"received {received} of {total} bytes")


def _require_size(
    url: str,
    received: int | None,
    size: int | None,
    limits: FetchLimits,
    start_over: Callable[[], None],
) -> None:
    """Refuse what is too large, or not as large as it is known to be."""
    if received is None:
        return
    if received > limits.largest:
        start_over()
        raise _too_large(url, received, limits)
    if size is not None and received != size:
        start_over()
        raise DataError(f"{url}: {received:,} bytes, expected {size:,}")


def _write_blocks(
    response: Any,
    stream: IO[bytes],
    start: int,
    total: int | None,
    limits: FetchLimits,
    progress: Progress,
) -> int:
    received = start
    while received <= limits.largest:
        block = read_block(response.read1, _BLOCK)  # as it comes, so that nothing of it is lost
        if not block:
            break
        stream.write(block)
        stream.flush()
        received += len(block)
        progress(received, total)
    return received


def _start_and_total(url: str, response: Any, asked_from: int) -> tuple[int, int | None]:
    """The offset of the bytes that come, and the size of the whole file if it is known."""
    if response.headers.get("Content-Encoding", "identity").lower() not in ("identity", ""):
        raise DataError(f"{url}: sent compressed although that was not asked for")
    if response.status == 206:
        content_range = _RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if content_range is None or int(content_range[1]) != asked_from:
            raise DataError(f"{url}: the server sent a different part than requested")
        return asked_from, None if content_range[3] == "*" else int(content_range[3])
    return 0, content_length(response)


def _earlier_part(part: Path, stream: IO[bytes], url: str) -> tuple[int, PartialFile | None]:
    """The bytes that are here, and of what; nothing where they are of another file."""
    size = os.fstat(stream.fileno()).st_size
    try:
        earlier = msgspec.json.decode(_note_of(part).read_bytes(), type=PartialFile)
    except (OSError, *JSON_ERRORS):
        return 0, None
    return (size, earlier) if size and earlier.url == url else (0, None)


def _note_of(part: Path) -> Path:
    """The file that says what a partial file is a part of."""
    return part.with_name(f"{part.name}.json")


def _may_be_same(earlier: PartialFile, current: PartialFile) -> bool:
    """Whether two parts can be of one content: not every server heeds If-Range."""
    if None not in (earlier.total, current.total) and earlier.total != current.total:
        return False
    before, now = earlier.validator, current.validator
    # An entity tag, which is quoted, cannot be compared with a date.
    if before is None or now is None or before.startswith('"') != now.startswith('"'):
        return True
    return before == now


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
