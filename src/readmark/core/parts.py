"""A test or a sitting in several files: part-00000-of-00008.jsonl and so on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from readmark.core.addresses import is_remote, remote_names
from readmark.core.errors import DataError

_PART_FILE = re.compile(r"part-(\d{5,9})(?:-of-(\d{5,9}))?\.(?:jsonl|parquet)(?:\.gz|\.zst)?")
MOST_PARTS = 100_000


def part_name(index: int, count: int, suffix: str) -> str:
    """The name of a part; it has the number of parts, so that a missing one is noticed."""
    return f"part-{index:05}-of-{count:05}{suffix}"


def part_files(path: str) -> tuple[str, ...]:
    """The parts in a folder, in order; none if it is not a folder, or has no parts.

    Other files in it are ignored. A part that is missing, or there twice, is an error.
    """
    try:
        names = _names_at(path)
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None
    base = path.rstrip("/") if is_remote(path) else path
    return tuple(
        f"{base}/{name}" if is_remote(path) else str(Path(base, name))
        for name in _ordered_parts(path, names)
    )


def _names_at(path: str) -> list[str]:
    if is_remote(path):
        return remote_names(path)
    folder = Path(path)
    return [file.name for file in folder.iterdir()] if folder.is_dir() else []


def _ordered_parts(path: str, names: Iterable[str]) -> list[str]:
    parts: dict[int, str] = {}
    counts: dict[int, str] = {}
    for name in sorted(names):
        match = _PART_FILE.fullmatch(name)
        if match is None:
            continue
        number = int(match[1])
        if number in parts:
            raise DataError(f"has part {number} twice: {parts[number]} and {name}", file=path)
        parts[number] = name
        if match[2] is not None:
            counts.setdefault(int(match[2]), name)
    tables = [name for name in parts.values() if name.endswith(".parquet")]
    if tables and len(tables) < len(parts):
        other = next(name for name in parts.values() if name not in tables)
        raise DataError(f"has parts of two formats: {other} and {tables[0]}", file=path)
    if len(counts) > 1:
        raise DataError(f"has parts of several sets: {' and '.join(counts.values())}", file=path)
    count = next(iter(counts), max(parts, default=-1) + 1)
    missing = [number for number in range(count) if number not in parts]
    if parts and missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise DataError(f"part {missing[0]} of {count}{more} is missing", file=path)
    if parts and max(parts) >= count:
        raise DataError(f"has {parts[max(parts)]}, which is not one of {count} parts", file=path)
    return [parts[number] for number in sorted(parts)]
