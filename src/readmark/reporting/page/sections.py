"""Marksheets put together: a section for each test, its candidates side by side.

Marksheets belong together when kind, paper and key are the same. Nothing is summed up across
sections: there is no overall mark across tests or languages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.core.errors import UsageError
from readmark.core.marksheet import MarkedTest, MarkedUnit
from readmark.core.parsed_names import ParsedName, parse_name
from readmark.core.records import Labelled
from readmark.hooks import Kind
from readmark.marking import Mark, Marksheet
from readmark.reporting.figures.looks import Look, series
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.coverage import labels
from readmark.reporting.page.isolation import Isolated, isolated
from readmark.reporting.page.layout import Key
from readmark.reporting.page.links import units_link
from readmark.reporting.page.people_words import people_phrase
from readmark.reporting.page.sliced_fields import SlicedFields, fields_to_slice


@dataclass(frozen=True, slots=True)
class MarkedCandidate:
    """A candidate of a section: its distinct name, its marksheet, and its look."""

    name: str
    """Its distinct label here: the name, the part of the test that it sat, a number if need be."""
    label: Bilingual
    """The name in both languages."""
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
    sliced: SlicedFields
    recorded: frozenset[str]
    """Every field that units record."""
    metrics: Sequence[str]
    """Every metric of any of the marksheets, in their order."""
    main: str
    """The metric of headlines and of plots with one mark."""
    has_other_key: bool = False
    """Whether another section has the same paper with another key."""
    distinction: str | None = None
    """What tells the test from another of its name: its splits, language or fingerprint."""

    @property
    def test_name(self) -> Isolated:
        """The test's name as the page writes it."""
        return isolated(
            self.test.name if self.distinction is None else f"{self.test.name} ({self.distinction})"
        )

    @property
    def fields(self) -> Sequence[str]:
        """The fields that marks are shown by."""
        return self.sliced.shown

    @property
    def sheets(self) -> list[Marksheet]:
        """Every marksheet of the section."""
        return [*(candidate.sheet for candidate in self.candidates), *self.people]

    def records(self) -> dict[str, Sequence[Labelled]]:
        """Every record that any marksheet shows."""
        records: dict[str, Sequence[Labelled]] = {}
        for sheet in self.sheets:
            for id, texts in sheet.records.items():
                records.setdefault(id, texts)
        return records

    def units(self) -> dict[str, MarkedUnit]:
        """Every unit, in the order of the first marksheet that has it."""
        units: dict[str, MarkedUnit] = {}
        for sheet in self.sheets:
            for unit in sheet.units:
                units.setdefault(unit.id, unit)
        return units

    def link(self, field: str, label: str, candidate: int | None = None) -> str | None:
        """The units of a slice in the answer browser; None where units do not record the field."""
        if field not in self.recorded:
            return None
        return units_link(self.number, field=(field, label), candidate=candidate)

    def label(self, name: str) -> Bilingual:
        """What the page calls a candidate."""
        return next(candidate.label for candidate in self.candidates if candidate.name == name)

    @property
    def legend(self) -> list[Key]:
        """Every candidate with its look."""
        return [(candidate.label, candidate.look) for candidate in self.candidates]

    def people_words(self, method: str | None, name: str, /, **values: object) -> Bilingual:
        """A text on people, or on references where those of the key are no study of people."""
        return people_phrase(self.test, method, name, **values)

    def lower_is_better(self, metric: str) -> bool:
        """Whether the metric says so, where it is installed."""
        return any(candidate.sheet.lower_is_better(metric) for candidate in self.candidates)

    def quantity(self, metric: str) -> str | None:
        """In what range the metric's marks lie, where it says so."""
        for candidate in self.candidates:
            if metric in candidate.sheet.metrics:
                return candidate.sheet.metrics[metric].facts.quantity
        return None

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
        raise UsageError("a report needs at least one marksheet")
    tests: dict[tuple[str, str, str], list[Marksheet]] = {}
    for sheet in sheets:
        test = sheet.header.test
        tests.setdefault((sheet.header.kind, test.paper, test.key), []).append(sheet)
    papers = [(kind, paper) for kind, paper, _ in tests]
    return [
        _section(
            number,
            sheets_of_test,
            has_other_key=papers.count((kind, paper)) > 1,
            distinction=_distinction(sheets_of_test[0], sheets),
            optional=optional,
        )
        for number, ((kind, paper, _), sheets_of_test) in enumerate(tests.items(), 1)
    ]


def _distinction(sheet: Marksheet, every: Sequence[Marksheet]) -> str | None:
    """What tells a test from others of its name, if there are any.

    These are its splits, else its language, else the beginning of its fingerprint.
    """
    test = sheet.header.test
    namesakes = [
        other
        for other in every
        if other.header.test.name == test.name
        and (other.header.test.paper, other.header.test.key) != (test.paper, test.key)
    ]
    if not namesakes:
        return None
    splits = _splits(sheet)
    if splits and all(_splits(other) != splits for other in namesakes):
        return splits
    language = test.language
    if language and all(other.header.test.language != language for other in namesakes):
        return language
    has_same_paper = any(other.header.test.paper == test.paper for other in namesakes)
    return test.key[:6] if has_same_paper else test.paper[:6]


def _splits(sheet: Marksheet) -> str:
    return ", ".join(
        sorted({str(unit.fields["split"]) for unit in sheet.units if unit.fields.get("split")})
    )


def _section(
    number: int,
    sheets: Sequence[Marksheet],
    *,
    has_other_key: bool,
    distinction: str | None,
    optional: frozenset[str],
) -> Section:
    first = sheets[0]
    sliced = fields_to_slice(sheets, optional=optional)
    sat = [sheet for sheet in sheets if sheet.sat]
    names = labels([portable_name(sheet.header.candidate) for sheet in sat], sat)
    candidates = [
        MarkedCandidate(str(label.en), label, sheet, series(index))
        for index, (label, sheet) in enumerate(zip(names, sat, strict=True))
    ]
    metrics = list(dict.fromkeys(name for sheet in sheets for name in sheet.recorded.marks))
    return Section(
        number=number,
        test=first.header.test,
        kind=first.kind,
        candidates=candidates,
        people=[sheet for sheet in sheets if not sheet.sat],
        sliced=sliced,
        recorded=frozenset(
            name for sheet in sheets for unit in sheet.units for name in unit.fields
        ),
        metrics=metrics,
        main=main_metric(first.kind, metrics),
        has_other_key=has_other_key,
        distinction=distinction,
    )


def portable_name(candidate: str) -> str:
    """A candidate's name without the folders of the machine that it sat on."""
    try:
        name = parse_name(candidate)
    except UsageError:
        return candidate
    parameters = {
        key: re.split(r"[/\\]", value)[-1]
        if isinstance(value, str) and re.match(r"[/~\\]|[A-Za-z]:[/\\]", value)
        else value
        for key, value in name.parameters.items()
    }
    if parameters == dict(name.parameters):
        return candidate
    return str(ParsedName(name.base, parameters))


def main_metric(kind: Kind, metrics: Sequence[str]) -> str:
    """The kind's main metric, the first of its family, or the first there is."""
    if kind.main_metric in metrics or not metrics:
        return kind.main_metric
    return next(
        (metric for metric in metrics if parse_name(metric).base == kind.main_metric), metrics[0]
    )
