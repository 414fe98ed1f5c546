"""Opening, reading and writing files: compression by suffix, exact places, atomic writes."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.corpus.errors import DataError

BOM = b"\xef\xbb\xbf"
_BLOCK = 1 << 20


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed by suffix; every failure is one clear line."""
    try:
        with _opened(Path(path)) as stream:
            yield stream
    except FileNotFoundError:
        raise DataError("no such file", file=path) from None
    except IsADirectoryError:
        raise DataError("is a directory, expected a file", file=path) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"not a sound gzip file ({error})", file=path) from None
    except EOFError:
        raise DataError("the compressed file is cut off before its end", file=path) from None
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    with path.open("rb") as raw:
        if path.suffix == ".gz":
            with gzip.open(raw) as stream:
                yield stream  # type: ignore[misc]
        elif path.suffix == ".zst":
            yield io.BufferedReader(_ZstdReader(raw), _BLOCK)
        else:
            yield raw


class _ZstdReader(io.RawIOBase):
    """A zstd file, frame after frame, that does not pass a cut-off file for a whole one."""

    def __init__(self, raw: IO[bytes]) -> None:
        import zstandard

        self._raw = raw
        self._library = zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._frame.unused_data if self._frame.eof else b""
            data = data or self._raw.read(_BLOCK)
            if not data:
                if self._begun and not self._frame.eof:
                    raise EOFError
                return 0
            if self._frame.eof:
                self._frame = self._library.ZstdDecompressor().decompressobj()
            self._begun = True
            try:
                self._ready = self._frame.decompress(data)
            except self._library.ZstdError as error:
                raise OSError(f"not a sound zstd file: {error}") from None
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
    with reading(path) as stream:
        for number, line in enumerate(stream, 1):
            bare = (line.removeprefix(BOM) if number == 1 else line).strip(b" \t\r\n")
            if bare:
                yield number, bare


def read_bytes(path: str | Path) -> bytes:
    """A whole file, without a byte order mark."""
    with reading(path) as stream:
        return stream.read().removeprefix(BOM)


def read_json(path: str | Path) -> Any:
    """A whole JSON document; what is malformed is told with line and column."""
    data = read_bytes(path)
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise malformed(path, data, error) from None


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
    message = str(error)
    if "(byte " in message:
        at = int(message.rsplit("(byte ", 1)[1].rstrip(")"))
        found = data[at : at + 1].decode("utf-8", "replace") or "the end"
        what = message.rsplit(" (byte ", 1)[0].removeprefix("JSON is malformed: ")
        return f"not valid JSON: {what} (found {found!r})", at
    if "truncated" in message:
        return "not valid JSON: it ends too early, or holds half a surrogate pair", len(data)
    return f"not valid JSON: {message}", 0


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[IO[bytes]]:
    """Write a file whole or not at all: the old one stays until the new one is complete."""
    path = Path(path)
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise DataError("is a directory, expected a file to write", file=path)
        with path.open("wb") as device:
            yield device
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as raw, _compressed(path, raw) as stream:
            yield stream
        part.replace(path)
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror or error})", file=path) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def _compressed(path: Path, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    if path.suffix == ".gz":
        # No name and no time in the header: equal content gives equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif path.suffix == ".zst":
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as stream:
            yield stream
    else:
        yield raw
