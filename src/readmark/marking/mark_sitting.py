"""Marking a sitting against the key, and comparing it with people: `mark`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from readmark.core.arrays import Floats
from readmark.core.binding import part_notes
from readmark.core.errors import DataError
from readmark.core.file_state import require_unchanged
from readmark.core.seen import SeenPassages
from readmark.core.settings import settings_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.core.traffic import one_purse
from readmark.formats.inputs import SittingInput, TestInput, as_people, as_sitting, as_test
from readmark.marking.binding import Marking, bind
from readmark.marking.calibration import calibration
from readmark.marking.conditions import read_conditions, unmet
from readmark.marking.covered_units import covered_units
from readmark.marking.differing_slices import DifferingSlices, differing_slices
from readmark.marking.error_counts import Errors, count_errors
from readmark.marking.interval_notes import interval_notes
from readmark.marking.kind_extras import CountsTables, TableCounter
from readmark.marking.marked_units import MarkedUnits
from readmark.marking.marks import By, Mark, Slice, make_marks, slices
from readmark.marking.marksheet_writing import marked_test, open_sheet
from readmark.marking.metrics import report_of
from readmark.marking.notes import coverage_words, notes, panel_notes, seen_part, unknown_words
from readmark.marking.people_comparison import ComparedWithPeople, compare_with_people
from readmark.marking.people_marks import undefined_people
from readmark.marking.results import (
    Marks,
    MarksCoverage,
    MarksScores,
    MarksSlices,
    UnitVectors,
    across_repeats,
)
from readmark.marking.settings import MarkFields, MarkSettings
from readmark.marking.tally import Tally
from readmark.marking.trends import level_trends
from readmark.statistics.interval_methods import few_words

EVERY = 500
"""How many units are marked between two looks at the progress."""


@one_purse()
def mark(
    test: TestInput,
    sitting: SittingInput,
    settings: MarkSettings | None = None,
    *,
    marksheet: str | Path | None = None,
    watch: Callable[[int, int], None] | None = None,
    watch_replies: Callable[[str, int, int], None] | None = None,
    **fields: Unpack[MarkFields],
) -> Marks:
    """Mark a sitting against the key, and compare it with people where there are any.

    Unanswered units and error rows get the metric's worst value and are listed apart.
    ``marksheet`` is a file to write. ``watch`` is called with how many units are marked,
    ``watch_replies`` with how many replies of which sort a metric has received.

    ``settings`` say how; keyword arguments name its fields and win over it:

    ``metrics`` and ``by`` are what to compute, and the fields to break it down by; a metric is a
    name, or a function of an answer and its references. Answers to units that the test does not
    have are counted, and an error when ``strict``. Without ``classes`` wrong answers are not told
    apart, which takes as long as marking itself. ``fail_under`` are conditions such as ``f1=70`` on
    the score or ``f1.low=70`` on the low end of the interval; those that are not met are in
    ``scores.unmet``. ``traffic`` bounds what a metric asks over a network. ``workers`` processes
    mark the parts of a test that is a folder of parts; the marks do not depend on their number.
    Without ``units`` the result has no values of single units, and of a test in parts only sums per
    passage are held where they are all that the marks need.
    """
    settings = settings_of(MarkSettings, settings, fields)
    whole = as_test(test)
    rows = None
    if whole.parts and marksheet is None and not settings.people:
        from readmark.marking.part_rows import RowFiles  # needed for tests in parts alone

        rows = RowFiles.of(sitting, whole, workers=settings.workers)
    sat = as_sitting(sitting, whole.kind) if rows is None else rows.sitting
    panel = as_people(settings.people, whole)
    marking = bind(whole, sat, panel, settings, classes=settings.classes, watch=watch_replies)
    test, metrics = marking.test, marking.metrics
    conditions = read_conditions(settings.fail_under, metrics)
    seen = seen_part(test, sat)
    tables = _table_counters(test)

    units = None
    if rows is not None:
        from readmark.marking.parts import mark_parts

        # A table counts single units, which would have to be sent back from every process.
        joined = None if tables else mark_parts(rows, marking, settings, watch=watch)
        units, sat = joined or (None, as_sitting(sitting, whole.kind))
        marking = replace(marking, sitting=sat)

    with open_sheet(marksheet, marking, settings, seen=seen) as sheet:
        if units is None:
            units = MarkedUnits(marking.empty_tally(), marking.leave_one_out, tables=tables)
            marker = marking.marker()
            for count, marked in enumerate(marker.mark(covered_units(test, sat)), 1):
                units.add(marked)
                if sheet is not None:
                    sheet.add(marked)
                if watch is not None and count % EVERY == 0:
                    watch(count, test.facts.units)
            marker.finish(units.tally, test)
        tally = units.tally
        require_unchanged(test.facts.files)  # fingerprints and marks must be of the same units
        if settings.strict and tally.coverage.unknown:
            raise DataError(unknown_words(tally.coverage.unknown), file=sat.file)

        vectors = tally.matrices()
        reports = {name: report_of(metric, vectors[name]) for name, metric in metrics.items()}
        marks = make_marks(metrics, vectors, tally.groups, test.kind, settings)
        if tally.summed:  # a sum over a passage does not show how many of its units count
            marks = {
                name: replace(mark, units=tally.summed_counted(name))
                for name, mark in marks.items()
            }
        by = slices(tally, test.kind, settings, vectors)
        main = test.kind.main_metric if test.kind.main_metric in marks else next(iter(marks))
        compared = _comparison_with_people(marking, tally, settings, seen)
        result = Marks(
            test=marked_test(test),
            candidate=sat.candidate,
            coverage=_coverage(tally, sat),
            scores=MarksScores(
                marks,
                metrics,
                main=main,
                counted=Slice(tally.units, marks).counted,
                failed={name: report.failed for name, report in reports.items() if report.failed},
                repeats=across_repeats(tally),
                interval_notes=_interval_notes(marks, by, compared, test, settings),
                unmet=unmet(conditions, marks),
            ),
            slices=MarksSlices(
                by,
                trends=level_trends(
                    tally, settings, method=None if compared is None else compared.method
                ),
                derived=marking.fields.rules,
                offered=list(units.slice_fields),
                differing=_differing(marking, tally, vectors, main, settings),
            ),
            people=compared,
            classes=error_classes(marking, tally),
            tables={
                name: table
                for name, counter in units.tables.items()
                if (table := counter.counted()) is not None
            },
            calibration=calibration(units.gaps(), tally.groups, settings),
            spent=tally.spent,
            seen=seen,
            may_lead=seen is None or settings.count_seen,
            notes=[
                *_seen_notes(sat, seen, settings),
                *part_notes(whole, test, [sat]),
                *notes(test, sat, tally),
                *people_notes(marking, units),
            ],
            unit_vectors=UnitVectors(tally.ids, {} if tally.summed else vectors),
        )
        if sheet is not None:
            sheet.close(result.as_json(units=False))
    return result


def _differing(
    marking: Marking,
    tally: Tally,
    vectors: Mapping[str, Floats],
    main: str,
    settings: MarkSettings,
) -> DifferingSlices | None:
    """The sorts of question that differ most, unless only sums of passages were kept."""
    if tally.summed or not settings.classes:
        return None
    metric = marking.metrics[main]
    return differing_slices(
        marking.test, tally.ids, tally.groups, vectors[main], main, metric, settings
    )


def _table_counters(test: Test) -> dict[str, TableCounter]:
    """A counter for each extra table of the kind that applies to the test."""
    tables = test.kind.extra_tables() if isinstance(test.kind, CountsTables) else {}
    counters = {name: table.counter(test) for name, table in tables.items()}
    return {name: counter for name, counter in counters.items() if counter is not None}


def _coverage(tally: Tally, sitting: Sitting) -> MarksCoverage:
    coverage, not_sat = tally.coverage, tally.not_sat
    return MarksCoverage(
        units=tally.units,
        unanswered=coverage.unanswered,
        refused=coverage.refused,
        errors=coverage.errors,
        unknown=coverage.unknown,
        elsewhere=coverage.elsewhere,
        unkeyed=coverage.unkeyed,
        covers=coverage_words(sitting.header),
        not_sat=not_sat,
        missing={repeat: ids for repeat, ids in coverage.missing.items() if repeat not in not_sat},
    )


def _comparison_with_people(
    marking: Marking, tally: Tally, settings: MarkSettings, seen: SeenPassages | None
) -> ComparedWithPeople | None:
    """The candidate compared with people, when there are any on the units that were sat."""
    method = marking.method
    compared = None if method is None else compare_with_people(tally, method, settings)
    if compared is None or not compared.units:
        return None
    compared = replace(compared, who=marked_test(marking.test).who(method))
    if seen is not None and not settings.count_seen:
        return compared.without_ratios()
    return compared


def _interval_notes(
    marks: Mapping[str, Mark],
    by: By,
    compared: ComparedWithPeople | None,
    test: Test,
    settings: MarkSettings,
) -> list[str]:
    """What there is to know of a sitting's intervals; people may have answered fewer clusters."""
    noun = test.kind.record_noun
    lines = interval_notes(marks, by, noun, settings.interval)
    most = max(mark.clusters or 0 for mark in marks.values())
    if compared is not None and compared.clusters < most:
        few = few_words(compared.clusters, noun, settings.without_bca().interval)
        lines += [f"compared with people, {few}"] if few else []
    return lines


def _seen_notes(sitting: Sitting, seen: SeenPassages | None, settings: MarkSettings) -> list[str]:
    if seen is None:
        return []
    apart = "" if settings.count_seen else "; it is not compared with people and never leads"
    return [f"{sitting.file}: warning: {seen.words}{apart}"]


def error_classes(marking: Marking, tally: Tally) -> Errors | None:
    """The error classes, counted; None where wrong answers are not told apart."""
    classifier = marking.classifier
    if classifier is None:
        return None
    return count_errors(
        tally,
        classifier.signature(),
        sat=marking.sitting is not None,
        method=marking.method,
        names=classifier.names,
    )


def people_notes(marking: Marking, units: MarkedUnits) -> list[str]:
    """What a reader should know of people's figure: who has none, and what is not counted."""
    test, panel = marking.test, marking.panel
    names = [member.candidate for member in panel]
    undefined = undefined_people(units.tally, names) if panel else []
    return [
        *panel_notes(test, panel),
        *(f"{test.file}: {line}" for line in undefined),
        *units.empty.notes(test),
    ]
