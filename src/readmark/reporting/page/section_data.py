"""What the parts of a section are made from: public, as ``readmark.hooks.SectionData``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.reporting.page.comparisons import ComparedCandidates, WithPeople, compare_all
from readmark.reporting.page.sections import MarkedCandidate, Section

if TYPE_CHECKING:
    from readmark.reporting.standings import Standings


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
