"""What a source gives: articles, and those that could not be taken, each with its reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from readmark.core.records import Offsets
from readmark.text.headings import TAIL, DroppedSection

UNSOUND = ("unclosed", "outside", "encoding", "json", "markup")
"""Reasons that say the source is damaged there; the others are choices."""

PASSED_OVER = "passed-over"
"""The shape of a chunk that holds no article, only why there is none."""


@dataclass(frozen=True, slots=True)
class Article:
    """A text with where it comes from. Paragraphs are its lines; none of them is blank."""

    id: str
    title: str
    text: str
    file: str
    where: str = ""
    """A line, or empty where the file is the article."""
    url: str | None = None
    revision: str | None = None
    timestamp: str | None = None
    licence: str | None = None
    """What the source itself says."""
    language: str | None = None
    cleaned: Counter[str] = field(default_factory=Counter)
    """How often each cleaning rule changed it."""
    dropped: tuple[DroppedSection, ...] = ()
    has_own_id: bool = True
    """Whether the id is the source's: if one that we made occurs twice, another is made."""
    unconverted: tuple[Offsets, ...] = ()
    """Stretches that the source wants to stay in their script, traditional or simplified."""


@dataclass(frozen=True, slots=True)
class NotTaken:
    """An article or a stretch of one that was passed over, and why."""

    reason: str
    article: str
    title: str
    file: str
    where: str = ""
    detail: str = ""
    length: int | None = None
    start: int | None = None
    end: int | None = None

    @property
    def is_stretch(self) -> bool:
        """Whether it is a part of an article, of which other parts may be taken."""
        return self.start is not None or self.reason == TAIL

    def row(self) -> dict[str, Any]:
        """A line of the list of what was not taken, without empty members."""
        members = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in members.items() if value not in (None, "")}

    def __str__(self) -> str:
        place = ":".join(part for part in (self.file, self.where) if part)
        reason = f"{self.reason}: {self.detail}" if self.detail else self.reason
        return f"{place}: {self.article}: {reason}" if self.article else f"{place}: {reason}"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some articles as they are in their file, to be parsed here or in another process."""

    shape: str
    file: str
    data: Any
    line: int = 1
    """The line that the data begins on."""
    size: int = 0
    """Bytes of the source, for showing progress."""
    about: dict[str, Any] = field(default_factory=dict)
