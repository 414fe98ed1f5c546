"""Parquet, as the Hugging Face hub has most of its sets: the columns of flat files, packed.

DuckDB reads and writes it, a batch at a time.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.addresses import is_remote
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.core.files import reading
from readmark.core.problems import ReportProblem, ignore
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.tables.columns import Column
from readmark.formats.tables.named_rows import named_rows, recognised, say_names
from readmark.formats.tables.row_kinds import unrecognised
from readmark.formats.tables.rows import (
    PlacedRow,
    all_columns,
    flat_test,
    require_columns,
    write_rows,
)
from readmark.formats.tables.shards import is_shard, shards, split_of

if TYPE_CHECKING:
    import duckdb


SUFFIX = ".parquet"
_MAGIC = b"PAR1"
_LFS_POINTER = b"version https://git-lfs"
_BATCH = 1000  # rows that are held at a time: passages may be long
_MOST_MEMORY = 10**9
_LONGEST_ROW = 1 << 28  # DuckDB reads lines of 16 MiB unless it is told otherwise
_ROW_GROUP = 10_000
_TYPES = {"string": "VARCHAR", "int32": "INTEGER", "bool": "BOOLEAN"}


class Parquet:
    """The columns of ``flat`` in Parquet: a file, or a folder of shards."""

    def recognises(self, source: Source) -> bool:
        """A file that begins as Parquet does or is called so; a folder that holds some."""
        if source.parts and is_remote(source.file):
            return source.parts[0].path.suffix.lower() == SUFFIX
        if source.folder is not None:
            names = () if source.folder.is_zip else source.folder.named(SUFFIX)
            return bool(names)
        named = source.path.suffix.lower() == SUFFIX
        return source.head.startswith(_MAGIC) or (named and bool(source.head))

    def read(self, source: Source) -> Test:
        """The test in a file or in the shards of a folder."""
        if source.parts:
            files = [part.file for part in source.parts]
        elif source.folder is not None:
            files = [str(path) for path in shards(source.folder, (SUFFIX,))]
        else:
            files = [str(source.path)]
        rows = partial(_rows, is_only_file=len(files) == 1)
        first = next(chain.from_iterable(rows(file, ignore) for file in files), None)
        if first is None:
            message = "has no rows" if files else "holds no Parquet files"
            raise DataError(message, file=source.file)
        known = recognised(first.row)
        if known is None:
            raise unrecognised(first.file, first.row)
        kind, names = known
        if names is None:
            return flat_test(source, kind, files, rows)
        say_names(source.file, names.described(first.row))

        def renamed(file: str, report: ReportProblem) -> Iterator[PlacedRow]:
            return named_rows(rows(file, report), names, report)

        return flat_test(source, kind, files, renamed)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write one row per question, compressed by zstd; what the columns cannot hold is named."""
        require_columns(test, "parquet")
        _require_unpacked(path)
        columns = _distinct(all_columns(test))
        with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
            lines, packed = Path(folder) / "rows.jsonl", Path(folder) / "rows.parquet"
            with lines.open("wb") as stream:
                lost = write_rows(test, stream, columns)
            _pack(lines, packed, columns, path)
            with packed.open("rb") as parquet, writing(path) as stream:
                while block := parquet.read(1 << 20):
                    stream.write(block)
        return lost


def _distinct(columns: Sequence[Column]) -> list[Column]:
    """The columns without those whose names differ from an earlier one's in case alone.

    DuckDB ignores the case of names.
    """
    return list({column.name.lower(): column for column in reversed(columns)}.values())[::-1]


def _rows(file: str, report: ReportProblem, *, is_only_file: bool) -> Iterator[PlacedRow]:
    path = Source(file).path if is_remote(file) else Path(file)
    split = None if is_only_file and not is_shard(path) else split_of(path)
    for number, row in enumerate(parquet_rows(path), 1):
        yield PlacedRow(file, number, split, row)


def is_parquet(source: Source) -> bool:
    """Whether a file begins as Parquet does."""
    return source.folder is None and source.head.startswith(_MAGIC)


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of one file; what DuckDB finds wrong is one line."""
    require("duckdb", extra="make")
    import duckdb

    _require_unpacked(path)
    with reading(path) as stream:  # what is no file, or unreadable, is reported as for any other
        if stream.read(len(_LFS_POINTER)) == _LFS_POINTER:
            raise DataError(
                "is a Git LFS pointer and not the file itself; fetch it with git lfs pull",
                file=path,
            )
    source = _escaped(path)
    with _engine(source, path.absolute()) as engine:
        try:
            described = engine.execute("DESCRIBE SELECT * FROM read_parquet(?)", [source])
            types = {str(name): str(type) for name, type, *_ in described.fetchall()}
            columns = ", ".join(_selected(name, type) for name, type in types.items())
            result = engine.execute(f"SELECT {columns} FROM read_parquet(?)", [source])
            names = list(types)
            while batch := result.fetchmany(_BATCH):
                for row in batch:
                    yield {name: _plain(cell) for name, cell in zip(names, row, strict=True)}
        except duckdb.Error as error:
            reason = _reason(error, path)
            raise DataError(f"not a valid Parquet file ({reason})", file=path) from None


def _require_unpacked(path: Path) -> None:
    if path.suffix.lower() in (".gz", ".zst"):
        raise DataError("Parquet is compressed by itself and is not packed again", file=path)


def _plain(cell: Any) -> Any:
    """A cell as JSON would hold it: dates, decimals and bytes as text."""
    if cell is None or isinstance(cell, (str, int, float, bool)):
        return cell
    return msgspec.to_builtins(cell, str_keys=True)


def _selected(name: str, type: str) -> str:
    """A column by name; times with a zone as text, for which DuckDB would need another package."""
    spelt = '"' + name.replace('"', '""') + '"'
    return f"{spelt}::VARCHAR" if "WITH TIME ZONE" in type else spelt


def _escaped(path: Path) -> str:
    """A path that DuckDB takes literally: it reads *, ? and [ as patterns."""
    name = str(path.absolute())
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _pack(lines: Path, packed: Path, columns: Sequence[Column], path: Path) -> None:
    require("duckdb", extra="make")
    import duckdb

    types = ", ".join(f"{_quoted(column.name)}: {_quoted(_type(column))}" for column in columns)
    with _engine(lines, packed) as engine:
        try:
            engine.execute(
                f"COPY (SELECT * FROM read_json({_quoted(str(lines))}, "
                f"format='newline_delimited', maximum_object_size={_LONGEST_ROW}, "
                f"columns={{{types}}})) TO {_quoted(str(packed))} "
                f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP})"
            )
        except duckdb.Error as error:
            raise DataError(f"cannot be written ({_reason(error, lines)})", file=path) from None


def _type(column: Column) -> str:
    if column.parts:
        inner = ", ".join(f'"{part.name}" {_type(part)}' for part in column.parts)
        return f"STRUCT({inner})"
    return _TYPES[column.type] + ("[]" if column.repeated else "")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _reason(error: Exception, path: Path) -> str:
    """The first line of DuckDB's message, without the name of the file."""
    line = str(error).strip().split("\n", 1)[0]
    return line.replace(f"'{path.absolute()}'", "").replace("  ", " ").strip()


@contextlib.contextmanager
def _engine(*files: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database that opens these files alone, in memory that is bounded; order is kept."""
    from readmark.core.confinement import connect

    with (
        tempfile.TemporaryDirectory(prefix="readmark-") as folder,
        connect(folder=folder, files=files, memory=_MOST_MEMORY, threads=1) as engine,
    ):
        yield engine


PARQUET = Parquet()
