"""What a hall is started with, and the secret that it makes for itself."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from readmark.core.errors import DataError

SECRET_FILE = "readmark.secret"
COOKIE = "readmark_session"
_SECRET_BYTES = 32


@dataclass(frozen=True)
class HallSettings:
    """How a hall runs. ``hosts`` are the names that it answers to."""

    url: str
    secret: bytes
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    is_secure: bool = False
    """Whether browsers reach the hall through TLS: cookies are then bound to it."""
    origin: str = ""
    """The address that browsers know the hall by, where a proxy stands before it."""
    largest_upload: int = 32 << 20
    """Bytes of a body with files, which go to disk as they arrive."""
    largest_body: int = 2 << 20
    """Bytes of any other body, which is read into memory."""
    session_days: int = 30
    invitation_days: int = 14
    shows_demo: bool = False

    @property
    def cookie(self) -> str:
        """The session cookie's name; with TLS, one that browsers accept from this host alone."""
        return f"__Host-{COOKIE}" if self.is_secure else COOKIE


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
