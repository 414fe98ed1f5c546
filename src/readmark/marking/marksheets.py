"""Marksheets as marking makes them, and as comparisons read them back."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from readmark.core.binding import MOST_SPLITS
from readmark.core.counts import counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import in_words
from readmark.core.kinds import kind_named
from readmark.core.marksheet import (
    UNATTRIBUTED,
    Alone,
    ErrorNames,
    MarkedClasses,
    MarkedSplit,
    MarkedTest,
    MarkedUnit,
    MarksheetHeader,
    MarksheetWriter,
    MarksRow,
    checked_rows,
    read_marksheet_header,
    writing_marksheet,
)
from readmark.core.records import LARGEST, Count, Number
from readmark.core.seen import SeenPassages
from readmark.core.settings import settings_from
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.hooks import Metric
from readmark.marking.bind import Marking
from readmark.marking.fields import UnitFields
from readmark.marking.kind_extras import CountsTables
from readmark.marking.marks import interval_words, signature
from readmark.marking.metrics import is_additive
from readmark.marking.people import PEOPLE, PeopleComparison
from readmark.marking.results import Repeated
from readmark.marking.settings import RECORDED, MarkSettings
from readmark.marking.significance import Paired
from readmark.marking.tally import UnitMarks

Method = Literal["leave-one-out", "panel"]


class Sheet:
    """A marksheet being written: takes units as they are marked, then the marks."""

    def __init__(
        self,
        writer: MarksheetWriter,
        test: Test,
        *,
        sat: bool,
        redact: bool,
        fields: UnitFields,
        panel: Sequence[Sitting] = (),
    ) -> None:
        self._writer = writer
        self._kind = test.kind
        self._sat = sat
        self._redact = redact
        self._unit_fields = fields
        self._panel = () if redact else panel
        self._pseudonyms: dict[str, str] = {}

    def add(self, marked: UnitMarks) -> None:
        """A unit's row, after its record's."""
        unit = marked.unit
        self._writer.record(unit.group, self._kind.show_record(unit.record))
        vectors = marked.vectors if self._sat else {}
        alone = marked.alone or {}
        panel = marked.panel or {}
        self._writer.unit(
            MarkedUnit(
                id=unit.id,
                group=unit.group,
                shown=tuple(self._kind.show(unit)),
                fields=self._fields(marked),
                vectors={name: tuple(vector) for name, vector in vectors.items()},
                alone={
                    name: Alone(
                        machine=tuple(left_out.machine),
                        people=tuple(left_out.people),
                        each=tuple(map(tuple, left_out.each)),
                    )
                    for name, left_out in alone.items()
                },
                panel={
                    name: tuple(None if member is None else tuple(member) for member in members)
                    for name, members in panel.items()
                },
                classes=_classes(marked),
                annotators=tuple(map(self._annotator, marked.annotators)),
                answers=tuple(marked.rows),
                people=self._people(marked),
                gold=() if self._redact else tuple(tuple(person) for person in marked.references),
            )
        )

    def _people(self, marked: UnitMarks) -> tuple[tuple[Row, ...], ...]:
        """What the panel's members answered, as far as they were to sit the unit."""
        if not self._panel or not marked.panel:
            return ()
        sat = next(iter(marked.panel.values()))
        return tuple(
            () if vector is None else tuple(person.of(marked.unit.id))
            for person, vector in zip(self._panel, sat, strict=True)
        )

    def _annotator(self, name: str) -> str:
        """Who wrote an answer of the key; when redacted a number, the same in every unit."""
        if not self._redact:
            return name
        return self._pseudonyms.setdefault(name, f"annotator {len(self._pseudonyms) + 1}")

    def close(self, marks: Mapping[str, Any]) -> None:
        """The marks, with nobody's name that the units do not have."""
        if "each" in marks:
            each = {self._pseudonyms.get(name, name): own for name, own in marks["each"].items()}
            marks = {**marks, "each": each}
        self._writer.marks(marks)

    def _fields(self, marked: UnitMarks) -> dict[str, Any]:
        """Every scalar field of a unit, and what was derived to slice by."""
        unit = marked.unit
        asked = {
            name: value
            for name in self._unit_fields.names
            if (value := self._unit_fields.value(unit, name)) is not None
        }
        if not self._redact:
            return {**unit.scalars(), **asked}
        paper = next(
            one for one in self._kind.units(self._kind.paper(unit.record)) if one.id == unit.id
        )
        return {**paper.scalars(), **asked}


def _classes(marked: UnitMarks) -> MarkedClasses | None:
    """The vectors of a unit's error classes."""
    classed = marked.classed
    if classed is None:
        return None
    alone, panel = classed.alone, classed.panel
    return MarkedClasses(
        own=tuple(classed.own) if classed.own is not None else None,
        alone=Alone(machine=tuple(alone[0]), people=tuple(alone[1])) if alone else None,
        panel=tuple(None if one is None else tuple(one) for one in panel) if panel else None,
    )


@contextlib.contextmanager
def open_sheet(
    path: str | Path | None,
    marking: Marking,
    settings: MarkSettings,
    *,
    seen: SeenPassages | None = None,
) -> Iterator[Sheet | None]:
    """Open a marksheet for a sitting, or for people when there is none; None where none is asked.

    It replaces the file of its name only when it is closed with its marks.
    """
    if path is None:
        yield None
        return
    test, sitting, classifier = marking.test, marking.sitting, marking.classifier
    sat = SittingHeader() if sitting is None else sitting.header
    _not_an_input(path, test, *marking.panel, *(() if sitting is None else (sitting,)))
    header = MarksheetHeader(
        kind=test.kind.name,
        test=marked_test(test),
        candidate=PEOPLE if sitting is None else sitting.candidate,
        registered=sat.candidate if sat.name else None,
        signature=sat.signature,
        metrics=signatures(marking.metrics, test, settings),
        settings=settings.recorded(),
        classes=None
        if classifier is None
        else ErrorNames(names=tuple(classifier.names), signature=classifier.signature()),
        panel=tuple(member.candidate for member in marking.panel),
        covers=None if sitting is None else coverage_words(sitting),
        limit=sat.limit,
        without=sat.without,
        cross=sat.cross,
        rewrite=sat.rewrite,
        shuffle_options=sat.shuffle_options,
        repeats=sat.repeats,
        seen=seen,
    )
    with writing_marksheet(path, header) as writer:
        yield Sheet(
            writer,
            test,
            sat=sitting is not None,
            redact=settings.redact,
            fields=marking.fields,
            panel=marking.panel,
        )


def marked_test(test: Test) -> MarkedTest:
    """The test as marks name it."""
    return MarkedTest(
        name=test.header.name or Path(test.file).name,
        paper=test.facts.paper,
        key=test.facts.key,
        language=test.language,
        licence=test.header.licence,
        note=_header_text(test, "note"),
        people=_header_text(test, "people") or _unattributed(test),
        preparation=_preparation(test),
        **_marked_splits(test),
    )


def _unattributed(test: Test) -> str | None:
    """Several answers to a question are several people's only where they name them."""
    return UNATTRIBUTED if test.facts.attributed < test.facts.several else None


def _marked_splits(test: Test) -> dict[str, Any]:
    """The split that a test is, or its splits."""
    splits = test.facts.splits
    if len(splits) == 1:
        return {"split": next(iter(splits))}
    if len(splits) > MOST_SPLITS:
        return {}
    marked = {
        name or "": MarkedSplit(paper=split.paper, key=split.key) for name, split in splits.items()
    }
    return {"splits": marked}


def coverage_words(sitting: Sitting) -> str | None:
    """What part of the test was sat, when it was not the whole."""
    header = sitting.header
    said = []
    if header.limit is not None:
        said.append(f"the first {counted(header.limit, 'unit')}")
    elif header.covers is not None:
        said.append(f"{counted(len(header.covers), 'chosen unit')}")
    if header.without is not None:
        said.append(f"without the {header.without}")
    if header.cross is not None:
        asked, _, read = header.cross.partition("-")
        said.append(f"questions in {asked} on passages in {read}")
    if header.rewrite is not None:
        said.append(f"questions of series rewritten by {header.rewrite}")
    return ", ".join(said) or None


def _preparation(test: Test) -> str | None:
    """What its header says of the time and effort behind a test: ``hours 3, people 2``."""
    preparation = test.header.fields.get("preparation")
    if not isinstance(preparation, dict):
        return preparation if isinstance(preparation, str) else None
    parts = (f"{name} {value}" for name, value in preparation.items())
    return ", ".join(parts) or None


def _header_text(test: Test, name: str) -> str | None:
    """A text among the members of the header's own."""
    text = test.header.fields.get(name)
    return text if isinstance(text, str) else None


def signatures(metrics: Mapping[str, Metric], test: Test, settings: MarkSettings) -> dict[str, str]:
    """Every metric's signature."""
    return {
        name: signature(
            name, metric, test.kind, settings, **interval_words(settings, bca=is_additive(metric))
        )
        for name, metric in metrics.items()
    }


def is_marksheet(path: object) -> bool:
    """Whether a path is a marksheet's."""
    if not isinstance(path, (str, Path)):
        return False
    return Source(path).readmark_file == "marksheet"


def marked_part(file: str, test: Test) -> tuple[str | None, ...]:
    """The splits of a test that a marksheet is of; one of another paper or key is an error."""
    marked, facts = read_marksheet_header(file).test, test.facts
    everything = tuple(facts.splits)
    marks = {(split.paper, split.key) for split in marked.splits.values()}
    marks.add((marked.paper, marked.key))
    if (facts.paper, facts.key) in marks:
        return everything
    shared = tuple(
        name for name, split in facts.splits.items() if (split.paper, split.key) in marks
    )
    if shared:
        return shared
    whole = test.whole.facts if test.whole is not None else facts
    if (whole.paper, whole.key) == (marked.paper, marked.key):
        return everything
    papers = {facts.paper, *(split.paper for split in facts.splits.values())}
    what, own, other = "paper", marked.paper, facts.paper
    if papers & {paper for paper, _ in marks}:
        what, own, other = "key", marked.key, facts.key
    raise DataError(f"is a marksheet of another {what} ({own}); {test.file} has {other}", file=file)


def paired_from_marksheet(
    file: str, test: Test, name: str, metric: Metric
) -> tuple[Paired, list[str]]:
    """A metric's vectors as a marksheet of this test holds them, and ids with error rows.

    Of a marksheet that is of more splits than the test, only the test's units are taken.
    """
    header = read_marksheet_header(file)
    marked_part(file, test)
    wanted = None
    if header.test.paper != test.facts.paper:
        wanted = frozenset(unit.id for unit in test.units())
    if name not in header.metrics:
        known = ", ".join(header.metrics)
        raise DataError(f"has no vectors of {name}; it has {known}", file=file, where=1)
    _same_rules(file, header, name, metric)
    read_settings(header, file)
    ids: list[str] = []
    groups: list[str] = []
    vectors: list[tuple[float, ...]] = []
    errors: list[str] = []
    units = 0
    for number, row in checked_rows(file, header, {name: metric.facts.width}):
        if isinstance(row, MarksRow):
            recorded = read_marks(row.marks, header, file=file, where=number)
            if recorded.units not in (0, units):
                what = f"has {counted(units, 'unit')}, but its marks are of {recorded.units}"
                raise DataError(what, file=file, where=number)
        if isinstance(row, MarkedUnit):
            units += 1
            if wanted is not None and row.id not in wanted:
                continue
            if name not in row.vectors:
                raise DataError(
                    f"has no vector of {name}: a marksheet of people holds no sitting to compare",
                    file=file,
                    where=number,
                )
            if any(answer.error is not None for answer in row.answers):
                errors.append(row.id)
            ids.append(row.id)
            groups.append(row.group)
            vectors.append(row.vectors[name])
    codes = np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
    matrix = np.asarray(vectors, dtype=np.float64)
    return Paired(header.candidate, ids, codes, matrix), errors


def _not_an_input(path: str | Path, *inputs: Test | Sitting) -> None:
    """A marksheet must not take the place of what it is made from."""
    require_distinct_files([path], [one.file for one in inputs])


def _same_rules(file: str, header: MarksheetHeader, name: str, metric: Metric) -> None:
    """A number may only be compared with one made by the same rules."""
    rules = dict(part.split(":", 1) for part in header.metrics[name].split("|") if ":" in part)
    for key, value in metric.signature().items():
        if rules.get(key) != value:
            raise DataError(
                f"was marked with {key} {rules.get(key)!r}, now {value!r}; mark the sitting again",
                file=file,
            )


class RecordedMark(msgspec.Struct, frozen=True):
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


RecordedBySlice = dict[str, dict[str, dict[str, Count | RecordedMark]]]
"""Field, value, then ``units`` and every metric's mark."""


class RecordedPeopleComparison(msgspec.Struct, frozen=True):
    """The candidate compared with people."""

    method: Method
    units: Count
    skipped: Count
    marks: dict[str, PeopleComparison]
    by: dict[str, dict[str, dict[str, Count | PeopleComparison]]] = {}

    def slices(self, field: str) -> dict[str, tuple[int, dict[str, PeopleComparison]]]:
        """The values of a field: units, and every metric's comparison."""
        found = {}
        for label, slice_marks in self.by.get(field, {}).items():
            marks = {
                name: comparison
                for name, comparison in slice_marks.items()
                if isinstance(comparison, PeopleComparison)
            }
            found[label] = _units(slice_marks), marks
        return found


class RecordedMarks(msgspec.Struct, frozen=True):
    """The marks row. Members that this version does not know are passed over."""

    marks: dict[str, RecordedMark]
    units: Count = 0
    unanswered: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    unknown: Count = 0
    unkeyed: Count = 0
    covers: str | None = None
    by: RecordedBySlice = {}
    people: RecordedPeopleComparison | None = None
    repeats: dict[str, Repeated] = {}
    tables: dict[str, Any] = {}
    """The extra tables of the kind, by name."""
    notes: tuple[str, ...] = ()
    method: Method | None = None
    """People's marksheets only: how their marks were made."""
    skipped: Count = 0
    counted: dict[str, Count] = {}
    """How many units each metric counts that does not count them all."""
    derived: dict[str, str] = {}
    """The rules of the fields that are not the file's own."""

    def slices(self, field: str) -> dict[str, tuple[int, dict[str, RecordedMark]]]:
        """The values of a field: units and marks."""
        found = {}
        for label, slice_marks in self.by.get(field, {}).items():
            marks = {
                name: mark for name, mark in slice_marks.items() if isinstance(mark, RecordedMark)
            }
            found[label] = _units(slice_marks), marks
        return found


def _units(slice_marks: Mapping[str, int | RecordedMark | PeopleComparison]) -> int:
    """The units of a slice, which are stored among its marks."""
    units = slice_marks.get("units")
    return units if isinstance(units, int) else 0


def read_marks(
    marks: dict[str, Any], header: MarksheetHeader, *, file: str, where: int
) -> RecordedMarks:
    """The marks row of a file, or one line that says what is wrong with it."""
    kind = kind_named(header.kind)
    extra = kind.extra_tables() if isinstance(kind, CountsTables) else {}
    try:
        recorded = msgspec.convert({**marks, "tables": {}}, RecordedMarks)
        tables = {
            name: msgspec.convert(marks[name], extra[name]) for name in extra if name in marks
        }
    except msgspec.ValidationError as error:
        raise DataError(f"the marks row: {in_words(error)}", file=file, where=where) from None
    fault = _fault(recorded, header)
    if fault is not None:
        raise DataError(f"the marks row: {fault}", file=file, where=where)
    for name, units in recorded.counted.items():
        recorded.marks[name] = msgspec.structs.replace(recorded.marks[name], units=units)
    return msgspec.structs.replace(recorded, tables=tables)


def _fault(recorded: RecordedMarks, header: MarksheetHeader) -> str | None:
    """What the marks say that the rest of the marksheet does not bear out."""
    if not recorded.marks:
        return "it has no marks"
    people = recorded.people.by if recorded.people is not None else {}
    slices: list[Mapping[str, Any]] = [
        value for by in (recorded.by, people) for field in by.values() for value in field.values()
    ]
    if not all(isinstance(one.get("units"), int) for one in slices):
        return "a slice does not say its units"
    named = {name for one in slices for name, mark in one.items() if not isinstance(mark, int)}
    named |= recorded.marks.keys() | (
        recorded.people.marks.keys() if recorded.people is not None else set()
    )
    if unknown := sorted(named - header.metrics.keys()):
        return f"{unknown[0]!r} is not a metric of the header"
    if unmarked := sorted(
        (recorded.counted.keys() | recorded.repeats.keys()) - recorded.marks.keys()
    ):
        return f"{unmarked[0]!r} has no mark"
    return None


def read_settings(header: MarksheetHeader, file: str) -> MarkSettings:
    """How the marks were made, as the header says; settings of other versions are passed over."""
    recorded = header.settings
    try:
        return settings_from(
            MarkSettings, {name: recorded[name] for name in RECORDED if name in recorded}
        )
    except UsageError as error:
        # A command would read a name in backquotes as an option, and this is a member of a file.
        member = re.sub(r"^`(\w+)`", r"\1", str(error))
        raise DataError(f"the header's settings: {member}", file=file, where=1) from None
