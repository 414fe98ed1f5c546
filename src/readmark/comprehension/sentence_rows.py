"""Rows of readers that answer with a whole sentence of the passage."""

from __future__ import annotations

from readmark.core.records import Offsets, Unit
from readmark.core.sitting import Row


def sentence_row(unit: Unit, sentence: Offsets, **members: object) -> Row:
    """The row of a unit whose answer is a sentence; ``members`` are further ones of the row."""
    start, end = sentence
    text = unit.record.text[start:end]
    return Row(id=unit.id, answer=text, start=start, end=end, sentence=sentence, **members)  # type: ignore[arg-type]
