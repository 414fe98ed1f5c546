"""The journal of a sitting: every answer is in the file before the next one is asked for.

Only this process writes it, and a journal that was cut off anywhere can be resumed. What a process
has written survives its end; a power cut may cost the rows since the last sync.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping, MutableSet, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.json_lines import decode, json_line, read_header
from readmark.core.new_folders import claiming_folder
from readmark.core.numbers import first_ids
from readmark.core.parts import part_name
from readmark.core.problems import fail
from readmark.core.row_lines import RowLines, row_lines
from readmark.core.seen import FIELD
from readmark.core.sitting import PER_LANGUAGE, Row, Rows, Sitting, SittingHeader, keep
from readmark.core.source import Source
from readmark.core.spent import Spent
from readmark.core.streams import is_pipe, is_standard, standard_output
from readmark.core.writing import RENAMES_OPEN, lock, sync, sync_open

if TYPE_CHECKING:
    import sqlite3


# What a journal already answers, kept out of memory: it may be millions of units.


UnitRepeat = tuple[str, int]
"""A unit's id and the number of the repeat."""


class Answered(MutableSet[UnitRepeat]):
    """A set in a private database that SQLite moves to a temporary file when it grows.

    Nothing is made before something is added. Workers' threads ask it too, in turn.
    """

    def __init__(self) -> None:
        self._base: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def add(self, value: UnitRepeat) -> None:
        """Take one in."""
        if self._base is None:
            self._base = _private()
        self._run("INSERT OR IGNORE INTO answered VALUES (?)", _database_key(value))

    def discard(self, value: UnitRepeat) -> None:
        """Take one out, if it is there."""
        self._run("DELETE FROM answered WHERE asked = ?", _database_key(value))

    def __contains__(self, value: object) -> bool:
        return bool(self._run("SELECT 1 FROM answered WHERE asked = ?", _database_key(value)))

    def __len__(self) -> int:
        counted = self._run("SELECT count(*) FROM answered")
        return int(counted[0][0]) if counted else 0

    def __iter__(self) -> Iterator[UnitRepeat]:
        for (told,) in self._run("SELECT asked FROM answered"):
            repeat, _, id = told.partition(" ")
            yield id, int(repeat)

    def close(self) -> None:
        """Give up what is held; it is empty then."""
        with self._lock:
            if self._base is not None:
                self._base.close()
                self._base = None

    def _run(self, statement: str, *values: str) -> list[Any]:
        if self._base is None:
            return []
        import sqlite3

        with self._lock:
            if self._base is None:
                return []
            try:
                return self._base.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise ReadmarkError(
                    f"what was answered cannot be stored in a temporary file ({error})"
                ) from None


def _private() -> sqlite3.Connection:
    import sqlite3

    # A name that is empty: the database is this connection's own and is gone with it.
    base = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    base.execute("PRAGMA journal_mode = OFF")
    base.execute("CREATE TABLE answered (asked TEXT PRIMARY KEY) WITHOUT ROWID")
    base.execute("BEGIN")
    return base


def _database_key(asked: Any) -> str:
    """Both as one text: a repeat in a file may be larger than SQLite's numbers."""
    id, repeat = asked
    return f"{repeat} {id}"


# Resuming a journal: whether it is the same sitting, and what it already holds.


@dataclass
class Done:
    """What a journal already holds: what was answered, and how often what failed was tried."""

    answered: Answered = field(default_factory=Answered)
    failed: dict[UnitRepeat, int] = field(default_factory=dict)
    repaired: str | None = None
    spent: Spent = field(default_factory=Spent)
    """What its rows took, those that a later one replaces included."""

    def take(self, row: Row) -> None:
        """The last row for an id and repeat wins; one without an answer leaves it to be asked."""
        asked = row.id, row.repeat
        self.failed.pop(asked, None)
        self.spent = self.spent.with_row(row) if row.usage is not None else self.spent
        if row.error is None and row.states_answer:
            self.answered.add(asked)
            return
        self.answered.discard(asked)
        if row.error is not None:
            self.failed[asked] = row.attempt

    def keep(self, asked: Iterable[UnitRepeat]) -> int:
        """How much of what is asked was answered; failures of anything else are forgotten."""
        if not self.failed and not len(self.answered):
            return 0
        answered = 0
        failed = {}
        for one in asked:
            answered += one in self.answered
            if one in self.failed:
                failed[one] = self.failed[one]
        self.failed = failed
        return answered


def resume(stream: io.FileIO, path: Path, first: bytes, lines: RowLines, done: Done) -> None:
    """See that it is the same sitting, take in its rows, then remove a torn last line."""
    cut = "the last line was cut off and has been taken out"
    with path.open("rb") as standing:
        size = standing.seek(0, os.SEEK_END)
        whole = _whole_lines(standing, size)
        if _unfinished_header(standing, size, first):
            whole = 0
        elif whole:
            same_sitting(path, msgspec.json.decode(first, type=SittingHeader))
            sound = _take_rows(standing, path, lines, done)
            if sound < whole:
                whole = sound
                cut = "the last rows were lost, perhaps in a power cut, and are asked again"
        elif size:
            raise DataError("is no sitting that can be resumed; choose another file", file=path)
    if whole < size:
        try:
            stream.truncate(whole)
            sync_open(stream.fileno())  # before anything is written in its place
        except OSError as error:
            raise DataError(f"cannot be repaired ({error.strerror or error})", file=path) from None
        done.repaired = "; ".join(filter(None, (done.repaired, f"{path}: {cut}")))


def _take_rows(standing: IO[bytes], path: Path, lines: RowLines, done: Done) -> int:
    """Read the rows; how many bytes are sound, which is up to the first line with a zero byte.

    JSON has no zero bytes. A file system shows them where a file grew and its content did not
    reach the disk, which is never before the last sync.
    """
    standing.seek(0)
    sound = len(next(standing, b""))
    for number, raw in enumerate(standing, 2):
        if b"\0" in raw:
            break
        if raw.strip() and raw.endswith(b"\n"):
            row = decode(str(path), number, raw.strip(), lines, fail)
            if row is not None:
                done.take(row)
        sound += len(raw)
    return sound


def _whole_lines(standing: IO[bytes], size: int) -> int:
    """How many bytes of a file are whole lines: up to and with the last line feed."""
    end = size
    while end > 0:
        start = max(0, end - 65536)
        standing.seek(start)
        at = standing.read(end - start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _unfinished_header(standing: IO[bytes], size: int, first: bytes) -> bool:
    """Whether a file holds a part of this sitting's header and nothing else but zero bytes."""
    if not 0 < size <= len(first):
        return False
    standing.seek(0)
    data = standing.read(size)
    return data != first and all(
        byte in (0, wanted) for byte, wanted in zip(data, first, strict=False)
    )


def same_sitting(path: Path, now: SittingHeader, *, is_prepared: bool = True) -> SittingHeader:
    """Refuse to mix two sittings in one journal, or to append to anything else.

    A sitting with a limit may grow: its units must all be among those that are sat now. The header
    that the file has is returned. The signature of a candidate that is not prepared is unknown.
    """
    source = Source(path)
    if source.readmark_file != "sitting":
        raise DataError(
            f"is no sitting, it looks like {source.looks_like()}; choose another file", file=path
        )
    before = read_header(str(path), SittingHeader)
    if not is_prepared:
        now = msgspec.structs.replace(now, signature=before.signature)
    if _grows(before, now):
        now = msgspec.structs.replace(now, limit=before.limit, covers=before.covers)
    if now.name is None:
        now = msgspec.structs.replace(now, name=before.name)
    for what, old, new in (
        ("kind of test", before.kind, now.kind),
        ("paper", before.paper, now.paper),
        ("candidate", before.candidate, now.candidate),
        ("`name`", before.name, now.name),
        ("`rewrite`", before.rewrite, now.rewrite),
        ("`shuffle_options`", before.shuffle_options, now.shuffle_options),
        ("candidate's signature", *_differing(before.signature, now.signature)),
        ("`repeats`", before.repeats, now.repeats),
        ("`limit`", before.limit, now.limit),
        ("`without`", before.without, now.without),
        ("`cross`", before.cross, now.cross),
        ("order of units", before.covers, now.covers),
    ):
        if old != new:
            raise DataError(
                f"was begun with another {what} ({_shown(old)}, now {_shown(new)}); "
                "choose another file",
                file=path,
            )
    return before


def _grows(before: SittingHeader, now: SittingHeader) -> bool:
    """Whether more units are sat than before, and all that were."""
    if before.limit is None or before.covers is None:
        return False
    if now.covers is None:
        return now.limit is None
    larger = now.limit is not None and now.limit > before.limit
    return larger and set(before.covers) <= set(now.covers)


def recorded_header(path: Path) -> SittingHeader | None:
    """The header of an earlier run, if there is one.

    Whatever is wrong with the file is reported when it is opened to be resumed.
    """
    try:
        for file in journal_files(path):
            if file.is_file() and Source(file).readmark_file == "sitting":
                return read_header(str(file), SittingHeader)
    except (ReadmarkError, OSError):
        pass
    return None


def _differing(
    before: dict[str, object], now: dict[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Two signatures without what they share."""
    shared = {key for key in before if key in now and before[key] == now[key]}
    shared.add(PER_LANGUAGE)  # decides no answer
    old, new = ({key: one[key] for key in one if key not in shared} for one in (before, now))
    return old, new


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items()) or "none"
    if isinstance(value, tuple):
        return first_ids(value)
    return "none" if value is None else str(value)


SYNC_EVERY = 1.0
"""Seconds of rows that a power cut may cost: a row that is written later than that after the last
sync is synced at once, with all that came before it."""


class Journal:
    """An open journal: each row is in the file, whole, when ``write`` returns."""

    def __init__(self, stream: io.FileIO, path: Path, lines: RowLines, done: Done) -> None:
        self._stream = stream
        self._path = path
        self._lines = lines
        self._end = stream.seek(0, os.SEEK_END)
        self._synced = monotonic()
        self.done = done

    def begin(self, first: bytes) -> None:
        """The header, when the file is empty; its content is on the disk before anything else."""
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
        """Append a row, or nothing: on a full disk the rows before it stay whole."""
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


class MemoryJournal:
    """A sitting that is kept in memory: nothing is resumed, and nothing is written to a file."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.done = Done()

    def write(self, row: Row) -> None:
        """Keep a row."""
        keep(self._rows, row)
        if row.error is not None:
            self.done.failed[row.id, row.repeat] = row.attempt


class StreamJournal:
    """A sitting that goes to standard output or a pipe, row by row: it cannot be resumed."""

    def __init__(self, stream: IO[bytes], path: Path, lines: RowLines) -> None:
        self._stream = stream
        self._path = path
        self._lines = lines
        self.done = Done()

    def append(self, data: bytes) -> None:
        """Pass a line on at once."""
        try:
            self._stream.write(data)
            self._stream.flush()
        except BrokenPipeError:  # its reader has seen enough
            raise
        except OSError as error:
            raise _unwritable(self._path, error) from None

    def write(self, row: Row) -> None:
        """Pass a row on at once."""
        self.append(self._lines.line(row))
        if row.error is not None:
            self.done.failed[row.id, row.repeat] = row.attempt


class PartedJournal:
    """The journals of a test's parts in one folder: a row goes to the part that its unit is in."""

    def __init__(self, journals: Mapping[str, Journal], done: Done) -> None:
        self._journals = journals
        self._asked: dict[str, Journal] = {}
        self.done = done

    def expect(self, place: object, ids: Iterable[str]) -> None:
        """Note where the rows of units belong that are asked next: the place is in their part."""
        self._asked.update(dict.fromkeys(ids, self._journals[getattr(place, "file", "")]))

    def write(self, row: Row) -> None:
        """Append a row to the journal of its part."""
        self._asked.pop(row.id).write(row)


MOST_OPEN = 400
"""Parts that one process writes: it has all of their files open."""


@contextlib.contextmanager
def open_journal(
    path: str | Path, header: SittingHeader, *, parts: Sequence[str] = ()
) -> Iterator[Journal | StreamJournal | PartedJournal]:
    """Begin a journal, or go on with one of the same paper, candidate and settings.

    ``-`` and pipes get the rows as they
    come; nothing of them can be read again, so there is no resuming. A folder gets a journal for
    each of the ``parts`` of the test.
    """
    if is_folder(path):
        with _open_parts(Path(path), header, parts) as parted:
            yield parted
        return
    path = Path(path)
    if is_stream(path):
        with standard_output() if is_standard(path) else path.open("wb") as output:
            journal = StreamJournal(output, path, _lines_of(header))
            journal.append(first_line(header))
            yield journal
        return
    with _open_file(path, header, Done()) as file_journal:
        yield file_journal


@contextlib.contextmanager
def _open_parts(
    folder: Path, header: SittingHeader, parts: Sequence[str]
) -> Iterator[PartedJournal]:
    if not parts:
        raise DataError(
            "is a folder, which only a test in parts can be sat into; choose a file, or cut the "
            "test with readmark convert --parts",
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
    done = Done()
    with claiming_folder(folder, "sitting into"), contextlib.ExitStack() as stack:
        journals = {
            part: stack.enter_context(_open_file(folder / name, header, done))
            for part, name in zip(parts, names, strict=True)
        }
        yield PartedJournal(journals, done)


def is_folder(path: str | Path) -> bool:
    """Whether a sitting is written as a folder of parts: there is one, or the name ends so."""
    return str(path).endswith(("/", os.sep)) or Path(path).is_dir()


def journal_files(path: str | Path) -> list[Path]:
    """The files of a sitting: the one, or the parts that its folder has so far."""
    folder = Path(path)
    return sorted(folder.glob("part-*.jsonl")) if folder.is_dir() else [folder]


def is_stream(path: str | Path) -> bool:
    """Whether a journal would go to standard output or a pipe, which cannot be resumed."""
    return is_standard(path) or is_pipe(path)


@contextlib.contextmanager
def _open_file(path: Path, header: SittingHeader, done: Done) -> Iterator[Journal]:
    if path.suffix.lower() in (".gz", ".zst"):
        raise DataError("a journal is appended to and cannot be compressed", file=path)
    if path.exists() and not path.is_file():
        raise DataError("is a device, expected a file to append to", file=path)
    try:
        # Not buffered: a row that is written is written, whatever happens to this process.
        stream = path.open("ab", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from None
    with contextlib.ExitStack() as stack:
        stack.enter_context(stream)
        _lock(stream, path)
        first = first_line(header)
        lines = _lines_of(header)
        resume(stream, path, first, lines, done)
        if _outgrown(path, header):
            stream = stack.enter_context(_with_header(path, first, stream))
        with contextlib.closing(done.answered):
            journal = Journal(stream, path, lines, done)
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


def look_into(path: Path, header: SittingHeader, *, is_prepared: bool = True) -> Done:
    """What a journal of this sitting holds; nothing of it is changed or locked."""
    done = Done()
    for file in journal_files(path):
        if file.is_file() and file.stat().st_size:
            same_sitting(file, header, is_prepared=is_prepared)
            with file.open("rb") as standing:
                _take_rows(standing, file, _lines_of(header), done)
    return done


def _outgrown(path: Path, now: SittingHeader) -> bool:
    """Whether the file's header covers fewer units than are sat now, or knows less.

    Sittings that were begun before 0.6 do not say what of the test the candidate learnt from.
    """
    if not path.stat().st_size:
        return False
    before = read_header(str(path), SittingHeader)
    return _grows(before, now) or (FIELD in now.fields and FIELD not in before.fields)


def _with_header(path: Path, first: bytes, stands: io.FileIO) -> io.FileIO:
    """The journal with another header, open: whole under its name at once, or not at all.

    ``stands`` is the old one; where it cannot be replaced while it is open, its lock is given up
    for that moment.
    """
    own = Path(os.path.realpath(path))
    fresh = own.with_name(f"{own.name}.growing")
    try:
        with own.open("rb") as standing, fresh.open("wb") as copy:
            standing.readline()
            copy.write(first)
            shutil.copyfileobj(standing, copy)
            copy.flush()
            sync_open(copy.fileno())
        shutil.copymode(own, fresh)
        if RENAMES_OPEN:
            stream = fresh.open("ab", buffering=0)
            _lock(stream, path)
            fresh.replace(own)
        else:
            stands.close()
            stream = fresh.replace(own).open("ab", buffering=0)
            _lock(stream, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise _unwritable(path, error) from None
    return stream


def _lines_of(header: SittingHeader) -> RowLines:
    """How the rows of a sitting with this header are written."""
    return row_lines(Sitting(header, {}).kind)


def first_line(header: SittingHeader) -> bytes:
    """The header as it is in the file: what readers look for first, and never left out."""
    first = {"readmark": header.readmark, "file": "sitting", "candidate": header.candidate}
    return json_line({**first, **msgspec.to_builtins(header)})


def _lock(stream: io.FileIO, path: Path) -> None:
    """Refuse to write alongside another process, where the system can detect it."""
    if lock(stream.fileno()) is False:
        raise DataError("another process is sitting into this file", file=path)


def _unsynced(path: Path, error: OSError) -> DataError:
    return DataError(
        f"the disk did not take the last rows ({error.strerror or error}); "
        "run the command again to see which are missing",
        file=path,
    )


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot be written ({error.strerror or error})", file=path)
