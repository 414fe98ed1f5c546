"""The characters of a TREC file: what its declaration says, unless its bytes say otherwise.

The files declare ISO-8859-1. Some that went through editors are UTF-8 or Windows-1252 by now, and
read by their declaration they would be garbled without an error.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

import msgspec

from readmark.core.encodings import decoded, numbered_lines
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.problems import Problem, ReportProblem, fail, remark
from readmark.core.registry import parameter
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.series.formats.gold import (
    SERIES_GOLD,
)
from readmark.series.notation import OTHER, other_text
from readmark.series.records import Series, SeriesQuestion

# The files that come with TREC's questions: types of targets, and patterns of factoid answers.


TYPES = {"PERSON": "person", "ORG": "organisation", "THING": "thing", "EVENT": "event"}
"""TREC's names of types, and Readmark's."""

_TYPED = re.compile(r"#(\w+)\s+(.+)")
_PATTERN = re.compile(r"(\S+)\s+(.+)")
_REGEX = re.compile(r"[\\^$.|?*+()\[\]{}]")
_NAME = re.compile(r"questions?\.xml", re.IGNORECASE)


def companion(path: Path, ending: str) -> Path | None:
    """The companion of ``…questions.xml``, such as ``…targettypes``, where there is one."""
    name, renamed = _NAME.subn(ending, path.name.removesuffix(".gz").removesuffix(".zst"))
    found = path.with_name(name)
    return found if renamed and found.is_file() else None


def target_types(path: Path, report: ReportProblem) -> dict[str, str]:
    """Types by target, as ``#PERSON Orla Finch`` says them; targets are spelt as in XML."""
    found = {}
    for number, line in _lines(path):
        typed = _TYPED.fullmatch(line)
        if typed is None:
            text = f"not a type and a target: {line!r}"
            remark(report, Problem(str(path), number, "companion", text, "warning"))
            continue
        found[plain(_unescaped(typed[2]))] = TYPES.get(typed[1].upper(), typed[1].lower())
    return found


def known_answers(path: Path, report: ReportProblem) -> dict[str, tuple[str, ...]]:
    """Answers by question, of patterns that are plain words; a regular expression names none."""
    found: dict[str, list[str]] = {}
    for number, line in _lines(path):
        pattern = _PATTERN.fullmatch(line)
        if pattern is None:
            text = f"not a question and a pattern: {line!r}"
            remark(report, Problem(str(path), number, "companion", text, "warning"))
        elif not _REGEX.search(pattern[2]):
            found.setdefault(pattern[1], []).append(plain(pattern[2]))
    return {id: tuple(dict.fromkeys(answers)) for id, answers in found.items()}


def plain(text: str) -> str:
    """A text with single spaces, and none at its ends."""
    return " ".join(text.split())


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in numbered_lines(decoded(read_bytes(path), str(path))):
        if line.strip():
            yield number, line.strip()


# The elements of a TREC series file, read by the standard library's expat.


ROOT = "trecqa"


@dataclass(slots=True)
class _Question:
    """A ``q`` element: where it begins, its attributes, its text unchanged."""

    line: int
    attributes: dict[str, str]
    text: str = ""


@dataclass(slots=True)
class _Target:
    """A ``target`` element with its questions."""

    line: int
    attributes: dict[str, str]
    asked: list[_Question] = field(default_factory=list)


@dataclass(slots=True)
class _Document:
    """The root's attributes, the targets, and what else was met."""

    attributes: dict[str, str] = field(default_factory=dict)
    targets: list[_Target] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)
    """Elements that are passed over, with the line of the first of each name."""


def parsed(text: str, file: str) -> _Document:
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
        self.document = _Document()
        self._open: list[str] = []
        self._asked: _Question | None = None
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
                self._refuse("a <target> is inside another element")
            self.document.targets.append(_Target(line, attributes))
        elif name == "q":
            if "target" not in self._open:
                self._refuse("a <q> is outside any <target>")
            if self._asked is not None:
                self._refuse("a <q> is inside another")
            self._asked = _Question(line, attributes)
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


_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_LATIN = "iso8859-1"
_BEYOND = re.compile(rb"[\x80-\xff]+")
_WINDOWS = re.compile(rb"[\x80-\x9f]")
_TWO_BYTES = re.compile(rb"[\xc3-\xf4][\x80-\xbf]")


def decoded_xml(data: bytes, file: str, report: ReportProblem) -> str:
    """The text of an XML document; a declaration that its bytes belie is remarked on."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _strictly(data, "utf-16", file)
    declared = _DECLARED.match(data[:400])
    name = declared[1].decode("ascii") if declared else "UTF-8"
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        raise DataError(f"declares an unknown encoding {name!r}", file=file, where=1) from None
    if codec != _LATIN or data.isascii():
        return _strictly(data, codec, file, name)
    return _latin(data, file, report)


def _latin(data: bytes, file: str, report: ReportProblem) -> str:
    """A file that declares ISO-8859-1 and has bytes beyond ASCII."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        _belied(data, "UTF-8", file, report)
        return text
    for match in _BEYOND.finditer(data):
        if _TWO_BYTES.match(match[0]) and _is_utf_8(match[0]):
            raise DataError(
                "mixed encodings: it declares ISO-8859-1 and has both UTF-8 and single bytes",
                file=file,
                where=_line(data, match.start()),
            )
    if _WINDOWS.search(data):
        _belied(data, "Windows-1252", file, report)
        return _strictly(data, "windows-1252", file, "Windows-1252")
    return data.decode("latin-1")


def _belied(data: bytes, what: str, file: str, report: ReportProblem) -> None:
    match = _BEYOND.search(data)
    line = _line(data, match.start() if match else 0)
    text = f"declares ISO-8859-1 and is {what}: read as that"
    remark(report, Problem(file, line, "encoding", text, "warning"))


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _strictly(data: bytes, codec: str, file: str, name: str = "") -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise DataError(
            f"not {name or codec}, as it declares (byte 0x{data[error.start]:02x})",
            file=file,
            where=_line(data, error.start),
        ) from None
    except (LookupError, UnicodeError) as error:  # a codec that is not for text
        raise DataError(f"cannot be read as {name or codec}: {error}", file=file) from None


def _line(data: bytes, index: int) -> int:
    return data.count(b"\n", 0, index) + 1


# The format: targets and questions in XML, types and known answers from the files next to it.


_LOOKS = re.compile(rb"<trecqa[\s>]|<!DOCTYPE\s+trec", re.IGNORECASE)


@dataclass(frozen=True)
class TrecSeries:
    """TREC's own files: ``trec13questions.xml`` with its ``targettypes`` and patterns."""

    companions: bool = parameter(True, help="read the types and patterns next to the file")
    gold: str = parameter("", help="a series_gold file whose rewrites go to the questions")

    def recognises(self, source: Source) -> bool:
        """XML whose document is TREC's; UTF-16 is looked at without its zeros."""
        head = source.head.replace(b"\0", b"")
        return b"<" in head[:100] and _LOOKS.search(head) is not None

    def read(self, source: Source) -> Test:
        """The series in a file, which is read whole: a year's are some sixty kilobytes."""
        document = self._document(source, fail)
        fields = {name: value for name, value in document.attributes.items() if value}
        header = Header(kind="series", name=_name(source), fields=fields)
        return Test(header, lambda report: self._series(source, report), source.file)

    def _document(self, source: Source, report: ReportProblem) -> _Document:
        text = decoded_xml(read_bytes(source.path), source.file, report)
        return parsed(text, source.file)

    def _series(self, source: Source, report: ReportProblem) -> Iterator[Placed]:
        document = self._document(source, report)
        for name, line in document.unread.items():
            text = f"<{name}> and its content is not read"
            remark(report, Problem(source.file, line, "unread", text, "warning"))
        types: Mapping[str, str] = {}
        answers: Mapping[str, tuple[str, ...]] = {}
        if self.companions:
            listed = companion(source.path, "targettypes")
            types = target_types(listed, report) if listed else {}
            listed = companion(source.path, "patterns_factoid")
            answers = known_answers(listed, report) if listed else {}
        golds = _golds(self.gold)
        for target in document.targets:
            series = _make_series(target, types, answers, source.file, report)
            if series is not None:
                yield target.line, _keyed(series, golds) if golds else series


def _make_series(
    target: _Target,
    types: Mapping[str, str],
    answers: Mapping[str, tuple[str, ...]],
    file: str,
    report: ReportProblem,
) -> Series | None:
    id = plain(target.attributes.get("id", ""))
    for name, value in (("id", id), ("text", target.attributes.get("text"))):
        if value is None or (name == "id" and not value):
            said = f"the target {id!r} has no {name}" if id else f"a target has no {name}"
            report(Problem(file, target.line, "schema", said))
            return None
    text = plain(target.attributes["text"])
    questions: list[SeriesQuestion] = []
    before: tuple[str, ...] = ()
    last: str | None = None
    for asked in target.asked:
        fault = _fault(asked)
        if fault:
            report(Problem(file, asked.line, "schema", f"{id}: {fault}"))
            continue
        own = plain(asked.attributes["id"])
        category = plain(asked.attributes["type"]).upper()
        said = plain(asked.text)
        if category == OTHER:
            said = other_text(said)
        questions.append(
            SeriesQuestion(
                id=own,
                text=said,
                turn=len(questions) + 1,
                category=category,
                previous=before,
                previous_of=last if before else None,
            )
        )
        before, last = answers.get(own, ()), own
    return Series(id=id, target=text, target_type=types.get(text), questions=tuple(questions))


def _golds(path: str) -> dict[str, SeriesQuestion]:
    """The questions of a file of golds, by id."""
    if not path:
        return {}
    test = SERIES_GOLD.read(Source(path))
    return {question.id: question for series in test.records() for question in series.questions}


def _keyed(series: Series, golds: Mapping[str, SeriesQuestion]) -> Series:
    """A series with the golds of its questions; one that asks something else is not the same."""
    questions = []
    for question in series.questions:
        series_question = golds.get(question.id)
        same = series_question is not None and plain(series_question.text) == question.text
        key = series_question.key if series_question is not None and same else None
        questions.append(msgspec.structs.replace(question, key=key))
    return msgspec.structs.replace(series, questions=tuple(questions))


def _fault(asked: _Question) -> str:
    id = plain(asked.attributes.get("id", ""))
    if not id:
        return "a question has no id"
    return "" if plain(asked.attributes.get("type", "")) else f"the question {id!r} has no type"


def _name(source: Source) -> str:
    name = source.path.name
    for suffix in (".gz", ".zst", ".xml"):
        name = name.removesuffix(suffix)
    return name


TREC_SERIES = TrecSeries()
