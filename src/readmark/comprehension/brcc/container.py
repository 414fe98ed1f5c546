"""The text file that has BRCC passages: lines about a passage, then sections under headings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from readmark.comprehension.brcc.character_references import read_plainly
from readmark.comprehension.brcc.spacing import SPACE
from readmark.core.spans import clip

SIDES = {"en": "English", "zh": "Chinese"}
PARTS = ("passage", "questions", "answer keys")
FILE_LINES = ("licence", "source", "hidden")
"""What may be said of the whole file, before its first passage."""
PASSAGE_LINES = (
    "id",
    "title",
    "dateline",
    "genre",
    "domain",
    "split",
    "question ids",
    "question types",
    "question abilities",
    "question proposals",
    "segmented",
    "notation",
)
"""What may be said of a passage, or of one side of it with the language before."""
FURTHEST = 20
"""How far the number of a question may lead the one before: beyond, it is a number in a text."""

_OTHER_SPELLINGS = {"license": "licence", "topic": "domain"}
_LANGUAGES = {name.lower(): code for code, name in SIDES.items()}
_PART = r"(passage|questions?|answer\s+keys?)"
_PASSAGE_LINE = re.compile(r"\s*passage\s*:(.*)", re.IGNORECASE)
_HEADING = re.compile(rf"\s*(english|chinese)\s+{_PART}\s*+:?\s*+", re.IGNORECASE)
_FOREIGN_HEADING = re.compile(rf"\s*([A-Z]\w+)\s+{_PART}\s*+:?\s*+")
_LANGUAGE_LINE = re.compile(r"\s*(?:english|chinese)\s*", re.IGNORECASE)
_PART_LINE = re.compile(rf"\s*{_PART}\s*+:?\s*+", re.IGNORECASE)
_ABOUT_LINE = re.compile(r"\s*(?:(english|chinese)\s+)?([a-z]+(?: [a-z]+)?)\s*:(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*([0-9０-９]{1,4})(?:\s*[.．](?![0-9])|[、)）])")
_FOREIGN_SECTION = ("", "")


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
        """Whether there is any section of that side."""
        return any(section_side == side for section_side, _ in self.sections)


def scan(text: str) -> tuple[BrccBlock, list[BrccBlock]]:
    """What is said of the whole file, and its passages in order."""
    return _Scanner(text.split("\n")).scan()


class _Scanner:
    """Goes through the lines; an index is a line's, the line numbers of sections begin with 1."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._file = BrccBlock(1)
        self._blocks: list[BrccBlock] = []
        self._section: tuple[str, str] | None = None
        """The side and part of the section that is open."""
        self._section_start = 0

    def scan(self) -> tuple[BrccBlock, list[BrccBlock]]:
        index = 0
        while index < len(self._lines):
            line = self._lines[index]
            heading, size = self._heading(index)
            passage = _PASSAGE_LINE.fullmatch(line)
            if passage is not None:
                self._end_section(index)
                id = read_plainly(passage[1].strip(SPACE)) or None
                self._blocks.append(BrccBlock(index + 1, id))
            elif heading is not None:
                self._end_section(index)
                self._begin_section(index, *heading, size)
            elif self._is_foreign_heading(index):
                self._end_section(index)
                message = f"{clip(line.strip())!r}: a side is English or Chinese"
                self._block(index).faults.append(BrccFault(index + 1, "language", message))
                self._section = _FOREIGN_SECTION
            elif self._section is None and line.strip(SPACE):
                self._take_line_about(index)
            index += size
        self._end_section(len(self._lines))
        return self._file, self._blocks

    def _heading(self, index: int) -> tuple[tuple[str, str] | None, int]:
        """The side and part of a heading, and how many lines it takes: one or two."""
        line, size = self._lines[index], 1
        next_line = "".join(self._lines[index + 1 : index + 2])
        if _LANGUAGE_LINE.fullmatch(line) and _PART_LINE.fullmatch(next_line):
            line, size = f"{line} {next_line}", 2
        match = _HEADING.fullmatch(line)
        if match is None:
            return None, size
        part = next(part for part in PARTS if part[0] == match[2][0].lower())
        return (_LANGUAGES[match[1].lower()], part), size

    def _is_foreign_heading(self, index: int) -> bool:
        """Whether a heading of another language is there; inside a text it is only words."""
        may_be_heading = (
            index == 0 or not self._lines[index - 1].strip(SPACE) or self._section is None
        )
        return may_be_heading and _FOREIGN_HEADING.fullmatch(self._lines[index]) is not None

    def _block(self, index: int) -> BrccBlock:
        """The passage that a line is of; the first may begin without a line Passage:."""
        if not self._blocks:
            self._blocks.append(BrccBlock(index + 1))
        return self._blocks[-1]

    def _begin_section(self, index: int, side: str, part: str, size: int) -> None:
        block = self._block(index)
        if (side, part) in block.sections:
            if block.id is None and part == "passage":
                self._blocks.append(BrccBlock(index + 1))
            else:
                message = f"{SIDES[side]} {part} occurs twice in a passage"
                block.faults.append(BrccFault(index + 1, "heading", message))
        self._section, self._section_start = (side, part), index + size

    def _end_section(self, index: int) -> None:
        """The section that was open ends before a line; one without text is at its heading."""
        if self._section is not None and self._section != _FOREIGN_SECTION:
            written = "\n".join(self._lines[self._section_start : index])
            text = written.strip(SPACE)
            line = self._section_start
            if text:
                blank_lines = written.count("\n", 0, len(written) - len(written.lstrip(SPACE)))
                line += 1 + blank_lines
            self._blocks[-1].sections.setdefault(self._section, BrccSection(line, text))
        self._section = None

    def _take_line_about(self, index: int) -> None:
        line = self._lines[index]
        match = _ABOUT_LINE.fullmatch(line)
        name = match[2].lower() if match else ""
        name = _OTHER_SPELLINGS.get(name, name)
        names = PASSAGE_LINES if self._blocks else (*FILE_LINES, *PASSAGE_LINES)
        if match is None or name not in names:
            expected = ", ".join(f"{name.capitalize()}:" for name in names)
            message = f"{clip(line.strip())!r} is no heading and none of {expected}"
            self._block(index).faults.append(BrccFault(index + 1, "heading", message))
            return
        block = self._file if name in FILE_LINES else self._block(index)
        side = _LANGUAGES[match[1].lower()] if match[1] else None
        section = BrccSection(index + 1, match[3].strip(SPACE))
        if block.about.setdefault((side, name), section) is not section:
            fault = BrccFault(index + 1, "heading", f"{name.capitalize()}: occurs twice")
            block.faults.append(fault)


def items(section: BrccSection, noun: str) -> tuple[list[NumberedItem], list[BrccFault]]:
    """The numbered items of a section; their numbers grow."""
    collected: list[tuple[int, int, list[str]]] = []
    faults: list[BrccFault] = []
    for line_number, line in enumerate(section.written.split("\n"), section.line):
        match = _NUMBERED.match(line)
        if match is not None:
            number, last = int(match[1]), collected[-1][0] if collected else 0
            if not last < number <= last + FURTHEST:
                message = f"{noun} {number} comes after {last}" if last else f"begins at {number}"
                message += f", expected {last + 1}"
                faults.append(BrccFault(line_number, "numbering", message))
            collected.append((number, line_number, [line[match.end() :]]))
        elif collected:
            collected[-1][2].append(line)
        elif line.strip(SPACE):
            message = f"{clip(line.strip())!r} has no number, expected 1. before the first {noun}"
            faults.append(BrccFault(line_number, "numbering", message))
    numbered_items = [
        NumberedItem(number, first_line, "\n".join(lines))
        for number, first_line, lines in collected
    ]
    return numbered_items, faults


def listed(written: str) -> list[str]:
    """The members of a line that lists them; a dash stands for none."""
    members = (member.strip(SPACE) for member in written.split(","))
    return ["" if member == "-" else read_plainly(member) for member in members]


def guarded(written: str) -> str:
    """A text as written, no line of which is taken for a line of the file."""
    structural = (_PASSAGE_LINE, _HEADING, _FOREIGN_HEADING, _LANGUAGE_LINE)
    return "\n".join(
        f"&#{ord(line[0])};{line[1:]}"
        if line and any(pattern.fullmatch(line) for pattern in structural)
        else line
        for line in written.split("\n")
    )
