"""Annotated text read and written so that reading gives it back: tags or brackets, spaces."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from readmark.comprehension.brcc.container import guarded
from readmark.comprehension.brcc.notation import (
    BLANK_LINE,
    REFERENCE,
    SPACE,
    AnnotatedText,
    AnswerSentence,
    Element,
    NotationFault,
    TaggedPhrase,
    ends_a_paragraph,
    is_mark,
    is_reference,
    is_text_space,
    meant,
    outermost_first,
    read_plainly,
    reference,
    separates,
    write_plainly,
)
from readmark.core.spans import clip
from readmark.text.guidelines import ENTITY_TYPES
from readmark.text.script import is_han

# Reading annotated text: tags and brackets out, their spans kept, white space by its rule.


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


@dataclass(slots=True, eq=False)
class _Open:
    """An element whose end has not come yet; ``start`` is -1 until its first character."""

    tag: str
    offset: int
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
        self.phrases: list[TaggedPhrase] = []
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

    def end(self) -> tuple[AnnotatedText, tuple[NotationFault, ...]]:
        """What was read, in the order of the text."""
        for one in self.open:
            self._fault(one.offset, "unclosed_tag", f"{one.tag} is never closed")
        phrases = sorted(self.phrases, key=lambda phrase: (phrase.start, -phrase.end))
        answers = sorted(self.answers, key=lambda answer: (answer.start, answer.end, answer.number))
        annotated = AnnotatedText(
            "".join(self.pieces),
            tuple(phrases),
            tuple(answers),
            frozenset(self.edges - {0, self.length}),
            self.spaced,
        )
        return annotated, tuple(sorted(self.faults, key=lambda fault: fault.offset))

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
        elif is_text_space(self.last, after, self.language, next_to_tag=self.tagged):
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
            other = found.crossed or next((one.tag for one in later), "")
            if other:
                self._fault(found.offset, "crossed_tag", f"{found.tag} crosses {other}")
            if found.start >= 0:
                self.phrases.append(_phrase(found, self.length))

    def _end_answer(self, said: str, at: int, number: int) -> None:
        for found, later in self._close(said, at, number):
            self.answering[number] -= 1
            for one in later:
                if one.is_phrase:
                    one.crossed = found.tag  # reported when the phrase ends, if it ever does
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
                    self._fault(found.offset, "empty_tag", f"{found.tag} holds nothing")
                yield found, self.open[place:]
                return
        self._fault(at, "unopened_tag", f"{said} closes nothing")

    def _attributes(self, said: str, at: int, written: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(written):
            name = match[1].upper()
            value = read_plainly(next(part for part in match.groups()[1:] if part is not None))
            if name not in ("NE", "REFID", "REF"):
                message = f"{said} has {match[1]}, expected NE, REFID or REF"
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


def _phrase(found: _Open, end: int) -> TaggedPhrase:
    said = found.attributes
    entity = said.get("NE")
    if entity is not None and entity.upper() in ENTITY_TYPES:
        entity = entity.upper()
    id, ref = (int(said[name]) if name in said else None for name in ("REFID", "REF"))
    return TaggedPhrase(found.start, end, entity, id, ref)


_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


class _Writer:
    """One writing of a text: which elements begin and end before each character."""

    def __init__(
        self, annotated: AnnotatedText, language: str, brackets: bool, passage: bool, special: str
    ) -> None:
        self.text = annotated.text
        self.language = language
        self.passage = passage
        self.special = frozenset(special)
        self.begins: dict[int, list[str]] = defaultdict(list)
        self.ends: dict[int, list[str]] = defaultdict(list)
        self.inside: set[int] = set()
        # Long elements enclose short ones, answer sentences around noun phrases.
        elements: list[Element] = [*annotated.answers, *annotated.phrases]
        for element in sorted(elements, key=outermost_first):
            begin, end = _tags(element, brackets)
            self.begins[element.start].append(begin)
            self.ends[element.end].insert(0, end)
            if isinstance(element, TaggedPhrase):
                self.inside.update(range(element.start + 1, element.end))

    def write(self, edges: Collection[int]) -> str:
        """The text with its tags; at ``edges`` Chinese words end."""
        out: list[str] = []
        for index in range(len(self.text)):
            out += [self._padded(tag, index) for tag in self.ends.get(index, ())]
            if index in edges and self._needs_a_space(index):
                out.append(" ")
            out += [self._padded(tag, index) for tag in self.begins.get(index, ())]
            out.append(self._sign(index))
        out += [self._padded(tag, len(self.text)) for tag in self.ends.get(len(self.text), ())]
        return "".join(out)

    def _padded(self, tag: str, at: int) -> str:
        """A bracket with the chunker's space, unless that would be read as the text's own."""
        if tag not in ("[", "]"):
            return tag
        beside = at - 1 if tag == "[" else at
        if 0 < at < len(self.text):
            if self.text[beside] in SPACE:
                pads = self._space(beside).isspace()
            else:
                before, after = self.text[at - 1], self.text[at]
                pads = not is_text_space(before, after, self.language, next_to_tag=True)
            if not pads:
                return tag
        return "[ " if tag == "[" else " ]"

    def _needs_a_space(self, at: int) -> bool:
        """Whether the edge of a word must be shown; punctuation shows it already."""
        before, after = self.text[at - 1], self.text[at]
        if before.isspace() or after.isspace() or not separates(before, after, self.language):
            return False
        marks = is_mark(self.text, at - 1), is_mark(self.text, at)
        return not any(marks) or (all(marks) and before == after)

    def _sign(self, at: int) -> str:
        sign = self.text[at]
        if sign in SPACE:
            return self._space(at)
        if is_reference(self.text, at):
            return "&amp;"
        return reference(sign) if sign == "<" or sign in self.special else sign

    def _space(self, at: int) -> str:
        """White space: plain where reading leaves it as it is, else a reference."""
        sign = self.text[at]
        if self.begins.get(at) or self.ends.get(at + 1):
            return reference(sign)  # an element's own first or last character
        tagged = bool(self.ends.get(at) or self.begins.get(at + 1))
        if sign == " " and self._is_plain_space(at, next_to_tag=tagged):
            return " "
        if sign == "\n" and self._is_alone(at) and self.passage and at not in self.inside:
            return "\n\n" if ends_a_paragraph(self.text[at - 1]) else reference(sign)
        return reference(sign)

    def _is_plain_space(self, at: int, *, next_to_tag: bool) -> bool:
        if self.text[at] != " " or not self._is_alone(at):
            return False
        before, after = self.text[at - 1], self.text[at + 1]
        return is_text_space(before, after, self.language, next_to_tag=next_to_tag)

    def _is_alone(self, at: int) -> bool:
        """Whether both neighbours are characters other than white space."""
        return (
            0 < at < len(self.text) - 1
            and self.text[at - 1] not in SPACE
            and self.text[at + 1] not in SPACE
        )


def start_tag(phrase: TaggedPhrase) -> str:
    """The tag that a noun phrase begins with."""
    said = [f"NE={_value(phrase.entity)}"] if phrase.entity is not None else []
    said += [f"REFID={phrase.id}"] if phrase.id is not None else []
    said += [f"REF={phrase.ref}"] if phrase.ref is not None else []
    return f"<{' '.join(['NP', *said])}>"


def _value(entity: str) -> str:
    if entity and _BARE.issuperset(entity):
        return entity
    return f'"{write_plainly(entity, special=_ATTRIBUTE_SIGNS)}"'


_ATTRIBUTE_SIGNS = ('"', "<", ">")


def _tags(one: Element, brackets: bool) -> tuple[str, str]:
    if isinstance(one, AnswerSentence):
        return f"<ANSQ{one.number}>", f"</ANSQ{one.number}>"
    return ("[", "]") if brackets else (start_tag(one), "</NP>")


# How the texts of a BRCC file are spelt: in one side's language, with tags or with brackets.


@dataclass(frozen=True, slots=True)
class BrccSpelling:
    """Reads and writes texts the same way throughout a side."""

    language: str
    brackets: bool = False

    def bare(self, written: str) -> str:
        """A text as written, without the white space around it."""
        return written.strip(SPACE)

    def read(
        self, written: str, *, passage: bool = False
    ) -> tuple[AnnotatedText, tuple[NotationFault, ...]]:
        """The text and what its tags said, and everything that could not be read.

        With ``brackets``, noun phrases are also in square brackets. Only a ``passage`` has answer
        sentences and paragraphs.
        """
        reader = _Reader(self.language, self.brackets, passage)
        for piece in _PIECE.finditer(written):
            reader.take(written, piece)
        return reader.end()

    def write(
        self, text: AnnotatedText, *, passage: bool = False, spaced: bool = False, key: bool = False
    ) -> str:
        """The canonical spelling; with ``spaced`` the edges of words are marked by spaces.

        In an answer key a bar parts alternatives.
        """
        special = ("|" if key else "") + ("[]" if self.brackets else "")
        writer = _Writer(text, self.language, self.brackets, passage, special)
        written = writer.write(text.edges if spaced else frozenset())
        return guarded(written) if passage else written

    def still_means(
        self, written: str, text: AnnotatedText, *, passage: bool = False, segmented: bool = False
    ) -> bool:
        """Whether a text as it was once written reads as this one."""
        again, faults = self.read(written, passage=passage)
        return (
            not faults
            and (again.text, again.phrases, again.answers)
            == (text.text, text.phrases, text.answers)
            and (not segmented or again.words == text.words)
        )
