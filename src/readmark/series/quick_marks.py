"""Marks without intervals: tables, the worst rewrites and tuning compare scores alone."""

from __future__ import annotations

from readmark.core.numbers import listed_ids
from readmark.marking import Marks, MarkSettings

QUICK = MarkSettings(draws=1)  # the fewest there can be: readmark compare has intervals
_INTERVAL = ("interval", "confidence", "draws", "seed")


def without_interval(signature: str) -> str:
    """A signature without the parts that decide an interval."""
    parts = signature.split("|")
    return "|".join(part for part in parts if part.partition(":")[0] not in _INTERVAL)


def wrong_notes(marks: Marks) -> list[str]:
    """Which questions count as wrong although they have no rewrite."""
    notes = []
    if marks.coverage.errors:
        ids = listed_ids(marks.coverage.errors)
        notes.append(f"error rows, counted as wrong: {ids}; resume the sitting")
    if marks.coverage.unanswered:
        notes.append(f"unanswered, counted as wrong: {listed_ids(marks.coverage.unanswered)}")
    return notes
