"""The closing marks of a marksheet as values: what ``mark --json`` and ``people --json`` print."""

from __future__ import annotations

from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.formats.lines import in_words
from readmark.marking.people import Beside
from readmark.marking.positions import Positions
from readmark.marking.results import Repeated


class ToldMark(msgspec.Struct, frozen=True):
    """A score with its interval; a slice's has neither scale nor signature of its own."""

    score: float | None = None
    low: float | None = None
    high: float | None = None
    scale: float = 1.0
    signature: str = ""
    units: int | None = None
    """How many units it counts, where that is not all of them."""
    clusters: int | None = None
    """How many records its units are of; older marksheets do not say."""


BySlice = dict[str, dict[str, dict[str, int | ToldMark]]]
"""Field, value, then ``units`` and every metric's mark."""


class ToldBeside(msgspec.Struct, frozen=True):
    """The candidate beside people."""

    method: str
    units: int
    skipped: int
    marks: dict[str, Beside]
    by: dict[str, dict[str, dict[str, int | Any]]] = {}

    def slices(self, field: str) -> dict[str, tuple[int, dict[str, Beside]]]:
        """The values of a field: units, and every metric's comparison."""
        found = {}
        for label, told in self.by.get(field, {}).items():
            marks = {name: one for name, one in told.items() if name != "units"}
            found[label] = int(told["units"]), msgspec.convert(marks, dict[str, Beside])
        return found


class ToldMarks(msgspec.Struct, frozen=True):
    """The marks row. Members that this version does not know are passed over."""

    marks: dict[str, ToldMark]
    units: int = 0
    unanswered: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    unknown: int = 0
    unkeyed: int = 0
    covers: str | None = None
    by: BySlice = {}
    people: ToldBeside | None = None
    repeats: dict[str, Repeated] = {}
    positions: Positions | None = None
    notes: tuple[str, ...] = ()
    method: str | None = None
    """People's marksheets only: how their marks were made."""
    skipped: int = 0
    counted: dict[str, int] = {}
    """How many units each metric counts that does not count them all."""

    def slices(self, field: str) -> dict[str, tuple[int, dict[str, ToldMark]]]:
        """The values of a field: units and marks."""
        found = {}
        for label, told in self.by.get(field, {}).items():
            units = told["units"]
            marks = {name: one for name, one in told.items() if isinstance(one, ToldMark)}
            found[label] = (units if isinstance(units, int) else 0), marks
        return found


def read_marks(marks: dict[str, Any], *, file: str) -> ToldMarks:
    """The marks row of a file, or one line that says what is wrong with it."""
    try:
        told = msgspec.convert(marks, ToldMarks)
        for name, units in told.counted.items():
            if name in told.marks:
                told.marks[name] = msgspec.structs.replace(told.marks[name], units=units)
        if told.people is not None:
            for field in told.people.by:
                told.people.slices(field)
        for field in told.by:
            told.slices(field)
    except msgspec.ValidationError as error:
        raise DataError(f"the marks row: {in_words(error)}", file=file) from None
    except (KeyError, TypeError, ValueError):
        raise DataError("the marks row: a slice does not say its units", file=file) from None
    return told
