"""How much a file may make Readmark read or hold: limits against files made to exhaust memory.

What is read record by record has no limit in total, since memory does not grow with it. Each
limit is raised with ``readmark --allow NAME=VALUE`` or the environment variable
``READMARK_ALLOW``, which has such pairs with commas between them.
"""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from readmark.core.errors import DataError, UsageError, did_you_mean

VARIABLE = "READMARK_ALLOW"
UNJUDGED = 64 << 20
"""Unpacked bytes up to which no file is suspect, however small it is packed."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_VALUE = re.compile(r"([0-9]{1,15})\s*(?:([KMGT])?(?:i?B)?)", re.IGNORECASE)
_UNLIMITED = 1 << 62


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in force."""

    line: int = field(
        default=64 << 20,
        metadata={"help": "longest line, or text in a large JSON document", "size": True},
    )
    document: int = field(
        default=512 << 20,
        metadata={"help": "largest file, or file in a zip, that is read whole", "size": True},
    )
    ratio: int = field(
        default=200, metadata={"help": "how many times its size a compressed file may unpack to"}
    )
    members: int = field(default=100_000, metadata={"help": "most files in a folder or zip"})

    def exceeded(
        self, name: str, message: str, *, file: object = None, where: object = None
    ) -> DataError:
        """The error for what goes beyond a limit, with how to raise it."""
        value = getattr(self, name)
        size = next(field.metadata.get("size") for field in fields(self) if field.name == name)
        more = _short(4 * value) if size else str(4 * value)
        hint = f"if you trust it, raise the limit: readmark --allow {name}={more}"
        return DataError(f"{message}; {hint}", file=file, where=where)


def limits() -> Limits:
    """The limits that the environment asks for; the defaults if it asks for none."""
    return parse_limits(os.environ.get(VARIABLE, ""))


@functools.lru_cache(maxsize=16)
def parse_limits(text: str) -> Limits:
    """``line=256MB,ratio=1000`` as limits; those that are not named keep their defaults."""
    values: dict[str, int] = {}
    names = [field.name for field in fields(Limits)]
    for pair in filter(None, map(str.strip, text.split(","))):
        name, _, value = (part.strip() for part in pair.partition("="))
        if name not in names:
            raise UsageError(f"unknown limit {name!r}; {did_you_mean(name, names)}")
        match = _VALUE.fullmatch(value)
        if value.lower() == "none":
            values[name] = _UNLIMITED
        elif match is None or not int(match[1]):
            raise UsageError(
                f"limit {name}={value} is not a whole number above 0, such as 256MB, or none"
            )
        else:
            values[name] = min(int(match[1]) * _UNITS[(match[2] or "").upper()], _UNLIMITED)
    return replace(Limits(), **values)


def described() -> str:
    """The limits with their defaults, in a line."""
    parts = []
    for limit in fields(Limits):
        default: int = getattr(Limits(), limit.name)
        value = _short(default) if limit.metadata.get("size") else f"{default:,}"
        parts.append(f"{limit.name} ({limit.metadata['help']}, {value})")
    return "Limits and defaults: " + "; ".join(parts) + "."


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
