"""Zips, read file by file within limits, also those that are compressed with zstd."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path

from readmark.core.compression import zstd
from readmark.core.errors import DataError
from readmark.core.files import require_file
from readmark.core.limits import limits, megabytes, require_ratio

_ZSTD = 93
"""The number of zstd in zips, which zipfile reads from Python 3.14 on."""
_LOCAL = struct.Struct("<4s2B4HL2L2H")
_BLOCK = 1 << 16
"""Bytes that are read at a time."""
_SMALL_BLOCK = 1 << 12
"""The same for bzip2 and LZMA, whose blocks zipfile unpacks whole, however large they get."""


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
        """A file's bytes, checked against its sum; ``place`` is its name in messages."""
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
        """A file as zipfile unpacks it; read at once, it could exceed the size that it states."""
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
