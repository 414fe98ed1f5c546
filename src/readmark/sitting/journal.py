"""The journal of a sitting: every answer is in the file before the next one is asked for.

Only this process writes the file, and it can be resumed wherever it was cut off (`resuming`). What
a process has written survives its end; a power cut may cost the rows since the last sync.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import IO, Protocol

import msgspec

from readmark.core.errors import DataError
from readmark.core.json_lines import json_line
from readmark.core.new_folders import claiming_folder
from readmark.core.parts import part_name
from readmark.core.row_lines import RowLines, row_lines
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader, keep
from readmark.core.streams import is_standard, standard_output
from readmark.core.writing import RENAMES_OPEN, lock, sync, sync_open
from readmark.sitting.journal_paths import is_folder, is_stream, journal_files
from readmark.sitting.journal_state import JournalState
from readmark.sitting.resuming import is_outgrown, resume

SYNC_EVERY = 1.0
"""Seconds of rows that a power cut may cost: a row that is written later than that after the last
sync is synced at once, with all that came before it."""
MOST_OPEN = 400
"""Parts that one process writes: it has all of their files open, and systems allow 1,024."""


class Journal(Protocol):
    """Where the rows of a sitting go as they come, and what it held at the start."""

    state: JournalState

    def expect(self, file: str, ids: Iterable[str]) -> None:
        """Units of a file of the test are asked next; only a journal in parts must know."""
        return

    def write(self, row: Row) -> None:
        """Take the next row; it is out of this process's hands when this returns."""


class FileJournal(Journal):
    """A journal in one file: a row is in it, whole, when ``write`` returns."""

    def __init__(self, stream: io.FileIO, path: Path, lines: RowLines, state: JournalState) -> None:
        self.state = state
        self._stream = stream
        self._path = path
        self._lines = lines
        self._size = stream.seek(0, os.SEEK_END)
        self._synced = monotonic()

    def begin(self, first: bytes) -> None:
        """Write the header if the file is empty; it is on the disk before any row."""
        try:
            if not self._size:
                self._append(first)
            self.sync()
            sync(Path(os.path.realpath(self._path)).parent)
        except OSError as error:
            raise _unwritable(self._path, error) from None

    def sync(self) -> None:
        """Force everything that was written to the disk."""
        sync_open(self._stream.fileno())
        self._synced = monotonic()

    def write(self, row: Row) -> None:
        """Append a row or nothing: on a full disk the rows before it stay whole."""
        try:
            self._append(self._lines.line(row))
        except OSError as error:
            raise DataError(
                f"the answer to {row.id!r} cannot be written ({error.strerror or error}); "
                "earlier answers are kept",
                file=self._path,
            ) from None
        if monotonic() - self._synced >= SYNC_EVERY:
            try:
                self.sync()
            except OSError as error:
                raise _unsynced(self._path, error) from None
        # Answered units are not added to the state: a long sitting must not take more memory.
        if row.error is None:
            self.state.failed.pop((row.id, row.repeat), None)
        else:
            self.state.failed[row.id, row.repeat] = row.attempt

    def _append(self, data: bytes) -> None:
        unwritten = memoryview(data)
        try:
            while unwritten:
                unwritten = unwritten[self._stream.write(unwritten) or 0 :]
        except OSError:
            with contextlib.suppress(OSError):
                self._stream.truncate(self._size)
            raise
        self._size += len(data)


class PartedJournal(Journal):
    """A journal in a folder, a file for each part of the test: a row goes to its unit's part."""

    def __init__(self, journals: Mapping[str, FileJournal], state: JournalState) -> None:
        self.state = state
        self._journals = journals
        """By the part's file in the test."""
        self._of_units: dict[str, FileJournal] = {}

    def expect(self, file: str, ids: Iterable[str]) -> None:
        """Note which journal the rows of these units go to."""
        self._of_units.update(dict.fromkeys(ids, self._journals[file]))

    def write(self, row: Row) -> None:
        """Append a row to the journal of its part."""
        self._of_units.pop(row.id).write(row)


class StreamJournal(Journal):
    """A journal on standard output or a pipe: it cannot be resumed."""

    def __init__(self, stream: IO[bytes], path: Path, lines: RowLines) -> None:
        self.state = JournalState()
        self._stream = stream
        self._path = path
        self._lines = lines

    def append(self, line: bytes) -> None:
        """Pass a line on at once."""
        try:
            self._stream.write(line)
            self._stream.flush()
        except BrokenPipeError:  # whoever reads it, such as `head`, has seen enough
            raise
        except OSError as error:
            raise _unwritable(self._path, error) from None

    def write(self, row: Row) -> None:
        """Pass a row on at once."""
        self.append(self._lines.line(row))
        if row.error is not None:
            self.state.failed[row.id, row.repeat] = row.attempt


class MemoryJournal(Journal):
    """A journal in memory, for a sitting that has no file."""

    def __init__(self) -> None:
        self.state = JournalState()
        self.rows: Rows = {}

    def write(self, row: Row) -> None:
        """Keep a row."""
        keep(self.rows, row)
        if row.error is not None:
            self.state.failed[row.id, row.repeat] = row.attempt


@contextlib.contextmanager
def open_journal(
    path: str | Path | None, header: SittingHeader, *, parts: Sequence[str] = ()
) -> Iterator[Journal]:
    """Begin a journal, or resume one of the same paper, candidate and settings.

    Without a path, rows are kept in memory; ``-`` and pipes get them as they come. A folder gets a
    journal for each of the ``parts`` of the test.
    """
    if path is None:
        yield MemoryJournal()
    elif is_folder(path):
        with _open_parts(Path(path), header, parts) as parted:
            yield parted
    elif is_stream(path):
        path = Path(path)
        with standard_output() if is_standard(path) else path.open("wb") as output:
            journal = StreamJournal(output, path, _lines_of(header))
            journal.append(first_line(header))
            yield journal
    else:
        with _open_file(Path(path), header, JournalState()) as file_journal:
            yield file_journal


@contextlib.contextmanager
def _open_parts(
    folder: Path, header: SittingHeader, parts: Sequence[str]
) -> Iterator[PartedJournal]:
    if not parts:
        raise DataError(
            "is a folder, which needs a test in parts; choose a file, or cut the test with "
            "readmark convert --parts",
            file=folder,
        )
    if len(parts) > MOST_OPEN:
        raise DataError(
            f"the test has {len(parts):,} parts, more than {MOST_OPEN}: sit them one by one",
            file=folder,
        )
    names = [part_name(index, len(parts), ".jsonl") for index in range(len(parts))]
    try:
        folder.mkdir(exist_ok=True)
        others = [file for file in journal_files(folder) if file.name not in names]
    except OSError as error:
        raise _unwritable(folder, error) from None
    if others:
        raise DataError(
            f"has {others[0].name}, which is not one of the test's {len(parts)} parts", file=folder
        )
    state = JournalState()
    with claiming_folder(folder, "sitting into"), contextlib.ExitStack() as stack:
        journals = {
            part: stack.enter_context(_open_file(folder / name, header, state))
            for part, name in zip(parts, names, strict=True)
        }
        yield PartedJournal(journals, state)


@contextlib.contextmanager
def _open_file(path: Path, header: SittingHeader, state: JournalState) -> Iterator[FileJournal]:
    if path.suffix.lower() in (".gz", ".zst"):
        raise DataError("a journal is appended to and cannot be compressed", file=path)
    if path.exists() and not path.is_file():
        raise DataError("is a device, expected a file to append to", file=path)
    try:
        # Unbuffered: what was written is in the file, whatever happens to this process.
        stream = path.open("ab", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from None
    with contextlib.ExitStack() as stack:
        stack.enter_context(stream)
        _lock(stream, path)
        first = first_line(header)
        lines = _lines_of(header)
        resume(stream, path, first, lines, state)
        if is_outgrown(path, header):
            stream = stack.enter_context(_with_header(path, first, stream))
        with contextlib.closing(state.answered):
            journal = FileJournal(stream, path, lines, state)
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


def _with_header(path: Path, first: bytes, old: io.FileIO) -> io.FileIO:
    """Give the journal another header; it is replaced whole or not at all, and returned open.

    Where the old file cannot be replaced while it is open, its lock is given up for that moment.
    """
    target = Path(os.path.realpath(path))
    copy = target.with_name(f"{target.name}.growing")
    try:
        with target.open("rb") as rows, copy.open("wb") as output:
            rows.readline()
            output.write(first)
            shutil.copyfileobj(rows, output)
            output.flush()
            sync_open(output.fileno())
        shutil.copymode(target, copy)
        if RENAMES_OPEN:
            stream = copy.open("ab", buffering=0)
            _lock(stream, path)
            copy.replace(target)
        else:
            old.close()
            stream = copy.replace(target).open("ab", buffering=0)
            _lock(stream, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            copy.unlink()
        raise _unwritable(path, error) from None
    return stream


def first_line(header: SittingHeader) -> bytes:
    """The first line of a journal; what formats recognise it by comes first, defaults included."""
    first = {"readmark": header.readmark, "file": "sitting", "candidate": header.candidate}
    return json_line({**first, **msgspec.to_builtins(header)})


def _lines_of(header: SittingHeader) -> RowLines:
    """How the rows of a sitting with this header are written."""
    return row_lines(Sitting(header, {}).kind)


def _lock(stream: io.FileIO, path: Path) -> None:
    """Refuse to write alongside another process, where the system can detect it."""
    if lock(stream.fileno()) is False:
        raise DataError("another process is sitting into this file", file=path)


def _unsynced(path: Path, error: OSError) -> DataError:
    return DataError(
        f"the last rows could not be saved to the disk ({error.strerror or error}); "
        "run the command again to see which are missing",
        file=path,
    )


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot be written ({error.strerror or error})", file=path)
