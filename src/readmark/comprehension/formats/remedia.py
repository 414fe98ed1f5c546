"""Remedia: stories with title, dateline in brackets, questions, and answer keys if there are.

As Table 1 of "Design and Development of a Bilingual Reading Comprehension Corpus" shows them, with
its headings or without; questions are numbered, or under their heading one a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from readmark.core.counts import counted
from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.folders import Folder
from readmark.core.problems import Problem, ReportProblem, remark, unreadable
from readmark.core.records import (
    Layer,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)
from readmark.core.source import Source, unknown
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import Fault

# One sheet: where everything is in the text of a file without its tags.


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
    counts = f"{counted(len(questions), 'question')} and {counted(len(keys), 'answer key')}"
    if len(questions) == len(keys):
        shown = [", ".join(map(str, sorted(one))) for one in (questions, keys)]
        return f"{counts}, but the questions' numbers are {shown[0]}, the keys' {shown[1]}"
    return f"{counts}, expected one each"


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


# The editions of one Remedia story made one passage: its layers, answer sentences and keys.


_ANSWER = re.compile(r"ANSQ(\d+)")
_ENTITIES = {"ENAMEX", "TIMEX", "NUMEX"}
_TYPES = {"TIMEX": "TIME", "NUMEX": "NUM"}
SOURCE = "remedia"


@dataclass(frozen=True, slots=True)
class Edition:
    """One file of a story: which edition it is, its text without tags, and its sheets."""

    file: str
    kind: str
    plain: Untagged
    sheets: tuple[RemediaSheet, ...]
    fields: Mapping[str, str]
    """What is to be said of its encoding."""


class _Annotations:
    """What the editions say of one text, gathered."""

    def __init__(self) -> None:
        self.entities: dict[Offsets, tuple[str, str]] = {}
        self.mentions: dict[Offsets, tuple[int | None, int | None]] = {}
        self.markables: dict[Offsets, None] = {}
        self.answers: dict[int, dict[Offsets, None]] = {}

    def add(self, element: Element, span: Offsets) -> bool:
        """Take an element into account; False when its name means nothing here."""
        answer = _ANSWER.fullmatch(element.name)
        said = element.attributes
        if answer:
            self.answers.setdefault(int(answer[1]), {})[span] = None
        elif element.name in _ENTITIES:
            type = said.get("TYPE", "")
            self.entities[span] = (_TYPES.get(element.name, type.upper()), type)
        elif element.name == "COREF":
            self.mentions[span] = (_integer(said.get("ID")), _integer(said.get("REF")))
        elif element.name == "MARKABLE":
            self.markables[span] = None
        else:
            return False
        return True

    def layers(self) -> Layers:
        """What candidates see."""
        return _layer("ne", self.entities, ("type", "muc"))

    def key_layers(self) -> Layers:
        """What they do not."""
        mentions = _layer("mention", self.mentions, ("id", "ref"))
        return {**mentions, **_layer("markable", dict.fromkeys(self.markables, ()), ())}


def passage_of(
    id: str, editions: Sequence[Edition], index: int, grade: int | None, report: ReportProblem
) -> Passage:
    """The passage that the editions' sheets at an index are about."""
    first = editions[0]
    sheet = first.sheets[index]
    start, end = sheet.body
    text = first.plain.text[start:end]
    own, asked = _Annotations(), {number: _Annotations() for number in sheet.questions}
    for edition in editions:
        _gather(edition, edition.sheets[index].body, text, own, report)
        for number, span in edition.sheets[index].questions.items():
            if number in asked:
                qs, qe = sheet.questions[number]
                _gather(edition, span, first.plain.text[qs:qe], asked[number], report)
    for number in own.answers.keys() - sheet.questions.keys():
        what = f"ANSQ{number} is marked but there is no question {number}"
        remark(report, Problem(first.file, id, "no_question", what))
    parts = sheet.parts()
    fields: dict[str, Any] = {"parts": parts, **first.fields}
    if grade is not None:
        fields["grade"] = grade
    hidden = own.key_layers()
    keys = {
        number: said
        for edition in reversed(editions)
        for number, said in edition.sheets[index].keys.items()
    }
    return Passage(
        id=id,
        text=text,
        title=text[slice(*parts["title"])] if "title" in parts else None,
        dateline=text[slice(*parts["dateline"])] if "dateline" in parts else None,
        layers=own.layers(),
        fields=fields,
        questions=tuple(
            _question(
                f"{id}-{number}",
                first.plain.text[s:e],
                own.answers.get(number, {}),
                asked[number],
                keys.get(number, ""),
            )
            for number, (s, e) in sheet.questions.items()
        ),
        key=RecordKey(layers=hidden) if hidden else None,
    )


def _question(
    id: str, text: str, sentences: Iterable[Offsets], found: _Annotations, keys: str
) -> Question:
    published = tuple(Phrase(text=one.strip()) for one in keys.split("|") if one.strip())
    hidden = found.key_layers()
    marked = tuple(sorted(sentences))
    key = None
    if published or marked or hidden:
        key = QuestionKey(published=published, sentences=marked, layers=hidden)
    return Question(id=id, text=text, layers=found.layers(), key=key)


def _gather(
    edition: Edition, span: Offsets, text: str, found: _Annotations, report: ReportProblem
) -> None:
    """An edition's elements in a stretch, laid over the first edition's text of it."""
    own = edition.plain.text[span[0] : span[1]]
    elements = list(edition.plain.within(*span))
    if not elements:
        return
    places = _places(own, text)
    if places is None:
        what = f"its text is not the first edition's: {clip(own)!r} for {clip(text)!r}"
        remark(report, Problem(edition.file, edition.kind, "text", what))
        return
    for element in elements:
        span = (
            (element.start, element.end)
            if own == text
            else _laid(places, own, element.start, element.end)
        )
        if not found.add(element, span):
            remark(report, Problem(edition.file, element.name, "tag", "the tag is not known"))


def _places(own: str, text: str) -> list[int] | None:
    """Where each of an edition's characters that is no space occurs in the text."""
    if "".join(own.split()) != "".join(text.split()):
        return None
    return [index for index, char in enumerate(text) if not char.isspace()]


def _laid(places: list[int], own: str, start: int, end: int) -> Offsets:
    before = len("".join(own[:start].split()))
    inside = len("".join(own[start:end].split()))
    return places[before], places[before + inside - 1] + 1


def _layer(name: str, spans: dict[Offsets, tuple[Any, ...]], columns: tuple[str, ...]) -> Layers:
    if not spans:
        return {}
    ordered = sorted(spans)
    held = {
        column: tuple(spans[one][index] for one in ordered) for index, column in enumerate(columns)
    }
    return {name: Layer(spans=tuple(ordered), source=SOURCE, columns=held)}


def _integer(said: str | None) -> int | None:
    return int(said) if said is not None and said.isdecimal() else None


# Remedia: remedial reading sheets as MITRE annotated them for "Deep Read" (Hirschman 1999).


EDITIONS = ("org", "snra", "ne", "coref")
"""The folders and suffixes of the editions; the first that is there gives the text."""
_SUFFIXES = frozenset({".txt", ".story", *(f".{name}" for name in EDITIONS)})
_LEVEL = re.compile(r"level[ _-]?(\d)", re.IGNORECASE)
_NOUN_PHRASE = re.compile(r"<\s*NP\b", re.IGNORECASE)
SAMPLE = 3


class Remedia:
    """A sheet, or a folder or zip of them."""

    def recognises(self, source: Source) -> bool:
        """A folder of editions or of sheets, or one sheet."""
        folder = source.folder
        if folder is None:
            if source.looks_json or not begins_like_a_sheet(source.head.decode("utf-8", "replace")):
                return False
            # The questions of a long story may come after the head.
            return _is_sheet(source.head) or _is_sheet(read_bytes(source.path))
        if folder.named(".snra") or folder.named(".coref"):
            return True
        if folder.named(".ann") or folder.named(".story"):
            return False
        sample = [name for name in folder.names if _is_text(name)][:SAMPLE]
        return any(_is_sheet(folder.read(name)) for name in sample)

    def read(self, source: Source) -> Test:
        """The test in a folder or file; stories are read as they are asked for."""
        folder = source.folder
        grouped = _grouped(folder) if folder else {source.path.stem: [source.path.name]}
        if not grouped:
            raise unknown(source, "a folder of Remedia's", "remedia", "remedia")

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for stem, names in grouped.items():
                grade = _LEVEL.search(stem)
                editions = []
                for name in names:
                    file = folder.place(name) if folder else source.file
                    try:
                        read = folder.decoded(name) if folder else _text(source)
                    except DataError as error:
                        report(unreadable(error))
                        continue
                    try:
                        editions.append(_edition(name, file, read, report))
                    except Fault as fault:
                        report(fault.problem(file))
                for index in range(max((len(edition.sheets) for edition in editions), default=0)):
                    several = len(editions[0].sheets) > 1
                    id = f"{stem}-{index + 1}" if several else stem
                    same = [edition for edition in editions if index < len(edition.sheets)]
                    passage = passage_of(id, same, index, int(grade[1]) if grade else None, report)
                    yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)


def _text(source: Source) -> Decoded:
    return decoded_as(read_bytes(source.path), source.file)


def _edition(name: str, file: str, read: Decoded, report: ReportProblem) -> Edition:
    plain = untagged(read.text)
    for line, tag in plain.unpaired:
        remark(report, Problem(file, line, "tag", f"{tag} has no partner, it is taken out"))
    suffix = PurePosixPath(name).suffix.lower().lstrip(".")
    kind = suffix if suffix in EDITIONS else PurePosixPath(name).parent.name.lower()
    remedia_sheets = tuple(sheets(plain.text))
    for sheet in remedia_sheets:
        if sheet.unmatched is not None:
            line, what = sheet.unmatched
            report(Problem(file, line, "answer_keys", what))
    return Edition(file, kind, plain, remedia_sheets, read.fields)


def _grouped(folder: Folder) -> dict[str, list[str]]:
    """The files of every story, its text's first; stories are named by file, or path if need be."""
    found: dict[str, list[str]] = {}
    for name in folder.names:
        path = PurePosixPath(name)
        if not _is_text(name):
            continue
        folders = [part for part in path.parent.parts if part.lower() not in EDITIONS]
        last = path.stem if path.suffix.lower() in _SUFFIXES else path.name
        found.setdefault("/".join([*folders, last]), []).append(name)
    for names in found.values():
        names.sort(key=_rank)
    short = [PurePosixPath(stem).name for stem in found]
    if len(set(short)) < len(short) or any(_LEVEL.search(stem) for stem in found):
        return found
    return dict(zip(short, found.values(), strict=True))


def _rank(name: str) -> int:
    path = PurePosixPath(name)
    for place, kind in enumerate(EDITIONS):
        if path.suffix.lower() == f".{kind}" or path.parent.name.lower() == kind:
            return place
    return 0


def _is_text(name: str) -> bool:
    """Whether a file may be a sheet: by suffix, none included (``rm2-1`` has none)."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix in _SUFFIXES or not suffix or any(part in EDITIONS for part in name.split("/"))


def _is_sheet(data: bytes) -> bool:
    if b"\0" in data or data.lstrip()[:1] in (b"{", b"["):
        return False
    text = data.decode("utf-8", "replace")
    return not _NOUN_PHRASE.search(text) and looks_like_a_sheet(untagged(text).text)


REMEDIA = Remedia()
