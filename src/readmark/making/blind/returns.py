"""What comes back from an annotator: a filled sheet, a sitting, or a test with answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS
from readmark.core.records import Passage
from readmark.core.sitting import Row
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.returned_work import answered_by, folded_name, require_name
from readmark.formats.sheets import is_rows, read_rows
from readmark.making.blind.plan import PLAN

ANSWER_COLUMNS = ("answer", "text")
NAME_COLUMNS = ("annotator", "person")
_ENDINGS = (".gz", ".zst", ".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".zip", ".answers")


@dataclass(frozen=True, slots=True)
class Returned:
    """One answer as it came back; an empty one says that none was given."""

    id: str
    annotator: str
    text: str
    start: int | None
    file: str
    place: int | str
    version: str | None = None
    """Which text of the passage was read, as the sheet tells it."""
    passage: str | None = None
    """The text itself, where the file holds it."""
    question: str | None = None
    """What was asked, where the file tells it."""
    signed: str | None = None
    """Whose the file says it is."""


def returned(path: str | Path, test: Test, name: str | None = None) -> Iterator[Returned]:
    """The answers of a file; ``name`` is whose they are, whatever the file says."""
    source = Source(path)
    if is_rows(source, "id"):
        yield from _of_sheet(source, name)
    elif source.readmark_file == "sitting" or _is_predictions(source):
        yield from _of_sitting(source, test, name)
    else:
        yield from _of_test(source, name)


def _of_sheet(source: Source, name: str | None) -> Iterator[Returned]:
    for place, row in read_rows(source.path):
        column = next((one for one in ANSWER_COLUMNS if one in row), None)
        if column is None:
            raise DataError("has no column 'answer'", file=source.file, where=place)
        signed = next(filter(None, (_cell(row, one) for one in NAME_COLUMNS)), None)
        yield Returned(
            id=str(row["id"]).strip(),
            annotator=name or _named(signed or _stem(source), source, place),
            text=str(row[column] or ""),
            start=_whole(row.get("start"), source.file, place),
            file=source.file,
            place=place,
            version=_cell(row, "version"),
            question=_cell(row, "question"),
            signed=signed,
        )


def _named(signed: str, source: Source, place: int) -> str:
    return require_name(signed, "annotator", file=source.file, where=place)


def _cell(row: dict[str, Any], column: str) -> str | None:
    said = row.get(column)
    return None if said is None else str(said).strip() or None


def _of_sitting(source: Source, test: Test, name: str | None) -> Iterator[Returned]:
    sitting = open_sitting(source.path, test.kind)
    header = sitting.header
    if header.paper not in (None, test.facts.paper):
        raise DataError(
            f"was sat on another paper ({header.paper}, this test's is {test.facts.paper})",
            file=source.file,
        )
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
            yield Returned(
                id=id,
                annotator=name or signed or _stem(source),
                text=rows[-1].words(test.kind.answer),
                start=rows[-1].start,
                file=source.file,
                place=id,
                signed=signed,
            )


def _of_test(source: Source, name: str | None) -> Iterator[Returned]:
    theirs = open_test(source.path)
    for _, record in theirs.placed():
        for question in record.questions:
            answers = question.key.answers if question.key is not None else ()
            for one in answers:
                yield Returned(
                    id=question.id,
                    annotator=name or one.annotator or _stem(source),
                    text=one.text,
                    start=one.start,
                    file=source.file,
                    place=question.id,
                    passage=record.text,
                    question=question.text.strip() or None,
                    signed=one.annotator,
                )


def _is_predictions(source: Source) -> bool:
    document = source.document
    return isinstance(document, dict) and all(isinstance(one, str) for one in document.values())


def _stem(source: Source) -> str:
    """The annotator by the file's name: J. Smith of J. Smith.answers.csv."""
    name = source.path.name
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    if not name.strip():
        raise UsageError(f"{source.file}: whose answers are these? --name NAME")
    return name.strip()


def _whole(said: Any, file: str, place: int) -> int | None:
    if said is None or not str(said).strip():
        return None
    try:
        found = float(str(said).strip())
    except ValueError:
        found = -1.0
    if found < 0 or not found.is_integer():
        raise DataError(
            f"start is {said!r}, expected a whole number of characters", file=file, where=place
        )
    return int(found)


# All answers that came back, by question: one file a person, one answer a question.


@dataclass(slots=True)
class Gathered:
    """What came back."""

    by_id: dict[str, list[Returned]] = field(default_factory=dict)
    people: dict[str, Returned] = field(default_factory=dict)
    """The first answer of each person, by the folded name."""
    notes: list[str] = field(default_factory=list)


def gathered(test: Test, files: Sequence[str | Path], names: Sequence[str] = ()) -> Gathered:
    """Read the files; ``names`` say whose they are, one a file."""
    if names and len(names) != len(files):
        raise UsageError(f"{len(names)} names for {len(files)} files: --name once a file, in order")
    found = Gathered()
    for at, file in enumerate(files):
        name = require_name(names[at].strip(), "annotator") if names else None
        signed: dict[str, None] = {}
        rows = 0
        for one in returned(file, test, name):
            rows += 1
            _take(found, one)
            if one.signed is not None and one.signed != one.annotator:
                signed[one.signed] = None
        if not rows:
            raise DataError("has no answers", file=file)
        if signed:
            said = ", ".join(map(repr, signed))
            found.notes.append(f"{file}: taken for answers of {name!r} by --name; it says {said}")
    return found


def _take(found: Gathered, one: Returned) -> None:
    first = found.people.setdefault(folded_name(one.annotator), one)
    if first.annotator != one.annotator:
        raise DataError(
            f"{first.annotator!r} and {one.annotator!r} differ in case alone: if they are two "
            "people, distinguish them with --name",
            file=one.file,
            where=one.place,
        )
    if first.file != one.file:
        raise DataError(
            f"{one.annotator!r} has answers in {first.file} as well: "
            "one file a person, or another --name",
            file=one.file,
            where=one.place,
        )
    before = found.by_id.setdefault(one.id, [])
    if any(other.annotator == one.annotator for other in before):
        raise DataError(
            f"{one.annotator!r} answers {one.id!r} twice", file=one.file, where=one.place
        )
    before.append(one)


# Who still owes what: the plan that lies beside the sheets against what came back.


class Owing:
    """The plans beside some files, and what of them has not come back."""

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
            told: Any = msgspec.json.decode(path.read_bytes())
            passages = msgspec.convert(told["passages"], dict[str, list[str]])
        except FileNotFoundError:
            return
        except (OSError, TypeError, KeyError, *JSON_ERRORS):
            self.notes.append(
                f"{path}: is no plan of set blind, so outstanding answers are unknown"
            )
            return
        if told.get("paper") != paper:
            self.notes.append(
                f"{path}: is the plan of another paper; outstanding answers may be wrong"
            )
        for name, ids in passages.items():
            for id in ids:
                self._readers.setdefault(id, []).append(name)

    def look(self, record: Passage, came: Iterable[tuple[str, Sequence[Returned]]]) -> None:
        """Take note of a passage; ``came`` has the answers to each of its questions, by id."""
        readers = self._readers.get(record.id)
        if not readers:
            return
        answers = dict(came)
        for question in record.questions:
            names = answered_by(question.key)
            for one in answers.get(question.id, ()):
                names += [one.annotator, *([one.signed] if one.signed else [])]
            done = set(map(folded_name, names))
            for name in readers:
                self.all[name] = self.all.get(name, 0) + 1
                if folded_name(name) not in done:
                    self.owed.setdefault(name, []).append(question.id)
