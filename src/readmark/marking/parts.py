"""Marking a test in parts: each part by itself, in several processes; the tallies add up exactly.

No process holds more than a part of the test and the rows that belong to it. What comes back are
sums per cluster, or vectors and ids where units are wanted, in the order of the test: the marks are
those of one file, bit for bit.
"""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.core.binding import answers_elsewhere
from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.problems import fail
from readmark.core.processes import ordered_map
from readmark.core.records import Unit
from readmark.core.row_lines import holds_json
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.core.survey import Survey
from readmark.core.test import Test, named_by_text
from readmark.core.unique_ids import unique_records
from readmark.formats.native import (
    lines_of_rows,
    part_names,
    read_rows,
    sitting_header,
    whole_rows,
)
from readmark.hooks import Kind, Metric, hook
from readmark.marking.bind import Marking
from readmark.marking.calibration import ScoreGaps, score_gaps
from readmark.marking.kind_extras import ErrorClassifier, TableCounter
from readmark.marking.metrics import need_only_sums
from readmark.marking.notes import EmptyAnswers
from readmark.marking.settings import JACKKNIFE, MarkSettings
from readmark.marking.tally import Tally, UnitMarker, UnitMarks, empty_tally, require_marked

Digests = NDArray[np.uint64]
HELD = 8 << 20
"""Bytes of rows that are held before they are written to the files of their parts."""
DEALT = 4096
"""Rows that are looked up at a time."""


# The first reading: facts, and ids that occur in two parts.


@dataclass(frozen=True, slots=True)
class SurveyedPart:
    """What a process found in a part: its survey, and a digest of every id."""

    survey: Survey
    records: Digests
    units: Digests


def survey_part(test: Test) -> SurveyedPart:
    """Read one part; an id that it has twice is an error."""
    survey = Survey(test)
    records, units = bytearray(), bytearray()
    for record, asked in unique_records(test):
        survey.add(record, asked, test.file)
        if not named_by_text(record):
            records += _digest(record.id)
        for unit in asked:
            units += _digest(unit.id)
    return SurveyedPart(survey, _numbers(records), _numbers(units))


def survey_parts(test: Test, *, workers: int) -> list[Digests] | None:
    """Give a test its facts; the digests of each part's units, or None where two ids share one."""
    parts = list(ordered_map(survey_part, map(test.part, test.parts), workers=workers))
    whole = Survey(test)
    for part in parts:
        whole.merge(part.survey)
    distinct = all(
        _are_distinct(np.concatenate(digests))
        for digests in ([part.records for part in parts], [part.units for part in parts])
    )
    if not distinct:
        for _ in test.placed():  # raises where an id occurs twice, and names both parts
            pass
    test.__dict__["facts"] = whole.facts()
    return [part.units for part in parts] if distinct else None


def _digest(id: str) -> bytes:
    """The same in every process, as a hash of Python's is not."""
    return hashlib.blake2b(id.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _numbers(digests: bytes | bytearray) -> Digests:
    return np.frombuffer(bytes(digests), dtype="<u8")


def _are_distinct(digests: Digests) -> bool:
    ordered = np.sort(digests)
    return not bool(np.any(ordered[1:] == ordered[:-1]))


# A sitting of which only the header is read, until its rows are needed.


@dataclass(frozen=True, slots=True)
class RowFiles:
    """The files of a native sitting, and a sitting without rows that binds like it."""

    files: tuple[str, ...]
    sitting: Sitting
    digests: Sequence[Digests] | None
    """Those of the units of each part of the test; None where two ids share one."""


def row_files(path: object, test: Test, *, workers: int) -> RowFiles | None:
    """The files of a native sitting of a test in parts, which is surveyed; None for any other."""
    if not test.parts or not isinstance(path, (str, Path)):
        return None
    source = Source(path)
    if source.readmark_file != "sitting" or holds_json(test.kind):
        return None
    header, papers = sitting_header(source, test.kind)
    if (header.covers, header.limit) != (None, None):
        return None
    digests = survey_parts(test, workers=workers)
    sitting = Sitting(header, {}, source.file, papers=papers)
    return RowFiles(tuple(part_names(source)), sitting, digests)


class UnkeptRows(Mapping[str, Row | tuple[Row, ...]]):
    """How many units have rows, where these were read part by part and not kept."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __getitem__(self, id: str) -> Row:
        raise KeyError(id)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return self._count


# The second reading: a tally of each part.


@dataclass(frozen=True, slots=True)
class PartMarking:
    """How the parts are marked: the same for each."""

    header: SittingHeader
    metrics: Mapping[str, Metric]
    by: Sequence[str] = ()
    alone: bool = False
    classes: ErrorClassifier | None = None
    summed: bool = False
    """Whether sums per cluster are enough: nothing is asked about single units."""

    def can_be_sent(self) -> bool:
        """Whether other processes can do it; a metric that sends requests stays in this one."""
        if any(hook(metric, "begin") is not None for metric in self.metrics.values()):
            return False
        try:
            pickle.dumps(self)
        except Exception:
            return False
        return True


@dataclass(frozen=True, slots=True)
class _Work:
    marking: PartMarking
    part: Test
    rows: str
    headed: bool


SLICE_FIELDS = ("level", "type", "genre")
"""Fields that a reader of marks would break them down by, the most telling first."""


@dataclass(slots=True)
class MarkedUnits:
    """What is collected of the units of a test, of one part, or of all parts so far."""

    tally: Tally
    alone: bool = False
    """Whether people's answers in the key are marked too."""
    covered: int = 0
    rows: int = 0
    strangers: list[str] = field(default_factory=list)
    """Ids with rows that are of no unit of the part."""
    notes: list[str] = field(default_factory=list)
    empty: EmptyAnswers = field(default_factory=EmptyAnswers)
    tables: Mapping[str, TableCounter] = field(default_factory=dict)
    """Counters of the kind's own tables; parts have none."""
    slice_fields: Sequence[str] = ()
    """The usual fields that the first unit has."""
    gaps: ScoreGaps | None = None
    """Of the scores, where the tally has sums per cluster."""

    def add(self, marked: UnitMarks) -> None:
        """Take in the next unit."""
        if not self.tally.units:
            self.slice_fields = [
                name for name in SLICE_FIELDS if marked.unit.field(name) is not None
            ]
        self.tally.add(marked)
        if self.alone:
            self.empty.add(marked)
        for table in self.tables.values():
            table.add(marked.unit, marked.references, marked.rows)

    def extend(self, other: MarkedUnits) -> None:
        """Take in the part that follows."""
        self.slice_fields = self.slice_fields if self.tally.units else other.slice_fields
        self.tally.extend(other.tally)
        if self.gaps is not None and other.gaps is not None:
            self.gaps.extend(other.gaps)
        else:
            self.gaps = other.gaps
        self.covered += other.covered
        self.rows += other.rows
        self.strangers += other.strangers
        self.notes += other.notes
        self.empty.count += other.empty.count
        self.empty.ids += other.empty.ids


def mark_part(work: _Work) -> MarkedUnits:
    """Mark one part with the rows of its file."""
    marking = work.marking
    test = work.part
    kind, rows, notes = test.kind, PackedRows(), list[str]()
    lines = lines_of_rows(work.rows) if work.headed else read_lines(work.rows)
    read_rows(lines, work.rows, kind, rows, notes)
    result = _begun(marking)
    sitting = Sitting(marking.header, rows, work.rows)
    marker = UnitMarker(
        kind, sitting, marking.metrics, alone=marking.alone, classes=marking.classes
    )
    seen: set[str] = set()
    for marked in marker.mark(_noted(test, rows, seen)):
        result.add(marked)
    result.covered, result.tally.unkeyed = marker.covered, marker.unkeyed
    result.rows, result.notes = len(rows), notes
    if len(seen) < len(rows):
        result.strangers = [id for id in rows if id not in seen]
    tally = result.tally
    tally.field_of = Unit.field
    if marking.summed:
        vectors = {name: column.matrix() for name, column in tally.vectors.items()}
        result.gaps = score_gaps(tally.scores, marking.metrics, vectors)
        del vectors  # a column that is looked at cannot change
        result.gaps.sum_clusters(*tally.sum_clusters())
    return result


def _begun(marking: PartMarking) -> MarkedUnits:
    tally = empty_tally(
        marking.metrics,
        marking.header.repeats,
        by=marking.by,
        alone=marking.alone,
        classes=marking.classes,
    )
    return MarkedUnits(tally, marking.alone)


def _noted(test: Test, rows: PackedRows, seen: set[str]) -> Iterator[Unit]:
    kind: Kind = test.kind
    for _, record in test.stream(fail):
        for unit in kind.units(record):
            if unit.id in rows:
                seen.add(unit.id)
            yield unit


def mark_parts(
    given: RowFiles,
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
    marking, test, digests = _part_marking(given, whole, settings), whole.test, given.digests
    if digests is None or marking is None:
        return None
    workers = settings.workers
    if len(given.files) == len(test.parts):
        works = [
            _Work(marking, test.part(part), rows, True)
            for part, rows in zip(test.parts, given.files, strict=True)
        ]
        found = _joined(works, marking, test, workers, watch, strict=True)
        if found is not None:
            return _finished(test, given, found, found.notes)
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        try:
            dealt = deal_rows(given.files, Path(folder), digests)
            if dealt is None:
                return None
            works = [
                _Work(marking, test.part(part), str(Path(folder) / str(index)), False)
                for index, part in enumerate(test.parts)
            ]
            found = _joined(works, marking, test, workers, watch)
        except DataError:
            return None
    if found is None:
        return None
    found.strangers += dealt.strangers
    found.rows += len(dealt.strangers)
    return _finished(test, given, found, dealt.notes)


def _part_marking(given: RowFiles, whole: Marking, settings: MarkSettings) -> PartMarking | None:
    """How each part is marked by itself; None where it cannot be."""
    if not whole.test.parts or whole.fields.rules:
        return None
    by, alone, classifier = whole.fields.names, whole.leave_one_out, whole.classifier
    # The jackknife's interval of a share is narrower the more units there are.
    summed = not (settings.units or by or alone or classifier) and settings.interval != JACKKNIFE
    summed = summed and need_only_sums(whole.metrics)
    marking = PartMarking(given.sitting.header, whole.metrics, by, alone, classifier, summed)
    return marking if marking.can_be_sent() else None


def _joined(
    works: Sequence[_Work],
    marking: PartMarking,
    test: Test,
    workers: int,
    watch: Callable[[int, int], None] | None,
    *,
    strict: bool = False,
) -> MarkedUnits | None:
    """The parts as one; None when ``strict`` and a row is of another part."""
    whole = _begun(marking)
    for part in ordered_map(mark_part, works, workers=workers):
        if strict and part.strangers:
            return None
        whole.extend(part)
        if watch is not None:
            watch(whole.covered, test.facts.units)
    return whole


def _finished(
    test: Test, given: RowFiles, found: MarkedUnits, notes: Sequence[str]
) -> tuple[MarkedUnits, Sitting] | None:
    sitting = replace(given.sitting, rows=UnkeptRows(found.rows), notes=tuple(notes))
    bound = sitting.header.paper is not None or sitting.papers
    if not bound and found.rows and len(found.strangers) == found.rows:
        return None  # answers of which no id is the test's
    require_marked(found.tally, test, found.covered)
    tally = found.tally
    unknown, tally.elsewhere = answers_elsewhere(test, sitting, found.strangers)
    tally.unknown = tuple(unknown)
    return found, sitting


# Rows dealt out to the parts that their units are in.


class _RowId(msgspec.Struct):
    id: str


_ROW_IDS = msgspec.json.Decoder(_RowId)


@dataclass(slots=True)
class _Dealt:
    strangers: list[str]
    notes: list[str]


def deal_rows(files: Sequence[str], folder: Path, digests: Sequence[Digests]) -> _Dealt | None:
    """Write each row to the file of its unit's part, in the order of the rows.

    None where the rows of a unit are in two files: neither is the later one.
    """
    every = np.concatenate(digests)
    order = np.argsort(every)
    every = every[order]
    parts = np.repeat(np.arange(len(digests)), [len(part) for part in digests])[order]
    origin = np.full(len(every), -1, dtype=np.int32)
    dealt = _Dealt([], [])
    strangers: dict[str, None] = {}
    for index in range(len(digests)):
        (folder / str(index)).touch()
    for number, file in enumerate(files):
        rows = whole_rows(lines_of_rows(file), file, _ROW_IDS, dealt.notes)
        held: defaultdict[int, bytearray] = defaultdict(bytearray)
        size = 0
        while block := [(raw, row.id) for _, raw, row in islice(rows, DEALT)]:
            wanted = _numbers(b"".join(_digest(id) for _, id in block))
            places = np.minimum(np.searchsorted(every, wanted), len(every) - 1)
            known = every[places] == wanted
            mine = places[known]
            if np.any((origin[mine] >= 0) & (origin[mine] != number)):
                return None
            origin[mine] = number
            for (raw, id), part, is_known in zip(block, parts[places], known, strict=True):
                if is_known:
                    held[int(part)] += raw + b"\n"
                    size += len(raw)
                else:
                    strangers[id] = None
            if size > HELD:
                _write(folder, held)
                size = 0
        _write(folder, held)
    dealt.strangers.extend(strangers)
    return dealt


def _write(folder: Path, held: defaultdict[int, bytearray]) -> None:
    for part, rows in held.items():
        with (folder / str(part)).open("ab") as stream:
            stream.write(rows)
    held.clear()
