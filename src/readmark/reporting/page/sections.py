"""Marksheets put together: a section a test, its candidates side by side.

Marksheets belong together when kind, paper and key are the same. Nothing is summed up across
sections: there is no overall mark across tests or languages.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.core.errors import UsageError
from readmark.core.labels import ABSENT, labels_of
from readmark.core.marksheet import MarkedTest, MarkedUnit
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.records import Labelled
from readmark.hooks import Kind
from readmark.marking import Mark, Marksheet
from readmark.reporting.figures.canvas import Look, series
from readmark.reporting.page.layout import Key, units_link
from readmark.reporting.page.sheets import labels, people_phrase
from readmark.reporting.page.words import Both, Isolated, isolated

# Which fields of the units are worth slicing by.


FEWEST, MOST = 2, 12
"""How many values a field has that nobody asked for and that is shown all the same."""
LARGE_UNITS, LARGE_RECORDS = 10, 5
"""From so many units in so many records on, the mark of a slice is more than chance."""


@dataclass(frozen=True, slots=True)
class SlicedFields:
    """The fields that marks are shown by, and those that would show nothing more."""

    shown: Sequence[str] = ()
    alike: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    """Fields that divide the units as a shown one does, by the shown one."""
    single: Sequence[str] = ()
    """Fields that were asked for but have one value, or none."""


def fields_to_slice(
    sheets: Sequence[Marksheet], *, optional: frozenset[str] = frozenset()
) -> SlicedFields:
    """Fields that marks were asked by, then those with few values that intervals can be had of.

    An interval resamples whole records, so at least two values must have units of two records:
    that leaves out titles and whatever else only names the record. Of several fields that divide
    the units alike, such as a title and an address, the first is shown. ``optional`` fields, which
    nobody asked for by name, are shown if two of their slices are large.
    """
    asked = dict.fromkeys(field for sheet in sheets for field in sheet.recorded.by)
    fullest = max(sheets, key=lambda sheet: len(sheet.units))
    names = dict.fromkeys(name for unit in fullest.units for name in unit.fields)
    found = [name for name in names if name not in asked and _few(fullest, name)]
    first: dict[frozenset[tuple[int, ...]], str] = {}
    alike: dict[str, list[str]] = {}
    single = []
    for name in [*asked, *found]:
        if name in optional and not _has_large_slices(fullest, name):
            continue
        groups = partition(fullest.units, name)
        if len(groups) < FEWEST and _recorded_slices(sheets, name):
            first[frozenset({(-1, len(first))})] = name  # no partition: it is like no other
        elif len(groups) < FEWEST:
            single.append(name)
        elif groups in first:
            alike.setdefault(first[groups], []).append(name)
        else:
            first[groups] = name
    return SlicedFields(list(first.values()), alike, single)


def _has_large_slices(sheet: Marksheet, name: str) -> bool:
    units: dict[str, int] = {}
    records: dict[str, set[str]] = {}
    for unit in sheet.units:
        for label in labels_of(unit.fields.get(name)):
            units[label] = units.get(label, 0) + 1
            records.setdefault(label, set()).add(unit.group)
    large = (
        label
        for label in units.keys() - {ABSENT}
        if units[label] >= LARGE_UNITS and len(records[label]) >= LARGE_RECORDS
    )
    return sum(1 for _ in large) >= FEWEST


def partition(units: Sequence[MarkedUnit], name: str) -> frozenset[tuple[int, ...]]:
    """How a field divides units, whatever its values are called."""
    groups: dict[str, list[int]] = {}
    for index, unit in enumerate(units):
        for label in labels_of(unit.fields.get(name)):
            groups.setdefault(label, []).append(index)
    return frozenset(map(tuple, groups.values()))


def _recorded_slices(sheets: Sequence[Marksheet], name: str) -> bool:
    """Whether a marksheet has several slices of a field that its units do not record."""
    return any(len(sheet.recorded.by.get(name, ())) >= FEWEST for sheet in sheets)


def _few(sheet: Marksheet, name: str) -> bool:
    groups: dict[str, set[str]] = {}
    for unit in sheet.units:
        for label in labels_of(unit.fields.get(name)):
            groups.setdefault(label, set()).add(unit.group)
            if len(groups) > MOST + 1:
                return False
    groups.pop(ABSENT, None)
    several = sum(len(records) > 1 for records in groups.values())
    return FEWEST <= len(groups) <= MOST and several >= FEWEST


def values_to_filter(labels: Sequence[tuple[str, ...]], *, most: int = 60) -> list[str]:
    """The values of a field when they are few enough to choose from, in the order they come.

    As many as a slice may have are always few; more must be shared by two units on average, or
    the field only names the units.
    """
    most = min(most, max(MOST, len(labels) // 2))
    found: dict[str, None] = {}
    for several in labels:
        found.update(dict.fromkeys(several))
        if len(found) > most:
            return []
    return list(found) if len(found) > 1 else []


@dataclass(frozen=True, slots=True)
class MarkedCandidate:
    """Who was marked: a name of one's own in the section, the marksheet, and its vectors."""

    name: str
    """Its distinct label here: the name, the part of the test that it sat, a number if need be."""
    label: Both
    """The same in both languages."""
    sheet: Marksheet
    look: Look
    """The colour and shape of its dots and lines."""

    def values(self, metric: str) -> list[float | None]:
        """A metric on each unit alone, unscaled; None where it has none."""
        return self.sheet.values(metric)

    def mark(self, metric: str) -> Mark | None:
        """A metric's mark with its interval, scaled; None where it was not marked."""
        return self.sheet.recorded.marks.get(metric)


@dataclass(frozen=True, slots=True)
class Section:
    """One test: everybody who sat it, and people's own marksheets."""

    number: int
    test: MarkedTest
    kind: Kind
    candidates: Sequence[MarkedCandidate]
    people: Sequence[Marksheet]
    """Marksheets of people's own marks (``readmark people -o``)."""
    fields: Sequence[str]
    """The fields that marks are shown by."""
    sliced: SlicedFields
    """The same, with the fields that were left out of them."""
    recorded: frozenset[str]
    """Every field that units record."""
    metrics: Sequence[str]
    """Every metric of any of the marksheets, in their order."""
    main: str
    other_key: bool = False
    """Whether another section has the same paper with another key."""
    apart: str | None = None
    """What tells the test from another of its name: its splits, else its fingerprint."""

    @property
    def test_name(self) -> Isolated:
        """The test's name as the page writes it."""
        return isolated(
            self.test.name if self.apart is None else f"{self.test.name} ({self.apart})"
        )

    @property
    def sheets(self) -> list[Marksheet]:
        """Every marksheet of the section."""
        return [*(candidate.sheet for candidate in self.candidates), *self.people]

    def records(self) -> dict[str, Sequence[Labelled]]:
        """Every record that any marksheet shows."""
        found: dict[str, Sequence[Labelled]] = {}
        for sheet in self.sheets:
            found.update(
                (id, labelleds) for id, labelleds in sheet.records.items() if id not in found
            )
        return found

    def units(self) -> dict[str, MarkedUnit]:
        """Every unit, in the order of the first marksheet that has it."""
        found: dict[str, MarkedUnit] = {}
        for sheet in self.sheets:
            for unit in sheet.units:
                found.setdefault(unit.id, unit)
        return found

    def link(self, field: str, label: str, candidate: int | None = None) -> str | None:
        """The units of a slice in the answer browser; None where units do not record the field."""
        if field not in self.recorded:
            return None
        return units_link(self.number, field=(field, label), candidate=candidate)

    def label(self, name: str) -> Both:
        """What the page calls a candidate."""
        return next(candidate.label for candidate in self.candidates if candidate.name == name)

    @property
    def legend(self) -> list[Key]:
        """Every candidate with its look."""
        return [(candidate.label, candidate.look) for candidate in self.candidates]

    def people_words(self, method: str | None, name: str, /, **values: object) -> Both:
        """A text on people, or on references where those of the key are no study of people."""
        return people_phrase(self.test, method, name, **values)

    def lower_is_better(self, metric: str) -> bool:
        """Whether the metric says so, where it is installed."""
        return any(candidate.sheet.lower_is_better(metric) for candidate in self.candidates)

    def quantity(self, metric: str) -> str | None:
        """In what range the metric's marks lie, where it says so."""
        metrics = (candidate.sheet.metrics.get(metric) for candidate in self.candidates)
        return next((known.facts.quantity for known in metrics if known is not None), None)

    def scale(self, metric: str) -> float:
        """What the metric's marks are multiplied by when they are shown."""
        for sheet in self.sheets:
            if metric in sheet.recorded.marks:
                return sheet.recorded.marks[metric].scale
        return 1.0


def sections_of(
    sheets: Sequence[Marksheet], *, optional: frozenset[str] = frozenset()
) -> list[Section]:
    """The sections, in the order of their tests; ``optional`` as in `fields_to_slice`."""
    if not sheets:
        raise UsageError("a report takes one marksheet or more")
    tests: dict[tuple[str, str, str], list[Marksheet]] = {}
    for sheet in sheets:
        test = sheet.header.test
        tests.setdefault((sheet.header.kind, test.paper, test.key), []).append(sheet)
    papers = [(kind, paper) for kind, paper, _ in tests]
    return [
        _section(
            number,
            several,
            other_key=papers.count((kind, paper)) > 1,
            apart=_apart(several, sheets),
            optional=optional,
        )
        for number, ((kind, paper, _), several) in enumerate(tests.items(), 1)
    ]


def _apart(sheets: Sequence[Marksheet], every: Sequence[Marksheet]) -> str | None:
    """The splits of a test that shares its name with another; else its fingerprint."""
    test = sheets[0].header.test
    others = [
        sheet
        for sheet in every
        if sheet.header.test.name == test.name
        and (sheet.header.test.paper, sheet.header.test.key) != (test.paper, test.key)
    ]
    if not others:
        return None
    for name in (_splits(sheets[0]), test.language):
        if name and name not in [_splits(sheet) for sheet in others] + [
            sheet.header.test.language for sheet in others
        ]:
            return name
    same_paper = any(sheet.header.test.paper == test.paper for sheet in others)
    return test.key[:6] if same_paper else test.paper[:6]


def _splits(sheet: Marksheet) -> str:
    return ", ".join(
        sorted({str(unit.fields["split"]) for unit in sheet.units if unit.fields.get("split")})
    )


def _section(
    number: int,
    sheets: Sequence[Marksheet],
    *,
    other_key: bool,
    apart: str | None,
    optional: frozenset[str],
) -> Section:
    first = sheets[0]
    sliced = fields_to_slice(sheets, optional=optional)
    fields = list(sliced.shown)
    sat = [sheet for sheet in sheets if sheet.sat]
    boths = labels([portable_name(sheet.header.candidate) for sheet in sat], sat)
    candidates = [
        MarkedCandidate(str(label.en), label, sheet, series(index))
        for index, (label, sheet) in enumerate(zip(boths, sat, strict=True))
    ]
    metrics = list(dict.fromkeys(name for sheet in sheets for name in sheet.recorded.marks))
    return Section(
        number=number,
        test=first.header.test,
        kind=first.kind,
        candidates=candidates,
        people=[sheet for sheet in sheets if not sheet.sat],
        fields=fields,
        sliced=sliced,
        recorded=frozenset(
            name for sheet in sheets for unit in sheet.units for name in unit.fields
        ),
        metrics=metrics,
        main=main_metric(first.kind, metrics),
        other_key=other_key,
        apart=apart,
    )


def portable_name(candidate: str) -> str:
    """A candidate's name without the folders of the machine that it sat on."""
    try:
        name = parse_name(candidate)
    except UsageError:
        return candidate
    told = {
        key: re.split(r"[/\\]", value)[-1]
        if isinstance(value, str) and re.match(r"[/~\\]|[A-Za-z]:[/\\]", value)
        else value
        for key, value in name.parameters.items()
    }
    return str(ParsedName(name.base, told)) if told != dict(name.parameters) else candidate


def main_metric(kind: Kind, metrics: Sequence[str]) -> str:
    """The kind's main metric, the first of its family, or the first there is."""
    if kind.main_metric in metrics or not metrics:
        return kind.main_metric
    return next(
        (metric for metric in metrics if parse_name(metric).base == kind.main_metric), metrics[0]
    )
