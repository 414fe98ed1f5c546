"""Compressed files: gzip, zstd, bzip2 and xz are read within limits; gzip and zstd are written."""

from __future__ import annotations

import contextlib
import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import IO, Any

from readmark.core.limits import require_ratio

BUFFER = 1 << 18  # at Python's own 8 KB, half of the time of a large file goes to the system
_COMPRESSED_BLOCK = 1 << 16
_UNPACKED_BLOCK = 1 << 20
"""Most bytes that zstd unpacks at a time, however few they were packed into."""


def is_compressed(path: str | Path) -> bool:
    """Whether a file's suffix is one of the compressions that are unpacked when it is read."""
    return PurePath(path).suffix.lower() in (".gz", ".bz2", ".xz", ".zst")


@contextlib.contextmanager
def unpacked(raw: IO[bytes], path: str | Path, size: int) -> Iterator[IO[bytes]]:
    """A file's content, unpacked where its suffix asks for that."""
    if not is_compressed(path):
        yield raw
        return
    with _decompressed(raw, PurePath(path).suffix.lower()) as stream:
        yield io.BufferedReader(_Bounded(stream, path, size), BUFFER)


@contextlib.contextmanager
def _decompressed(raw: IO[bytes], suffix: str) -> Iterator[io.RawIOBase | io.BufferedIOBase]:
    if suffix == ".gz":
        with gzip.open(raw) as stream:
            yield stream
    elif suffix == ".zst":
        yield _ZstdReader(raw)
    else:
        with _bz2_or_xz(raw, suffix) as stream:
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
def _bz2_or_xz(raw: IO[bytes], suffix: str) -> Iterator[io.BufferedIOBase]:
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
        self._has_data = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof or self._frame.needs_input:
                data = data or self._raw.read(_COMPRESSED_BLOCK)
                if not data:
                    if self._has_data and not self._frame.eof:
                        raise EOFError
                    return 0
            if self._frame.eof:
                self._frame = self._library.ZstdDecompressor()
            self._has_data = True
            try:
                self._ready = memoryview(self._frame.decompress(data, _UNPACKED_BLOCK))
            except self._library.ZstdError as error:
                raise OSError(f"not a valid zstd file: {error}") from None
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


@contextlib.contextmanager
def packed(path: Path, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """A stream that compresses what is written to it, where the file's suffix asks for that."""
    if path.suffix.lower() == ".gz":
        # No name and no time in the header: equal content gives equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif path.suffix.lower() == ".zst":
        with zstd().ZstdFile(raw, "w") as stream:
            yield stream
    else:
        yield raw
