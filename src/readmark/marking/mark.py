"""Marking: a sitting against the key, sittings against each other, and people."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from readmark.core.arrays import Floats
from readmark.core.binding import part_notes, part_sat
from readmark.core.errors import DataError, UsageError
from readmark.core.file_state import require_unchanged
from readmark.core.seen import SeenPassages
from readmark.core.settings import settings_of
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.core.traffic import one_purse
from readmark.formats.registry import SittingInput, TestInput, as_people, as_sitting, as_test
from readmark.hooks import hook
from readmark.marking.calibration import calibration, score_gaps
from readmark.marking.conditions import read_conditions
from readmark.marking.error_counts import Errors, count_errors
from readmark.marking.fields import UnitFields, known_fields
from readmark.marking.kind_extras import ErrorClassifier, TableCounter
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
from readmark.marking.marksheets import (
    coverage_words,
    marked_test,
    sheet_for,
)
from readmark.marking.metrics import build_metrics, need_only_sums, report_of
from readmark.marking.notes import (
    notes,
    panel_notes,
    seen_part,
    unknown_words,
)
from readmark.marking.parts import MarkedUnits, PartMarking, mark_parts, row_files, survey_parts
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
from readmark.marking.settings import JACKKNIFE, MarkFields, MarkSettings, PeopleFields
from readmark.marking.tally import Tally, UnitMarker, covered_units, empty_tally
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
    the score or ``f1.low=70`` on the low end of the interval; those that are not met are the
    result's ``unmet``. ``traffic`` bounds what a metric asks over a network. ``workers`` processes
    mark the parts of a test that is a folder of parts; the marks do not depend on their number.
    Without ``units`` the result has no values of single units, and of a test in parts only sums per
    passage are held where they are all that the marks need.
    """
    settings = settings_of(MarkSettings, settings, fields)
    whole = as_test(test)
    files = digests = None
    if marksheet is None and not settings.people:
        files = row_files(sitting, whole)
        digests = None if files is None else survey_parts(whole, workers=settings.workers)
    sat = as_sitting(sitting, whole.kind) if files is None else files.sitting
    panel = as_people(settings.people, whole)
    test = part_sat(whole, [sat])  # only the splits that were sat are marked
    by = known_fields(test, settings.by)
    metrics = build_metrics(
        settings.metrics or test.kind.metrics(test.header, test.facts),
        test,
        traffic=settings.traffic,
        watch=watch_replies,
    )
    conditions = read_conditions(settings.fail_under, metrics)
    alone = not panel and test.kind.people_from_key and test.facts.several > 0
    classes = _classifier(test) if settings.classes else None
    seen = seen_part(test, sat)
    unit_fields = UnitFields(test, by)
    tables = _table_counters(test)

    units: MarkedUnits | None = None
    if files is not None:
        # The jackknife's interval of a share is narrower the more units there are.
        summed = not (settings.units or by or alone or classes) and settings.interval != JACKKNIFE
        summed = summed and need_only_sums(metrics)
        marking = PartMarking(sat.header, metrics, by, alone, classes, summed)
        plain = test is whole and not tables and not unit_fields.rules
        joined = None
        if digests and plain and marking.can_be_sent():
            joined = mark_parts(
                whole, files, marking, digests, workers=settings.workers, watch=watch
            )
        if joined is None:
            sat = as_sitting(sitting, whole.kind)
        else:
            units, sat = joined
    with contextlib.ExitStack() as stack:
        sheet = None
        if marksheet is not None:
            sheet = stack.enter_context(
                sheet_for(
                    marksheet,
                    test,
                    sat,
                    metrics,
                    settings,
                    fields=unit_fields,
                    panel=panel,
                    classes=classes,
                    seen=seen,
                )
            )
        if units is None:
            tally = empty_tally(
                metrics, sat.header.repeats, by=by, panel=panel, alone=alone, classes=classes
            )
            tally.field_of = unit_fields.value
            units = MarkedUnits(tally, alone)
            marker = UnitMarker.of_test(
                test, sat, metrics, panel=panel, alone=alone, classes=classes
            )
            for count, marked in enumerate(marker.mark(covered_units(test, sat)), 1):
                units.add(marked)
                for table in tables.values():
                    table.add(marked.unit, marked.references, marked.rows)
                if sheet is not None:
                    sheet.add(marked)
                if watch is not None and count % EVERY == 0:
                    watch(count, test.facts.units)
            marker.finish(tally, test)
        tally = units.tally
        require_unchanged(test.facts.files)  # fingerprints and marks must be of the same units
        if settings.strict and tally.unknown:
            raise DataError(unknown_words(tally.unknown), file=sat.file)
        vectors = {name: column.matrix() for name, column in tally.vectors.items()}
        reports = {name: report_of(metric, vectors[name]) for name, metric in metrics.items()}
        method = (PANEL if panel else LEAVE_ONE_OUT) if panel or alone else None
        marks = make_marks(metrics, vectors, tally.groups, test.kind, settings)
        by_slice = slices(tally, test.kind, settings, vectors)
        named = marked_test(test)
        compared = None if method is None else _comparison_with_people(tally, method, settings)
        if compared is not None and method is not None:
            compared = replace(compared, who=people_or_references(named, method))
            if seen is not None and not settings.count_seen:
                compared = compared.without_ratios()
        main = test.kind.main_metric
        result = Marks(
            test=named,
            candidate=sat.candidate,
            coverage=MarksCoverage(
                units=tally.units,
                unanswered=tally.unanswered,
                refused=tally.refused,
                errors=tally.errors,
                unknown=tally.unknown,
                elsewhere=tally.elsewhere,
                unkeyed=tally.unkeyed,
                covers=coverage_words(sat),
                not_sat=tally.not_sat,
                missing={at: ids for at, ids in tally.missing.items() if at not in tally.not_sat},
            ),
            scores=MarksScores(
                marks,
                metrics,
                main=main if main in metrics else next(iter(metrics)),
                counted=_counted(tally, vectors),
                failed={name: report.failed for name, report in reports.items() if report.failed},
                repeats=across_repeats(tally),
                interval_notes=_interval_notes(marks, by_slice, compared, test, settings),
                unmet=[line for each in conditions if (line := each.failure(marks)) is not None],
            ),
            slices=MarksSlices(
                by_slice,
                trends=level_trends(tally, settings, method=None if compared is None else method),
                derived=unit_fields.rules,
                offered=list(units.slice_fields),
            ),
            people=compared,
            classes=_classes(tally, classes, sat=True, method=method),
            tables={
                name: counted
                for name, table in tables.items()
                if (counted := table.counted()) is not None
            },
            calibration=calibration(
                units.gaps or score_gaps(tally.scores, metrics, vectors), tally.groups, settings
            ),
            spent=tally.spent,
            seen=seen,
            may_lead=seen is None or settings.count_seen,
            notes=[
                *_seen_notes(sat, seen, settings),
                *part_notes(whole, test, [sat]),
                *notes(test, sat, tally),
                *panel_notes(test, panel),
                *_undefined(test, tally, panel),
                *units.empty.notes(test),
            ],
            unit_vectors=UnitVectors(tally.ids, {} if tally.summed else vectors),
        )
        if sheet is not None:
            sheet.close(result.as_json(units=False))
    return result


def _counted(tally: Tally, vectors: Mapping[str, Floats]) -> dict[str, int]:
    """How many units each metric counts that does not count them all."""
    if tally.summed:
        uncounted = {name: len(ids) for name, ids in tally.summed_uncounted.items()}
        return {name: tally.units - count for name, count in uncounted.items()}
    return counted_units(tally.metrics, vectors)


def _seen_notes(sitting: Sitting, seen: SeenPassages | None, settings: MarkSettings) -> list[str]:
    if seen is None:
        return []
    apart = "" if settings.count_seen else "; it is not compared with people and never leads"
    return [f"{sitting.file}: warning: {seen.words}{apart}"]


def people(
    test: TestInput,
    *sittings: SittingInput,
    settings: MarkSettings | None = None,
    method: str | None = None,
    marksheet: str | Path | None = None,
    **fields: Unpack[PeopleFields],
) -> PeopleMarks:
    """How well people do: a panel's sittings, or the key's answers left out one by one.

    ``settings`` are those of `mark`, and keyword arguments name its fields. ``redact`` leaves what
    people answered out of the marksheet.
    """
    settings = settings_of(MarkSettings, settings, fields)
    whole = as_test(test)
    method = method or (PANEL if sittings else LEAVE_ONE_OUT)
    panel = as_people(sittings, whole)
    test = part_sat(whole, panel)
    by = known_fields(test, settings.by)
    if method == PANEL and not panel:
        raise UsageError("the panel method takes people's sittings")
    if method == LEAVE_ONE_OUT and panel:
        raise UsageError("leave-one-out takes no sittings: people's answers are the key's")
    if method == LEAVE_ONE_OUT and not test.facts.several:
        raise DataError(
            "has no human score: no unit has answers by two people "
            "(give people's sittings instead)",
            file=test.file,
        )
    metrics = build_metrics(settings.metrics or test.kind.metrics(test.header, test.facts), test)
    alone = method == LEAVE_ONE_OUT
    classes = _classifier(test)
    unit_fields = UnitFields(test, by)
    tally = empty_tally(metrics, None, by=by, panel=panel, alone=alone, each=True, classes=classes)
    tally.field_of = unit_fields.value
    units = MarkedUnits(tally, alone)
    with contextlib.ExitStack() as stack:
        sheet = None
        if marksheet is not None:
            sheet = stack.enter_context(
                sheet_for(
                    marksheet,
                    test,
                    None,
                    metrics,
                    settings,
                    fields=unit_fields,
                    panel=panel,
                    classes=classes,
                )
            )
        marker = UnitMarker.of_test(test, None, metrics, panel=panel, alone=alone, classes=classes)
        for marked in marker.mark(covered_units(test, None)):
            units.add(marked)
            if sheet is not None:
                sheet.add(marked)
        marker.finish(tally, test)
        for name, metric in metrics.items():
            report_of(metric, tally.vectors[name].matrix())  # one without a mark says so
        result = people_marks(tally, method, test.kind, settings)
        result = replace(
            result,
            classes=_classes(tally, classes, sat=False, method=method),
            derived=unit_fields.rules,
            test=marked_test(test),
            trends=level_trends(tally, settings, method=method, sat=False),
        )
        if sheet is not None:
            sheet.close(result.as_json())
    lines = [
        *part_notes(whole, test, panel),
        *panel_notes(test, panel),
        *_undefined(test, tally, panel),
        *units.empty.notes(test),
    ]
    lines += [
        f"{test.file}: {name} is measured from these people and has no value of theirs"
        for name, metric in metrics.items()
        if panel and metric.facts.from_people
    ]
    return replace(result, notes=lines)


def _classifier(test: Test) -> ErrorClassifier | None:
    """What sorts wrong answers into classes; None for a test that has none."""
    of: Callable[[Test], ErrorClassifier | None] | None = hook(test.kind, "error_classes")
    return of(test) if of is not None else None


def _classes(
    tallied: Tally, classes: ErrorClassifier | None, *, sat: bool, method: str | None
) -> Errors | None:
    """The error classes, counted; None for a kind of test that has none."""
    if classes is None:
        return None
    return count_errors(tallied, classes.signature(), sat=sat, method=method, names=classes.names)


def _table_counters(test: Test) -> dict[str, TableCounter]:
    """A counter for each extra table of the kind that applies to the test."""
    made = {name: of.counter(test) for name, of in hook(test.kind, "extra_tables", {}).items()}
    return {name: counter for name, counter in made.items() if counter is not None}


def _undefined(test: Test, tallied: Tally, panel: Sequence[Sitting]) -> list[str]:
    """Of whom of the panel a metric is undefined."""
    if not panel:
        return []
    names = [member.candidate for member in panel]
    return [f"{test.file}: {member}" for member in undefined_people(tallied, names)]


def _comparison_with_people(
    tallied: Tally, method: str, settings: MarkSettings
) -> ComparedWithPeople | None:
    """The candidate compared with people, when there are any on the units that were sat."""
    compared = compare_with_people(tallied, method, settings)
    return compared if compared.units else None


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
