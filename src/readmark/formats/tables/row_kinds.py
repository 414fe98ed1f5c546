"""Which kind of test a row of a flat file is of, by its columns, and what a foreign row lacks."""

from __future__ import annotations

from typing import Any

from readmark.core.errors import DataError
from readmark.core.kinds import KINDS
from readmark.formats.tables.columns import rows_of
from readmark.formats.tables.recast import has_question, lacks_passage


def kind_of_row(row: Any) -> str | None:
    """The kind of test that a row's columns imply."""
    if not isinstance(row, dict) or "readmark" in row or _is_squad(row):
        return None
    for name, kind in KINDS.working():
        rows = rows_of(kind)
        if rows.columns and rows.is_row(row):
            return name
    return None


def _is_squad(document: dict[str, Any]) -> bool:
    """Whether it is a SQuAD document: the usual one, for which no kind need be loaded."""
    match document:
        case {"data": [{"paragraphs": list()}, *_]}:
            return True
    return False


def is_question(row: Any) -> bool:
    """Whether an object is a question of some test, whatever else it has, and no predictions."""
    return isinstance(row, dict) and has_question(row)


def unrecognised(file: str, row: Any) -> DataError:
    """What a file's columns lack."""
    columns = ", ".join(row) if isinstance(row, dict) else "none"
    if isinstance(row, dict) and lacks_passage(row):
        fault = "there is a question with options and no passage to read; expected a column context"
    else:
        fault = (
            "expected rows with id, context, question and answers, with a passage, question and "
            "options, or with id, target, question and rewrites"
        )
    return DataError(f"{fault}; found: {columns}", file=file, where=1)
