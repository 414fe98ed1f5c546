"""Writing a test as a table of questions, in headings that reading knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from readmark.core.csv_text import SheetCell
from readmark.core.errors import UsageError
from readmark.core.records import Answer, Unit
from readmark.core.spans import places
from readmark.core.streams import is_standard
from readmark.core.test import Test
from readmark.formats.losses import Losses
from readmark.formats.sheets import is_table_name, write_sheet
from readmark.formats.tables.cells import LETTERS, spelt_option
from readmark.formats.tables.columns import OWN_FIELD, Column, answers_of, rows_of
from readmark.formats.tables.headings import OWN, columns_named
from readmark.formats.tables.rows import all_columns, require_columns, table_losses

_BRACKETS = frozenset("()（）")


@dataclass(frozen=True, slots=True)
class _AnswerHeading:
    """A column of answers or of their places: whose they are, and which of theirs."""

    text: str
    person: str | None
    number: int
    is_start: bool


@dataclass(slots=True)
class _Layout:
    """The columns that a test needs for its options and answers."""

    options: int = 0
    people: dict[str | None, int] = field(default_factory=dict)
    """How many answers a person gives at most to a question; None is everyone unnamed."""
    started: set[tuple[str | None, int]] = field(default_factory=set)
    """The answers whose places the text does not tell."""

    def add(self, unit: Unit) -> None:
        """Make room for a question."""
        self.options = max(self.options, len(unit.item.options))
        for (person, number), answer in _numbered(unit):
            self.people[person] = max(self.people.get(person, 0), number)
            if _start(unit, answer) is not None:
                self.started.add((person, number))

    @property
    def has_option_columns(self) -> bool:
        """Whether each option has a column; one option, or more than letters, go into one cell."""
        return 1 < self.options <= len(LETTERS)

    def answers(self) -> Iterator[_AnswerHeading]:
        """The headings of answers, those of unnamed people first."""
        for person in sorted(self.people, key=lambda person: person is not None):
            for number in range(1, self.people[person] + 1):
                yield _AnswerHeading(self._heading(person, number, False), person, number, False)
                if (person, number) in self.started:
                    yield _AnswerHeading(self._heading(person, number, True), person, number, True)

    def _heading(self, person: str | None, number: int, is_start: bool) -> str:
        if person is None:
            count = f"_{number}" if self.people[None] > 1 else ""
            return f"answer{count}{'_start' if is_start else ''}"
        count = f" {number}" if number > 1 else ""
        return f"answer{count}{' start' if is_start else ''} ({person})"


def _numbered(unit: Unit) -> Iterator[tuple[tuple[str | None, int], Answer]]:
    """The answers of a question, each by its person and its number among that person's."""
    counts: dict[str | None, int] = {}
    for answer in answers_of(unit):
        if not answer.text:
            continue
        person = answer.annotator or None
        if person is not None and not _fits_heading(person):
            person = None
        counts[person] = counts.get(person, 0) + 1
        yield (person, counts[person]), answer


def _fits_heading(person: str) -> bool:
    """Whether a name can stand in the brackets of a heading."""
    return not _BRACKETS & set(person) and person == person.strip()


def _start(unit: Unit, answer: Answer) -> int | None:
    """Where an answer begins, unless its words say so."""
    if answer.start is None or unit.item.options:
        return None
    is_trimmed = answer.text == answer.text.strip()
    is_known = is_trimmed and places(unit.record.text, answer.text) == [answer.start]
    return None if is_known else answer.start


def write_questions(test: Test, path: Path) -> list[str]:
    """Write a row a question; what the columns cannot hold is named."""
    require_columns(test, "table")
    if not is_standard(path) and not is_table_name(path):
        raise UsageError(f"{path}: a table ends in .csv, .tsv or .xlsx")
    layout, losses = _Layout(), table_losses(test)
    columns = [
        column for column in all_columns(test) if column.about != OWN_FIELD or not column.repeated
    ]
    for record in test.records():
        rows_of(test.kind).losses(losses, record, columns)
        for unit in test.kind.units(record):
            layout.add(unit)
            _unit_losses(losses, unit, columns)
    headings = [heading for column in columns for heading in _headings(column, layout)]
    rows = (
        [cell for column in columns for cell in _cells(column, unit, layout)]
        for unit in test.units()
    )
    write_sheet(path, headings, rows)
    return losses.lines()


def _unit_losses(losses: Losses, unit: Unit, columns: Sequence[Column]) -> None:
    answers = answers_of(unit)
    if not unit.item.text.strip() and not answers:
        losses.cannot_store("questions without text and answers", unit.id)
    if any(answer.annotator and not _fits_heading(answer.annotator) for answer in answers):
        losses.cannot_store("annotators whose names have brackets", unit.id)
    for column in columns:
        if column.about == OWN_FIELD and not isinstance(column.of(unit), (str, type(None))):
            losses.add("fields () are read back as text", unit.id, names=[column.name])
    level = getattr(unit.key, "level", None)
    if isinstance(level, str) and level.isascii() and level.isdigit():
        losses.add("levels that are words of digits are read back as numbers", unit.id)


def _headings(column: Column, layout: _Layout) -> list[str]:
    if column.name == "options":
        return list(LETTERS[: layout.options]) if layout.has_option_columns else ["options"]
    if column.name == "answers":
        return [heading.text for heading in layout.answers()]
    if column.about == OWN_FIELD:
        own_headings = columns_named([column.name], {}).more
        return [column.name if column.name in own_headings else f"{OWN}{column.name}"]
    return ["passage" if column.name == "context" else column.name]


def _cells(column: Column, unit: Unit, layout: _Layout) -> list[SheetCell]:
    if column.name == "options":
        options = list(unit.item.options)
        if layout.has_option_columns:
            return options + [None] * (layout.options - len(options))
        return ["\n".join(options)]
    if column.name == "answers":
        return list(_answer_cells(unit, layout))
    value = column.of(unit)
    if isinstance(value, bool):
        # An empty cell of a known column means no, but an author's own field may be missing.
        no = "no" if column.about == OWN_FIELD else None
        return ["yes" if value else no]
    return [value]


def _answer_cells(unit: Unit, layout: _Layout) -> Iterator[SheetCell]:
    answers = dict(_numbered(unit))
    options = list(unit.item.options)
    for heading in layout.answers():
        answer = answers.get((heading.person, heading.number))
        if answer is None:
            yield None
        elif heading.is_start:
            yield _start(unit, answer)
        else:
            yield spelt_option(answer.text, options)
