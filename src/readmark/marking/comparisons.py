"""Sittings compared: each against the first, paired by unit, with a verdict in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

from rich.console import Console

from readmark.core.binding import common_part, part_notes, sat_splits
from readmark.core.display import Result, print_signatures, printed
from readmark.core.error_rows import listed_errors
from readmark.core.errors import DataError, UsageError
from readmark.core.labels import labels_of
from readmark.core.marksheet import is_marksheet
from readmark.core.pictures import Picture
from readmark.core.records import distinct_names
from readmark.core.settings import settings_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput, TestInput, as_sitting, as_test
from readmark.hooks import Metric
from readmark.marking.comparison_tables import show_slices, show_table, show_verdicts
from readmark.marking.fields import UnitFields, known_fields
from readmark.marking.marks_tables import print_derived
from readmark.marking.marksheet_vectors import SheetVectors, splits_of_sheet
from readmark.marking.metrics import build_metrics, main_metric
from readmark.marking.notes import coverage_notes, notes, seen_part
from readmark.marking.settings import CompareFields, MarkSettings
from readmark.marking.significance import (
    Comparison,
    Paired,
    adjusted,
    compare_pair,
    compare_slices,
)
from readmark.marking.tally import Tally
from readmark.marking.unit_marker import tally_sitting


@dataclass(frozen=True, repr=False)
class Comparisons(Result):
    """Each sitting against the first, by each metric; a sequence of ``Comparison``."""

    comparisons: Sequence[Comparison]
    """The comparisons of the first metric, in the order of the sittings, then the next metric's."""
    alpha: float
    """The significance level of the verdicts."""
    noun: str
    """What the paired test swaps: passage, series, document."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What a reader should know of the sittings, one per line."""
    derived: Mapping[str, str] = field(default_factory=dict)
    """The rules of the fields that slices were asked by and that the file does not have."""

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        return self.comparisons[index]

    @property
    def metrics(self) -> list[str]:
        """The metrics, in the order in which they were asked for."""
        return list(dict.fromkeys(comparison.metric for comparison in self))

    @property
    def worse(self) -> list[Comparison]:
        """The comparisons in which the sitting is significantly worse than the first."""
        return [comparison for comparison in self if comparison.worse(self.alpha)]

    def as_json(self) -> dict[str, Any]:
        """The document that ``compare --json`` prints: one entry per metric and sitting."""
        return {
            "metrics": self.metrics,
            "a": self[0].a,
            "alpha": self.alpha,
            "comparisons": [comparison.as_json() for comparison in self],
            **({"derived": dict(self.derived)} if self.derived else {}),
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per comparison and slice, with every number."""
        rows = []
        for comparison in self:
            document = comparison.as_json()
            by = document.pop("by")
            rows.append({"field": None, "value": None, **document})
            rows += [
                {**document, "field": name, "value": label, **part}
                for name, values in by.items()
                for label, part in values.items()
            ]
        return rows

    def plot(self) -> Picture:
        """A picture of the differences with their intervals, then of the slices', for slides."""
        from readmark.marking.pictures import comparisons_picture

        return comparisons_picture(self)

    def show(self, console: Console) -> None:
        """Print a table for each metric, and a verdict in words for each comparison."""
        for comparisons in self._by_metric():
            show_table(console, comparisons)
            show_verdicts(console, comparisons, self.alpha, self.noun)
            show_slices(console, comparisons, self.noun)

    def show_full(self, console: Console) -> None:
        """Print also how many units differ, what could have been found, and the signatures."""
        for comparisons in self._by_metric():
            show_table(console, comparisons)
            show_verdicts(console, comparisons, self.alpha, self.noun, full=True)
            show_slices(console, comparisons, self.noun)
            print_signatures(console, {comparisons[0].metric: comparisons[0].signature})
        print_derived(console, self.derived)

    def _show_tables(self, console: Console) -> None:
        for comparisons in self._by_metric():
            show_table(console, comparisons)

    def __repr__(self) -> str:
        return printed(self._show_tables)

    def _by_metric(self) -> Iterator[list[Comparison]]:
        for metric in self.metrics:
            yield [comparison for comparison in self if comparison.metric == metric]


def compare(
    test: TestInput,
    a: SittingInput,
    *others: SittingInput,
    settings: MarkSettings | None = None,
    alpha: float = 0.05,
    errors_as_wrong: bool = False,
    watch_replies: Callable[[str, int, int], None] | None = None,
    **fields: Unpack[CompareFields],
) -> Comparisons:
    """Each of the others against A, paired by unit.

    Sittings may also be marksheets of the same test, whose vectors are then taken as they are.
    ``settings`` are those of `mark`, and keyword arguments name its fields. Without ``metrics`` the
    kind's main metric is compared. The p-values of several sittings are Holm-adjusted, metric by
    metric. ``by`` compares on each slice of these fields too; their p-values are adjusted over all
    slices of a field and all sittings. ``alpha`` is the significance level of the verdicts. Error
    rows are an error unless ``errors_as_wrong``. ``watch_replies`` is called as the replies come
    that a metric waits for.
    """
    settings = settings_of(MarkSettings, settings, fields)
    if not others:
        raise UsageError("a comparison needs at least two sittings")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1")
    whole = as_test(test)
    sittings = [sat if is_marksheet(sat) else as_sitting(sat, whole.kind) for sat in (a, *others)]
    test = common_part(whole, [_splits(whole, sat) for sat in sittings])
    metrics = build_metrics(settings.metrics or [main_metric(test)], test, watch=watch_replies)
    unit_fields = UnitFields(test, known_fields(test, settings.by))
    remarks = part_notes(whole, test, [sat for sat in sittings if isinstance(sat, Sitting)])
    sides = []
    for sat in sittings:
        side = _Side.of(test, sat, metrics)
        if side.errors and not errors_as_wrong:
            raise DataError(listed_errors(side.errors), file=side.file)
        sides.append(side)
        remarks += side.notes
    remarks += _gaps(sides)
    names = distinct_names([side.candidate for side in sides])
    first, *rest = (side.named(name) for side, name in zip(sides, names, strict=True))

    labels = _labels(test, unit_fields)
    comparisons: list[Comparison] = []
    for name, metric in metrics.items():
        a_vectors, others_vectors = first[name], [vectors[name] for vectors in rest]
        pairs = [
            compare_pair(name, metric, a_vectors, b_vectors, test.kind, settings)
            for b_vectors in others_vectors
        ]
        slices = {
            field: _adjusted_slices(
                [
                    compare_slices(
                        name, metric, a_vectors, b_vectors, of_units, test.kind, settings
                    )
                    for b_vectors in others_vectors
                ]
            )
            for field, of_units in labels.items()
        }
        comparisons += [
            replace(pair, by={field: parts[index] for field, parts in slices.items()})
            for index, pair in enumerate(adjusted(pairs))
        ]
    return Comparisons(
        tuple(comparisons),
        alpha,
        test.kind.record_noun,
        tuple(dict.fromkeys(remarks)),
        unit_fields.rules,
    )


def _splits(test: Test, sat: SittingInput) -> tuple[str | None, ...]:
    """The splits of the test that a sitting or a marksheet is of."""
    return sat_splits(test, sat) if isinstance(sat, Sitting) else splits_of_sheet(str(sat), test)


@dataclass(frozen=True, slots=True)
class _Side:
    """A sitting or a marksheet, and what it has on the test."""

    file: str
    vectors: Mapping[str, Paired]
    errors: Sequence[str]
    """Units with error rows."""
    notes: Sequence[str]
    sitting: Sitting | None = None
    """None for a marksheet, as is the tally."""
    tally: Tally | None = None

    @classmethod
    def of(cls, test: Test, sat: SittingInput, metrics: Mapping[str, Metric]) -> _Side:
        """A marksheet's vectors as they are; a sitting is marked."""
        if not isinstance(sat, Sitting):
            sheet = SheetVectors.read(str(sat), test, metrics)
            file, vectors, errors, seen = sheet.file, sheet.vectors, sheet.errors, sheet.seen
            sitting = tally = None
            remarks: list[str] = []
        else:
            sitting, file, seen = sat, sat.file, seen_part(test, sat)
            tally = tally_sitting(test, sat, metrics)
            errors = tally.coverage.errors
            remarks = notes(test, sat, tally, compared=True)
            vectors = {
                name: Paired(sat.candidate, tally.ids, tally.groups, matrix)
                for name, matrix in tally.matrices().items()
            }
        if seen is not None:
            remarks.append(f"{file}: warning: {seen.words}")
        return cls(file, vectors, errors, remarks, sitting, tally)

    @property
    def candidate(self) -> str:
        """The candidate, as the header names it."""
        return next(iter(self.vectors.values())).candidate

    @property
    def units(self) -> frozenset[str]:
        """The ids of what was marked."""
        return frozenset(next(iter(self.vectors.values())).ids)

    def named(self, candidate: str) -> dict[str, Paired]:
        """The vectors under a distinct name."""
        return {
            metric: replace(paired, candidate=candidate) for metric, paired in self.vectors.items()
        }


def _gaps(sides: Sequence[_Side]) -> Iterator[str]:
    """What sittings left out of the units that are compared: A's, or of A those of the others."""
    units = [side.units for side in sides]
    for index, side in enumerate(sides):
        if side.sitting is not None and side.tally is not None:
            compared_with = units[0] if index else frozenset[str]().union(*units[1:])
            yield from coverage_notes(side.sitting, side.tally, compared_with)


def _labels(test: Test, fields: UnitFields) -> dict[str, dict[str, tuple[str, ...]]]:
    """The slices that each unit of the test is in, by field."""
    labels: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in fields.names}
    for unit in test.units() if labels else ():
        for name, units in labels.items():
            units[unit.id] = labels_of(fields.value(unit, name))
    return labels


def _adjusted_slices(by_sitting: Sequence[dict[str, Comparison]]) -> list[dict[str, Comparison]]:
    """The slices of a field for each sitting, with Holm's adjustment over all of them."""
    family = [comparison for slices in by_sitting for comparison in slices.values()]
    results = iter(adjusted(family, over=" over slices and candidates"))
    return [{label: next(results) for label in slices} for slices in by_sitting]
