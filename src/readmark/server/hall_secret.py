"""The hall's secret: a file that only its owner reads, made at the first start."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from readmark.core.errors import DataError

SECRET_FILE = "readmark.secret"
_SECRET_BYTES = 32


def read_secret(path: str | Path) -> bytes:
    """The hall's secret; made at first start, readable by its owner only."""
    path = Path(path)
    if not path.exists():
        write_secret(path, secrets.token_bytes(_SECRET_BYTES))
    secret = path.read_bytes()
    if len(secret) != _SECRET_BYTES:
        raise DataError(
            f"{len(secret)} bytes, expected {_SECRET_BYTES}: restore the file, or remove it "
            "and everybody must log in again",
            file=path,
        )
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise DataError("others can read the hall's secret: run chmod 600 on it", file=path)
    return secret


def write_secret(path: Path, secret: bytes) -> None:
    """Store a secret that only its owner reads. A file that is there already stays.

    Several processes may start at once: the file appears whole, and the first one counts.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(name, path)
        except FileExistsError:
            return
        except OSError:  # a file system without hard links
            Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
