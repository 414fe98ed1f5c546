"""Marking a test in parts: each part by itself, in several processes; the tallies add up exactly.

No process holds more than a part of the test and the rows that belong to it. What comes back are
sums per cluster, or vectors and ids where units are wanted, in the order of the test: the marks are
those of one file, bit for bit.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from readmark.core.binding import answers_elsewhere
from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.problems import fail
from readmark.core.processes import ordered_map
from readmark.core.records import Unit
from readmark.core.sitting import PackedRows, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.formats.native_sitting import lines_of_rows, read_rows
from readmark.hooks import Metric, hook
from readmark.marking.binding import Marking
from readmark.marking.kind_extras import ErrorClassifier
from readmark.marking.marked_units import MarkedUnits
from readmark.marking.metrics import needs_only_sums
from readmark.marking.part_rows import RowFiles, UnkeptRows, deal_rows
from readmark.marking.settings import MarkSettings
from readmark.marking.tally import Tally, require_marked
from readmark.marking.unit_marker import UnitMarker
from readmark.statistics.interval_methods import JACKKNIFE


@dataclass(frozen=True, slots=True)
class PartMarking:
    """How the parts are marked: the same for each."""

    header: SittingHeader
    metrics: Mapping[str, Metric]
    by: Sequence[str]
    leave_one_out: bool
    classifier: ErrorClassifier | None
    summed: bool
    """Whether sums per cluster are enough: nothing is asked about single units."""

    @classmethod
    def of(cls, whole: Marking, rows: RowFiles, settings: MarkSettings) -> PartMarking | None:
        """How each part is marked by itself; None where it cannot be."""
        if not whole.test.parts or whole.fields.rules:
            return None
        asks_of_units = (
            settings.units or whole.fields.names or whole.leave_one_out or whole.classifier
        )
        marking = cls(
            rows.sitting.header,
            whole.metrics,
            whole.fields.names,
            whole.leave_one_out,
            whole.classifier,
            # The jackknife's interval of a share is narrower the more units there are.
            summed=not asks_of_units
            and settings.interval != JACKKNIFE
            and needs_only_sums(whole.metrics),
        )
        return marking if marking.can_be_sent() else None

    def can_be_sent(self) -> bool:
        """Whether other processes can do it; a metric that sends requests stays in this one."""
        if any(hook(metric, "begin") is not None for metric in self.metrics.values()):
            return False
        try:
            pickle.dumps(self)
        except Exception:
            return False
        return True

    def empty(self) -> MarkedUnits:
        """The units of a part before the first is marked."""
        tally = Tally.empty(
            self.metrics,
            self.header.repeats,
            by=self.by,
            leave_one_out=self.leave_one_out,
            classifier=self.classifier,
        )
        return MarkedUnits(tally, self.leave_one_out)


@dataclass(frozen=True, slots=True)
class PartWork:
    """A part of a test with the file of its rows: what a process is sent."""

    marking: PartMarking
    part: Test
    rows: str
    has_header: bool
    """Whether the file begins with the sitting's header."""


def mark_parts(
    rows: RowFiles,
    whole: Marking,
    settings: MarkSettings,
    *,
    watch: Callable[[int, int], None] | None = None,
) -> tuple[MarkedUnits, Sitting] | None:
    """Mark every part and join the tallies in the order of the parts; with it comes the sitting.

    Rows of a unit are looked for in the part of the sitting with the number of the unit's part. If
    they are elsewhere, all rows are first dealt out to files by part. None where the sitting has
    to be read as a whole: where something has to be known of all units at once, or is wrong with
    rows, which is then reported.
    """
    marking, test, digests = PartMarking.of(whole, rows, settings), whole.test, rows.digests
    if digests is None or marking is None:
        return None
    workers = settings.workers
    if len(rows.files) == len(test.parts):
        work = [
            PartWork(marking, test.part(part), file, has_header=True)
            for part, file in zip(test.parts, rows.files, strict=True)
        ]
        units = _joined(work, marking, test, workers, watch, strict=True)
        if units is not None:
            return _finished(test, rows, units, units.notes)
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        try:
            dealt = deal_rows(rows.files, Path(folder), digests)
            if dealt is None:
                return None
            work = [
                PartWork(marking, test.part(part), str(Path(folder) / str(number)), False)
                for number, part in enumerate(test.parts)
            ]
            units = _joined(work, marking, test, workers, watch)
        except DataError:
            return None
    if units is None:
        return None
    units.strangers += dealt.strangers
    units.rows += len(dealt.strangers)
    return _finished(test, rows, units, dealt.notes)


def _joined(
    work: Sequence[PartWork],
    marking: PartMarking,
    test: Test,
    workers: int,
    watch: Callable[[int, int], None] | None,
    *,
    strict: bool = False,
) -> MarkedUnits | None:
    """The parts as one; None when ``strict`` and a row is of another part."""
    whole = marking.empty()
    for part in ordered_map(mark_part, work, workers=workers):
        if strict and part.strangers:
            return None
        whole.extend(part)
        if watch is not None:
            watch(whole.covered, test.facts.units)
    return whole


def mark_part(work: PartWork) -> MarkedUnits:
    """Mark one part with the rows of its file."""
    marking, test = work.marking, work.part
    rows = PackedRows()
    units = marking.empty()
    lines = lines_of_rows(work.rows) if work.has_header else read_lines(work.rows)
    read_rows(lines, work.rows, test.kind, rows, units.notes)
    marker = UnitMarker(
        test.kind,
        Sitting(marking.header, rows, work.rows),
        marking.metrics,
        leave_one_out=marking.leave_one_out,
        classifier=marking.classifier,
    )
    with_rows: set[str] = set()
    for marked in marker.mark(_noted_units(test, rows, with_rows)):
        units.add(marked)
    units.covered, units.tally.coverage.unkeyed = marker.covered, marker.unkeyed
    units.rows = len(rows)
    if len(with_rows) < len(rows):
        units.strangers = [id for id in rows if id not in with_rows]
    if marking.summed:
        units.sum_clusters()
    return units


def _noted_units(test: Test, rows: PackedRows, with_rows: set[str]) -> Iterator[Unit]:
    """The units of a part; the ids of those that have rows are noted."""
    for _, record in test.stream(fail):
        for unit in test.kind.units(record):
            if unit.id in rows:
                with_rows.add(unit.id)
            yield unit


def _finished(
    test: Test, rows: RowFiles, units: MarkedUnits, notes: Sequence[str]
) -> tuple[MarkedUnits, Sitting] | None:
    """What was marked, with what is known at the end; None where no id is the test's."""
    sitting = replace(rows.sitting, rows=UnkeptRows(units.rows), notes=tuple(notes))
    is_bound = sitting.header.paper is not None or sitting.papers
    if not is_bound and units.rows and len(units.strangers) == units.rows:
        return None
    require_marked(units.tally, test, units.covered)
    coverage = units.tally.coverage
    unknown, coverage.elsewhere = answers_elsewhere(test, sitting, units.strangers)
    coverage.unknown = tuple(unknown)
    return units, sitting
