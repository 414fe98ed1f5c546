"""Opening, reading and writing files: compression by suffix, exact places, atomic writes."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import IO, Any, Protocol, TypeVar

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.limits import limits, megabytes, require_ratio
from readmark.core.problems import Problem, Report, fail
from readmark.core.streams import (
    is_remote,
    is_standard,
    readable_file,
    remote_stream,
    standard_output,
    without_scheme,
)
from readmark.core.test import SCHEMA

BOM = b"\xef\xbb\xbf"
JSON_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON may raise."""

_BLOCK = 1 << 20
_BUFFER = 1 << 18  # at Python's own 8 KB, half of the time of a large file goes to the system
RENAMES_OPEN = os.name != "nt"
"""Whether a file can be renamed, replaced and removed while it is open, as Windows refuses to."""
_FAR = 0x7FFFFFFF  # upper half of an offset
_LOCK_VIOLATION = 33
_PART_NAME = 40  # so that a long name with its suffixes stays within a folder's limit
_COMPRESSED_BLOCK = 1 << 16
_UNPACKED_BLOCK = 1 << 20
"""Most bytes that zstd unpacks at a time, however few they were packed into."""
_SPECIAL = {
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed by suffix; every failure is one clear line.

    ``-`` is standard input. It is copied to a private file, as pipes are, and so can be read again.
    What is at an address such as ``s3://bucket/test.jsonl`` is read as it arrives.
    """
    try:
        if is_remote(path):
            with remote_stream(str(path)) as (raw, size), _plain(raw, str(path), size) as stream:
                yield stream
            return
        file = readable_file(path)
        require_file(file)
        with _opened(file) as stream:
            yield stream
    except FileNotFoundError:
        raise DataError("no such file", file=path) from None
    except IsADirectoryError:
        raise DataError("is a directory, expected a file", file=path) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"not a valid gzip file ({error})", file=path) from None
    except EOFError:
        raise DataError("the compressed file is cut off before its end", file=path) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None


def require_file(path: str | Path) -> None:
    """Refuse devices, pipes and sockets: some never end, and a pipe is not read here itself."""
    kind = _SPECIAL.get(stat.S_IFMT(Path(path).stat().st_mode))
    if kind is not None:
        raise DataError(f"is {kind}, expected a file", file=path)


def is_compressed(path: str | Path) -> bool:
    """Whether a file's suffix is one of the compressions that are unpacked when it is read."""
    return PurePath(path).suffix.lower() in (".gz", ".bz2", ".xz", ".zst")


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with (
        path.open("rb", buffering=_BUFFER) as raw,
        _plain(raw, path, path.stat().st_size) as stream,
    ):
        yield stream


@contextlib.contextmanager
def _plain(raw: IO[bytes], path: str | Path, size: int) -> Iterator[IO[bytes]]:
    """A file's content, unpacked where its suffix asks for that."""
    if not is_compressed(path):
        yield raw
        return
    with _unpacked(raw, PurePath(path).suffix.lower()) as stream:
        yield io.BufferedReader(_Bounded(stream, path, size), _BUFFER)


@contextlib.contextmanager
def _unpacked(raw: IO[bytes], suffix: str) -> Iterator[io.RawIOBase | io.BufferedIOBase]:
    if suffix == ".gz":
        with gzip.open(raw) as stream:
            yield stream
    elif suffix == ".zst":
        yield _ZstdReader(raw)
    else:
        with _rarely_unpacked(raw, suffix) as stream:
            yield stream


class _Bounded(io.RawIOBase):
    """An unpacked stream that ends in an error when there is far more of it than of the file."""

    def __init__(
        self, stream: io.RawIOBase | io.BufferedIOBase, path: str | Path, packed: int
    ) -> None:
        self._stream = stream
        self._path = path
        self._packed = packed
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = self._stream.readinto(buffer) or 0
        self._read += size
        require_ratio(self._read, self._packed, self._path)
        return size


@contextlib.contextmanager
def _rarely_unpacked(raw: IO[bytes], suffix: str) -> Iterator[io.BufferedIOBase]:
    """Formats that dumps come in; a Python may have been built without either."""
    if suffix == ".bz2":
        import bz2

        with bz2.open(raw) as stream:
            yield stream
        return
    import lzma

    try:
        with lzma.open(raw) as stream:
            yield stream
    except lzma.LZMAError as error:
        raise OSError(f"not a valid xz file: {error}") from None


def zstd() -> Any:
    """Python's zstd module, or its backport; imported only for a file that needs it."""
    if sys.version_info >= (3, 14):
        from compression import zstd as library
    else:
        from backports import zstd as library
    return library


class _ZstdReader(io.RawIOBase):
    """A zstd file, frame after frame, that does not pass a cut-off file for a whole one."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._library = zstd()
        self._frame = self._library.ZstdDecompressor()
        self._begun = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof or self._frame.needs_input:
                data = data or self._raw.read(_COMPRESSED_BLOCK)
                if not data:
                    if self._begun and not self._frame.eof:
                        raise EOFError
                    return 0
            if self._frame.eof:
                self._frame = self._library.ZstdDecompressor()
            self._begun = True
            try:
                self._ready = memoryview(self._frame.decompress(data, _UNPACKED_BLOCK))
            except self._library.ZstdError as error:
                raise OSError(f"not a valid zstd file: {error}") from None
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def read_head(path: str | Path, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, without a byte order mark."""
    with reading(path) as stream:
        return stream.read(size).removeprefix(BOM)


def read_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; blank ones are passed over."""
    most = limits().line
    with reading(path) as stream:
        for number, line in enumerate(iter(partial(stream.readline, most + 1), b""), 1):
            if len(line) > most and line[-1:] != b"\n":
                raise limits().exceeded(
                    "line", f"is longer than {megabytes(most)}", file=path, where=number
                )
            bare = (line.removeprefix(BOM) if number == 1 else line).strip(b" \t\r\n")
            if bare:
                yield number, bare


def read_bytes(path: str | Path, *, whole: bool = False) -> bytes:
    """A whole file, without a byte order mark unless the ``whole`` of it is wanted."""
    most = limits().document
    with reading(path) as stream:
        data: bytes | None
        if is_remote(path) or is_compressed(readable_file(path)):
            unpacked = io.BytesIO()
            while unpacked.tell() <= most and (block := stream.read(_BLOCK)):
                unpacked.write(block)
            data = unpacked.getvalue()
        else:
            data = stream.read() if os.fstat(stream.fileno()).st_size <= most else None
    if data is None or len(data) > most:
        raise limits().exceeded(
            "document", f"is larger than {megabytes(most)} and would be read whole", file=path
        )
    return data if whole else data.removeprefix(BOM)


def read_json(path: str | Path) -> Any:
    """A whole JSON document; malformed JSON is an error with line and column."""
    data = read_bytes(path)
    try:
        return msgspec.json.decode(data)
    except JSON_ERRORS as error:
        raise malformed(path, data, error) from None


def read_toml(path: str | Path) -> dict[str, Any]:
    """A whole TOML document."""
    return toml_of(read_bytes(path), path)


def toml_of(data: bytes, path: str | Path) -> dict[str, Any]:
    """The TOML document that a file holds."""
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise DataError("not valid UTF-8", file=path) from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"not valid TOML: {error}", file=path) from None
    except RecursionError:
        raise DataError("nested too deep", file=path) from None


def malformed(path: str | Path, data: bytes, error: Exception) -> DataError:
    """A JSON error with its place in the file."""
    what, at = json_fault(data, error)
    line = data.count(b"\n", 0, at) + 1
    column = at - (data.rfind(b"\n", 0, at) + 1) + 1
    return DataError(what, file=path, where=f"{line}:{column}")


def json_fault(data: bytes, error: Exception) -> tuple[str, int]:
    """What is wrong with a piece of JSON, in words, and the byte where."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as bad:
        return f"not valid UTF-8 (byte 0x{data[bad.start]:02x})", bad.start
    what, at = syntax_fault(data, error)
    return what, len(data) if at is None else at


def syntax_fault(data: bytes, error: Exception) -> tuple[str, int | None]:
    """What is wrong with the syntax of some JSON, and where; None means its end."""
    if isinstance(error, RecursionError):
        return "nested too deep", 0
    message = str(error)
    if "(byte " in message:
        at = int(message.rsplit("(byte ", 1)[1].rstrip(")"))
        at -= "trailing characters" in message  # reported one byte late
        found = data[at : at + 4].decode("utf-8", "ignore")[:1] or "the end"
        what = message.rsplit(" (byte ", 1)[0].removeprefix("JSON is malformed: ")
        return f"not valid JSON: {what} (found {found!r})", at
    if "truncated" in message:
        return "not valid JSON: it ends too early, or holds half a surrogate pair", None
    return f"not valid JSON: {message}", 0


@contextlib.contextmanager
def writing(path: str | Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """Write a file whole or not at all: the old one stays until the new one is complete.

    ``-`` is standard output. Only its owner can read a new file that is private.
    """
    path = Path(path)
    try:
        if is_standard(path):
            with standard_output() as output:
                yield output
            return
        if path.is_dir():
            raise DataError("is a directory, expected a file to write", file=path)
        own = _own_output(path)
        if own is not None:
            with os.fdopen(os.dup(own), "wb") as output:
                yield output
        elif path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
        else:
            with _replacing(path, is_private) as stream:
                yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None


def _own_output(path: Path) -> int | None:
    """Standard output or error, when the path is another name of it, such as /dev/stdout.

    Those are never replaced: behind them may be a file that others write to, and a link in /dev.
    """
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(stream)):
                return stream
    return None


@contextlib.contextmanager
def _replacing(path: Path, is_private: bool) -> Iterator[IO[bytes]]:
    """A new file next to the old one, which it replaces at the end; a link stays a link."""
    target = Path(os.path.realpath(path))
    # In a folder that others write to, nobody can put a file or a link under this name first.
    unique = f"{os.getpid()}.{os.urandom(6).hex()}"
    part = target.with_name(f".{target.name[:_PART_NAME]}.{unique}.part")
    mode = 0o600 if is_private else 0o666
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with (
            os.fdopen(descriptor, "wb", buffering=_BUFFER) as raw,
            _compressed(path, raw) as stream,
        ):
            yield stream
        put_in_place(part, target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def put_in_place(part: Path, target: Path) -> None:
    """Give a complete file or folder its name, so that not even a power cut leaves half of it.

    The content is on the disk before the name is. A file keeps the mode of the one it replaces.
    """
    for path in part.rglob("*") if part.is_dir() else ():
        sync(path)
    sync(part)
    if target.is_file():
        part.chmod(target.stat().st_mode & 0o7777)
    part.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Have a file's content, or a folder's names, on the disk; not every system can."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # Windows opens no folder, and a name may be gone already
        return
    try:
        sync_open(descriptor)
    finally:
        os.close(descriptor)


def sync_open(descriptor: int) -> None:
    """The same of an open file; an error means that what was written may be lost."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EROFS, errno.EBADF):
            raise


def lock(descriptor: int) -> bool | None:
    """Keep an open file to this process until it is closed: False where another one has it.

    None where the system has no locks. Nothing but another call of this function is refused: what
    is locked on Windows, where nobody else could read it, is a byte that no file reaches.
    """
    if sys.platform == "win32":
        import ctypes
        import msvcrt
        from ctypes import wintypes

        lock_file = ctypes.WinDLL("kernel32", use_last_error=True).LockFile
        lock_file.argtypes = (wintypes.HANDLE, *[wintypes.DWORD] * 4)
        if lock_file(msvcrt.get_osfhandle(descriptor), 0, _FAR, 1, 0):
            return True
        return False if ctypes.get_last_error() == _LOCK_VIOLATION else None
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


@contextlib.contextmanager
def _compressed(path: Path, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    if path.suffix.lower() == ".gz":
        # No name and no time in the header: equal content gives equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif path.suffix.lower() == ".zst":
        with zstd().ZstdFile(raw, "w") as stream:
            yield stream
    else:
        yield raw


# Readmark's JSON Lines: a header, then a record a line, each decoded into its struct.


S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


def read_header(file: str, struct: type[S]) -> S:
    """The first line of a file as its header; a newer schema is refused in words."""
    for number, line in read_lines(file):
        refuse_newer(line, SCHEMA, file=file, where=number)
        header = decode(file, number, line, msgspec.json.Decoder(struct), fail)
        if header is None:  # pragma: no cover - fail raises
            break
        return header
    raise DataError("the file is empty, expected a header line", file=file)


def refuse_newer(
    document: bytes | str,
    known: int,
    *,
    file: str | Path,
    where: int | None = None,
    member: str = "readmark",
) -> None:
    """Refuse what a later Readmark wrote, in words and before its other members are looked at."""
    try:
        version = msgspec.json.decode(document).get(member)
    except (*JSON_ERRORS, AttributeError):
        return  # what is wrong with it is reported where it is read
    if isinstance(version, int) and version > known:
        raise DataError(
            f"newer_schema: made for schema {version}, this Readmark reads up to {known}; "
            "install a newer one",
            file=file,
            where=where,
        )


def read_records(file: str, struct: type[S], report: Report) -> Iterator[tuple[int, S]]:
    """Every line after the header as a record, with its number; bad lines are reported."""
    decoder = msgspec.json.Decoder(struct)
    lines = read_lines(file)
    next(lines, None)
    for number, line in lines:
        record = decode(file, number, line, decoder, report)
        if record is not None:
            yield number, record


class LineDecoder(Protocol[T_co]):
    """What makes a value of a line of JSON, as msgspec's decoders do."""

    def decode(self, data: bytes, /) -> T_co: ...


def decode(
    file: str, number: int, line: bytes, decoder: LineDecoder[T], report: Report
) -> T | None:
    """One line as its struct, or a report of what is wrong with it."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        report(Problem(file, number, "schema", in_words(error)))
    except JSON_ERRORS as error:
        what, at = json_fault(line, error)
        report(Problem(file, number, "json", f"{what} at byte {at + 1} of the line"))
    return None


def in_words(error: msgspec.ValidationError) -> str:
    """A validation error with the member named and a hint for the usual cause."""
    message = str(error).replace("`", "").replace("Expected str", "Expected text")
    if "unknown field" in message:
        message += "; fields of your own go under 'fields'"
    return message[:1].lower() + message[1:]


_encode = msgspec.json.Encoder().encode


def line(value: Any) -> bytes:
    """A value as a line of a file."""
    return _encode(value) + b"\n"


# What is written must not take the place of what is read, nor of another output.


def same_file(path: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to one file; a file that is not there is no other."""
    with contextlib.suppress(OSError):
        return Path(without_scheme(path)).samefile(without_scheme(other))
    return False


def require_distinct_files(
    outputs: Sequence[str | Path | None], inputs: Sequence[str | Path | None] = ()
) -> None:
    """Refuse an output that is an input, or that is named twice; None names no file."""
    named = [output for output in outputs if output is not None]
    for index, output in enumerate(named):
        if any(same_file(one, output) for one in inputs if one is not None):
            raise UsageError(f"{output} is what is being read: write to another file")
        if Path(output).absolute() in [Path(one).absolute() for one in named[:index]]:
            raise UsageError(f"{output} is to be written twice: name different files")
