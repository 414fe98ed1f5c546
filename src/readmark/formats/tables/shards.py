"""The files of a set in several parts, as the Hugging Face hub has its sets: names and splits."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.numbers import first_ids

LINES = (".jsonl", ".ndjson")
_COMPRESSED = (".gz", ".zst")
_SPLIT = re.compile(r"(?:^|[-_.])(train|validation|valid|dev|test)(?=$|[-_.])", re.IGNORECASE)
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


def shards(folder: Folder, suffixes: tuple[str, ...]) -> list[Path]:
    """The files of a folder that make one test, in order; none where it holds no such files.

    A hub's folder may hold a set in several versions, a folder each: one must be named.
    """
    if folder.is_zip:
        return []
    names = [name for name in folder.names if _suffix(name) in suffixes]
    places = sorted({str(PurePosixPath(name).parent) for name in names})
    if len(places) > 1:
        raise DataError(
            f"holds tests in several folders ({first_ids(places, 4)}): name one of them",
            file=folder.path,
        )
    return [folder.path / name for name in names]


def split_of(path: Path) -> str | None:
    """The split named by a shard's file name: ``test-00000-of-00001.parquet`` is of test."""
    match = _SPLIT.search(stem(path))
    return match[1].lower() if match is not None else None


def is_shard(path: Path) -> bool:
    """Whether a name is that of a part of a set, such as ``train-00000-of-00002.parquet``."""
    return _SHARD.search(stem(path)) is not None


def stem(path: Path) -> str:
    """A file's name without its suffixes."""
    name = path.name
    for suffix in (*_COMPRESSED, *LINES, ".json", ".parquet", ".csv", ".tsv", ".xlsx", ".xlsm"):
        name = name.removesuffix(suffix)
    return name


def _suffix(name: str) -> str:
    suffixes = [suffix.lower() for suffix in PurePosixPath(name).suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""
