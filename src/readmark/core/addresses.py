"""Files at addresses such as s3://bucket/test.jsonl, by fsspec."""

from __future__ import annotations

import contextlib
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.extras import require


def is_remote(path: object) -> bool:
    """Whether a path is an address that fsspec reads; ``file://`` is this machine."""
    return isinstance(path, str) and "://" in path and not path.startswith("file://")


def without_scheme(path: str | os.PathLike[str]) -> str:
    """The path of an address such as ``file:///tmp/test.jsonl``; any other stays as it is."""
    name = os.fspath(path)
    if not name.startswith("file://"):
        return name
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    return url2pathname(urlsplit(name).path)


def file_system(address: str) -> tuple[Any, str]:
    """The file system of an address, and the file's name in it."""
    require("fsspec")
    import fsspec

    try:
        system, name = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:  # s3:// needs s3fs; nothing knows some://
        raise UsageError(f"{address}: {error}") from None
    return system, str(name)


@contextlib.contextmanager
def remote_stream(address: str) -> Iterator[tuple[IO[bytes], int]]:
    """The bytes at an address as they arrive, and their number."""
    system, name = file_system(address)
    try:
        # Stores' own streams read whole lines only, however long.
        with io.BufferedReader(system.open(name, "rb")) as stream:
            yield stream, int(system.size(name) or 0)
    except (OSError, EOFError, ReadmarkError, zlib.error):
        raise
    except Exception as error:  # every store has errors of its own
        raise DataError(f"cannot be read ({error_words(error)})", file=address) from None


def remote_names(address: str) -> list[str]:
    """The names in a folder at an address; none if it is not a folder."""
    system, name = file_system(address)
    try:
        files = system.ls(name, detail=False) if system.isdir(name) else []
    except OSError:
        raise
    except Exception as error:
        raise DataError(f"cannot be read ({error_words(error)})", file=address) from None
    return [str(file).rstrip("/").rpartition("/")[2] for file in files]


def upload(path: Path, address: str) -> None:
    """Upload a file, or each file of a folder; an object appears whole or not at all."""
    if path.is_dir() and any(remote_names(address)):
        raise DataError("is a folder that is not empty: write to a new one", file=address)
    system, name = file_system(address)
    try:
        if path.is_dir():
            system.makedirs(name, exist_ok=True)
            for file in sorted(path.iterdir()):
                system.put_file(str(file), f"{name.rstrip('/')}/{file.name}")
        else:
            system.put_file(str(path), name)
    except Exception as error:
        raise DataError(f"cannot be written ({error_words(error)})", file=address) from None


def error_words(error: Exception) -> str:
    """An error of a store in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
