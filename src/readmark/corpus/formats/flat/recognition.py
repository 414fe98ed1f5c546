"""Flat files are told by the columns of their first line."""

from __future__ import annotations

from typing import Any

import msgspec

from readmark.corpus.files import JSON_ERRORS, read_lines
from readmark.corpus.source import Source


def kind_of(source: Source) -> str | None:
    """The kind of test in a flat file; None for any other file."""
    first = _first(source)
    if not isinstance(first, dict) or not {"id", "question"} <= first.keys():
        return None
    answers = first.get("answers", "none")  # what people fill in has a column "answer", or none
    if isinstance(first.get("context"), str) and isinstance(answers, (dict, type(None))):
        return "comprehension"
    if isinstance(first.get("target"), str) and isinstance(first.get("rewrites"), list):
        return "series"
    return None


def _first(source: Source) -> Any:
    """The first line as JSON; a long passage makes it longer than what a source looks at."""
    if not source.looks_json or b"\n" in source.head.strip() or b'"question"' not in source.head:
        return source.first_line
    try:
        return msgspec.json.decode(next(read_lines(source.path), (1, b""))[1])
    except JSON_ERRORS:
        return None
