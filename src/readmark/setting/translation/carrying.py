"""Decisions of an earlier comparison: each holds for the strings that it was made about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from readmark.corpus.errors import DataError
from readmark.setting.adjudication import AdjudicationHeader, Disagreement
from readmark.setting.translation.comparing import STALE, WORK, Comparison


def require_same_work(comparison: Comparison, header: AdjudicationHeader, file: str) -> None:
    """Refuse decisions on other work, of other people, or of A and B the other way round."""
    if header.work != WORK:
        raise DataError(
            f"holds decisions on {header.work or 'other work'}, expected translation",
            file=file,
            where=1,
        )
    if (header.a, header.b) != comparison.names:
        raise DataError(
            f"compares {header.a} with {header.b}, expected {' with '.join(comparison.names)}; "
            "give both files in the same order, and --names as before",
            file=file,
            where=1,
        )
    made = header.fields.get("files")
    if not isinstance(made, dict):
        return
    a, b = (Path(one).name for one in comparison.files)
    if a != b and (made.get(header.a), made.get(header.b)) == (b, a):
        raise DataError(
            f"says that {b} is {header.a}'s and {a} is {header.b}'s: give both files in the order "
            "in which they were compared",
            file=file,
            where=1,
        )


def carried(
    rows: Iterable[Disagreement], earlier: Sequence[Disagreement]
) -> tuple[list[Disagreement], list[Disagreement]]:
    """Rows with what people wrote of the same strings, and what they wrote of strings now gone.

    A cause that was suggested then and stands in a decided row was the person's too.
    """
    known = {_strings(one): one for one in earlier if one.touched}
    made = []
    for row in rows:
        then = known.pop(_strings(row), None)
        if then is not None:
            kept = then.cause if then.decision is not None and then.cause != row.cause else None
            row = msgspec.structs.replace(
                row,
                decision=then.decision,
                other=then.other,
                by=then.by,
                decided_cause=then.decided_cause or kept,
            )
        made.append(row)
    return made, list(known.values())


def set_aside(header: AdjudicationHeader, *, file: str) -> list[Disagreement]:
    """Decisions that an earlier comparison set aside, since their strings had gone."""
    try:
        return msgspec.convert(header.fields.get(STALE, []), list[Disagreement])
    except msgspec.ValidationError as error:
        raise DataError(f"holds set-aside decisions that are none: {error}", file=file) from None


def _strings(row: Disagreement) -> tuple[str, str]:
    """What a decision is about: the row and its three texts."""
    about = (row.beside.get("english"), row.a, row.b)
    return row.id, msgspec.json.encode(about).decode()
