"""Candidates against the first one, from their marksheets' vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from readmark.core.errors import DataError
from readmark.marking.marks import Slice, counted_units, make_marks, units_by_label
from readmark.marking.marksheets import RecordedMark
from readmark.marking.people import (
    LEAVE_ONE_OUT,
    PANEL,
    ComparedWithPeople,
    PeopleComparison,
    compare_with_people,
)
from readmark.marking.significance import Comparison, Paired, adjusted, compare_pair
from readmark.reporting.page.sections import MarkedCandidate, Section

if TYPE_CHECKING:
    from readmark.reporting.standings import Standings


@dataclass(frozen=True, slots=True)
class ComparedCandidates:
    """Each candidate against the first, by metric, and why some were not compared."""

    by_metric: Mapping[str, Sequence[Comparison]]
    refused: Sequence[tuple[str, str, str]] = ()
    """Metric, candidate and reason: ``rules``, ``units`` or ``absent``."""

    def of(self, metric: str, candidate: str) -> Comparison | None:
        """The comparison of a candidate."""
        return next(
            (
                comparison
                for comparison in self.by_metric.get(metric, ())
                if comparison.b == candidate
            ),
            None,
        )

    def obstacles(self) -> dict[tuple[str, str], list[str]]:
        """The metrics that could not be compared, by candidate and reason."""
        found: dict[tuple[str, str], list[str]] = {}
        for metric, candidate, reason in self.refused:
            found.setdefault((candidate, reason), []).append(metric)
        return found


def on_part(section: Section, one: Comparison) -> bool:
    """Whether two candidates share fewer units than one of them sat."""
    sat = {who.name: len(who.sheet.units) for who in section.candidates}
    return one.units + one.left_out < max(sat[one.a], sat[one.b])


def compare_all(section: Section) -> ComparedCandidates:
    """Every metric that both marksheets have by the same rules; several are Holm-adjusted."""
    if len(section.candidates) < 2:
        return ComparedCandidates({})
    first, *others = section.candidates
    found: dict[str, list[Comparison]] = {}
    refused: list[tuple[str, str, str]] = []
    for metric in section.metrics:
        compared = []
        for other in others:
            reason = _obstacle(metric, first, other)
            if reason is None:
                try:
                    compared.append(_pair(metric, first, other))
                except DataError:  # no unit in common
                    reason = "units"
            if reason is not None:
                refused.append((metric, other.name, reason))
        if compared:
            found[metric] = adjusted(compared)
    return ComparedCandidates(found, refused)


def _obstacle(metric: str, first: MarkedCandidate, other: MarkedCandidate) -> str | None:
    """Why two candidates cannot be compared by a metric."""
    a, b = first.metrics.get(metric), other.metrics.get(metric)
    if a is None or b is None:
        return "absent"
    return None if a.rules == b.rules else "rules"


def _pair(metric: str, first: MarkedCandidate, other: MarkedCandidate) -> Comparison:
    sheet = first.sheet
    return compare_pair(
        metric,
        first.metrics[metric],
        _paired(metric, first),
        _paired(metric, other),
        sheet.kind,
        sheet.settings,
    )


def compare_two(section: Section, a: int, b: int) -> Comparison:
    """Two candidates by the main metric, B − A."""
    return _pair(section.main, section.candidates[a], section.candidates[b])


def _paired(metric: str, one: MarkedCandidate) -> Paired:
    tally = one.tally
    return Paired(one.name, tally.ids, tally.groups, tally.vectors[metric].matrix())


# Marks by slice, and the comparison with people by slice: as recorded, or made from the vectors.


Marks = Mapping[str, RecordedMark]


def slices_of(candidate: MarkedCandidate, field: str) -> dict[str, tuple[int, Marks]]:
    """The values of a field in order, each with its units and marks.

    What the marksheet tells is taken as it stands; otherwise its vectors are resampled as
    marking would have done.
    """
    if field not in candidate.slices:
        candidate.slices[field] = _slices(candidate, field)
    return candidate.slices[field]


def _slices(candidate: MarkedCandidate, field: str) -> dict[str, tuple[int, Marks]]:
    recorded_marks = candidate.sheet.recorded
    if field in recorded_marks.by:
        return dict(recorded_marks.slices(field))
    sheet, tally = candidate.sheet, candidate.tally
    found: dict[str, tuple[int, Marks]] = {}
    for label, members in units_by_label(tally.fields[field]):
        chosen = {name: column.matrix()[members] for name, column in tally.vectors.items()}
        groups = tally.groups[members]
        marks = make_marks(candidate.metrics, chosen, groups, sheet.kind, sheet.settings)
        of = counted_units(candidate.metrics, chosen)
        found[label] = len(members), _recorded_marks(Slice(len(members), marks, of))
    return found


def _recorded_marks(one: Slice) -> dict[str, RecordedMark]:
    return {
        name: RecordedMark(
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
    """A candidate compared with people; ``method`` is None where there are none."""

    candidate: MarkedCandidate

    @property
    def method(self) -> str | None:
        """How people's figure is made."""
        told = self.candidate.sheet.recorded.people
        return told.method if told is not None else None

    @property
    def units(self) -> int:
        """Units that people's figure is made of."""
        told = self.candidate.sheet.recorded.people
        return told.units if told is not None else 0

    @property
    def skipped(self) -> int:
        """Units left out, since too few people answered them."""
        told = self.candidate.sheet.recorded.people
        return told.skipped if told is not None else 0

    @property
    def marks(self) -> Mapping[str, PeopleComparison]:
        """Over all units that have people's answers."""
        told = self.candidate.sheet.recorded.people
        return told.marks if told is not None else {}

    def slices(self, field: str) -> dict[str, tuple[int, Mapping[str, PeopleComparison]]]:
        """The values of a field, each with its units and every metric's comparison."""
        told = self.candidate.sheet.recorded.people
        if told is None:
            return {}
        if field in told.by:
            return dict(told.slices(field))
        made = self._made
        if made is None:
            return {}
        return {label: (one.units, one.marks) for label, one in made.by.get(field, {}).items()}

    @cached_property
    def _made(self) -> ComparedWithPeople | None:
        tally = self.candidate.tally
        method = self.method
        there = {LEAVE_ONE_OUT: tally.alone, PANEL: tally.panel}.get(method or "")
        if not there or method is None:
            return None
        sheet = self.candidate.sheet
        compared = compare_with_people(tally, method, sheet.settings)
        return compared if sheet.may_lead else compared.without_ratios()


# What the parts of a page are made from.


@dataclass(frozen=True, slots=True)
class SectionData:
    """What the parts of a section are made from."""

    section: Section
    compared: ComparedCandidates
    people: Sequence[WithPeople]
    table: Standings | None = None
    """Its splits, where it has several."""

    @property
    def test(self) -> str:
        """The test's name."""
        return str(self.section.test.name)

    @property
    def candidates(self) -> Sequence[MarkedCandidate]:
        """Who sat it: each has a ``name``, a ``mark(metric)`` and the units' ``values(metric)``."""
        return self.section.candidates

    @property
    def metrics(self) -> Sequence[str]:
        """Every metric that somebody was marked by, the main one included."""
        return self.section.metrics

    @classmethod
    def of(cls, section: Section, table: Standings | None = None) -> SectionData:
        """A section with its comparisons."""
        people = [WithPeople(candidate) for candidate in section.candidates]
        return cls(section, compare_all(section), people, table)
