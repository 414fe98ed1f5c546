"""Limits on files, so that none can exhaust the memory, whether by design or by mistake.

What is read record by record has no limit in total, since memory does not grow with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from readmark.core import typed_keys as takes
from readmark.core.errors import DataError
from readmark.core.typed_keys import configured

UNSUSPECTED = 64 << 20
"""Unpacked bytes up to which a file is never suspect, however small it is compressed."""


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
        """The error for a file beyond a limit, with the option that raises it fourfold."""
        size = 4 * getattr(self, name)
        value = str(size)
        if name in ("line", "document", "download") and size >= 1 << 20:
            value = f"{size >> 20}MB"
        hint = f"if you trust it, raise the limit: readmark --set files.{name}={value}"
        return DataError(f"{message}; {hint}", file=file, where=where)


def limits() -> Limits:
    """The limits in force: those of the configuration."""
    from readmark.core.configuration import configuration

    return configuration().files


def require_ratio(unpacked: int, packed: int, file: str | Path) -> None:
    """Refuse a compressed file that unpacks to far more than its own size."""
    most = limits().ratio
    if unpacked > UNSUSPECTED and unpacked > most * packed:
        message = f"unpacks to more than {most} times its {packed:,} bytes"
        raise limits().exceeded("ratio", message, file=file)


def megabytes(size: int) -> str:
    """A size in words, in MB from the first on."""
    return f"{size >> 20:,} MB" if size >= 1 << 20 else f"{size:,} bytes"
