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
from readmark.formats.tables.columns import OWN_FIELD, Column, answers_of, rows_of
from readmark.formats.tables.headings import LETTERS, OWN, columns_named, spelt_option
from readmark.formats.tables.rows import all_columns, require_columns, table_losses

_BRACKETS = frozenset("()（）")


@dataclass(slots=True)
class _Layout:
    """The columns that a test needs for its options and answers."""

    options: int = 0
    people: dict[str | None, int] = field(default_factory=dict)
    """How many answers a person gives at most to a question; None is everyone unnamed."""
    started: set[tuple[str | None, int]] = field(default_factory=set)
    """The answers whose places the text does not tell."""

    def see(self, unit: Unit) -> None:
        self.options = max(self.options, len(unit.item.options))
        for (person, number), answer in _numbered(unit):
            self.people[person] = max(self.people.get(person, 0), number)
            if _start(unit, answer) is not None:
                self.started.add((person, number))

    def answers(self) -> Iterator[tuple[str, str | None, int, bool]]:
        """Headings with the person, the number of the answer, and whether it is a start."""
        for person in sorted(self.people, key=lambda person: person is not None):
            for number in range(1, self.people[person] + 1):
                for start in (False, True) if (person, number) in self.started else (False,):
                    yield self._heading(person, number, start), person, number, start

    def _heading(self, person: str | None, number: int, start: bool) -> str:
        if person is None:
            shown = f"_{number}" if self.people[None] > 1 else ""
            return f"answer{shown}{'_start' if start else ''}"
        shown = f" {number}" if number > 1 else ""
        return f"answer{shown}{' start' if start else ''} ({person})"


def _numbered(unit: Unit) -> Iterator[tuple[tuple[str | None, int], Answer]]:
    """The answers of a question, each by its person and its number among that person's."""
    counts: dict[str | None, int] = {}
    for answer in answers_of(unit):
        if not answer.text:
            continue
        person = answer.annotator or None
        if person is not None and (_BRACKETS & set(person) or person != person.strip()):
            person = None
        counts[person] = counts.get(person, 0) + 1
        yield (person, counts[person]), answer


def _start(unit: Unit, answer: Answer) -> int | None:
    """Where an answer begins, unless its words say so."""
    if answer.start is None or unit.item.options:
        return None
    bare = answer.text == answer.text.strip()
    known = bare and places(unit.record.text, answer.text) == [answer.start]
    return None if known else answer.start


def write_questions(test: Test, path: Path) -> list[str]:
    """Write a row a question; what the columns cannot hold is named."""
    require_columns(test, "table")
    if not is_standard(path) and not is_table_name(path):
        raise UsageError(f"{path}: a table ends in .csv, .tsv or .xlsx")
    layout, losses = _Layout(), table_losses(test)
    columns = [c for c in all_columns(test) if c.about != OWN_FIELD or not c.repeated]
    for record in test.records():
        rows_of(test.kind).losses(losses, record, columns)
        for unit in test.kind.units(record):
            layout.see(unit)
            _unit_losses(losses, unit, columns)
    headings = [heading for column in columns for heading in _headings(column, layout)]
    units = test.units()
    rows = ([cell for c in columns for cell in _cells(c, unit, layout)] for unit in units)
    write_sheet(path, headings, rows)
    return losses.lines()


def _unit_losses(losses: Losses, unit: Unit, columns: Sequence[Column]) -> None:
    if not unit.item.text.strip() and not answers_of(unit):
        losses.cannot_store("questions without text and answers", unit.id)
    named = [a.annotator for a in answers_of(unit) if a.annotator]
    if any(_BRACKETS & set(name) or name != name.strip() for name in named):
        losses.cannot_store("annotators whose names have brackets", unit.id)
    for column in columns:
        if column.about == OWN_FIELD and not isinstance(column.of(unit), (str, type(None))):
            losses.add("fields () are read back as text", unit.id, names=[column.name])
    level = getattr(unit.key, "level", None)
    if isinstance(level, str) and level.isascii() and level.isdigit():
        losses.add("levels that are words of digits are read back as numbers", unit.id)


def _headings(column: Column, layout: _Layout) -> list[str]:
    if column.name == "options":
        if layout.options <= 1 or layout.options > len(LETTERS):
            return ["options"]
        return list(LETTERS[: layout.options])
    if column.name == "answers":
        return [heading for heading, *_ in layout.answers()]
    if column.about == OWN_FIELD:
        known = columns_named([column.name], {}).more
        return [column.name if column.name in known else f"{OWN}{column.name}"]
    return ["passage" if column.name == "context" else column.name]


def _cells(column: Column, unit: Unit, layout: _Layout) -> list[SheetCell]:
    if column.name == "options":
        options = list(unit.item.options)
        if layout.options <= 1 or layout.options > len(LETTERS):
            return ["\n".join(options)]
        return options + [None] * (layout.options - len(options))
    if column.name == "answers":
        return list(_answer_cells(unit, layout))
    value = column.of(unit)
    if isinstance(value, bool):
        return ["yes" if value else None if column.about != OWN_FIELD else "no"]
    return [value]


def _answer_cells(unit: Unit, layout: _Layout) -> Iterator[SheetCell]:
    given = dict(_numbered(unit))
    options = list(unit.item.options)
    for _, person, number, is_start in layout.answers():
        answer = given.get((person, number))
        if answer is None:
            yield None
        elif is_start:
            yield _start(unit, answer)
        else:
            yield spelt_option(answer.text, options)
