"""What a hall is started with, and the secret that it makes for itself."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from readmark.core.errors import DataError

SECRET_FILE = "readmark.secret"
_SECRET_BYTES = 32


@dataclass(frozen=True)
class HallSettings:
    """How a hall runs. ``hosts`` are the names that it answers to."""

    url: str
    secret: bytes
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    is_secure: bool = False
    """Whether browsers reach the hall through TLS: cookies are then bound to it."""
    largest_upload: int = 32 << 20
    session_days: int = 30
    invitation_days: int = 14
    shows_demo: bool = False


def read_secret(path: str | Path) -> bytes:
    """The hall's secret; made at first start, readable by its owner only."""
    path = Path(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes()
        if len(secret) != _SECRET_BYTES:
            raise DataError(
                f"{len(secret)} bytes, expected {_SECRET_BYTES}: restore the file, or remove it "
                "and everybody must log in again",
                file=path,
            ) from None
        if path.stat().st_mode & 0o077:
            raise DataError(
                "others can read the hall's secret: run chmod 600 on it", file=path
            ) from None
        return secret
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret := secrets.token_bytes(_SECRET_BYTES))
        file.flush()
        os.fsync(file.fileno())
    return secret
