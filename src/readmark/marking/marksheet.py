"""A marksheet read back: the marks that it tells, and others made of its vectors.

Nothing is marked again. What the marksheet tells is taken as it stands; otherwise its vectors are
resampled as marking would have done, by the rules of its signatures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.arrays import Floats
from readmark.core.errors import DataError
from readmark.core.kinds import kind_named
from readmark.core.labels import labels_of
from readmark.core.marksheet import (
    LEAVE_ONE_OUT,
    PANEL,
    Alone,
    MarkedClasses,
    MarkedRecord,
    MarkedUnit,
    MarksheetHeader,
    MarksRow,
    checked_rows,
    read_marksheet_header,
)
from readmark.core.records import Labelled, Unit, distinct_names
from readmark.core.signatures import metric_rules
from readmark.core.source import Source
from readmark.hooks import Kind, MetricFacts, hook
from readmark.marking.certainty import Certainty, certainty
from readmark.marking.columns import ClassColumns, UnitClasses
from readmark.marking.error_counts import Errors, count_errors
from readmark.marking.marks import Slice, slices
from readmark.marking.metrics import has_ratio, lower_is_better, recorded_metrics, values_of_units
from readmark.marking.people_comparison import (
    PeopleSlice,
    compare_slices_with_people,
)
from readmark.marking.people_marks import people_marks
from readmark.marking.recorded_marks import RecordedMarks, read_marks, read_settings
from readmark.marking.settings import MarkSettings
from readmark.marking.sheet_people import SheetPerson, annotator_values
from readmark.marking.significance import Comparison, Paired, adjusted, compare_pair
from readmark.marking.tally import Tally
from readmark.marking.trend_values import Trends
from readmark.marking.trends import LEVEL, level_trends
from readmark.marking.unit_marks import UnitMarks
from readmark.marking.vectors import LeftOutVectors
from readmark.statistics.groups import distinct

UnitLabels = Sequence[tuple[str, ...]]
"""The labels of each unit: it is in the slice of each."""


@dataclass(frozen=True)
class RecordedMetric:
    """A metric as far as a marksheet records it."""

    metric: Any
    rules: Mapping[str, str]

    @property
    def facts(self) -> MetricFacts:
        """What the metric declares of itself."""
        facts: MetricFacts = self.metric.facts
        return facts

    @property
    def paired(self) -> Callable[[Floats], Floats] | None:
        """What two candidates are compared by, where that is not the mark itself."""
        paired: Callable[[Floats], Floats] | None = hook(self.metric, "paired")
        return paired

    @property
    def score(self) -> Callable[[Floats], float] | None:
        """The mark of rows, where it is no function of sums."""
        score: Callable[[Floats], float] | None = hook(self.metric, "score")
        return score

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """A marksheet is not marked again."""
        raise NotImplementedError("a marksheet's vectors are made when it is marked")

    def aggregate(self, sums: Floats) -> Floats:
        """The mark of sums."""
        mark: Floats = self.metric.aggregate(sums)
        return mark

    def signature(self) -> Mapping[str, str]:
        """The rules as the marksheet has them."""
        return self.rules


@dataclass(frozen=True)
class Marksheet:
    """One marksheet: a sitting's, or that of people's own marks."""

    file: str
    header: MarksheetHeader
    kind: Kind
    settings: MarkSettings
    records: Mapping[str, Sequence[Labelled]]
    """How each passage, series or document is shown."""
    units: Sequence[MarkedUnit]
    recorded: RecordedMarks
    """What it tells: the document that was printed when it was made."""
    _slices: dict[str, Mapping[str, Slice]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Marks by the fields that it does not tell of, as far as they were made."""
    _people_slices: dict[str, Mapping[str, PeopleSlice]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def read(cls, file: str) -> Marksheet:
        """A marksheet, whole and of a kind that is known."""
        source = Source(file)
        if source.readmark_file != "marksheet":
            raise DataError(
                f"is {source.looks_like()}, expected a marksheet (readmark mark -o MARKSHEET)",
                file=file,
            )
        header = read_marksheet_header(file)
        settings = read_settings(header, file)
        installed = recorded_metrics(header.metrics)
        widths = {name: metric.facts.width for name, metric in installed.items()}
        records: dict[str, Sequence[Labelled]] = {}
        units: list[MarkedUnit] = []
        recorded: RecordedMarks | None = None
        for number, row in checked_rows(file, header, widths):
            match row:
                case MarkedRecord():
                    records[row.id] = row.shown
                case MarkedUnit():
                    units.append(row)
                case MarksRow():
                    recorded = read_marks(row.marks, header, file=file, where=number)
                    if (fault := _people_fault(recorded, header, units)) is not None:
                        raise DataError(f"the marks row: {fault}", file=file, where=number)
        assert recorded is not None  # rows without marks are refused
        kind = kind_named(header.kind)
        return cls(file, header, kind, settings, records, units, recorded)

    @property
    def name(self) -> str:
        """The file's name, without the folders of the machine that it lies on."""
        return Path(self.file).name

    @property
    def sat(self) -> bool:
        """Whether somebody was marked; a marksheet of people's own marks has no vectors."""
        return any(unit.vectors for unit in self.units)

    @property
    def may_lead(self) -> bool:
        """Whether its candidate may come first: not on passages that it learnt from."""
        return self.header.seen is None or self.settings.count_seen

    @cached_property
    def metrics(self) -> Mapping[str, RecordedMetric]:
        """The metrics that are installed here, by name."""
        return {
            name: RecordedMetric(metric, metric_rules(self.header.metrics[name]))
            for name, metric in recorded_metrics(self.header.metrics).items()
        }

    def lower_is_better(self, metric: str) -> bool:
        """Whether lower marks are better, where the metric is installed here."""
        return metric in self.metrics and lower_is_better(self.metrics[metric])

    @cached_property
    def clusters(self) -> int:
        """How many records the units belong to."""
        return len(distinct(self._tally.groups))

    def values(self, metric: str) -> list[float | None]:
        """A metric on each unit alone, unscaled; None where it has none."""
        if metric not in self.metrics:
            return [None] * len(self.units)
        return values_of_units(self.metrics[metric], self._tally.vectors[metric].matrix())

    def paired(self, candidate: str, metric: str) -> Paired:
        """A metric's vectors for a comparison, under the name of who sat."""
        tally = self._tally
        return Paired(candidate, tally.ids, tally.groups, tally.vectors[metric].matrix())

    def labels(self, field: str) -> UnitLabels:
        """The labels of each unit by a field."""
        return [labels_of(unit.fields.get(field)) for unit in self.units]

    def slices(self, field: str) -> Mapping[str, Slice]:
        """The values of a field in order, each with its units and marks."""
        if field in self.recorded.by:
            return self.recorded.slices(field)
        if field not in self._slices:
            self._slices[field] = self.marks_by(self.labels(field))
        return self._slices[field]

    def marks_by(
        self, labels: UnitLabels, metrics: Sequence[str] | None = None, *, same_sets: bool = False
    ) -> Mapping[str, Slice]:
        """Marks made of the vectors, by labels of the units.

        With ``same_sets`` they are against the leave-one-out sets that people are marked against,
        on the units that have such.
        """
        tally = self._labelled({"": labels}, metrics)
        if not same_sets:
            return slices(tally, self.kind, self.settings)[""]
        if not tally.left_out:
            raise DataError("has no answers of two people to mark against", file=self.file)
        has_people = zip(labels, tally.left_out_units, strict=True)
        tally.fields[""] = [unit_labels if counts else () for unit_labels, counts in has_people]
        vectors = {name: columns.machine.matrix() for name, columns in tally.left_out.items()}
        return slices(tally, self.kind, self.settings, vectors)[""]

    def errors(self, fields: Sequence[str] = ()) -> Errors | None:
        """The classes of answers, overall and by fields; None where there are none."""
        classes = self.header.classes
        if classes is None:
            return None
        return count_errors(
            self._labelled({field: self.labels(field) for field in fields}),
            classes.signature,
            sat=self.sat,
            method=self.recorded.people_method,
            names=classes.names,
        )

    def certainty(self, metric: str) -> Certainty | None:
        """How the scores of answers fit a metric's marks; None where that cannot be said."""
        if metric not in self.metrics:
            return None
        return certainty(self._tally, metric, self.metrics[metric], self.kind, self.settings)

    def level_trends(self) -> Trends:
        """How marks change from level to level, where levels are numbers."""
        tally = self._labelled({LEVEL: self.labels(LEVEL)})
        return level_trends(tally, self.settings, method=self.recorded.people_method, sat=self.sat)

    def people_slices(self, field: str) -> Mapping[str, PeopleSlice]:
        """The comparison with people by the values of a field; nothing where there are none."""
        people = self.recorded.people
        if people is None:
            return {}
        if field in people.by:
            return people.slices(field)
        if field not in self._people_slices:
            tally = self._labelled({field: self.labels(field)})
            by: dict[str, PeopleSlice] = {}
            if {LEAVE_ONE_OUT: tally.left_out, PANEL: tally.panel}[people.method]:
                by = compare_slices_with_people(tally, people.method, self.settings)[field]
            if not self.may_lead:
                by = {label: part.without_ratios() for label, part in by.items()}
            self._people_slices[field] = by
        return self._people_slices[field]

    def people_by(self, labels: UnitLabels, metrics: Sequence[str]) -> Mapping[str, Slice]:
        """People's own marks by labels of the units, where there are any people."""
        method = self.recorded.people_method
        tally = self._labelled({"": labels}, metrics)
        if method is None or not tally.metrics:
            return {}
        return people_marks(tally, method, self.kind, self.settings).by[""]

    def people_signatures(self) -> dict[str, tuple[str, bool]]:
        """The signatures of the comparisons with people by metric, and whether they are ratios."""
        people, settings = self.recorded.people, self.settings.without_bca()
        return {
            name: (
                settings.signature(
                    name,
                    metric,
                    self.kind.record_noun,
                    people=people.method,
                    **settings.interval_rules(),
                ),
                has_ratio(metric),
            )
            for name, metric in self.metrics.items()
            if people is not None and name in people.marks
        }

    @property
    def panel(self) -> list[SheetPerson]:
        """The members of the panel, under distinct names."""
        names = distinct_names(self.header.panel)
        return [
            SheetPerson(name, self.units, self.metrics, index) for index, name in enumerate(names)
        ]

    @property
    def annotators(self) -> list[SheetPerson]:
        """Everybody whose answers the key has."""
        names = dict.fromkeys(name for unit in self.units for name in unit.annotators)
        return [SheetPerson(name, self.units, self.metrics, None) for name in names]

    def annotator_values(self, metric: str) -> list[list[float | None]]:
        """A metric on each unit alone, of every annotator's answer against the others'."""
        return annotator_values(self.units, metric, self.metrics.get(metric))

    @cached_property
    def _tally(self) -> Tally:
        """The tally that marking had, as the rows give it back."""
        members, classes = self.header.panel, self.header.classes
        has_left_out = any(unit.alone for unit in self.units)
        tally = Tally.empty(self.metrics, None, members=members, leave_one_out=has_left_out)
        if classes is not None:
            tally.classes = ClassColumns.empty(
                len(classes.names) + 1, leave_one_out=has_left_out, members=len(members)
            )
        for row in self.units:
            record = _Recorded(row.fields)
            tally.add(
                UnitMarks(
                    Unit(row.id, row.group, record, record),
                    row.gold,
                    row.answers,
                    {
                        name: row.vectors.get(name, (0.0,) * metric.facts.width)
                        for name, metric in self.metrics.items()
                    },
                    left_out={name: _left_out(alone) for name, alone in row.alone.items()} or None,
                    panel=row.panel or None,
                    annotators=row.annotators,
                    classes=_classes(row.classes),
                )
            )
        return tally

    def _labelled(
        self, fields: Mapping[str, UnitLabels], metrics: Sequence[str] | None = None
    ) -> Tally:
        """The tally with slices by these labels, and these metrics as far as they are known."""
        tally = self._tally
        names = [name for name in (metrics or self.metrics) if name in self.metrics]
        return replace(
            tally,
            metrics={name: self.metrics[name] for name in names},
            vectors={name: tally.vectors[name] for name in names},
            left_out={name: tally.left_out[name] for name in names if tally.left_out},
            panel={name: tally.panel[name] for name in names if tally.panel},
            fields={name: list(labels) for name, labels in fields.items()},
        )


class _Recorded(msgspec.Struct, frozen=True):
    """All that a marksheet records of a unit and its record."""

    fields: dict[str, Any]
    key: None = None


def _left_out(alone: Alone) -> LeftOutVectors:
    return LeftOutVectors(alone.machine, alone.people, alone.each)


def _classes(classes: MarkedClasses | None) -> UnitClasses | None:
    if classes is None:
        return None
    left_out = None if classes.alone is None else _left_out(classes.alone)
    return UnitClasses(classes.own, left_out, classes.panel)


def _people_fault(
    recorded: RecordedMarks, header: MarksheetHeader, units: Sequence[MarkedUnit]
) -> str | None:
    """Marks that include people need their vectors."""
    method = recorded.people_method
    vectors = {LEAVE_ONE_OUT: any(unit.alone for unit in units), PANEL: bool(header.panel)}
    if method is None or vectors[method]:
        return None
    return f"it includes people ({method}), but no unit has their vectors"


def compare_sheets(
    metric: str, sheets: Mapping[str, Marksheet]
) -> tuple[list[Comparison], dict[str, str]]:
    """Each marksheet against the first by a metric, by the names of their candidates.

    Several comparisons are Holm-adjusted. Also why some were not compared: ``absent`` where the
    metric is not installed or was not marked, ``rules`` where it was marked by others, ``units``
    where they have none in common.
    """
    (first_name, first), *rest = sheets.items()
    comparisons, reasons = [], {}
    for name, second in rest:
        pair = first, second
        rules = [sheet.metrics[metric].rules for sheet in pair if metric in sheet.metrics]
        if len(rules) < 2:
            reasons[name] = "absent"
            continue
        if rules[0] != rules[1]:
            reasons[name] = "rules"
            continue
        try:
            comparisons.append(
                compare_pair(
                    metric,
                    first.metrics[metric],
                    first.paired(first_name, metric),
                    second.paired(name, metric),
                    first.kind,
                    first.settings,
                )
            )
        except DataError:  # no unit in common
            reasons[name] = "units"
    return adjusted(comparisons), reasons
