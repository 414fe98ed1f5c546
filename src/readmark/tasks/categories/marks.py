"""Marks on a text: the words, a category, values, and lines to other marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from readmark.core.errors import DataError
from readmark.core.records import Offsets
from readmark.core.spans import Excerpt


@dataclass(frozen=True)
class TextMark:
    """Words that an annotator marked: a category, values, and lines to other marks."""

    id: str
    category: str
    fragments: tuple[Offsets, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    """Attributes by name; a relation or an object may be named here too."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Relations by name, with the marks that they lead to."""
    same: tuple[str, ...] = ()
    """Marks of the same entity."""
    annotator: str | None = None
    where: str | int = ""

    def excerpts(self, document: str, text: str) -> tuple[Excerpt, ...]:
        """The marked words."""
        return tuple(Excerpt(document, *span, text[slice(*span)]) for span in self.fragments)


@dataclass(frozen=True)
class MarkedText:
    """A document with the marks on it."""

    id: str
    text: str
    marks: tuple[TextMark, ...]
    file: str = ""
    unused: tuple[str, ...] = ()
    """What the file has besides marks, in words."""

    def wrong(self, mark: TextMark, message: str) -> DataError:
        """The error that says what is wrong with a mark, and where."""
        return DataError(f"{mark.id}: {message}", file=self.file, where=mark.where or mark.id)
