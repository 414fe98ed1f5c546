"""What comes back from annotators: answers in sheets, sittings and tests, one file per person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from readmark.core.binding import sat_splits
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.sitting import Row
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.people_names import folded_name, person_by_file, require_name
from readmark.formats.registry import open_sitting, open_test
from readmark.formats.sheets import is_rows, read_rows

ANSWER_COLUMNS = ("answer", "text")
NAME_COLUMNS = ("annotator", "person")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedWork:
    """An annotator's work on a question as it came back, and where it was read."""

    id: str
    annotator: str
    file: str
    place: int | str
    question: str | None = None
    """The words of the question, if the file has them."""
    signed: str | None = None
    """The name in the file; ``annotator`` may be another, by --name."""

    def fault(self, message: str) -> DataError:
        """Something wrong with it, at its place."""
        return DataError(message, file=self.file, where=self.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedAnswer(ReturnedWork):
    """One answer; an empty one says that the annotator left the cell blank."""

    text: str
    start: int | None
    version: str | None = None
    """The version of the passage that was read, according to the sheet."""
    passage: str | None = None
    """The text that was read, if the file has it."""


W = TypeVar("W", bound=ReturnedWork)


def returned(path: str | Path, test: Test, name: str | None = None) -> Iterator[ReturnedAnswer]:
    """The answers of a file; with ``name`` they are that person's, whatever the file says."""
    source = Source(path)
    if is_rows(source, "id"):
        yield from _of_sheet(source, name)
    elif source.readmark_file == "sitting" or is_predictions(source):
        yield from _of_sitting(source, test, name)
    else:
        yield from _of_test(source, name)


def _of_sheet(source: Source, name: str | None) -> Iterator[ReturnedAnswer]:
    for place, row in read_rows(source.file):
        column = next((name for name in ANSWER_COLUMNS if name in row), None)
        if column is None:
            raise DataError("has no column 'answer'", file=source.file, where=place)
        signed = next(filter(None, (_cell(row, column) for column in NAME_COLUMNS)), None)
        annotator = name or require_name(
            signed or annotator_by_file(source), "annotator", file=source.file, where=place
        )
        yield ReturnedAnswer(
            id=str(row["id"]).strip(),
            annotator=annotator,
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
    answered_test = open_test(source.file)
    answered_test.require_kind("comprehension")
    for _, record in answered_test.placed():
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
    return isinstance(document, dict) and all(
        isinstance(answer, str) for answer in document.values()
    )


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
        number = float(str(value).strip())
    except ValueError:
        number = -1.0
    if number < 0 or not number.is_integer():
        raise DataError(
            f"start is {value!r}, expected a whole number of characters", file=file, where=place
        )
    return int(number)


@dataclass(slots=True)
class GatheredWork(Generic[W]):
    """All work that came back: one file per person, one piece of work per question."""

    by_id: dict[str, list[W]] = field(default_factory=dict)
    people: dict[str, list[W]] = field(default_factory=dict)
    """By the folded name."""
    notes: list[str] = field(default_factory=list)

    def take(self, work: W, noun: str) -> None:
        """Add a piece of work; a person's second one on a question is refused."""
        first = self.people.setdefault(folded_name(work.annotator), [work])[0]
        on_question = self.by_id.setdefault(work.id, [])
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
        elif any(other.annotator == work.annotator for other in on_question):
            fault = f"{work.annotator!r} has {work.id!r} twice"
        if fault is not None:
            raise work.fault(fault)
        on_question.append(work)
        if first is not work:
            self.people[folded_name(work.annotator)].append(work)


def gathered(
    files: Sequence[str | Path],
    names: Sequence[str],
    noun: str,
    read: Callable[[str | Path, str | None], Iterable[W]],
) -> GatheredWork[W]:
    """The work that ``read`` finds in the files; ``names`` are the people, one for each file."""
    if names and len(names) != len(files):
        counts = f"{counted(len(names), 'name')} for {counted(len(files), 'file')}"
        raise UsageError(f"{counts}: --name once a file, in order")
    gathered_work: GatheredWork[W] = GatheredWork()
    for index, file in enumerate(files):
        name = require_name(names[index].strip(), "annotator") if names else None
        work_of_file = list(read(file, name))
        if not work_of_file:
            raise DataError(f"has no {noun}", file=file)
        for work in work_of_file:
            gathered_work.take(work, noun)
        other_names = dict.fromkeys(
            work.signed for work in work_of_file if work.signed not in (None, work.annotator)
        )
        if other_names:
            listed = ", ".join(map(repr, other_names))
            gathered_work.notes.append(
                f"{file}: taken for {noun} of {name!r} by --name; it says {listed}"
            )
    return gathered_work
