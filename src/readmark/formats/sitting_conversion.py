"""Converting a sitting: which files are one, and what it can be written as."""

from __future__ import annotations

from pathlib import Path

from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import read_header
from readmark.core.kinds import KINDS, kind_named
from readmark.core.sitting import SittingHeader
from readmark.core.source import Source, suffixes_of
from readmark.core.test import Header
from readmark.formats.part_writing import save_sitting_parts
from readmark.formats.parts import part_names
from readmark.formats.prediction_rows import kind_of_predictions
from readmark.formats.registry import FORMATS, format_named, open_sitting, reads_sittings
from readmark.formats.sheets import is_table_name
from readmark.formats.tables.row_kinds import is_question, unrecognised
from readmark.hooks import hook

_OTHER_SUFFIXES = frozenset({".parquet", ".brcc", ".conllu", ".xml", ".txt", ".html"})
"""Suffixes that promise a file of another sort than a sitting."""


def is_sitting(source: Source, format: str | None) -> bool:
    """Whether a file is a sitting and not a test, by the format named or by its content."""
    if format is not None:
        return reads_sittings(format_named(format))
    if source.readmark_file is not None:
        return source.readmark_file == "sitting"
    rows = FORMATS.load("prediction_rows")
    if isinstance(source.first_line, dict) and rows.recognises(source):
        return True  # before formats that ask for a JSON document, which JSON Lines are not
    if any(
        hook(format, "read") is not None and format.recognises(source)
        for _, format in FORMATS.working()
    ):
        return False
    if rows.recognises(source):
        return True
    if is_question(source.document):
        raise unrecognised(source.file, source.document)
    return bool(FORMATS.load("predictions").recognises(source))


def convert_sitting(
    source: str | Path, target: str | Path, to_format: str | None, parts: int | None
) -> tuple[str, list[str]]:
    """Convert a sitting; the format that was written and what was lost come back."""
    format = to_format or _format_for(target)
    writer = FORMATS.load(format)
    if hook(writer, "write_sitting") is None:
        raise UsageError(f"a sitting cannot be written as {format!r}")
    opened = Source(source)
    is_native = opened.readmark_file == "sitting"
    header = read_header(part_names(opened)[0], SittingHeader) if is_native else SittingHeader()
    kind = header.kind or kind_of_predictions(opened) or Header().kind
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise DataError(f"kind {kind!r} is unknown; known: {known}", file=source, where=1)
    sitting = open_sitting(source, kind_named(kind))
    if sitting.papers:
        raise UsageError(
            f"{source}: its parts are sittings of parts of a test and cannot be put together"
        )
    if parts is None:
        return format, writer.write_sitting(sitting, Path(target))
    if format != "sitting":
        raise UsageError(f"`parts` of a sitting are written as sitting, not as {format!r}")
    save_sitting_parts(sitting, Path(target), writer, parts)
    return format, []


def _format_for(target: str | Path) -> str:
    """The format that a file's name asks for."""
    if is_table_name(target):
        return "prediction_rows"
    suffix = "".join(suffixes_of(target)[-1:])
    if suffix in _OTHER_SUFFIXES:
        raise UsageError(
            f"{target}: a sitting is written to a file that ends in .jsonl, .json, .csv or .xlsx"
        )
    return "predictions" if suffix == ".json" else "sitting"
