"""Reading annotated text: tags and brackets out, their spans kept, white space by its rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from readmark.corpus.notation import (
    ENTITY_TYPES,
    Annotated,
    AnswerSentence,
    NotationFault,
    NounPhrase,
)
from readmark.corpus.notation.signs import REFERENCE, meant, read_plainly
from readmark.corpus.notation.spacing import BLANK_LINE, ends_a_paragraph, is_han, is_kept
from readmark.corpus.spans import clip

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
_LESS = "; write &lt; for the sign"
_LONGEST_NUMBER = 9


def read(
    written: str, *, language: str, brackets: bool = False, passage: bool = False
) -> tuple[Annotated, tuple[NotationFault, ...]]:
    """The text and what its tags said, and everything that could not be read.

    With ``brackets`` noun phrases also stand in square brackets. Only a ``passage`` has answer
    sentences and paragraphs.
    """
    reader = _Reader(language, brackets, passage)
    for piece in _PIECE.finditer(written):
        reader.take(written, piece)
    return reader.end()


@dataclass(slots=True, eq=False)
class _Open:
    """An element whose end has not come yet; ``start`` is -1 until its first character."""

    said: str
    at: int
    number: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    start: int = -1
    crossed: str = ""

    @property
    def is_phrase(self) -> bool:
        return self.number is None


class _Reader:
    """One reading: the text so far, the elements that are open, the gap since the last sign."""

    def __init__(self, language: str, brackets: bool, passage: bool) -> None:
        self.language = language
        self.brackets = brackets
        self.passage = passage
        self.pieces: list[str] = []
        self.length = 0
        self.last = ""
        self.space = ""
        self.tagged = self.paragraph = self.spaced = False
        self.open: list[_Open] = []
        self.waiting: list[_Open] = []
        self.inside = 0
        self.answering: Counter[int] = Counter()
        self.phrases: list[NounPhrase] = []
        self.answers: list[AnswerSentence] = []
        self.edges: set[int] = set()
        self.faults: list[NotationFault] = []

    def take(self, written: str, piece: re.Match[str]) -> None:
        """Take one piece of what is written."""
        kind, said, at = piece.lastgroup or "", piece[0], piece.start()
        if piece["tag"] is not None:
            self._tag(piece)
        elif kind == "space":
            self.space += said
            self.paragraph |= not self.inside and BLANK_LINE.search(said) is not None
        elif kind == "bracket" and self.brackets:
            if said == "[":
                self._begin(_Open(said, at))
            else:
                self._end_phrase(said, at)
        elif kind == "reference":
            self._text(meant(said))
        else:
            if said == "<" and _BROKEN.match(written, at):
                found = clip(written[at:])
                self._fault(at, "malformed_tag", f"{found!r} is no whole tag{_LESS}")
            self._text(said)

    def end(self) -> tuple[Annotated, tuple[NotationFault, ...]]:
        """What was read, in the order of the text."""
        for one in self.open:
            self._fault(one.at, "unclosed_tag", f"{one.said} is never closed")
        phrases = sorted(self.phrases, key=lambda one: (one.start, -one.end))
        answers = sorted(self.answers, key=lambda one: (one.start, one.end, one.number))
        annotated = Annotated(
            "".join(self.pieces),
            tuple(phrases),
            tuple(answers),
            frozenset(self.edges - {0, self.length}),
            self.spaced,
        )
        return annotated, tuple(sorted(self.faults, key=lambda one: one.at))

    def _text(self, said: str) -> None:
        if self.length and (self.space or self.tagged):
            self._bridge(said[0])
            self.edges.add(self.length)
        for one in self.waiting:
            one.start = self.length
        self.waiting.clear()
        self.space = ""
        self.tagged = self.paragraph = False
        self._append(said)

    def _bridge(self, after: str) -> None:
        """What the gap before this character leaves in the text."""
        self.edges.add(self.length)
        if not self.space:
            return
        if self.passage and self.paragraph and ends_a_paragraph(self.last):
            self._append("\n")
        elif is_kept(self.last, after, self.language, beside_tag=self.tagged):
            self._append(" ")
        elif not self.tagged and self.space.strip("\r\n\f\v"):
            self.spaced = self.spaced or (is_han(self.last) and is_han(after))

    def _append(self, said: str) -> None:
        self.pieces.append(said)
        self.length += len(said)
        self.last = said[-1]

    def _tag(self, tag: re.Match[str]) -> None:
        said, at = " ".join(tag[0].split()), tag.start()
        name = re.sub(r"\s", "", tag["name"]).upper()
        number = int(name[4:]) if re.fullmatch(r"ANSQ[0-9]{1,9}", name) else None
        if name != "NP" and number is None:
            wanted = "NP or ANSQ with the number of a question"
            self._fault(at, "unknown_tag", f"{said} is unknown, expected {wanted}{_LESS}")
            self._text(tag[0])
        elif tag["alone"]:
            self._fault(at, "empty_tag", f"{said} holds nothing")
        elif tag["close"]:
            if tag["attributes"]:
                self._fault(at, "malformed_tag", f"{said} closes and has attributes")
            if number is None:
                self._end_phrase(said, at)
            else:
                self._end_answer(said, at, number)
        elif number is None:
            self._begin(_Open(said, at, attributes=self._attributes(said, at, tag["attributes"])))
        else:
            self._begin_answer(said, at, number, tag["attributes"])

    def _begin(self, one: _Open) -> None:
        self.tagged = True
        self.inside += one.is_phrase
        self.open.append(one)
        self.waiting.append(one)

    def _begin_answer(self, said: str, at: int, number: int, attributes: str) -> None:
        if attributes:
            self._fault(at, "malformed_tag", f"{said} has attributes, expected none")
        if not self.passage:
            self._fault(at, "misplaced_tag", f"{said}: answer sentences are marked in the passage")
        if self.answering[number]:
            self._fault(at, "crossed_tag", f"{said} begins inside itself")
        self.answering[number] += 1
        self._begin(_Open(said, at, number))

    def _end_phrase(self, said: str, at: int) -> None:
        for found, later in self._close(said, at, None):
            self.inside -= 1
            other = found.crossed or next((one.said for one in later), "")
            if other:
                self._fault(found.at, "crossed_tag", f"{found.said} crosses {other}")
            if found.start >= 0:
                self.phrases.append(_phrase(found, self.length))

    def _end_answer(self, said: str, at: int, number: int) -> None:
        for found, later in self._close(said, at, number):
            self.answering[number] -= 1
            for one in later:
                if one.is_phrase:
                    one.crossed = found.said  # told when the phrase ends, if it ever does
            if found.start >= 0:
                self.answers.append(AnswerSentence(number, found.start, self.length))

    def _close(self, said: str, at: int, number: int | None) -> Iterator[tuple[_Open, list[_Open]]]:
        """The element that ends here, if any, and those that began in it and are still open."""
        self.tagged = True
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place].number == number:
                found = self.open.pop(place)
                if found.start < 0:
                    self.waiting.remove(found)
                    self._fault(found.at, "empty_tag", f"{found.said} holds nothing")
                yield found, self.open[place:]
                return
        self._fault(at, "unopened_tag", f"{said} closes nothing")

    def _attributes(self, said: str, at: int, written: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in _ATTRIBUTE.finditer(written):
            name = one[1].upper()
            value = read_plainly(next(part for part in one.groups()[1:] if part is not None))
            if name not in ("NE", "REFID", "REF"):
                message = f"{said} has {one[1]}, expected NE, REFID or REF"
                self._fault(at, "malformed_tag", message)
            elif name in found:
                self._fault(at, "malformed_tag", f"{said} has {name} twice")
            elif name != "NE" and not _is_number(value):
                message = f"{said} has {name}={clip(value)}, expected a whole number"
                self._fault(at, "malformed_tag", message)
            else:
                found[name] = value
        return found

    def _fault(self, at: int, code: str, message: str) -> None:
        self.faults.append(NotationFault(at, code, message))


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= _LONGEST_NUMBER


def _phrase(found: _Open, end: int) -> NounPhrase:
    said = found.attributes
    entity = said.get("NE")
    if entity is not None and entity.upper() in ENTITY_TYPES:
        entity = entity.upper()
    id, ref = (int(said[name]) if name in said else None for name in ("REFID", "REF"))
    return NounPhrase(found.start, end, entity, id, ref)
