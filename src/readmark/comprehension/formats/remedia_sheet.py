"""One Remedia sheet: title, dateline in brackets, story, questions, and answer keys if there are.

As Table 1 of "Design and Development of a Bilingual Reading Comprehension Corpus" shows them, with
its headings or without; questions are numbered, or under their heading one a line.
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
    """The line of answer keys that are not those of the questions, and how they differ."""

    @property
    def body(self) -> Offsets:
        """From the title to the end of the story."""
        starts = [start for start, end in (self.title, self.dateline, self.story) if end > start]
        return min(starts), self.story[1]

    def parts(self) -> dict[str, list[int]]:
        """Title, dateline and story as offsets into the body; those that are there."""
        start = self.body[0]
        named = (("title", self.title), ("dateline", self.dateline), ("story", self.story))
        return {name: [one[0] - start, one[1] - start] for name, one in named if one[1] > one[0]}


def begins_like_a_sheet(text: str) -> bool:
    """Whether a text's beginning has the heading of a passage, or a dateline."""
    headed = any(heading.lastindex == 1 for heading in _HEADING.finditer(text))
    return headed or _dateline(text, 0, len(text)) is not None


def looks_like_a_sheet(text: str) -> bool:
    """Whether a text has the headings, or a dateline and then questions with numbers."""
    found = {heading.lastindex for heading in _HEADING.finditer(text)}
    if {1, 2} <= found:
        return True
    dateline = _dateline(text, 0, len(text))
    return dateline is not None and _first_question(text, dateline.end(), len(text)) is not None


def sheets(text: str) -> Iterator[RemediaSheet]:
    """The sheets of a file: one, or one for every Passage heading."""
    starts = [match.end() for match in _HEADING.finditer(text) if match.lastindex == 1] or [0]
    ends = [match.start() for match in _HEADING.finditer(text) if match.lastindex == 1][1:]
    for start, end in zip(starts, [*ends, len(text)], strict=True):
        yield _sheet(text, start, end)


def _sheet(text: str, start: int, end: int) -> RemediaSheet:
    headings = {match.lastindex: match for match in _HEADING.finditer(text, start, end)}
    answers, asked = headings.get(3), headings.get(2)
    stop = answers.start() if answers else end
    first = _first_question(text, asked.end() if asked else start, stop)
    if asked is None and first is None:
        raise Fault(str(_line(text, start)), "no question was found: neither 1. nor a heading")
    story_end = asked.start() if asked else (first or stop)
    begins = asked.end() if asked else story_end
    items = _items(text, begins, stop)
    if not items:
        raise Fault(str(_line(text, begins)), "there is no question under the heading")
    keys = _items(text, answers.end(), end) if answers else {}
    differ = _differing(items, keys) if keys else None
    title, dateline, story = _head(text, start, story_end)
    if story[0] == story[1]:
        raise Fault(str(_line(text, start)), "there is no story before the questions")
    unmatched = None
    if answers is not None and differ is not None:
        unmatched = (_line(text, answers.start()), differ)
        if not _NUMBERED.search(text, answers.end(), end):
            keys = {}  # which is whose is anybody's guess: none is dealt out
    dealt = {number: text[s:e] for number, (s, e) in keys.items()}
    return RemediaSheet(title, dateline, story, items, dealt, unmatched)


def _differing(questions: Mapping[int, Offsets], keys: Mapping[int, Offsets]) -> str | None:
    """How the numbers of answer keys differ from those of the questions."""
    if questions.keys() == keys.keys():
        return None
    counts = f"{_counted(len(questions), 'question')} and {_counted(len(keys), 'answer key')}"
    if len(questions) == len(keys):
        shown = [", ".join(map(str, sorted(one))) for one in (questions, keys)]
        return f"{counts}, but the questions' numbers are {shown[0]}, the keys' {shown[1]}"
    return f"{counts}, expected one each"


def _counted(number: int, noun: str) -> str:
    return counted(number, noun)


def _first_question(text: str, start: int, end: int) -> int | None:
    """Where the line of question 1 begins: a number that a question mark follows."""
    for match in _NUMBERED.finditer(text, start, end):
        if match[1] == "1" and "?" in text[match.end() : end]:
            return match.start()
    return None


def _items(text: str, start: int, end: int) -> dict[int, Offsets]:
    """Numbered items, which may go over several lines; without numbers an item a line."""
    found: dict[int, Offsets] = {}
    numbers = list(_NUMBERED.finditer(text, start, end))
    for at, number in enumerate(numbers):
        stop = numbers[at + 1].start() if at + 1 < len(numbers) else end
        if blank := _BLANK.search(text, number.end(), stop):
            stop = blank.start()
        if int(number[1]) in found:
            raise Fault(str(_line(text, number.start())), f"number {number[1]} occurs twice")
        found[int(number[1])] = trimmed(text, number.end(), stop)
    if not numbers:
        at = start
        for line in text[start:end].splitlines(keepends=True):
            if line.strip():
                found[len(found) + 1] = trimmed(text, at, at + len(line))
            at += len(line)
    return found


def _dateline(text: str, start: int, end: int) -> re.Match[str] | None:
    match = _DATELINE.search(text, start, end)
    if match is None or len(text[start : match.start()].split("\n")) > HEAD_LINES:
        return None
    return match


def _head(text: str, start: int, end: int) -> tuple[Offsets, Offsets, Offsets]:
    dateline = _dateline(text, start, end)
    if dateline is not None:
        after = _AFTER_DATELINE.match(text, dateline.end(1), end)
        begins = after.end() if after else dateline.end(1)
        return trimmed(text, start, dateline.start()), dateline.span(1), trimmed(text, begins, end)
    begins, stop = trimmed(text, start, end)
    line_end = text.find("\n", begins, stop)
    if line_end < 0:
        return (begins, begins), (begins, begins), (begins, stop)
    title = trimmed(text, begins, line_end)
    return title, (line_end, line_end), trimmed(text, line_end, stop)


def trimmed(text: str, start: int, end: int) -> Offsets:
    """A stretch without the white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


# Text with inline tags, as MITRE's annotated editions have them: the text without, and the spans.


TAG = re.compile(
    r"<\s*+(/?)\s*+([A-Za-z][A-Za-z0-9_-]*+)"
    r"((?:\s++[\w-]++\s*+=\s*+(?:\"[^\"<>]*+\"|[^\s<>\"]++))*+)\s*+/?>"
)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|(\S+))")


@dataclass(frozen=True, slots=True)
class Element:
    """A tagged stretch: offsets into the text without tags."""

    name: str
    start: int
    end: int
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Untagged:
    """A text without its tags, its elements by start, and the tags that have no partner."""

    text: str
    elements: tuple[Element, ...]
    unpaired: tuple[tuple[int, str], ...]
    """The line of each, and the tag."""

    def within(self, start: int, end: int) -> Iterator[Element]:
        """The elements that occur in a stretch, with offsets from its start."""
        for element in self.elements:
            if start <= element.start and element.end <= end:
                yield Element(
                    element.name, element.start - start, element.end - start, element.attributes
                )


def untagged(source: str) -> Untagged:
    """Take the tags out; an end tag closes the last start tag of its name that is open."""
    pieces: list[str] = []
    length = at = 0
    waiting: dict[str, list[tuple[int, int, dict[str, str], str]]] = {}
    elements: list[Element] = []
    unpaired: list[tuple[int, str]] = []
    for tag in TAG.finditer(source):
        pieces.append(source[at : tag.start()])
        length += len(pieces[-1])
        at = tag.end()
        name = tag[2].upper()
        open_ones = waiting.setdefault(name, [])
        if not tag[1]:
            open_ones.append((length, tag.start(), _attributes(tag[3]), tag[0]))
        elif open_ones:
            start, _, attributes, _ = open_ones.pop()
            elements.append(Element(name, start, length, attributes))
        else:
            unpaired.append((_line(source, tag.start()), tag[0]))
    pieces.append(source[at:])
    for open_ones in waiting.values():
        unpaired += [(_line(source, place), said) for _, place, _, said in open_ones]
    text = "".join(pieces)
    kept = [one for one in (_trimmed(text, element) for element in elements) if one.end > one.start]
    kept.sort(key=lambda element: (element.start, -element.end))
    return Untagged(text, tuple(kept), tuple(sorted(unpaired)))


def _trimmed(text: str, one: Element) -> Element:
    """An element without the white space that only pads its tags."""
    inside = text[one.start : one.end]
    start = one.start + len(inside) - len(inside.lstrip())
    return Element(one.name, start, start + len(inside.strip()), one.attributes)


def _attributes(written: str) -> dict[str, str]:
    return {
        match[1].upper(): match[2] if match[2] is not None else match[3]
        for match in _ATTRIBUTE.finditer(written)
    }
