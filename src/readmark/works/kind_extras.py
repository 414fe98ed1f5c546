"""What a kind of test may say to works: how a person reads a record of it."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from readmark.core.records import Labelled
from readmark.hooks import Kind


@runtime_checkable
class ReadByPeople(Protocol):
    """A kind of test whose records are not read as ``show_record`` shows them."""

    def reading_text(self, record: Any) -> Labelled:
        """What a person reads, under its heading: of a series, the questions under the target."""


def reading_text(kind: Kind, record: Any) -> Labelled:
    """What a person reads of a record of any kind: its text, under the line before it, if any."""
    if isinstance(kind, ReadByPeople):
        return kind.reading_text(record)
    *before, text = kind.show_record(record)
    return Labelled(before[-1].text if before else "", text.text)
