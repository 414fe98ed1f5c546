"""Flat files are told by the columns of their first line."""

from __future__ import annotations

from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import JSON_ERRORS
from readmark.corpus.formats.flat.recast import has_question, is_choices, is_ours, lacks_passage
from readmark.corpus.source import Source


def kind_of(source: Source) -> str | None:
    """The kind of test in a flat file; None for any other file."""
    return kind_of_row(_first(source))


def kind_of_row(row: Any) -> str | None:
    """The kind of test that a row's columns tell."""
    if not isinstance(row, dict) or "readmark" in row:
        return None
    # What people fill in has a column "answer" and no options, or neither.
    if is_choices(row) or ({"id", "question"} <= row.keys() and is_ours(row)):
        return "comprehension"
    if not {"id", "question"} <= row.keys():
        return None
    if isinstance(row.get("target"), str) and isinstance(row.get("rewrites"), list):
        return "series"
    return None


def is_question(row: Any) -> bool:
    """Whether an object is a question of some test, whatever else it has, and no predictions."""
    return isinstance(row, dict) and has_question(row)


def unrecognised(file: str, row: Any) -> DataError:
    """What a file's columns lack."""
    found = ", ".join(row) if isinstance(row, dict) else "none"
    if isinstance(row, dict) and lacks_passage(row):
        what = "there is a question with options and no passage to read; expected a column context"
    else:
        what = (
            "expected rows with id, context, question and answers, with a passage, question and "
            "options, or with id, target, question and rewrites"
        )
    return DataError(f"{what}; found: {found}", file=file, where=1)


def _first(source: Source) -> Any:
    """The first line as JSON; a long passage makes it longer than what a source looks at."""
    if not source.looks_json or b"\n" in source.head.strip() or b'"que' not in source.head:
        return source.first_line
    try:
        return msgspec.json.decode(source.long_first_line)
    except JSON_ERRORS:
        return None
