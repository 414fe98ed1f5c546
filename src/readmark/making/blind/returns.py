"""What comes back from annotators: answers of sheets, sittings and tests, and their places."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

import msgspec

from readmark.core.binding import sat_splits
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.records import Answer, Offsets, Passage
from readmark.core.sitting import Row
from readmark.core.source import Source
from readmark.core.spans import places
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.returned_work import answered_by, folded_name, person_by_file, require_name
from readmark.formats.sheets import is_rows, read_rows
from readmark.making.blind.plan import PLAN
from readmark.text.folding import MINUS, folded_with_places
from readmark.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANSWER_COLUMNS = ("answer", "text")
NAME_COLUMNS = ("annotator", "person")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedWork:
    """Somebody's work on a question as it came back, and where it was read."""

    id: str
    annotator: str
    file: str
    place: int | str
    question: str | None = None
    """What was asked, where the file states it."""
    signed: str | None = None
    """Whose the file says it is."""

    def fault(self, message: str) -> DataError:
        """Something wrong with it, at its place."""
        return DataError(message, file=self.file, where=self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedAnswer(ReturnedWork):
    """One answer; an empty one says that none was given."""

    text: str
    start: int | None
    version: str | None = None
    """Which version of the passage was read, according to the sheet."""
    passage: str | None = None
    """The text itself, where the file holds it."""


W = TypeVar("W", bound=ReturnedWork)


def returned(path: str | Path, test: Test, name: str | None = None) -> Iterator[ReturnedAnswer]:
    """The answers of a file; ``name`` is whose they are, whatever the file says."""
    source = Source(path)
    if is_rows(source, "id"):
        yield from _of_sheet(source, name)
    elif source.readmark_file == "sitting" or is_predictions(source):
        yield from _of_sitting(source, test, name)
    else:
        yield from _of_test(source, name)


def _of_sheet(source: Source, name: str | None) -> Iterator[ReturnedAnswer]:
    for place, row in read_rows(source.file):
        column = next((one for one in ANSWER_COLUMNS if one in row), None)
        if column is None:
            raise DataError("has no column 'answer'", file=source.file, where=place)
        signed = next(filter(None, (_cell(row, one) for one in NAME_COLUMNS)), None)
        yield ReturnedAnswer(
            id=str(row["id"]).strip(),
            annotator=name
            or require_name(
                signed or annotator_by_file(source), "annotator", file=source.file, where=place
            ),
            text=str(row[column] or ""),
            start=_integer(row.get("start"), source.file, place),
            file=source.file,
            place=place,
            version=_cell(row, "version"),
            question=_cell(row, "question"),
            signed=signed,
        )


def _cell(row: dict[str, Any], column: str) -> str | None:
    cell = row.get(column)
    return None if cell is None else str(cell).strip() or None


def _of_sitting(source: Source, test: Test, name: str | None) -> Iterator[ReturnedAnswer]:
    sitting = open_sitting(source.file, test.kind)
    header = sitting.header
    sat_splits(test, sitting)
    if header.signature and name is None:
        raise DataError(
            f"is what the candidate {header.candidate} sat, no person's answers; "
            "if a person gave them, name the person with --name",
            file=source.file,
        )
    signed = header.candidate or None
    for id in sitting:
        rows: Sequence[Row] = sitting.of(id)
        if rows[-1].answered:
            yield ReturnedAnswer(
                id=id,
                annotator=name or signed or annotator_by_file(source),
                text=rows[-1].text,
                start=rows[-1].start,
                file=source.file,
                place=id,
                signed=signed,
            )


def _of_test(source: Source, name: str | None) -> Iterator[ReturnedAnswer]:
    theirs = open_test(source.file)
    theirs.require_kind("comprehension")
    for _, record in theirs.placed():
        for question in record.questions:
            answers = question.key.answers if question.key is not None else ()
            for answer in answers:
                yield ReturnedAnswer(
                    id=question.id,
                    annotator=name or answer.annotator or annotator_by_file(source),
                    text=answer.text,
                    start=answer.start,
                    file=source.file,
                    place=question.id,
                    passage=record.text,
                    question=question.text.strip() or None,
                    signed=answer.annotator,
                )


def is_predictions(source: Source) -> bool:
    """Whether a file is a dictionary of answers by id."""
    document = source.document
    return isinstance(document, dict) and all(isinstance(one, str) for one in document.values())


def annotator_by_file(source: Source) -> str:
    """The annotator by the file's name: J. Smith of J. Smith.answers.csv."""
    name = person_by_file(source.path)
    if name.startswith("."):
        raise UsageError(f"{source.file}: whose answers are these? --name NAME")
    return name


def _integer(value: Any, file: str, place: int) -> int | None:
    if value is None or not str(value).strip():
        return None
    try:
        found = float(str(value).strip())
    except ValueError:
        found = -1.0
    if found < 0 or not found.is_integer():
        raise DataError(
            f"start is {value!r}, expected a whole number of characters", file=file, where=place
        )
    return int(found)


# All work that came back: one file a person, one piece of work a question.


@dataclass(slots=True)
class GatheredWork(Generic[W]):
    """What came back."""

    by_id: dict[str, list[W]] = field(default_factory=dict)
    people: dict[str, list[W]] = field(default_factory=dict)
    """By the folded name."""
    notes: list[str] = field(default_factory=list)

    def take(self, work: W, noun: str) -> None:
        """Take in a piece of work; a second one of a person on a question is refused."""
        first = self.people.setdefault(folded_name(work.annotator), [work])[0]
        known = self.by_id.setdefault(work.id, [])
        fault = None
        if first.annotator != work.annotator:
            fault = (
                f"{first.annotator!r} and {work.annotator!r} differ in case alone: if they are two "
                "people, distinguish them with --name"
            )
        elif first.file != work.file:
            fault = (
                f"{work.annotator!r} has {noun} in {first.file} as well: "
                "one file a person, or another --name"
            )
        elif any(other.annotator == work.annotator for other in known):
            fault = f"{work.annotator!r} has {work.id!r} twice"
        if fault is not None:
            raise work.fault(fault)
        known.append(work)
        if first is not work:
            self.people[folded_name(work.annotator)].append(work)


def gathered(
    files: Sequence[str | Path],
    names: Sequence[str],
    noun: str,
    read: Callable[[str | Path, str | None], Iterable[W]],
) -> GatheredWork[W]:
    """What ``read`` finds in the files; ``names`` say whose they are, one a file."""
    if names and len(names) != len(files):
        given = f"{counted(len(names), 'name')} for {counted(len(files), 'file')}"
        raise UsageError(f"{given}: --name once a file, in order")
    found: GatheredWork[W] = GatheredWork()
    for index, file in enumerate(files):
        name = require_name(names[index].strip(), "annotator") if names else None
        own = list(read(file, name))
        if not own:
            raise DataError(f"has no {noun}", file=file)
        for work in own:
            found.take(work, noun)
        signed = dict.fromkeys(work.signed for work in own if work.signed != work.annotator)
        signed.pop(None, None)
        if signed:
            signers = ", ".join(map(repr, signed))
            found.notes.append(f"{file}: taken for {noun} of {name!r} by --name; it says {signers}")
    return found


# Outstanding answers: the plan next to the sheets compared with what was returned.


class OutstandingAnswers:
    """The plans next to some files, and which of their answers are outstanding."""

    def __init__(self, files: Sequence[str | Path], paper: str) -> None:
        self.owed: dict[str, list[str]] = {}
        """By annotator, the questions without an answer, be it an empty one."""
        self.all: dict[str, int] = {}
        """By annotator, how many questions were handed out."""
        self.notes: list[str] = []
        self._readers: dict[str, list[str]] = {}
        for folder in dict.fromkeys(Path(file).parent for file in files):
            self._read(folder / PLAN, paper)

    def _read(self, path: Path, paper: str) -> None:
        try:
            plan: Any = msgspec.json.decode(path.read_bytes())
            passages = msgspec.convert(plan["passages"], dict[str, list[str]])
        except FileNotFoundError:
            return
        except (OSError, TypeError, KeyError, *JSON_ERRORS):
            self.notes.append(
                f"{path}: is not a plan of `set blind`, so outstanding answers are unknown"
            )
            return
        if plan.get("paper") != paper:
            self.notes.append(
                f"{path}: is the plan of another paper; outstanding answers may be wrong"
            )
        for name, ids in passages.items():
            for id in ids:
                self._readers.setdefault(id, []).append(name)

    def look(
        self, record: Passage, returned: Iterable[tuple[str, Sequence[ReturnedAnswer]]]
    ) -> None:
        """Take note of a passage; ``came`` has the answers to each of its questions, by id."""
        readers = self._readers.get(record.id)
        if not readers:
            return
        answers = dict(returned)
        for question in record.questions:
            names = answered_by(question.key)
            for answer in answers.get(question.id, ()):
                names += [answer.annotator, *([answer.signed] if answer.signed else [])]
            done = set(map(folded_name, names))
            for name in readers:
                self.all[name] = self.all.get(name, 0) + 1
                if folded_name(name) not in done:
                    self.owed.setdefault(name, []).append(question.id)


# Where an answer in words occurs in a passage: as written, or but for spaces and punctuation.


How = Literal["given", "exact", "folded", "absent"]

_CLOSING = dict(zip('([{（［｛「『《〈【〔“‘«"', ')]}）］｝」』》〉】〕”’»"', strict=True))
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_MARK = re.compile(r"[^\w\s]")


class PlacedAnswer(NamedTuple):
    """An answer as the passage spells it, and how its place was found."""

    answer: Answer
    how: How
    several: bool = False
    """Whether it occurs at other places as well, and nobody wrote which is meant."""


def placed(
    text: str,
    answer: str,
    start: int | None,
    annotator: str,
    *,
    language: str = "en",
    near: Sequence[Offsets] = (),
) -> PlacedAnswer:
    """The span of a passage that somebody's answer is; ``start`` is trusted where it fits.

    Of several places the nearest to ``start`` is taken, else those with the nearest spelling, and
    of them the nearest to what others answered, ``near``, else the first. Words and numbers are
    never cut: art does not occur in party.
    """
    bare = answer.strip()
    if start is not None:
        for at in {start, start + len(answer) - len(answer.lstrip())}:
            if bare and text[at : at + len(bare)] == bare:
                return PlacedAnswer(_answer(text, (at, at + len(bare)), annotator), "given")
    ends = ((place, place + len(bare)) for place in places(text, bare))
    found = [span for span in ends if not _cut(text, span)]
    how: How = "exact"
    if not found:
        found, how = _folded_places(text, bare, language), "folded"
    if not found:
        return PlacedAnswer(Answer(text=bare, annotator=annotator), "absent")
    if how == "folded" and start is None and len(found) > 1:
        from rapidfuzz.distance import Levenshtein

        edits = [Levenshtein.distance(bare, text[slice(*span)]) for span in found]
        nearest = min(edits)
        found = [span for span, count in zip(found, edits, strict=True) if count == nearest]
    best = min(found, key=lambda span: _distance(span, start, near))
    return PlacedAnswer(_answer(text, best, annotator), how, len(found) > 1 and start is None)


def _answer(text: str, span: Offsets, annotator: str) -> Answer:
    return Answer(text=text[span[0] : span[1]], start=span[0], annotator=annotator)


def _distance(span: Offsets, start: int | None, near: Sequence[Offsets]) -> int:
    """How far a place is from where it is expected; characters that lie between count."""
    if start is not None:
        return abs(span[0] - start)
    return sum(max(0, span_near[0] - span[1], span[0] - span_near[1]) for span_near in near)


def _folded_places(text: str, answer: str, language: str) -> list[Offsets]:
    """Places that differ in spaces, punctuation, case, width or script; each in one sentence."""
    wanted = folded_with_places(answer)[0]
    spelt, origins = _spelt(text)
    found: list[Offsets] = []
    for place in places(spelt, wanted):
        span = int(origins[place]), int(origins[place + len(wanted) - 1]) + 1
        if not _cut(text, span) and _in_one_sentence(text, span, language):
            grown = _closed(text, span)
            found.append(grown if _in_one_sentence(text, grown, language) else span)
    return found


@functools.lru_cache(maxsize=2)
def _spelt(text: str) -> tuple[str, NDArray[np.intp]]:
    """Kept, since many answers are on one passage."""
    return folded_with_places(text)


@functools.lru_cache(maxsize=2)
def _sentences(text: str, language: str) -> list[Offsets]:
    return sentences(text, language)


def _in_one_sentence(text: str, span: Offsets, language: str) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in _sentences(text, language))


def _closed(text: str, span: Offsets) -> Offsets:
    """A span with the marks around it that pair with one inside: 说「你好 takes its 」."""
    start, end = span
    waiting: list[str] = []
    unopened: list[str] = []
    for mark in text[start:end]:
        if waiting and mark == waiting[-1]:
            waiting.pop()
        elif mark in _CLOSING:
            waiting.append(_CLOSING[mark])
        elif mark in _OPENING:
            unopened.append(_OPENING[mark])
    at = end
    while waiting and at < len(text) and _MARK.match(text[at]):
        at += 1
        if text[at - 1] == waiting[-1]:  # a stop before it, as in 说「你好！」, comes along
            waiting.pop()
            end = at
    at = start
    for mark in unopened:
        if at and text[at - 1] == mark:
            at -= 1
    return at, end


def _cut(text: str, span: Offsets) -> bool:
    """Whether a span begins or ends within a word of letters that have case, or a number."""
    return any(_within(text, at) for at in span)


def _within(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _cased(before) and _cased(after):
        return True
    digit = str.isdecimal
    if digit(after):
        earlier = text[at - 2] if at > 1 else ""
        return (
            digit(before)
            or (before in ".," and digit(earlier))
            or (before in MINUS and not digit(earlier) and not _cased(earlier))
        )
    return digit(before) and after in ".," and digit(text[at + 1 : at + 2])


def _cased(letter: str) -> bool:
    return letter.lower() != letter.upper()
