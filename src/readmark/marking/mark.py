"""Marking: a sitting against the key, sittings against each other, and people."""

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
from readmark.formats.registry import SittingInput, TestInput, as_people, as_sitting, as_test
from readmark.marking.bind import Marking, bind
from readmark.marking.calibration import calibration, score_gaps
from readmark.marking.conditions import read_conditions, unmet
from readmark.marking.error_counts import Errors, count_errors
from readmark.marking.kind_extras import CountsTables, ExtraTable, TableCounter
from readmark.marking.marks import (
    By,
    Mark,
    counted_units,
    few_words,
    interval_name,
    interval_notes,
    make_marks,
    slices,
)
from readmark.marking.marksheets import coverage_words, marked_test, open_sheet
from readmark.marking.metrics import report_of
from readmark.marking.notes import notes, panel_notes, seen_part, unknown_words
from readmark.marking.parts import MarkedUnits, mark_parts, row_files
from readmark.marking.people import (
    LEAVE_ONE_OUT,
    PANEL,
    ComparedWithPeople,
    PeopleMarks,
    compare_with_people,
    people_marks,
    people_or_references,
    undefined_people,
)
from readmark.marking.results import (
    Marks,
    MarksCoverage,
    MarksScores,
    MarksSlices,
    UnitVectors,
    across_repeats,
)
from readmark.marking.settings import MarkFields, MarkSettings, PeopleFields
from readmark.marking.tally import Tally, covered_units
from readmark.marking.trends import level_trends

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
    parts = None
    if marksheet is None and not settings.people:
        parts = row_files(sitting, whole, workers=settings.workers)
    sat = as_sitting(sitting, whole.kind) if parts is None else parts.sitting
    panel = as_people(settings.people, whole)
    marking = bind(whole, sat, panel, settings, classes=settings.classes, watch=watch_replies)
    test, metrics = marking.test, marking.metrics
    conditions = read_conditions(settings.fail_under, metrics)
    seen = seen_part(test, sat)
    tables = _table_counters(test)

    units = None
    if parts is not None:  # several processes do it, unless a table counts single units
        joined = None if tables else mark_parts(parts, marking, settings, watch=watch)
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
        if settings.strict and tally.unknown:
            raise DataError(unknown_words(tally.unknown), file=sat.file)

        vectors = {name: column.matrix() for name, column in tally.vectors.items()}
        reports = {name: report_of(metric, vectors[name]) for name, metric in metrics.items()}
        gaps = units.gaps or score_gaps(tally.scores, metrics, vectors)
        marks = make_marks(metrics, vectors, tally.groups, test.kind, settings)
        by = slices(tally, test.kind, settings, vectors)
        compared = _comparison_with_people(marking, tally, settings, seen)
        result = Marks(
            test=marked_test(test),
            candidate=sat.candidate,
            coverage=_coverage(tally, sat),
            scores=MarksScores(
                marks,
                metrics,
                main=test.kind.main_metric if test.kind.main_metric in marks else next(iter(marks)),
                counted=_counted(tally, vectors),
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
            ),
            people=compared,
            classes=_error_classes(marking, tally),
            tables=_counted_tables(units.tables),
            calibration=calibration(gaps, tally.groups, settings),
            spent=tally.spent,
            seen=seen,
            may_lead=seen is None or settings.count_seen,
            notes=[
                *_seen_notes(sat, seen, settings),
                *part_notes(whole, test, [sat]),
                *notes(test, sat, tally),
                *_people_notes(marking, units),
            ],
            unit_vectors=UnitVectors(tally.ids, {} if tally.summed else vectors),
        )
        if sheet is not None:
            sheet.close(result.as_json(units=False))
    return result


def people(
    test: TestInput,
    *sittings: SittingInput,
    settings: MarkSettings | None = None,
    marksheet: str | Path | None = None,
    **fields: Unpack[PeopleFields],
) -> PeopleMarks:
    """How well people do: a panel's sittings, or the key's answers left out one by one.

    ``settings`` are those of `mark`, and keyword arguments name its fields. ``redact`` leaves what
    people answered out of the marksheet.
    """
    settings = settings_of(MarkSettings, settings, fields)
    whole = as_test(test)
    method = PANEL if sittings else LEAVE_ONE_OUT
    panel = as_people(sittings, whole)
    if method == LEAVE_ONE_OUT and not whole.facts.several:
        raise DataError(
            "has no human score: no unit has answers by two people "
            "(give people's sittings instead)",
            file=whole.file,
        )
    marking = bind(whole, None, panel, settings, classes=True)
    marking = replace(marking, leave_one_out=method == LEAVE_ONE_OUT)
    test = marking.test

    with open_sheet(marksheet, marking, settings) as sheet:
        units = MarkedUnits(marking.empty_tally(each=True), marking.leave_one_out)
        marker = marking.marker()
        for marked in marker.mark(covered_units(test, None)):
            units.add(marked)
            if sheet is not None:
                sheet.add(marked)
        marker.finish(units.tally, test)
        for name, metric in marking.metrics.items():
            report_of(metric, units.tally.vectors[name].matrix())  # one without a mark says so
        result = replace(
            people_marks(units.tally, method, test.kind, settings),
            test=marked_test(test),
            classes=_error_classes(marking, units.tally),
            derived=marking.fields.rules,
            trends=level_trends(units.tally, settings, method=method, sat=False),
            notes=[
                *part_notes(whole, test, panel),
                *_people_notes(marking, units),
                *_not_of_people(marking),
            ],
        )
        if sheet is not None:
            sheet.close(result.as_json())
    return result


def _table_counters(test: Test) -> dict[str, TableCounter]:
    """A counter for each extra table of the kind that applies to the test."""
    of_kind = test.kind.extra_tables() if isinstance(test.kind, CountsTables) else {}
    made = {name: table.counter(test) for name, table in of_kind.items()}
    return {name: counter for name, counter in made.items() if counter is not None}


def _counted_tables(counters: Mapping[str, TableCounter]) -> dict[str, ExtraTable]:
    """The kind's tables, where something was counted."""
    counted = {name: counter.counted() for name, counter in counters.items()}
    return {name: table for name, table in counted.items() if table is not None}


def _coverage(tally: Tally, sitting: Sitting) -> MarksCoverage:
    not_sat = tally.not_sat
    return MarksCoverage(
        units=tally.units,
        unanswered=tally.unanswered,
        refused=tally.refused,
        errors=tally.errors,
        unknown=tally.unknown,
        elsewhere=tally.elsewhere,
        unkeyed=tally.unkeyed,
        covers=coverage_words(sitting),
        not_sat=not_sat,
        missing={at: ids for at, ids in tally.missing.items() if at not in not_sat},
    )


def _counted(tally: Tally, vectors: Mapping[str, Floats]) -> dict[str, int]:
    """How many units each metric counts that does not count them all."""
    if tally.summed:
        return {name: tally.units - len(ids) for name, ids in tally.summed_uncounted.items()}
    return counted_units(tally.metrics, vectors)


def _comparison_with_people(
    marking: Marking, tally: Tally, settings: MarkSettings, seen: SeenPassages | None
) -> ComparedWithPeople | None:
    """The candidate compared with people, when there are any on the units that were sat."""
    method = marking.method
    compared = None if method is None else compare_with_people(tally, method, settings)
    if compared is None or not compared.units:
        return None
    compared = replace(compared, who=people_or_references(marked_test(marking.test), method))
    if seen is not None and not settings.count_seen:
        return compared.without_ratios()
    return compared


def _error_classes(marking: Marking, tally: Tally) -> Errors | None:
    """The error classes, counted; None where wrong answers are not told apart."""
    classes = marking.classifier
    if classes is None:
        return None
    return count_errors(
        tally,
        classes.signature(),
        sat=marking.sitting is not None,
        method=marking.method,
        names=classes.names,
    )


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
    if compared is not None and compared.clusters < max(
        mark.clusters or 0 for mark in marks.values()
    ):
        few = few_words(compared.clusters, noun, interval_name(settings, bca=False))
        lines += [f"compared with people, {few}"] if few else []
    return lines


def _seen_notes(sitting: Sitting, seen: SeenPassages | None, settings: MarkSettings) -> list[str]:
    if seen is None:
        return []
    apart = "" if settings.count_seen else "; it is not compared with people and never leads"
    return [f"{sitting.file}: warning: {seen.words}{apart}"]


def _people_notes(marking: Marking, units: MarkedUnits) -> list[str]:
    """What a reader should know of people's figure: who has none, and what is not counted."""
    test, panel = marking.test, marking.panel
    names = [member.candidate for member in panel]
    undefined = undefined_people(units.tally, names) if panel else []
    return [
        *panel_notes(test, panel),
        *(f"{test.file}: {line}" for line in undefined),
        *units.empty.notes(test),
    ]


def _not_of_people(marking: Marking) -> list[str]:
    """The metrics that give a panel's members no mark, since they are measured from them."""
    return [
        f"{marking.test.file}: {name} is measured from these people and has no value of theirs"
        for name, metric in marking.metrics.items()
        if marking.panel and metric.facts.from_people
    ]
