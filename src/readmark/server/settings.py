"""What a hall is started with: the settings file, and what the command line says."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_toml

COOKIE = "readmark_session"


class HallLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much people may store; None means no limit."""

    upload_mb: Annotated[int, msgspec.Meta(ge=1, le=4096)] = 32
    """Megabytes of an upload."""
    project_mb: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Megabytes of a project's items and files; it does not limit the work that people do."""
    assignment_mb: Annotated[int, msgspec.Meta(ge=1)] = 64
    """Megabytes of a person's changes to one item: hours of typing a long text take ten."""


Days = Annotated[int, msgspec.Meta(ge=0, le=36_500)]


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days until something is deleted; None keeps it. What people made is kept by default."""

    sessions: Days | None = 0
    """After a session has expired."""
    invitations: Days | None = 30
    """After an invitation has expired or was revoked."""
    tokens: Days | None = 30
    """After a token has expired or was revoked."""
    login_attempts: Days | None = 1
    """After a log-in has failed."""
    jobs: Days | None = 30
    """After a job was done or has failed; workers that were not seen since go too."""
    failed_submissions: Days | None = None
    """Files of submissions that could not be marked, after they arrived."""
    boards: Days | None = None
    """Boards that a newer one has replaced, after they were made."""
    audit: Days | None = None
    """Entries of the audit log."""


class HallRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings file of a hall."""

    limits: HallLimits = HallLimits()
    retention: Retention = Retention()


def read_rules(path: str | Path | None) -> HallRules:
    """The limits and the retention that a file sets; without one, those of every hall."""
    if path is None:
        return HallRules()
    data = read_toml(path)
    try:
        return msgspec.convert(data, HallRules)
    except msgspec.ValidationError as error:
        message = str(error).replace("`", "")
        raise DataError(message[:1].lower() + message[1:], file=path) from error


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
    largest_project: int | None = None
    """Bytes of a project's items and files."""
    largest_assignment: int = 64 << 20
    """Bytes of a person's changes to one item."""
    retention: Retention = field(default_factory=Retention)
    metrics_from: tuple[str, ...] = ()
    """Networks with programs that may read the metrics, besides this machine."""
    logs_addresses: bool = False
    """Whether the log of requests has the addresses of clients."""

    @property
    def cookie(self) -> str:
        """The session cookie's name; with TLS, one that browsers accept from this host alone."""
        return f"__Host-{COOKIE}" if self.is_secure else COOKIE
