"""What a marksheet records of its marking, read back: the marks row that closes it, and settings.

The marks row has the members that ``mark --json`` and ``people --json`` print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import in_words
from readmark.core.kinds import kind_named
from readmark.core.marksheet import MarksheetHeader, Method
from readmark.core.records import BoundedCount
from readmark.core.settings import settings_from
from readmark.marking.differing_slices import DifferingSlices
from readmark.marking.kind_extras import CountsTables
from readmark.marking.marks import Mark, Slice
from readmark.marking.people_comparison import PeopleComparison, PeopleSlice
from readmark.marking.results import Repeated
from readmark.marking.settings import RECORDED, MarkSettings


class RecordedPeopleComparison(msgspec.Struct, frozen=True):
    """The candidate compared with people."""

    method: Method
    units: BoundedCount
    skipped: BoundedCount
    marks: dict[str, PeopleComparison]
    by: dict[str, dict[str, dict[str, BoundedCount | PeopleComparison]]] = {}
    """Field, value, then ``units`` and every metric's comparison."""

    def slices(self, field: str) -> dict[str, PeopleSlice]:
        """The values of a field with their comparisons."""
        slices = {}
        for label, part in self.by.get(field, {}).items():
            marks = {
                name: compared
                for name, compared in part.items()
                if isinstance(compared, PeopleComparison)
            }
            slices[label] = PeopleSlice(_units(part), marks)
        return slices


class RecordedMarks(msgspec.Struct, frozen=True):
    """The marks row. Members that this version does not know are ignored."""

    marks: dict[str, Mark]
    units: BoundedCount = 0
    unanswered: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    unknown: BoundedCount = 0
    unkeyed: BoundedCount = 0
    covers: str | None = None
    by: dict[str, dict[str, dict[str, BoundedCount | Mark]]] = {}
    """Field, value, then ``units`` and every metric's mark."""
    people: RecordedPeopleComparison | None = None
    repeats: dict[str, Repeated] = {}
    tables: dict[str, Any] = {}
    """The extra tables of the kind, by name."""
    notes: tuple[str, ...] = ()
    method: Method | None = None
    """How people were marked; in marksheets of people alone."""
    skipped: BoundedCount = 0
    counted: dict[str, BoundedCount] = {}
    """How many units each metric counts that does not count them all."""
    derived: dict[str, str] = {}
    """The rules of the fields that are not the file's own."""
    differing: DifferingSlices | None = None
    """The slices that stand out; None where they were not looked for."""

    @property
    def people_method(self) -> Method | None:
        """How people were marked: beside a candidate, or in a marksheet of people alone."""
        return self.people.method if self.people is not None else self.method

    def slices(self, field: str) -> dict[str, Slice]:
        """The values of a field with their marks."""
        slices = {}
        for label, part in self.by.get(field, {}).items():
            marks = {name: mark for name, mark in part.items() if isinstance(mark, Mark)}
            slices[label] = Slice(_units(part), marks)
        return slices


def _units(part: Mapping[str, int | Mark | PeopleComparison]) -> int:
    """The units of a slice, which are stored among its marks."""
    units = part.get("units")
    return units if isinstance(units, int) else 0


def read_marks(
    marks: dict[str, Any], header: MarksheetHeader, *, file: str, where: int
) -> RecordedMarks:
    """The marks row of a file; a row that contradicts itself or the header is refused."""
    kind = kind_named(header.kind)
    extra = kind.extra_tables() if isinstance(kind, CountsTables) else {}
    try:
        recorded = msgspec.convert({**marks, "tables": {}}, RecordedMarks)
        tables = {
            name: msgspec.convert(marks[name], extra[name]) for name in extra if name in marks
        }
    except msgspec.ValidationError as error:
        raise DataError(f"the marks row: {in_words(error)}", file=file, where=where) from None
    if (fault := _fault(recorded, header)) is not None:
        raise DataError(f"the marks row: {fault}", file=file, where=where)
    for name, units in recorded.counted.items():
        recorded.marks[name] = replace(recorded.marks[name], units=units)
    return msgspec.structs.replace(recorded, tables=tables)


def _fault(recorded: RecordedMarks, header: MarksheetHeader) -> str | None:
    """Where the row contradicts itself or the header; None where it does not."""
    if not recorded.marks:
        return "it has no marks"
    slices = list(_slices(recorded))
    if not all(isinstance(part.get("units"), int) for part in slices):
        return "a slice does not say its units"
    named = {name for part in slices for name, mark in part.items() if not isinstance(mark, int)}
    named |= recorded.marks.keys()
    named |= recorded.people.marks.keys() if recorded.people is not None else set()
    if unknown := sorted(named - header.metrics.keys()):
        return f"{unknown[0]!r} is not a metric of the header"
    described = recorded.counted.keys() | recorded.repeats.keys()
    if unmarked := sorted(described - recorded.marks.keys()):
        return f"{unmarked[0]!r} has no mark"
    return None


def _slices(recorded: RecordedMarks) -> Iterator[Mapping[str, Any]]:
    """Every slice of the marks, and of the comparison with people."""
    for values in recorded.by.values():
        yield from values.values()
    if recorded.people is not None:
        for people_values in recorded.people.by.values():
            yield from people_values.values()


def read_settings(header: MarksheetHeader, file: str) -> MarkSettings:
    """How the marks were made, as the header says; settings of other versions are ignored."""
    recorded = header.settings
    try:
        return settings_from(
            MarkSettings, {name: recorded[name] for name in RECORDED if name in recorded}
        )
    except UsageError as error:
        # A command would read a name in backquotes as an option, and this is a member of a file.
        message = re.sub(r"^`(\w+)`", r"\1", str(error))
        raise DataError(f"the header's settings: {message}", file=file, where=1) from None
