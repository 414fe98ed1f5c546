"""Marks by slice, and the candidate beside people by slice: as told, or made of the vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from readmark.marking.marks import Slice, counted_units, make_marks, units_by_label
from readmark.marking.people import (
    LEAVE_ONE_OUT,
    PANEL,
    Beside,
    BesidePeople,
    beside_people,
)
from readmark.reporting.html.sections import Candidate
from readmark.reporting.html.told import ToldMark

Marks = Mapping[str, ToldMark]


def slices_of(candidate: Candidate, field: str) -> dict[str, tuple[int, Marks]]:
    """The values of a field in order, each with its units and marks.

    What the marksheet tells is taken as it stands; otherwise its vectors are resampled as
    marking would have done.
    """
    told = candidate.sheet.told
    if field in told.by:
        return dict(told.slices(field))
    sheet, tally = candidate.sheet, candidate.tally
    found: dict[str, tuple[int, Marks]] = {}
    for label, members in units_by_label(tally.fields[field]):
        chosen = {name: column.matrix()[members] for name, column in tally.vectors.items()}
        groups = tally.groups[members]
        marks = make_marks(candidate.metrics, chosen, groups, sheet.kind, sheet.settings)
        of = counted_units(candidate.metrics, chosen)
        found[label] = len(members), _as_told(Slice(len(members), marks, of))
    return found


def _as_told(one: Slice) -> dict[str, ToldMark]:
    return {
        name: ToldMark(
            mark.score,
            mark.low,
            mark.high,
            mark.scale,
            mark.signature,
            one.counted.get(name),
            mark.clusters,
        )
        for name, mark in one.marks.items()
    }


@dataclass(frozen=True)
class WithPeople:
    """A candidate beside people; ``method`` is None where there are none."""

    candidate: Candidate

    @property
    def method(self) -> str | None:
        """How people's figure is made."""
        told = self.candidate.sheet.told.people
        return told.method if told is not None else None

    @property
    def units(self) -> int:
        """Units that people's figure is made of."""
        told = self.candidate.sheet.told.people
        return told.units if told is not None else 0

    @property
    def skipped(self) -> int:
        """Units left out, since too few people answered them."""
        told = self.candidate.sheet.told.people
        return told.skipped if told is not None else 0

    @property
    def marks(self) -> Mapping[str, Beside]:
        """Over all units that have people's answers."""
        told = self.candidate.sheet.told.people
        return told.marks if told is not None else {}

    def slices(self, field: str) -> dict[str, tuple[int, Mapping[str, Beside]]]:
        """The values of a field, each with its units and every metric's comparison."""
        told = self.candidate.sheet.told.people
        if told is None:
            return {}
        if field in told.by:
            return dict(told.slices(field))
        made = self._made
        if made is None:
            return {}
        return {label: (one.units, one.marks) for label, one in made.by.get(field, {}).items()}

    @cached_property
    def _made(self) -> BesidePeople | None:
        tally = self.candidate.tally
        method = self.method
        there = {LEAVE_ONE_OUT: tally.alone, PANEL: tally.panel}.get(method or "")
        if not there or method is None:
            return None
        return beside_people(tally, method, self.candidate.sheet.settings)
