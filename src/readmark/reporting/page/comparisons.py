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
        metrics: dict[tuple[str, str], list[str]] = {}
        for metric, candidate, reason in self.refused:
            metrics.setdefault((candidate, reason), []).append(metric)
        return metrics


def on_part(section: Section, comparison: Comparison) -> bool:
    """Whether two candidates share fewer units than one of them sat."""
    sat = {candidate.name: len(candidate.sheet.units) for candidate in section.candidates}
    return comparison.units + comparison.left_out < max(sat[comparison.a], sat[comparison.b])


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
    pair = section.candidates[a], section.candidates[b]
    sheets = {candidate.name: candidate.sheet for candidate in pair}
    [comparison], _ = compare_sheets(section.main, sheets)
    return comparison


@dataclass(frozen=True)
class WithPeople:
    """A candidate compared with people; ``method`` is None where there are none."""

    candidate: MarkedCandidate

    @property
    def method(self) -> str | None:
        """How people's figure is made."""
        people = self.candidate.sheet.recorded.people
        return people.method if people is not None else None

    @property
    def units(self) -> int:
        """Units that people's figure is made of."""
        people = self.candidate.sheet.recorded.people
        return people.units if people is not None else 0

    @property
    def skipped(self) -> int:
        """Units left out, since too few people answered them."""
        people = self.candidate.sheet.recorded.people
        return people.skipped if people is not None else 0

    @property
    def marks(self) -> Mapping[str, PeopleComparison]:
        """Over all units that have people's answers."""
        people = self.candidate.sheet.recorded.people
        return people.marks if people is not None else {}

    def slices(self, field: str) -> Mapping[str, PeopleSlice]:
        """The values of a field, each with its units and every metric's comparison."""
        return self.candidate.sheet.people_slices(field)
