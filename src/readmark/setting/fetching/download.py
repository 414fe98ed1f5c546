"""One file over HTTP: goes on where it was cut, and is whole or is not there.

What is begun belongs to one process at a time, and to one content.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import JSON_ERRORS, sync
from readmark.setting.fetching.connection import (
    Again,
    Complete,
    Limits,
    asked,
    length,
    persistently,
    read,
)
from readmark.setting.fetching.content import require_data, require_no_page, sha256_of

_BLOCK = 1 << 16
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")

Progress = Callable[[int, int | None], None]
"""Bytes that are here, and of how many where that is known."""


class Part(msgspec.Struct, frozen=True):
    """What a file that is not whole yet is of."""

    url: str
    validator: str | None = None
    """The server's own mark of the content, without which there is no going on."""
    total: int | None = None


@contextlib.contextmanager
def begun(part: Path, target: Path) -> Iterator[IO[bytes]]:
    """What is begun of a file, open for this process alone; an empty beginning is not left."""
    stream = _mine(part, target)
    try:
        yield stream
    finally:
        if not stream.closed:
            if not os.fstat(stream.fileno()).st_size and _is_at(stream, part):
                part.unlink(missing_ok=True)
                _note(part).unlink(missing_ok=True)
            stream.close()


def download(
    url: str,
    part: Path,
    stream: IO[bytes],
    limits: Limits,
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
        _on(url, part, stream, limits, secret, size, progress)

    persistently(once, url, limits)
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
    if os.name == "nt":
        stream.close()  # nothing that is open can be renamed there
    source.replace(target)
    sync(target.parent)


def _mine(part: Path, target: Path) -> IO[bytes]:
    """The file, made if need be, under a lock that goes with the process."""
    while True:
        stream = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        try:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.close()
            raise DataError("is being fetched by another process", file=target) from None
        except (ImportError, OSError):
            return stream
        if _is_at(stream, part):
            return stream
        stream.close()  # whoever held it put it in place meanwhile


def _is_at(stream: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except OSError:
        return False


def _forget(part: Path, stream: IO[bytes]) -> None:
    """Begin anew."""
    stream.seek(0)
    stream.truncate()
    _note(part).unlink(missing_ok=True)


def _on(
    url: str,
    part: Path,
    stream: IO[bytes],
    limits: Limits,
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
        with asked(url, headers, limits, secret) as answer:
            start, total = _placed(url, answer, here if headers else 0)
            now = Part(url, _validator(answer.headers), total)
            if start and known is not None and not _same(known, now):
                _forget(part, stream)
                raise Again("another content came than what was begun")
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
        raise Again(f"cut after {came} of {whole} bytes")
    _require_size(url, came, size, limits, lambda: _forget(part, stream))
    if total is not None and came != total:
        raise Again(f"{came} bytes came of {total}")


def _require_size(
    url: str, here: int | None, size: int | None, limits: Limits, forget: Callable[[], None]
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
    limits: Limits,
    progress: Progress,
) -> int:
    came = start
    while came <= limits.largest:
        block = read(answer.read1, _BLOCK)  # as it comes, so that nothing of it is lost
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
            raise DataError(f"{url}: another part came than the one asked for")
        return here, None if placed[3] == "*" else int(placed[3])
    return 0, length(answer)


def _known(part: Path, stream: IO[bytes], url: str) -> tuple[int, Part | None]:
    """How much is here, and of what; nothing where it is of something else."""
    here = os.fstat(stream.fileno()).st_size
    try:
        known = msgspec.json.decode(_note(part).read_bytes(), type=Part)
    except (OSError, *JSON_ERRORS):
        return 0, None
    return (here, known) if here and known.url == url else (0, None)


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _same(before: Part, now: Part) -> bool:
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


def _too_large(url: str, size: int, limits: Limits) -> DataError:
    return DataError(f"{url}: {size} bytes or more, the limit is {limits.largest} (--max-size)")
