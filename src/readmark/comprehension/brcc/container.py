"""The text file that has BRCC passages: lines about a passage, then sections under headings.

The document has no file format; the headings are those of its Tables 6 and 9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from readmark.comprehension.brcc.notation import SPACE, read_plainly
from readmark.core.records import Passage, Question
from readmark.core.spans import clip
from readmark.formats.losses import Losses

SIDES = {"en": "English", "zh": "Chinese"}
PARTS = ("passage", "questions", "answer keys")
FILE_LINES = ("licence", "source", "hidden")
"""What may be said of the whole file, before its first passage."""
PASSAGE_LINES = (
    *("id", "title", "dateline", "genre", "domain", "split"),
    *("question ids", "question types", "question abilities", "question proposals"),
    *("segmented", "notation"),
)
"""What may be said of a passage, or of one side of it with the language before."""

_SPELT = {"license": "licence", "topic": "domain"}
_LANGUAGES = {name.lower(): code for code, name in SIDES.items()}
_PARTS = r"(passage|questions?|answer\s+keys?)"
_PASSAGE = re.compile(r"\s*passage\s*:(.*)", re.IGNORECASE)
_HEADING = re.compile(rf"\s*(english|chinese)\s+{_PARTS}\s*+:?\s*+", re.IGNORECASE)
_FOREIGN = re.compile(rf"\s*([A-Z]\w+)\s+{_PARTS}\s*+:?\s*+")
_LANGUAGE = re.compile(r"\s*(?:english|chinese)\s*", re.IGNORECASE)
_PART = re.compile(rf"\s*{_PARTS}\s*+:?\s*+", re.IGNORECASE)
_ABOUT = re.compile(r"\s*(?:(english|chinese)\s+)?([a-z]+(?: [a-z]+)?)\s*:(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*([0-9０-９]{1,4})(?:\s*[.．](?![0-9])|[、)）])")
_FOREIGN_SECTION = ("", "")
FURTHEST = 20
"""How far the number of a question may lead the one before: beyond, it is a number in a text."""


@dataclass(frozen=True, slots=True)
class BrccFault:
    """Something wrong in a line of the file."""

    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class BrccSection:
    """The text under a heading, as written, and its first line."""

    line: int
    written: str


@dataclass(frozen=True, slots=True)
class NumberedItem:
    """A numbered question or answer key."""

    number: int
    line: int
    written: str


@dataclass(slots=True)
class BrccBlock:
    """A passage in the file: what is said of it and its sections, by side and part."""

    line: int
    id: str | None = None
    about: dict[tuple[str | None, str], BrccSection] = field(default_factory=dict)
    sections: dict[tuple[str, str], BrccSection] = field(default_factory=dict)
    faults: list[BrccFault] = field(default_factory=list)

    def section_about(self, side: str, name: str) -> BrccSection | None:
        """A line about one side, or about the passage."""
        return self.about.get((side, name)) or self.about.get((None, name))

    def has(self, side: str) -> bool:
        """Whether anything of a side stands here."""
        return any(one == side for one, _ in self.sections)


def scan(text: str) -> tuple[BrccBlock, list[BrccBlock]]:
    """What is said of the whole file, and its passages in order."""
    scanner = _Scanner(text.split("\n"))
    return scanner.scan()


class _Scanner:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.file = BrccBlock(1)
        self.blocks: list[BrccBlock] = []
        self.section: tuple[str, str] | None = None
        self.begun = 0

    def scan(self) -> tuple[BrccBlock, list[BrccBlock]]:
        at = 0
        while at < len(self.lines):
            heading, size = self._heading(at)
            passage = _PASSAGE.fullmatch(self.lines[at])
            if passage is not None:
                self._end(at)
                self.blocks.append(BrccBlock(at + 1, read_plainly(passage[1].strip(SPACE)) or None))
            elif heading is not None:
                self._end(at)
                self._begin(at, *heading, size)
            elif self._is_foreign(at):
                self._end(at)
                found = self.lines[at].strip()
                message = f"{clip(found)!r}: a side is English or Chinese"
                self._block(at).faults.append(BrccFault(at + 1, "language", message))
                self.section = _FOREIGN_SECTION
            elif self.section is None and self.lines[at].strip(SPACE):
                self._about(at)
            at += size
        self._end(len(self.lines))
        return self.file, self.blocks

    def _heading(self, at: int) -> tuple[tuple[str, str] | None, int]:
        """The side and part of a heading, which may take two lines, and how many it takes."""
        line = self.lines[at]
        size = 1
        if _LANGUAGE.fullmatch(line) and _PART.fullmatch("".join(self.lines[at + 1 : at + 2])):
            line, size = f"{line} {self.lines[at + 1]}", 2
        match = _HEADING.fullmatch(line)
        return ((_LANGUAGES[match[1].lower()], _part(match[2])) if match else None), size

    def _is_foreign(self, at: int) -> bool:
        """Whether a heading of another language is there; a text may hold such words."""
        return (
            at == 0 or not self.lines[at - 1].strip(SPACE) or self.section is None
        ) and _FOREIGN.fullmatch(self.lines[at]) is not None

    def _block(self, at: int) -> BrccBlock:
        if not self.blocks:
            self.blocks.append(BrccBlock(at + 1))
        return self.blocks[-1]

    def _begin(self, at: int, side: str, part: str, size: int) -> None:
        block = self._block(at)
        if (side, part) in block.sections:
            if block.id is None and part == "passage":
                self.blocks.append(BrccBlock(at + 1))
            else:
                message = f"{SIDES[side]} {part} occurs twice in a passage"
                block.faults.append(BrccFault(at + 1, "heading", message))
        self.section, self.begun = (side, part), at + size

    def _end(self, at: int) -> None:
        """The section that was open ends before a line; one without text is at its heading."""
        if self.section is not None and self.section != _FOREIGN_SECTION:
            written = "\n".join(self.lines[self.begun : at])
            text = written.strip(SPACE)
            blank = written.count("\n", 0, len(written) - len(written.lstrip(SPACE)))
            section = BrccSection(self.begun + 1 + blank if text else self.begun, text)
            self.blocks[-1].sections.setdefault(self.section, section)
        self.section = None

    def _about(self, at: int) -> None:
        match = _ABOUT.fullmatch(self.lines[at])
        name = _SPELT.get(match[2].lower(), match[2].lower()) if match else ""
        known = PASSAGE_LINES if self.blocks else (*FILE_LINES, *PASSAGE_LINES)
        if match is None or name not in known:
            wanted = ", ".join(one.capitalize() + ":" for one in known)
            message = f"{clip(self.lines[at].strip())!r} is no heading and none of {wanted}"
            self._block(at).faults.append(BrccFault(at + 1, "heading", message))
            return
        block = self.file if name in FILE_LINES else self._block(at)
        side = _LANGUAGES[match[1].lower()] if match[1] else None
        section = BrccSection(at + 1, match[3].strip(SPACE))
        if block.about.setdefault((side, name), section) is not section:
            block.faults.append(BrccFault(at + 1, "heading", f"{name.capitalize()}: occurs twice"))


def _part(said: str) -> str:
    return next(part for part in PARTS if part[0] == said[0].lower())


def items(section: BrccSection, noun: str) -> tuple[list[NumberedItem], list[BrccFault]]:
    """The numbered items of a section; their numbers grow."""
    found: list[tuple[int, int, list[str]]] = []
    faults: list[BrccFault] = []
    for line, said in enumerate(section.written.split("\n"), section.line):
        numbered = _NUMBERED.match(said)
        if numbered is not None:
            number, last = int(numbered[1]), found[-1][0] if found else 0
            if not last < number <= last + FURTHEST:
                message = f"{noun} {number} comes after {last}" if last else f"begins at {number}"
                faults.append(BrccFault(line, "numbering", f"{message}, expected {last + 1}"))
            found.append((number, line, [said[numbered.end() :]]))
        elif found:
            found[-1][2].append(said)
        elif said.strip(SPACE):
            message = f"{clip(said.strip())!r} has no number, expected 1. before the first {noun}"
            faults.append(BrccFault(line, "numbering", message))
    return [NumberedItem(number, at, "\n".join(lines)) for number, at, lines in found], faults


def is_structural(line: str) -> bool:
    """Whether a line of a text would be taken for a line of the file."""
    return any(one.fullmatch(line) for one in (_PASSAGE, _HEADING, _FOREIGN, _LANGUAGE))


def listed(written: str) -> list[str]:
    """The members of a line that lists them; a dash stands for none."""
    return [_listed(one.strip(SPACE)) for one in written.split(",")]


def _listed(one: str) -> str:
    return "" if one == "-" else read_plainly(one)


def guarded(written: str) -> str:
    """A text as written, no line of which is taken for a line of the file."""
    return "\n".join(_guarded(written.split("\n")))


def _guarded(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"&#{ord(line[0])};{line[1:]}" if line and is_structural(line) else line


# The numbers of questions: those of their parallel ids, so that both sides count alike.


Numbered = list[tuple[int, Question]]
"""The questions of one side with their numbers, which grow."""


def numbered(shared: str, pair: Mapping[str, Passage], losses: Losses) -> dict[str, Numbered]:
    """The questions of each side; equal parallel ids get equal numbers."""
    first, *rest = pair
    found = {first: _numbered(shared, pair[first])}
    for side in rest:
        found[side] = _like(found[first], pair[side])
        _report_unpaired(found[first], found[side], side, losses)
        _report_unpaired(found[side], found[first], first, losses)
        if [question for _, question in found[side]] != list(pair[side].questions):
            losses.add("questions were put into the order of the other side", pair[side].id)
    for questions in found.values():
        for number, question in questions:
            if question.parallel not in (None, f"{shared}-{number}"):
                losses.cannot_store("parallel ids of questions but for their number", question.id)
    return found


def _label(question: Question) -> str:
    return question.id if question.parallel is None else question.parallel


def _numbered(shared: str, passage: Passage) -> Numbered:
    """Numbers by the parallel ids where they are the passage's with a number, else in order."""
    numbers: list[int] = []
    for question in passage.questions:
        said = _label(question).removeprefix(f"{shared}-")
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 5 else 0
        last = numbers[-1] if numbers else 0
        if not last < number <= last + FURTHEST or str(number) != said:
            return list(enumerate(passage.questions, 1))
        numbers.append(number)
    return list(zip(numbers, passage.questions, strict=True))


def _like(first: Numbered, passage: Passage) -> Numbered:
    """Numbers of the questions on the other side; further ones are counted on."""
    known = {_label(question): number for number, question in first}
    last = max(known.values(), default=0)
    found: Numbered = []
    for question in passage.questions:
        number = known.pop(_label(question), None)
        if number is None:
            last += 1
            number = last
        found.append((number, question))
    return sorted(found, key=lambda one: one[0])


def _report_unpaired(one: Numbered, other: Numbered, side: str, losses: Losses) -> None:
    numbers = {number for number, _ in other}
    for number, question in one:
        if number not in numbers:
            losses.add(f"questions without one on the {SIDES[side]} side", question.id)
