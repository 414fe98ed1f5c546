"""Folders of text files, zips of them, and folders of parts: reading, and writing whole or not."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError, UsageError
from readmark.core.files import (
    BOM,
    RENAMES_OPEN,
    lock,
    put_in_place,
    read_bytes,
    require_file,
    writing,
    zstd,
)
from readmark.core.limits import limits, megabytes, require_ratio
from readmark.core.numbers import first_ids
from readmark.core.streams import is_remote, is_standard, remote_names

SHOWN = 4
_PART = ".part"
_HOLDER = ".process"
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # equal content gives equal bytes

Write = Callable[[str, str | bytes], None]
"""Takes a name within the folder and what the file holds."""


class Folder:
    """The files of a folder or zip by name, with ``/`` between the parts; hidden ones are not seen.

    A zip that holds nothing but one folder is that folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_zip = not path.is_dir()
        self._top = ""
        self._zip: tuple[int, Zipped] | None = None
        try:
            found = sorted(self._zipped() if self.is_zip else self._listed())
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None
        tops = {name.partition("/")[0] for name in found}
        if self.is_zip and len(tops) == 1 and all("/" in name for name in found):
            self._top = tops.pop() + "/"
        self.names = tuple(name.removeprefix(self._top) for name in found)
        self._folded = {name.lower(): name for name in self.names}

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __getstate__(self) -> dict[str, object]:
        """All but the open file, which no other process can take over."""
        return {**self.__dict__, "_zip": None}

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    def place(self, name: str) -> str:
        """What a file of the folder is called in a message."""
        return f"{self.path}/{name}"

    def named(self, suffix: str) -> list[str]:
        """The names with a suffix, whatever its case."""
        return [name for name in self.names if PurePosixPath(name).suffix.lower() == suffix]

    def by_id(self, suffixes: Sequence[str]) -> dict[str, str]:
        """Files with one of the suffixes by id: the name without suffix, unless two share that."""
        names = [name for suffix in suffixes for name in self.named(suffix)]
        bare = {name: name.rpartition(".")[0] for name in sorted(names)}
        shared = Counter(bare.values())
        return {id if shared[id] == 1 else name: name for name, id in bare.items()}

    def read(self, name: str, *, whole: bool = False) -> bytes:
        """A file's bytes, without a byte order mark unless the ``whole`` file is wanted."""
        if not self.is_zip:
            require_file(self.path / name)
            return read_bytes(self.path / name, whole=whole)
        data = self._opened().read(self._top + name, place=self.place(name))
        return data if whole else data.removeprefix(BOM)

    def text(self, name: str, *, whole: bool = False) -> str:
        """A file's text, line breaks unchanged."""
        return self.decoded(name, whole=whole).text

    def decoded(self, name: str, *, whole: bool = False) -> Decoded:
        """A file's text with its encoding."""
        return decoded_as(self.read(name, whole=whole), self.place(name))

    def find(self, name: str) -> str | None:
        """A file by its name, whatever the case of it."""
        return self._folded.get(name.lower())

    def require_contained(self) -> None:
        """Refuses a symlink that leads out of the folder: what lies there is not part of it."""
        if self.is_zip:  # Links in a zip are never followed.
            return
        for at, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in (*folders, *files):
                file = Path(at, name)
                if file.is_symlink() and not is_within(file, self.path):
                    raise DataError("is a link that leads out of the folder", file=file)

    def shown(self) -> str:
        """What the folder holds, in words."""
        if not self.names:
            return "nothing"
        return first_ids(self.names, SHOWN)

    def _listed(self) -> Iterator[str]:
        count, most = 0, limits().members
        for at, folders, files in os.walk(self.path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            count += len(files)
            if count > most:
                message = f"holds more than {most:,} files"
                raise limits().exceeded("members", message, file=self.path)
            for name in files:
                if not name.startswith("."):
                    yield (Path(at) / name).relative_to(self.path).as_posix()

    def _zipped(self) -> Iterator[str]:
        for name in self._opened().names:
            parts = PurePosixPath(name).parts
            if ".." in parts or Path(name).anchor:
                raise DataError(f"names a file outside it: {name}", file=self.path)
            hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
            if parts and not hidden and not name.endswith("/"):
                yield name

    def _opened(self) -> Zipped:
        """The zip, opened once a process: opening reads its whole directory.

        A process that was forked has a file of its own, since the place in it is shared.
        """
        if self._zip is not None and self._zip[0] == os.getpid():
            return self._zip[1]
        self._zip = os.getpid(), Zipped(self.path)
        return self._zip[1]


def is_within(file: Path, folder: Path) -> bool:
    """Whether a file lies in a folder when symlinks are followed."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


@contextlib.contextmanager
def writing_folder(path: str | Path, *, is_private: bool = False) -> Iterator[Write]:
    """Write a folder, or a zip when the name says so; it never mixes with what is already there."""
    path = Path(path)
    if path.suffix.lower() == ".zip":
        with (
            writing(path, is_private=is_private) as stream,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed,
        ):
            yield lambda name, content: packed.writestr(
                zipfile.ZipInfo(name, _ZIP_TIME), _bytes(content), zipfile.ZIP_DEFLATED
            )
        return
    with making_folder(path, is_private=is_private) as part:
        yield lambda name, content: _put(part / name, content)


def require_new_folder(path: str | Path) -> None:
    """Refuse what a folder cannot be written to: standard output, a file, a folder with files."""
    path = Path(path)
    if is_standard(path):
        raise UsageError("- is standard output, expected a folder to write")
    if path.exists() and not path.is_dir():
        raise DataError("is a file, expected a folder to write", file=path)
    if path.is_dir() and any(path.iterdir()):
        raise DataError("is a folder that is not empty: write to a new one", file=path)


@contextlib.contextmanager
def making_folder(path: str | Path, *, is_private: bool = False) -> Iterator[Path]:
    """A folder to fill that takes its name when it is whole; one that holds files is refused.

    Only its owner can enter a private one.
    """
    path = Path(path)
    require_new_folder(path)
    try:
        begin = f".{path.name[:40]}."
        with contextlib.suppress(OSError):
            _clear(path.absolute().parent, begin)
        part = path.with_name(f"{begin}{os.getpid()}{_PART}")
        part.mkdir(0o700 if is_private else 0o777)
        try:
            with locked(part):
                yield part
            if path.is_dir():
                path.rmdir()
            put_in_place(part, path)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def _clear(parent: Path, begin: str) -> None:
    """Remove what a writing that was killed has left: nobody holds its lock any more."""
    for path in parent.iterdir():
        named = path.name.startswith(begin) and path.name.endswith(_PART)
        if named and path.name[len(begin) : -len(_PART)].isdecimal() and path.is_dir():
            with locked(path) as mine:
                if mine:
                    shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[bool | None]:
    """Whether a folder's lock was got, None where the system has none; it goes with the process."""
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folder
        yield None
        return
    try:
        yield lock(held)
    finally:
        os.close(held)


@contextlib.contextmanager
def claiming_folder(path: Path, doing: str) -> Iterator[None]:
    """Keep a folder that is filled piece by piece to this process; another one is refused.

    The lock decides; the note, which outlives a process that is killed, only tells whose it is.
    """
    note = path / _HOLDER
    held, claimed = path, False
    if not RENAMES_OPEN:  # nor is there a lock of folders
        held = note
        with contextlib.suppress(OSError):
            note.touch()
    try:
        with locked(held) as mine:
            if mine is False:
                raise DataError(f"{_holder(note)} is {doing} this folder", file=path)
            claimed = True
            try:
                note.write_text(str(os.getpid()), encoding="ascii")
            except OSError as error:
                why = f"cannot be written ({error.strerror or error})"
                raise DataError(why, file=path) from None
            try:
                yield
            finally:
                if RENAMES_OPEN:  # while it is locked: it may be somebody else's afterwards
                    _forget(note)
    finally:
        if claimed and not RENAMES_OPEN:
            _forget(note)


def _forget(note: Path) -> None:
    with contextlib.suppress(OSError):
        note.unlink()


def _holder(note: Path) -> str:
    """Whose a folder is, if that has been written by now."""
    try:
        said = note.read_text(encoding="ascii")
    except (OSError, ValueError):
        said = ""
    return f"process {said}" if said.isdecimal() else "another process"


def _put(path: Path, content: str | bytes) -> None:
    path.write_bytes(_bytes(content))


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


# Parts: a test or a sitting in several files, part-00000-of-00008.jsonl and so on.


_PART_FILE = re.compile(r"part-(\d{5,9})(?:-of-(\d{5,9}))?\.(?:jsonl|parquet)(?:\.gz|\.zst)?")
MOST_PARTS = 100_000


def part_name(index: int, count: int, suffix: str) -> str:
    """The name of a part; it has the number of all, so that a missing one is noticed."""
    return f"part-{index:05}-of-{count:05}{suffix}"


def part_files(path: str) -> tuple[str, ...]:
    """The parts of a folder in their order; none where it is no folder, or one of other files.

    Other files in it are passed over. A part that is missing or there twice is an error.
    """
    try:
        names = _names_at(path)
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None
    base = path.rstrip("/") if is_remote(path) else path
    return tuple(
        f"{base}/{name}" if is_remote(path) else str(Path(base, name))
        for name in _ordered_parts(path, names)
    )


def _names_at(path: str) -> list[str]:
    if is_remote(path):
        return remote_names(path)
    folder = Path(path)
    return [file.name for file in folder.iterdir()] if folder.is_dir() else []


def _ordered_parts(path: str, names: Iterable[str]) -> list[str]:
    parts: dict[int, str] = {}
    counts: dict[int, str] = {}
    for name in sorted(names):
        match = _PART_FILE.fullmatch(name)
        if match is None:
            continue
        number = int(match[1])
        if number in parts:
            raise DataError(f"has part {number} twice: {parts[number]} and {name}", file=path)
        parts[number] = name
        if match[2] is not None:
            counts.setdefault(int(match[2]), name)
    tables = [name for name in parts.values() if name.endswith(".parquet")]
    if tables and len(tables) < len(parts):
        other = next(name for name in parts.values() if name not in tables)
        raise DataError(f"has parts of two formats: {other} and {tables[0]}", file=path)
    if len(counts) > 1:
        raise DataError(f"has parts of several sets: {' and '.join(counts.values())}", file=path)
    count = next(iter(counts), max(parts, default=-1) + 1)
    missing = [number for number in range(count) if number not in parts]
    if parts and missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise DataError(f"part {missing[0]} of {count}{more} is missing", file=path)
    if parts and max(parts) >= count:
        raise DataError(f"has {parts[max(parts)]}, which is not one of {count} parts", file=path)
    return [parts[number] for number in sorted(parts)]


# Several files that belong together: all of them take their names, or none does.


_NAME = 40  # the end of a long name, which has the suffixes


@contextlib.contextmanager
def writing_together(paths: Sequence[str | Path]) -> Iterator[list[Path]]:
    """Where to write files (or new folders) that are put in their places when all are complete.

    A place that cannot be written to is told before anything is done. A device is its own place.
    """
    targets = [Path(path) for path in paths]
    parts: list[Path] = []
    try:
        for index, target in enumerate(targets):
            parts.append(_place(target, index))
        yield parts
        for part, target in zip(parts, targets, strict=True):
            if part != target:
                _put_all(part, target)
    except DataError as error:
        for part, target in zip(parts, targets, strict=False):
            if str(error.file) == str(part):  # nobody has heard of that name
                raise DataError(error.message, file=target, where=error.where) from None
        raise
    finally:
        for part, target in zip(parts, targets, strict=False):
            if part != target:
                _remove(part)


def _place(path: Path, at: int) -> Path:
    """A name next to the file's that can be written to; standard output is its own place."""
    if is_standard(path):
        return path
    if path.is_dir():
        raise DataError("is a directory, expected a file to write", file=path)
    if path.exists() and (not path.is_file() or _is_own_output(path)):
        return path
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{os.getpid()}.{at}.{target.name[-_NAME:]}")
    try:
        part.touch()
        part.unlink()  # a folder may be written there as well
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None
    return part


def _is_own_output(path: Path) -> bool:
    """Whether it is another name of standard output or error, which others may write to as well."""
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(stream)):
                return True
    return False


def _put_all(part: Path, path: Path) -> None:
    target = Path(os.path.realpath(path))
    try:
        put_in_place(part, target)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def _remove(part: Path) -> None:
    with contextlib.suppress(OSError):
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)


# Zips, read file by file within limits, whatever they are packed with.


_ZSTD = 93  # Python before 3.14 does not unpack it
_LOCAL = struct.Struct("<4s2B4HL2L2H")
_BLOCK = 1 << 16
_SMALL_BLOCK = 1 << 12
"""Bytes at a time of bzip2 and LZMA, which zipfile unpacks without an upper bound."""


class Zipped:
    """A zip that is read file by file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            require_file(path)
            self._zip = zipfile.ZipFile(path)
            packed = path.stat().st_size
        except FileNotFoundError:
            raise DataError("no such file", file=path) from None
        except zipfile.BadZipFile as error:
            raise DataError(f"not a valid zip file, or cut off ({error})", file=path) from None
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None
        files = self._zip.infolist()
        if len(files) > limits().members:
            message = f"holds {len(files):,} files, more than {limits().members:,}"
            raise limits().exceeded("members", message, file=path)
        require_ratio(sum(info.file_size for info in files), packed, path)
        self.names = tuple(info.filename for info in files)

    def read(self, name: str, *, place: object = None) -> bytes:
        """A file's bytes, checked against its sum; ``place`` is what messages call the file."""
        where = {"file": self.path, "where": name} if place is None else {"file": place}
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            raise DataError("no such file in the zip", **where) from None
        if info.file_size > limits().document:
            message = f"is {info.file_size:,} bytes, more than {megabytes(limits().document)}"
            raise limits().exceeded("document", message, **where)
        try:
            if info.compress_type != _ZSTD:
                return self._piecemeal(info)
            data = self._unpacked(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
            # An encrypted file is a RuntimeError, an unknown compression a kind of one.
            raise DataError(f"cannot be unpacked ({error})", **where) from None
        except OSError as error:
            raise DataError(f"cannot be unpacked ({error})", **where) from None
        if zlib.crc32(data) != info.CRC:
            raise DataError("is damaged: its sum is wrong", **where)
        return data

    def _piecemeal(self, info: zipfile.ZipInfo) -> bytes:
        """A file as zipfile unpacks it; read at once, it may be unpacked beyond its stated size."""
        plain = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        data = io.BytesIO()
        with self._zip.open(info) as stream:
            while block := stream.read(_BLOCK if plain else _SMALL_BLOCK):
                data.write(block)
        return data.getvalue()

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        library = zstd()
        if info.flag_bits & 1:
            raise ValueError("it is encrypted")
        with self.path.open("rb") as raw:
            raw.seek(info.header_offset)
            head = raw.read(_LOCAL.size)
            if len(head) < _LOCAL.size or head[:4] != b"PK\x03\x04":
                raise ValueError("its header is not where it should be")
            name_length, extra_length = _LOCAL.unpack(head)[-2:]
            raw.seek(name_length + extra_length, 1)
            packed = raw.read(info.compress_size)
        try:
            data: bytes = library.ZstdDecompressor().decompress(packed, info.file_size + 1)
        except library.ZstdError as error:
            raise ValueError(str(error)) from None
        if len(data) != info.file_size:
            raise ValueError("its size is not what the zip says")
        return data
