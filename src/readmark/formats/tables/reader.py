"""Where the rows of flat files come from: a file, or the shards of a folder, each row placed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import decode, in_words, read_lines
from readmark.core.folders import Folder
from readmark.core.problems import Problem, Report
from readmark.formats.members import others

LINES = (".jsonl", ".ndjson")
_COMPRESSED = (".gz", ".zst")
_SPLIT = re.compile(r"(?:^|[-_.])(train|validation|valid|dev|test)(?=$|[-_.])", re.IGNORECASE)
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


class PlacedRow(NamedTuple):
    """A row with its file and number; ``split`` comes from its file's name."""

    file: str
    number: int
    split: str | None
    row: dict[str, Any]


Rows = Callable[[Report], Iterator[PlacedRow]]


def rows_of_lines(file: str, split: str | None, report: Report) -> Iterator[PlacedRow]:
    """The rows of JSON Lines; a line that is none is reported."""
    decoder: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
    for number, line in read_lines(file):
        row = decode(file, number, line, decoder, report)
        if row is not None:
            yield PlacedRow(file, number, split, row)


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
            f"holds tests in several folders ({', '.join(places[:4])}): name one of them",
            file=folder.path,
        )
    return [folder.path / name for name in names]


def split_of(path: Path) -> str | None:
    """The split named by a shard's file name: ``test-00000-of-00001.parquet`` is of test."""
    match = _SPLIT.search(stem(path))
    return match[1].lower() if match is not None else None


def stem(path: Path) -> str:
    """A file's name without its suffixes."""
    name = path.name
    for suffix in (*_COMPRESSED, *LINES, ".json", ".parquet", ".csv", ".tsv", ".xlsx", ".xlsm"):
        name = name.removesuffix(suffix)
    return name


def is_shard(path: Path) -> bool:
    """Whether a name is that of a part of a set, such as ``train-00000-of-00002.parquet``."""
    return _SHARD.search(stem(path)) is not None


def _suffix(name: str) -> str:
    suffixes = [suffix.lower() for suffix in PurePosixPath(name).suffixes]
    while suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


# Reading flat files: lines gathered into passages and series, wherever in the file they are.


S = TypeVar("S", bound=msgspec.Struct)


def read_rows(
    rows: Iterable[PlacedRow], struct: type[S], report: Report
) -> Iterator[tuple[PlacedRow, S, dict[str, Any]]]:
    """Every row as it should be, and its other columns that have something."""
    known = frozenset(struct.__struct_fields__)
    for placed in rows:
        try:
            row = msgspec.convert(placed.row, struct)
        except msgspec.ValidationError as error:
            report(Problem(placed.file, placed.number, "schema", in_words(error)))
            continue
        more = others(placed.row, known)
        yield placed, row, {name: value for name, value in more.items() if value is not None}
