"""Where title, dateline, story, questions and answer keys are in the text of a sheet.

Questions are numbered, or under their heading one a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readmark.core.counts import counted
from readmark.core.records import Offsets
from readmark.formats.members import Fault

HEAD_LINES = 6
"""A dateline is among the first lines, or there is none."""

_HEADING = re.compile(
    r"^[ \t]*(?:(passage|story)|(questions?)|(answer[ \t]+keys?|answers?))[ \t]*:?[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PASSAGE, _QUESTIONS, _KEYS = 1, 2, 3
"""The groups of a heading."""
_NUMBERED = re.compile(r"^[ \t]*(\d{1,2})[ \t]*[.)][ \t]*(?=\S)", re.MULTILINE)
_DATELINE = re.compile(r"^[ \t]*(\([^()]{1,200}\))", re.MULTILINE)
_AFTER_DATELINE = re.compile(r"\s*(?:[-–—]+\s*)?")
_BLANK = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True)
class RemediaSheet:
    """Offsets of everything in the text of a file without its tags."""

    title: Offsets
    dateline: Offsets
    story: Offsets
    questions: dict[int, Offsets]
    keys: dict[int, str]
    unmatched: tuple[int, str] | None = None
    """If answer keys and questions do not match: the line of the keys, and how they differ."""

    @property
    def body(self) -> Offsets:
        """From the title to the end of the story."""
        starts = [start for start, end in (self.title, self.dateline, self.story) if end > start]
        return min(starts), self.story[1]

    def parts(self) -> dict[str, list[int]]:
        """Title, dateline and story as offsets into the body, those that are there."""
        body_start = self.body[0]
        spans = {"title": self.title, "dateline": self.dateline, "story": self.story}
        return {
            name: [start - body_start, end - body_start]
            for name, (start, end) in spans.items()
            if end > start
        }


def begins_like_a_sheet(text: str) -> bool:
    """Whether the beginning of a text has the heading of a passage, or a dateline."""
    if any(heading.lastindex == _PASSAGE for heading in _HEADING.finditer(text)):
        return True
    return _dateline(text, 0, len(text)) is not None


def looks_like_a_sheet(text: str) -> bool:
    """Whether a text has the headings, or a dateline and then numbered questions."""
    if {_PASSAGE, _QUESTIONS} <= {heading.lastindex for heading in _HEADING.finditer(text)}:
        return True
    dateline = _dateline(text, 0, len(text))
    return dateline is not None and _first_question(text, dateline.end(), len(text)) is not None


def sheets(text: str) -> Iterator[RemediaSheet]:
    """The sheets of a file: one, or one for every Passage heading."""
    headings = [match for match in _HEADING.finditer(text) if match.lastindex == _PASSAGE]
    starts = [heading.end() for heading in headings] or [0]
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield _sheet(text, start, end)


def _sheet(text: str, start: int, end: int) -> RemediaSheet:
    headings = {match.lastindex: match for match in _HEADING.finditer(text, start, end)}
    keys_heading, questions_heading = headings.get(_KEYS), headings.get(_QUESTIONS)
    questions_end = keys_heading.start() if keys_heading else end
    if questions_heading is not None:
        story_end, questions_start = questions_heading.start(), questions_heading.end()
    else:
        first = _first_question(text, start, questions_end)
        if first is None:
            line = line_of(text, start)
            raise Fault(str(line), "no question was found: neither 1. nor a heading")
        story_end = questions_start = first or questions_end
    questions = _items(text, questions_start, questions_end)
    if not questions:
        line = line_of(text, questions_start)
        raise Fault(str(line), "there is no question under the heading")
    keys = _items(text, keys_heading.end(), end) if keys_heading else {}
    title, dateline, story = _head(text, start, story_end)
    if story[0] == story[1]:
        raise Fault(str(line_of(text, start)), "there is no story before the questions")
    unmatched = None
    difference = _difference(questions, keys) if keys else None
    if keys_heading is not None and difference is not None:
        unmatched = (line_of(text, keys_heading.start()), difference)
        if not _NUMBERED.search(text, keys_heading.end(), end):
            keys = {}  # without numbers nobody can tell which key is whose
    key_texts = {number: text[slice(*span)] for number, span in keys.items()}
    return RemediaSheet(title, dateline, story, questions, key_texts, unmatched)


def _difference(questions: Mapping[int, Offsets], keys: Mapping[int, Offsets]) -> str | None:
    """How the numbers of answer keys differ from those of the questions."""
    if questions.keys() == keys.keys():
        return None
    counts = f"{counted(len(questions), 'question')} and {counted(len(keys), 'answer key')}"
    if len(questions) == len(keys):
        of_questions, of_keys = (
            ", ".join(map(str, sorted(numbers))) for numbers in (questions, keys)
        )
        return f"{counts}, but the questions' numbers are {of_questions}, the keys' {of_keys}"
    return f"{counts}, expected one each"


def _first_question(text: str, start: int, end: int) -> int | None:
    """Where the line of question 1 begins: a number that a question mark follows."""
    for match in _NUMBERED.finditer(text, start, end):
        if match[1] == "1" and "?" in text[match.end() : end]:
            return match.start()
    return None


def _items(text: str, start: int, end: int) -> dict[int, Offsets]:
    """Numbered items, which may take several lines; without numbers an item a line."""
    items: dict[int, Offsets] = {}
    numbers = list(_NUMBERED.finditer(text, start, end))
    if not numbers:
        line_start = start
        for line in text[start:end].splitlines(keepends=True):
            line_end = line_start + len(line)
            if line.strip():
                items[len(items) + 1] = trimmed(text, line_start, line_end)
            line_start = line_end
        return items
    ends = [*(number.start() for number in numbers[1:]), end]
    for number, item_end in zip(numbers, ends, strict=True):
        if blank := _BLANK.search(text, number.end(), item_end):
            item_end = blank.start()
        if int(number[1]) in items:
            line_number = line_of(text, number.start())
            raise Fault(str(line_number), f"number {number[1]} occurs twice")
        items[int(number[1])] = trimmed(text, number.end(), item_end)
    return items


def _dateline(text: str, start: int, end: int) -> re.Match[str] | None:
    match = _DATELINE.search(text, start, end)
    if match is None or len(text[start : match.start()].split("\n")) > HEAD_LINES:
        return None
    return match


def _head(text: str, start: int, end: int) -> tuple[Offsets, Offsets, Offsets]:
    """Title, dateline and story; the title is what comes before the dateline, or a first line."""
    dateline = _dateline(text, start, end)
    if dateline is not None:
        after = _AFTER_DATELINE.match(text, dateline.end(1), end)
        story_start = after.end() if after else dateline.end(1)
        title = trimmed(text, start, dateline.start())
        return title, dateline.span(1), trimmed(text, story_start, end)
    start, end = trimmed(text, start, end)
    line_end = text.find("\n", start, end)
    if line_end < 0:
        return (start, start), (start, start), (start, end)
    title = trimmed(text, start, line_end)
    return title, (line_end, line_end), trimmed(text, line_end, end)


def trimmed(text: str, start: int, end: int) -> Offsets:
    """A stretch without the white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def line_of(text: str, offset: int) -> int:
    """The number of the line that an offset is in."""
    return text.count("\n", 0, offset) + 1
