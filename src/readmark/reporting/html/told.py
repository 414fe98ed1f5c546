"""The closing marks of a marksheet as values: what ``mark --json`` and ``people --json`` print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.formats.lines import in_words
from readmark.corpus.marksheet import MarksheetHeader
from readmark.corpus.values import LARGEST, Count, Number
from readmark.marking.people import Beside
from readmark.marking.positions import Positions
from readmark.marking.results import Repeated


class ToldMark(msgspec.Struct, frozen=True):
    """A score with its interval; a slice's has neither scale nor signature of its own."""

    score: Number | None = None
    low: Number | None = None
    high: Number | None = None
    scale: Annotated[float, msgspec.Meta(gt=0, le=LARGEST)] = 1.0
    signature: str = ""
    units: Count | None = None
    """How many units it counts, where that is not all of them."""
    clusters: Count | None = None
    """How many records its units are of; older marksheets do not say."""


Method = Literal["leave-one-out", "panel"]
BySlice = dict[str, dict[str, dict[str, Count | ToldMark]]]
"""Field, value, then ``units`` and every metric's mark."""


class ToldBeside(msgspec.Struct, frozen=True):
    """The candidate beside people."""

    method: Method
    units: Count
    skipped: Count
    marks: dict[str, Beside]
    by: dict[str, dict[str, dict[str, Count | Beside]]] = {}

    def slices(self, field: str) -> dict[str, tuple[int, dict[str, Beside]]]:
        """The values of a field: units, and every metric's comparison."""
        found = {}
        for label, told in self.by.get(field, {}).items():
            marks = {name: one for name, one in told.items() if isinstance(one, Beside)}
            found[label] = _units(told), marks
        return found


class ToldMarks(msgspec.Struct, frozen=True):
    """The marks row. Members that this version does not know are passed over."""

    marks: dict[str, ToldMark]
    units: Count = 0
    unanswered: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    unknown: Count = 0
    unkeyed: Count = 0
    covers: str | None = None
    by: BySlice = {}
    people: ToldBeside | None = None
    repeats: dict[str, Repeated] = {}
    positions: Positions | None = None
    notes: tuple[str, ...] = ()
    method: Method | None = None
    """People's marksheets only: how their marks were made."""
    skipped: Count = 0
    counted: dict[str, Count] = {}
    """How many units each metric counts that does not count them all."""

    def slices(self, field: str) -> dict[str, tuple[int, dict[str, ToldMark]]]:
        """The values of a field: units and marks."""
        found = {}
        for label, told in self.by.get(field, {}).items():
            marks = {name: one for name, one in told.items() if isinstance(one, ToldMark)}
            found[label] = _units(told), marks
        return found


def _units(told: Mapping[str, int | ToldMark | Beside]) -> int:
    """The units of a slice, which stand among its marks."""
    units = told.get("units")
    return units if isinstance(units, int) else 0


def read_marks(
    marks: dict[str, Any], header: MarksheetHeader, *, file: str, where: int
) -> ToldMarks:
    """The marks row of a file, or one line that says what is wrong with it."""
    try:
        told = msgspec.convert(marks, ToldMarks)
    except msgspec.ValidationError as error:
        raise DataError(f"the marks row: {in_words(error)}", file=file, where=where) from None
    fault = _fault(told, header)
    if fault is not None:
        raise DataError(f"the marks row: {fault}", file=file, where=where)
    for name, units in told.counted.items():
        told.marks[name] = msgspec.structs.replace(told.marks[name], units=units)
    return told


def _fault(told: ToldMarks, header: MarksheetHeader) -> str | None:
    """What the marks say that the rest of the marksheet does not bear out."""
    if not told.marks:
        return "it has no marks"
    people = told.people.by if told.people is not None else {}
    slices: list[Mapping[str, Any]] = [
        one for by in (told.by, people) for field in by.values() for one in field.values()
    ]
    if not all(isinstance(one.get("units"), int) for one in slices):
        return "a slice does not say its units"
    named = {name for one in slices for name, mark in one.items() if not isinstance(mark, int)}
    named |= told.marks.keys() | (told.people.marks.keys() if told.people is not None else set())
    if unknown := sorted(named - header.metrics.keys()):
        return f"{unknown[0]!r} is not a metric of the header"
    if unmarked := sorted((told.counted.keys() | told.repeats.keys()) - told.marks.keys()):
        return f"{unmarked[0]!r} has no mark"
    return None
