"""What is collected while units are marked: the tally, and what else a look at each unit gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from readmark.marking.calibration import ScoreGaps, score_gaps
from readmark.marking.kind_extras import TableCounter
from readmark.marking.notes import EmptyAnswers
from readmark.marking.tally import Tally
from readmark.marking.unit_marks import UnitMarks

SLICE_FIELDS = ("level", "type", "genre")
"""Fields that a reader of marks would break them down by, the most telling first."""


@dataclass(slots=True)
class MarkedUnits:
    """The units of a test, of one part of it, or of all parts so far."""

    tally: Tally
    leave_one_out: bool = False
    """Whether people's answers in the key are marked too."""
    empty: EmptyAnswers = field(default_factory=EmptyAnswers)
    tables: Mapping[str, TableCounter] = field(default_factory=dict)
    """Counters of the kind's own tables; parts have none."""
    slice_fields: Sequence[str] = ()
    """The usual fields that the first unit has."""
    covered: int = 0
    rows: int = 0
    strangers: list[str] = field(default_factory=list)
    """Ids with rows that are of no unit of the part."""
    notes: list[str] = field(default_factory=list)
    summed_gaps: ScoreGaps | None = None
    """How far scores are from marks, where the tally has sums per cluster."""

    def add(self, marked: UnitMarks) -> None:
        """Take in the next unit."""
        if not self.tally.units:
            self.slice_fields = [
                name for name in SLICE_FIELDS if marked.unit.field(name) is not None
            ]
        self.tally.add(marked)
        if self.leave_one_out:
            self.empty.add(marked)
        for table in self.tables.values():
            table.add(marked.unit, marked.references, marked.rows)

    def sum_clusters(self) -> None:
        """Keep sums per cluster in the place of units' vectors, where those are enough."""
        gaps = self.gaps()
        gaps.sum_clusters(*self.tally.sum_clusters())
        self.summed_gaps = gaps

    def gaps(self) -> ScoreGaps:
        """How far the scores of answers are from their marks."""
        if self.summed_gaps is not None:
            return self.summed_gaps
        return score_gaps(self.tally.scores, self.tally.metrics, self.tally.matrices())

    def extend(self, other: MarkedUnits) -> None:
        """Take in the part that follows."""
        self.slice_fields = self.slice_fields if self.tally.units else other.slice_fields
        self.tally.extend(other.tally)
        if self.summed_gaps is not None and other.summed_gaps is not None:
            self.summed_gaps.extend(other.summed_gaps)
        else:
            self.summed_gaps = other.summed_gaps
        self.covered += other.covered
        self.rows += other.rows
        self.strangers += other.strangers
        self.notes += other.notes
        self.empty.count += other.empty.count
        self.empty.ids += other.empty.ids
