"""Reading annotated text: tags and brackets out, their spans kept, white space by its rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from readmark.comprehension.brcc.annotated_text import AnnotatedText, AnswerSentence, TaggedPhrase
from readmark.comprehension.brcc.character_references import (
    REFERENCE,
    character_of,
    read_plainly,
)
from readmark.comprehension.brcc.spacing import BLANK_LINE, ends_a_paragraph, is_text_space
from readmark.core.spans import clip
from readmark.text.guidelines import ENTITY_TYPES
from readmark.text.script import is_han

_PIECE = re.compile(
    rf"""(?P<tag><\s*+(?P<close>/?)\s*+(?P<name>ANSQ\s*+[0-9]++|[A-Z][A-Z0-9]*+)
           (?P<attributes>(?:\s++[A-Z]++\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s<>"'=/]++))*+)
           \s*+(?P<alone>/?)\s*+>)
       |(?P<reference>{REFERENCE})
       |(?P<space>[ \t\n\r\f\v]++)
       |(?P<bracket>[\[\]])
       |(?P<text>[^<&\[\] \t\n\r\f\v]++|[<&])""",
    re.VERBOSE | re.IGNORECASE,
)
_BROKEN = re.compile(r"<\s*+/?\s*+(?:NP|ANSQ)(?![A-Z])", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([A-Z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))""", re.IGNORECASE)
_HINT = "; write &lt; for the sign"
_LONGEST_NUMBER = 9


@dataclass(frozen=True, slots=True)
class NotationFault:
    """Something that cannot be read, at an offset of what was written."""

    offset: int
    code: str
    message: str


def read_text(
    written: str, *, language: str, brackets: bool, passage: bool
) -> tuple[AnnotatedText, tuple[NotationFault, ...]]:
    """The text and what its tags said, and everything that could not be read.

    With ``brackets``, noun phrases are also in square brackets. Only a ``passage`` has answer
    sentences and paragraphs.
    """
    reader = _TextReader(written, language, brackets, passage)
    for piece in _PIECE.finditer(written):
        reader.take(piece)
    return reader.result()


@dataclass(slots=True, eq=False)
class _OpenElement:
    """A noun phrase or answer sentence whose end has not come yet."""

    tag: str
    offset: int
    number: int | None = None
    """Of the question that the sentence answers; None for a noun phrase."""
    attributes: dict[str, str] = field(default_factory=dict)
    start: int = -1
    """Where it begins in the text; -1 until its first character comes."""
    crossed: str = ""
    """The tag of an answer sentence that ended inside it."""

    @property
    def is_phrase(self) -> bool:
        return self.number is None


class _TextReader:
    """The text so far, the elements that are open, and the gap since the last character."""

    def __init__(self, written: str, language: str, brackets: bool, passage: bool) -> None:
        self._written = written
        self._language = language
        self._brackets = brackets
        self._passage = passage
        self._pieces: list[str] = []
        self._length = 0
        self._last = ""
        # The gap: its white space, whether a tag is in it, whether a blank line is.
        self._space = ""
        self._tagged = self._paragraph = False
        self._spaced = False
        self._open: list[_OpenElement] = []
        self._unstarted: list[_OpenElement] = []
        """Open elements that have no character yet."""
        self._open_phrases = 0
        self._open_answers: Counter[int] = Counter()
        self._phrases: list[TaggedPhrase] = []
        self._answers: list[AnswerSentence] = []
        self._edges: set[int] = set()
        self._faults: list[NotationFault] = []

    def take(self, piece: re.Match[str]) -> None:
        """Take one piece of what is written."""
        kind, spelt, offset = piece.lastgroup or "", piece[0], piece.start()
        if piece["tag"] is not None:
            self._take_tag(piece)
        elif kind == "space":
            self._space += spelt
            is_blank = BLANK_LINE.search(spelt) is not None
            self._paragraph |= is_blank and not self._open_phrases
        elif kind == "bracket" and self._brackets:
            if spelt == "[":
                self._begin(_OpenElement(spelt, offset))
            else:
                self._end_phrase(spelt, offset)
        elif kind == "reference":
            self._take_text(character_of(spelt))
        else:
            if spelt == "<" and _BROKEN.match(self._written, offset):
                tag = clip(self._written[offset:])
                self._fault(offset, "malformed_tag", f"{tag!r} is no whole tag{_HINT}")
            self._take_text(spelt)

    def result(self) -> tuple[AnnotatedText, tuple[NotationFault, ...]]:
        """What was read, in the order of the text."""
        for element in self._open:
            self._fault(element.offset, "unclosed_tag", f"{element.tag} is never closed")
        phrases = sorted(self._phrases, key=lambda phrase: (phrase.start, -phrase.end))
        answers = sorted(
            self._answers, key=lambda answer: (answer.start, answer.end, answer.number)
        )
        annotated = AnnotatedText(
            "".join(self._pieces),
            tuple(phrases),
            tuple(answers),
            frozenset(self._edges - {0, self._length}),
            self._spaced,
        )
        return annotated, tuple(sorted(self._faults, key=lambda fault: fault.offset))

    def _take_text(self, characters: str) -> None:
        if self._length and (self._space or self._tagged):
            self._edges.add(self._length)
            if self._space:
                self._take_space(before=characters[0])
            self._edges.add(self._length)
        for element in self._unstarted:
            element.start = self._length
        self._unstarted.clear()
        self._space = ""
        self._tagged = self._paragraph = False
        self._append(characters)

    def _take_space(self, *, before: str) -> None:
        """What the white space of a gap leaves in the text: a line break, a space or nothing."""
        is_space = is_text_space(self._last, before, self._language, next_to_tag=self._tagged)
        if self._passage and self._paragraph and ends_a_paragraph(self._last):
            self._append("\n")
        elif is_space:
            self._append(" ")
        elif not self._tagged and self._space.strip("\r\n\f\v"):
            self._spaced = self._spaced or (is_han(self._last) and is_han(before))

    def _append(self, characters: str) -> None:
        self._pieces.append(characters)
        self._length += len(characters)
        self._last = characters[-1]

    def _take_tag(self, match: re.Match[str]) -> None:
        tag, offset = " ".join(match[0].split()), match.start()
        name = re.sub(r"\s", "", match["name"]).upper()
        number = int(name[4:]) if re.fullmatch(r"ANSQ[0-9]{1,9}", name) else None
        if name != "NP" and number is None:
            expected = "NP or ANSQ with the number of a question"
            self._fault(offset, "unknown_tag", f"{tag} is unknown, expected {expected}{_HINT}")
            self._take_text(match[0])
        elif match["alone"]:
            self._fault(offset, "empty_tag", f"{tag} holds nothing")
        elif match["close"]:
            if match["attributes"]:
                self._fault(offset, "malformed_tag", f"{tag} closes and has attributes")
            if number is None:
                self._end_phrase(tag, offset)
            else:
                self._end_answer(tag, offset, number)
        elif number is None:
            attributes = self._attributes(tag, offset, match["attributes"])
            self._begin(_OpenElement(tag, offset, attributes=attributes))
        else:
            if match["attributes"]:
                self._fault(offset, "malformed_tag", f"{tag} has attributes, expected none")
            if not self._passage:
                message = f"{tag}: answer sentences are marked in the passage"
                self._fault(offset, "misplaced_tag", message)
            if self._open_answers[number]:
                self._fault(offset, "crossed_tag", f"{tag} begins inside itself")
            self._open_answers[number] += 1
            self._begin(_OpenElement(tag, offset, number))

    def _begin(self, element: _OpenElement) -> None:
        self._tagged = True
        self._open_phrases += element.is_phrase
        self._open.append(element)
        self._unstarted.append(element)

    def _end_phrase(self, tag: str, offset: int) -> None:
        for phrase, still_open in self._close(tag, offset, None):
            self._open_phrases -= 1
            crossing = phrase.crossed or next((element.tag for element in still_open), "")
            if crossing:
                self._fault(phrase.offset, "crossed_tag", f"{phrase.tag} crosses {crossing}")
            if phrase.start >= 0:
                self._phrases.append(_tagged_phrase(phrase, self._length))

    def _end_answer(self, tag: str, offset: int, number: int) -> None:
        for answer, still_open in self._close(tag, offset, number):
            self._open_answers[number] -= 1
            for element in still_open:
                if element.is_phrase:
                    element.crossed = answer.tag  # reported when the phrase ends, if it ever does
            if answer.start >= 0:
                self._answers.append(AnswerSentence(number, answer.start, self._length))

    def _close(
        self, tag: str, offset: int, number: int | None
    ) -> Iterator[tuple[_OpenElement, list[_OpenElement]]]:
        """The element that ends here, if any, and those that began in it and are still open."""
        self._tagged = True
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index].number == number:
                element = self._open.pop(index)
                if element.start < 0:
                    self._unstarted.remove(element)
                    self._fault(element.offset, "empty_tag", f"{element.tag} holds nothing")
                yield element, self._open[index:]
                return
        self._fault(offset, "unopened_tag", f"{tag} closes nothing")

    def _attributes(self, tag: str, offset: int, written: str) -> dict[str, str]:
        attributes: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(written):
            name = match[1].upper()
            value = read_plainly(next(part for part in match.groups()[1:] if part is not None))
            if name not in ("NE", "REFID", "REF"):
                message = f"{tag} has {match[1]}, expected NE, REFID or REF"
                self._fault(offset, "malformed_tag", message)
            elif name in attributes:
                self._fault(offset, "malformed_tag", f"{tag} has {name} twice")
            elif name != "NE" and not _is_number(value):
                message = f"{tag} has {name}={clip(value)}, expected a whole number"
                self._fault(offset, "malformed_tag", message)
            else:
                attributes[name] = value
        return attributes

    def _fault(self, offset: int, code: str, message: str) -> None:
        self._faults.append(NotationFault(offset, code, message))


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= _LONGEST_NUMBER


def _tagged_phrase(element: _OpenElement, end: int) -> TaggedPhrase:
    attributes = element.attributes
    entity = attributes.get("NE")
    if entity is not None and entity.upper() in ENTITY_TYPES:
        entity = entity.upper()
    id, ref = (int(attributes[name]) if name in attributes else None for name in ("REFID", "REF"))
    return TaggedPhrase(element.start, end, entity, id, ref)
