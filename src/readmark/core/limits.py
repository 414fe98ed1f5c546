"""How much a file may make Readmark read or hold: limits against files made to exhaust memory.

What is read record by record has no limit in total, since memory does not grow with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from readmark.core import typed_keys as takes
from readmark.core.errors import DataError
from readmark.core.typed_keys import configured

UNJUDGED = 64 << 20
"""Unpacked bytes up to which no file is suspect, however small it is packed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """``[files]``: the limits in force on the files that are read."""

    line: int = configured(64 << 20, takes.SIZE, "longest line, or text in a large JSON document")
    document: int = configured(512 << 20, takes.SIZE, "largest file, or file in a zip, read whole")
    ratio: int = configured(
        200, takes.COUNT_OR_NONE, "how many times its size a compressed file may unpack to"
    )
    members: int = configured(100_000, takes.COUNT_OR_NONE, "most files in a folder or zip")
    memory: int | None = configured(
        None,
        takes.SIZE,
        "memory that rules and queries over statements may use",
        default_words="a quarter of the machine's",
    )
    download: int = configured(4 << 30, takes.SIZE, "largest file that `readmark get` downloads")

    def exceeded(
        self, name: str, message: str, *, file: object = None, where: object = None
    ) -> DataError:
        """The error for what goes beyond a limit, with how to raise it."""
        value = getattr(self, name)
        more = _short(4 * value) if name in ("line", "document", "download") else str(4 * value)
        hint = f"if you trust it, raise the limit: readmark --set files.{name}={more}"
        return DataError(f"{message}; {hint}", file=file, where=where)


def limits() -> Limits:
    """The limits in force: those of the configuration."""
    from readmark.core.configuration import configuration

    return configuration().files


def _short(size: int) -> str:
    return f"{size >> 20}MB" if size >= 1 << 20 else str(size)


def require_ratio(unpacked: int, packed: int, file: str | Path) -> None:
    """Refuse a compressed file that unpacks to far more than its own size."""
    most = limits().ratio
    if unpacked > UNJUDGED and unpacked > most * packed:
        message = f"unpacks to more than {most} times its {packed:,} bytes"
        raise limits().exceeded("ratio", message, file=file)


def megabytes(size: int) -> str:
    """A size in words."""
    return f"{size >> 20:,} MB" if size >= 1 << 20 else f"{size:,} bytes"
