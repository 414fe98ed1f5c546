"""The elements of a TREC series file, read by the standard library's expat.

Nothing outside the file is opened and no entity is expanded: a file that declares one is refused,
so that neither a few lines can grow into gigabytes nor other files be read through it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from readmark.corpus.errors import DataError

ROOT = "trecqa"


@dataclass(slots=True)
class Asked:
    """A ``q`` element: where it begins, its attributes, its text as it stands."""

    line: int
    attributes: dict[str, str]
    text: str = ""


@dataclass(slots=True)
class Target:
    """A ``target`` element with its questions."""

    line: int
    attributes: dict[str, str]
    asked: list[Asked] = field(default_factory=list)


@dataclass(slots=True)
class Document:
    """The root's attributes, the targets, and what else was met."""

    attributes: dict[str, str] = field(default_factory=dict)
    targets: list[Target] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)
    """Elements that are passed over, with the line of the first of each name."""


def parsed(text: str, file: str) -> Document:
    """The document in a text; anything malformed is one line with its place."""
    reading = _Reading(file)
    try:
        reading.parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code) or "malformed"
        place = f"{error.lineno}:{error.offset + 1}"
        raise DataError(f"not well-formed XML: {said}", file=file, where=place) from None
    return reading.document


class _Reading:
    def __init__(self, file: str) -> None:
        self.file = file
        self.document = Document()
        self._open: list[str] = []
        self._asked: Asked | None = None
        # The text is decoded already: what the declaration says no longer counts.
        parser = self.parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._outside
        parser.SkippedEntityHandler = self._skipped
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters

    def _refuse(self, message: str) -> NoReturn:
        raise DataError(message, file=self.file, where=self.parser.CurrentLineNumber)

    def _entity(self, name: str, *_: object) -> None:
        self._refuse(f"declares the entity {name!r}: files with entities of their own are not read")

    def _outside(self, context: str, *_: object) -> int:
        self._refuse(f"refers to something outside the file ({context}), which is not read")

    def _skipped(self, name: str, _: bool) -> None:
        self._refuse(f"refers to an entity {name!r} that is not declared")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if not self._open:
            if name != ROOT:
                self._refuse(f"the root is <{name}>, expected <{ROOT}>")
            self.document.attributes = attributes
        elif name == "target":
            if self._open != [ROOT]:
                self._refuse("a <target> stands inside another element")
            self.document.targets.append(Target(line, attributes))
        elif name == "q":
            if "target" not in self._open:
                self._refuse("a <q> stands outside any <target>")
            if self._asked is not None:
                self._refuse("a <q> stands inside another")
            self._asked = Asked(line, attributes)
            self.document.targets[-1].asked.append(self._asked)
        elif name not in ("qa", "as") and self._asked is None:
            # The words of an element in a q are read.
            self.document.unread.setdefault(name, line)
        self._open.append(name)

    def _end(self, name: str) -> None:
        self._open.pop()
        if name == "q":
            self._asked = None

    def _characters(self, data: str) -> None:
        if self._asked is not None:
            self._asked.text += data
