"""Reading files, compressed or not: their lines and documents, and where something is wrong."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.core.addresses import is_remote, remote_stream
from readmark.core.compression import BUFFER, is_compressed, unpacked
from readmark.core.errors import DataError
from readmark.core.limits import limits, megabytes
from readmark.core.streams import readable_file

BOM = b"\xef\xbb\xbf"
JSON_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding JSON may raise."""
_BLOCK = 1 << 20
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
            with remote_stream(str(path)) as (raw, size), unpacked(raw, str(path), size) as stream:
                yield stream
            return
        file = readable_file(path)
        require_file(file)
        size = file.stat().st_size
        with (
            file.open("rb", buffering=BUFFER) as raw,
            unpacked(raw, file, size) as stream,
        ):
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


def read_head(path: str | Path, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, without a byte order mark."""
    with reading(path) as stream:
        return stream.read(size).removeprefix(BOM)


def read_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, without blank ones."""
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
    """The content of a file; without a byte order mark, unless ``whole``."""
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
    what, place = json_fault(data, error)
    line = data.count(b"\n", 0, place) + 1
    column = place - (data.rfind(b"\n", 0, place) + 1) + 1
    return DataError(what, file=path, where=f"{line}:{column}")


def json_fault(data: bytes, error: Exception) -> tuple[str, int]:
    """What is wrong with a piece of JSON, in words, and at which byte."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return f"not valid UTF-8 (byte 0x{data[wrong.start]:02x})", wrong.start
    what, place = syntax_fault(data, error)
    return what, len(data) if place is None else place


def syntax_fault(data: bytes, error: Exception) -> tuple[str, int | None]:
    """What msgspec says is wrong with some JSON, in words, and at which byte; None is its end."""
    if isinstance(error, RecursionError):
        return "nested too deep", 0
    message = str(error)
    if "(byte " in message:
        place = int(message.rsplit("(byte ", 1)[1].rstrip(")"))
        place -= "trailing characters" in message  # reported one byte late
        character = data[place : place + 4].decode("utf-8", "ignore")[:1] or "the end"
        what = message.rsplit(" (byte ", 1)[0].removeprefix("JSON is malformed: ")
        return f"not valid JSON: {what} (found {character!r})", place
    if "truncated" in message:
        return "not valid JSON: it ends too early, or holds half a surrogate pair", None
    return f"not valid JSON: {message}", 0
