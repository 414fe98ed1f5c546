"""Candidates against the first one, and against people, from their marksheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.marking import Comparison, PeopleComparison, PeopleSlice, compare_sheets
from readmark.reporting.page.sections import MarkedCandidate, Section


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
    sheets = {candidate.name: candidate.sheet for candidate in section.candidates}
    by_metric: dict[str, Sequence[Comparison]] = {}
    refused: list[tuple[str, str, str]] = []
    for metric in section.metrics:
        comparisons, reasons = compare_sheets(metric, sheets)
        refused += [(metric, candidate, reason) for candidate, reason in reasons.items()]
        if comparisons:
            by_metric[metric] = comparisons
    return ComparedCandidates(by_metric, refused)


def compare_two(section: Section, a: int, b: int) -> Comparison:
    """Two candidates by the main metric, B − A."""
    sheets = {section.candidates[at].name: section.candidates[at].sheet for at in (a, b)}
    [comparison], _ = compare_sheets(section.main, sheets)
    return comparison


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

    def slices(self, field: str) -> Mapping[str, PeopleSlice]:
        """The values of a field, each with its units and every metric's comparison."""
        return self.candidate.sheet.people_slices(field)
