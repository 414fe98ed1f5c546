"""The elements of a TREC series file, read by the standard library's expat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from readmark.core.errors import DataError

_ROOT = "trecqa"


@dataclass(slots=True)
class QuestionElement:
    """A ``q`` element: where it begins, its attributes, its text unchanged."""

    line: int
    attributes: dict[str, str]
    text: str = ""


@dataclass(slots=True)
class TargetElement:
    """A ``target`` element with its questions."""

    line: int
    attributes: dict[str, str]
    questions: list[QuestionElement] = field(default_factory=list)


@dataclass(slots=True)
class TrecDocument:
    """The root's attributes, the targets, and the names of elements that are not read."""

    attributes: dict[str, str] = field(default_factory=dict)
    targets: list[TargetElement] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)
    """With the line of the first element of each name."""


def parse_document(text: str, file: str) -> TrecDocument:
    """The document in a text; anything malformed is one line with its place."""
    handlers = _Handlers(file)
    try:
        handlers.parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        message = expat.ErrorString(error.code) or "malformed"
        place = f"{error.lineno}:{error.offset + 1}"
        raise DataError(f"not well-formed XML: {message}", file=file, where=place) from None
    return handlers.document


class _Handlers:
    """The handlers that expat calls, and the document that they fill."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.document = TrecDocument()
        self._open: list[str] = []
        self._question: QuestionElement | None = None
        # The text is decoded already: what the declaration says no longer counts.
        parser = self.parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        # Entities can make a small file expand without end, or read other files: none are.
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.EntityDeclHandler = self._declares_entity
        parser.ExternalEntityRefHandler = self._refers_outside
        parser.SkippedEntityHandler = self._skips_entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters

    def _refuse(self, message: str) -> NoReturn:
        raise DataError(message, file=self.file, where=self.parser.CurrentLineNumber)

    def _declares_entity(self, name: str, *_: object) -> None:
        self._refuse(f"declares the entity {name!r}: files with entities of their own are not read")

    def _refers_outside(self, context: str, *_: object) -> int:
        self._refuse(f"refers to something outside the file ({context}), which is not read")

    def _skips_entity(self, name: str, _: bool) -> None:
        self._refuse(f"refers to an entity {name!r} that is not declared")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if not self._open:
            if name != _ROOT:
                self._refuse(f"the root is <{name}>, expected <{_ROOT}>")
            self.document.attributes = attributes
        elif name == "target":
            if self._open != [_ROOT]:
                self._refuse("a <target> is inside another element")
            self.document.targets.append(TargetElement(line, attributes))
        elif name == "q":
            if "target" not in self._open:
                self._refuse("a <q> is outside any <target>")
            if self._question is not None:
                self._refuse("a <q> is inside another")
            self._question = QuestionElement(line, attributes)
            self.document.targets[-1].questions.append(self._question)
        elif name not in ("qa", "as") and self._question is None:
            # An element inside a q is none of these: its words are read with the question's.
            self.document.unread.setdefault(name, line)
        self._open.append(name)

    def _end(self, name: str) -> None:
        self._open.pop()
        if name == "q":
            self._question = None

    def _characters(self, data: str) -> None:
        if self._question is not None:
            self._question.text += data
