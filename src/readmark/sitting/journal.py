"""The journal of a sitting: every answer is in the file before the next one is asked for.

Only this process writes it. A journal that was cut off anywhere can be gone on with: a torn last
line is taken out, and what was answered stays answered.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.formats.lines import decode, line, read_header
from readmark.corpus.problems import Problem, fail
from readmark.corpus.sitting import Row, SittingHeader

Asked = tuple[str, int]
"""A unit's id and the number of the repeat."""


@dataclass
class Done:
    """What a journal already holds: what was answered, and how often what failed was tried."""

    answered: set[Asked] = field(default_factory=set)
    failed: dict[Asked, int] = field(default_factory=dict)
    repaired: str | None = None

    def take(self, row: Row) -> None:
        """The last row for an id and repeat wins."""
        asked = row.id, row.repeat
        if row.error is None:
            self.answered.add(asked)
            self.failed.pop(asked, None)
        else:
            self.answered.discard(asked)
            self.failed[asked] = row.attempt


class Journal:
    """An open journal: rows are appended and flushed one by one."""

    def __init__(self, stream: IO[bytes], path: Path, done: Done) -> None:
        self._stream = stream
        self._path = path
        self.done = done

    def write(self, row: Row) -> None:
        """Append a row; on a full disk what stands before it stays whole."""
        try:
            self._stream.write(line(row))
            self._stream.flush()
        except OSError as error:
            raise DataError(
                f"the answer to {row.id!r} cannot be written ({error.strerror or error}); "
                "what was journalled before it stands",
                file=self._path,
            ) from None


@contextlib.contextmanager
def open_journal(path: str | Path, header: SittingHeader) -> Iterator[Journal]:
    """Begin a journal, or go on with one of the same paper, candidate and settings."""
    path = Path(path)
    if path.suffix.lower() in (".gz", ".zst"):
        raise DataError("a journal is appended to and cannot be compressed", file=path)
    done = Done()
    try:
        if path.exists() and path.stat().st_size:
            done = _go_on(path, header)
            stream = path.open("ab")
        else:
            stream = path.open("wb")
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None
    with contextlib.closing(stream):
        journal = Journal(stream, path, done)
        if not stream.tell():
            _begin(stream, path, header)
        yield journal


def _begin(stream: IO[bytes], path: Path, header: SittingHeader) -> None:
    first = {"readmark": header.readmark, "file": "sitting", "candidate": header.candidate}
    try:
        stream.write(line({**first, **msgspec.to_builtins(header)}))
        stream.flush()
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def _go_on(path: Path, header: SittingHeader) -> Done:
    """Read what stands, take out a torn last line, and see that it is the same sitting."""
    done = Done()
    whole = _whole_lines(path)
    if whole < path.stat().st_size:
        done.repaired = f"{path}: the last line was cut off and has been taken out"
        os.truncate(path, whole)
    if not whole:
        return done
    _same_sitting(path, read_header(str(path), SittingHeader), header)
    decoder = msgspec.json.Decoder(Row)
    with path.open("rb") as stream:
        next(stream, None)
        for number, raw in enumerate(stream, 2):
            if raw.strip():
                row = decode(str(path), number, raw.strip(), decoder, _refuse)
                if row is not None:
                    done.take(row)
    return done


def _refuse(problem: Problem) -> None:
    fail(problem)


def _whole_lines(path: Path) -> int:
    """How many bytes of a file are whole lines: up to and with the last line feed."""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        end = size
        while end > 0:
            start = max(0, end - 65536)
            stream.seek(start)
            at = stream.read(end - start).rfind(b"\n")
            if at >= 0:
                return start + at + 1
            end = start
    return 0


def _same_sitting(path: Path, before: SittingHeader, now: SittingHeader) -> None:
    """Refuse to mix two sittings in one journal."""
    for what, old, new in (
        ("kind of test", before.kind, now.kind),
        ("paper", before.paper, now.paper),
        ("candidate", before.candidate, now.candidate),
        ("candidate's signature", before.signature, now.signature),
        ("--repeats", before.repeats, now.repeats),
        ("--limit", before.limit, now.limit),
        ("--without", before.without, now.without),
    ):
        if old != new:
            raise DataError(
                f"was begun with another {what} ({_shown(old)}, now {_shown(new)}); "
                "choose another file",
                file=path,
            )


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "none"
    return "none" if value is None else str(value)
