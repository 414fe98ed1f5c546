"""Members of a zip whatever they are packed with: Python before 3.14 knows no zstd."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

from readmark.corpus.errors import DataError

_ZSTD = 93
_LOCAL = struct.Struct("<4s2B4HL2L2H")
_LARGEST = 1 << 30
"""A member that says it is larger is refused: it is no sample of a reading test."""


class Zipped:
    """A zip that is read member by member."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise DataError("no such file", file=path) from None
        except zipfile.BadZipFile as error:
            raise DataError(f"not a sound zip file, or cut off ({error})", file=path) from None
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None
        self.names = tuple(self._zip.namelist())

    def read(self, name: str) -> bytes:
        """A member's bytes, checked against its sum."""
        info = self._zip.getinfo(name)
        if info.file_size > _LARGEST:
            raise DataError(f"is {info.file_size:,} bytes large", file=self.path, where=name)
        try:
            if info.compress_type != _ZSTD:
                return self._zip.read(info)
            data = self._unpacked(info)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
            raise DataError(f"cannot be unpacked ({error})", file=self.path, where=name) from None
        except OSError as error:
            raise DataError(f"cannot be read ({error})", file=self.path, where=name) from None
        if zlib.crc32(data) != info.CRC:
            raise DataError("is damaged: its sum is wrong", file=self.path, where=name)
        return data

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        import zstandard

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
            # Never more than the zip says that there is: a small member may hold gigabytes.
            reader = zstandard.ZstdDecompressor().stream_reader(packed)
            data: bytes = reader.read(info.file_size + 1)
        except zstandard.ZstdError as error:
            raise ValueError(str(error)) from None
        if len(data) != info.file_size:
            raise ValueError("its size is not what the zip says")
        return data
