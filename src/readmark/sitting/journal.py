"""The journal of a sitting: every answer is in the file before the next one is asked for.

Only this process writes it, and a journal that was cut off anywhere can be resumed. What a process
has written survives its end; a power cut may cost the rows since the last sync.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import sync, sync_open
from readmark.corpus.formats.lines import line
from readmark.corpus.sitting import Row, SittingHeader
from readmark.sitting.resuming import Done, go_on

SYNC_EVERY = 1.0
"""Seconds of rows that a power cut may cost: a row that is written later than that after the last
sync is synced at once, with all that came before it."""


class Journal:
    """An open journal: each row is in the file, whole, when ``write`` returns."""

    def __init__(self, stream: io.FileIO, path: Path, done: Done) -> None:
        self._stream = stream
        self._path = path
        self._end = stream.seek(0, os.SEEK_END)
        self._synced = monotonic()
        self.done = done

    def begin(self, first: bytes) -> None:
        """The header, when nothing stands yet; what stands is on the disk before anything else."""
        try:
            if not self._end:
                self._append(first)
            self.sync()
            sync(Path(os.path.realpath(self._path)).parent)
        except OSError as error:
            raise _unwritable(self._path, error) from None

    def sync(self) -> None:
        """Have everything that was written on the disk."""
        sync_open(self._stream.fileno())
        self._synced = monotonic()

    def write(self, row: Row) -> None:
        """Append a row, or nothing: on a full disk what stands before it stays whole."""
        try:
            self._append(line(row))
        except OSError as error:
            raise DataError(
                f"the answer to {row.id!r} cannot be written ({error.strerror or error}); "
                "what was journalled before it stands",
                file=self._path,
            ) from None
        if monotonic() - self._synced >= SYNC_EVERY:
            try:
                self.sync()
            except OSError as error:
                raise _unsynced(self._path, error) from None
        # Answered units are not kept: a long sitting must not grow.
        if row.error is None:
            self.done.failed.pop((row.id, row.repeat), None)
        else:
            self.done.failed[row.id, row.repeat] = row.attempt

    def _append(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._stream.write(left) or 0 :]
        except OSError:
            with contextlib.suppress(OSError):
                self._stream.truncate(self._end)
            raise
        self._end += len(data)


@contextlib.contextmanager
def open_journal(
    path: str | Path, header: SittingHeader, *, answer: str = "text"
) -> Iterator[Journal]:
    """Begin a journal, or go on with one of the same paper, candidate and settings.

    ``answer`` is the member of a row that holds the answer.
    """
    path = Path(path)
    if path.suffix.lower() in (".gz", ".zst"):
        raise DataError("a journal is appended to and cannot be compressed", file=path)
    if path.exists() and not path.is_file():
        what = "a directory" if path.is_dir() else "a pipe or a device"
        raise DataError(f"is {what}, expected a file to append to", file=path)
    try:
        # Not buffered: a row that is written is written, whatever happens to this process.
        stream = path.open("ab", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from None
    with stream:
        _lock(stream, path)
        first = first_line(header)
        done = go_on(stream, path, first, answer)
        with contextlib.closing(done.answered):
            journal = Journal(stream, path, done)
            journal.begin(first)
            try:
                yield journal
            except BaseException:
                with contextlib.suppress(OSError):  # the first error is the one to report
                    journal.sync()
                raise
            try:
                journal.sync()
            except OSError as error:
                raise _unsynced(path, error) from None


def first_line(header: SittingHeader) -> bytes:
    """The header as it stands in the file: what readers look for first, and never left out."""
    first = {"readmark": header.readmark, "file": "sitting", "candidate": header.candidate}
    return line({**first, **msgspec.to_builtins(header)})


def _lock(stream: io.FileIO, path: Path) -> None:
    """Refuse to write beside another process, where the system can tell."""
    try:
        import fcntl

        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DataError("another process is sitting into this file", file=path) from None
    except (ImportError, OSError):
        return


def _unsynced(path: Path, error: OSError) -> DataError:
    return DataError(
        f"the disk did not take the last rows ({error.strerror or error}); "
        "run the command again to see which are missing",
        file=path,
    )


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot be written ({error.strerror or error})", file=path)
