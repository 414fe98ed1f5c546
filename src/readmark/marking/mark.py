"""Marking: a sitting against the key, sittings against each other, and people."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from readmark.core.binding import part_notes, part_sat
from readmark.core.errors import DataError, UsageError
from readmark.core.file_state import require_unchanged
from readmark.core.seen import SeenPassages
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.core.traffic import Traffic
from readmark.formats.registry import SittingInput, TestInput, as_people, as_sitting, as_test
from readmark.hooks import ErrorClassifier, TableCounter, hook
from readmark.marking.calibration import ScoreGaps, calibration, score_gaps
from readmark.marking.conditions import read_conditions
from readmark.marking.error_counts import Errors, count_errors
from readmark.marking.fields import UnitFields, known_fields
from readmark.marking.marks import (
    JACKKNIFE,
    By,
    Mark,
    Settings,
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
from readmark.marking.metrics import build_metrics, need_only_sums, require_marks, watch_metrics
from readmark.marking.notes import (
    EmptyAnswers,
    notes,
    panel_notes,
    seen_part,
    unknown_words,
)
from readmark.marking.parts import PartMarking, mark_parts, row_files, survey_parts
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
from readmark.marking.results import Marks, across_repeats
from readmark.marking.tally import Tally, UnitMarks, tally
from readmark.marking.trends import level_trends

# Looks at the progress of marking, now and then.


EVERY = 500
"""How many units are marked between two looks at the progress."""


def watched(
    on_unit: Callable[[UnitMarks], None] | None, watch: Callable[[int, int], None], total: int
) -> Callable[[UnitMarks], None]:
    """Tell how many units of how many are marked, now and then."""
    done = 0

    def each(marked: UnitMarks) -> None:
        nonlocal done
        done += 1
        if on_unit is not None:
            on_unit(marked)
        if done % EVERY == 0:
            watch(done, total)

    return each


SLICE_FIELDS = ("level", "type", "genre")
"""Fields that a reader of marks would break them down by, the most telling first."""


def _noting_fields(
    fields: list[str], on_unit: Callable[[UnitMarks], None] | None
) -> Callable[[UnitMarks], None]:
    """Note which of the usual fields the first unit has, and then go on as before."""
    looked = False

    def each(marked: UnitMarks) -> None:
        nonlocal looked
        if not looked:
            looked = True
            fields.extend(name for name in SLICE_FIELDS if marked.unit.field(name) is not None)
        if on_unit is not None:
            on_unit(marked)

    return each


def mark(
    test: TestInput,
    sitting: SittingInput,
    *,
    metrics: Sequence[str] | str = (),
    by: Sequence[str] | str = (),
    people: Sequence[SittingInput] = (),
    settings: Settings | None = None,
    strict: bool = False,
    marksheet: str | Path | None = None,
    redact: bool = False,
    classes: bool = True,
    fail_under: Sequence[str] | str = (),
    traffic: Traffic | None = None,
    workers: int = 1,
    units: bool = True,
    watch: Callable[[int, int], None] | None = None,
    watch_replies: Callable[[str, int, int], None] | None = None,
) -> Marks:
    """Mark a sitting against the key, and compare it with people where there are any.

    Unanswered units and error rows get the metric's worst value and are listed apart. Answers
    to units that the test does not have are counted, and an error when ``strict``. Without
    ``classes`` wrong answers are not told apart, which takes as long as marking itself.
    ``fail_under`` are conditions such as ``f1=70`` on the score or ``f1.low=70`` on the low end of
    the interval; those that are not met are the result's ``unmet``. ``traffic`` bounds what a
    metric asks over a network. ``workers`` processes mark the parts of a test that is a folder of
    parts; the marks do not depend on their number. Without ``units`` the result has no values of
    single units, and of a test in parts only sums per passage are held where they are all that the
    marks need. ``watch`` is called with how many units are
    marked, ``watch_replies`` with how many replies of which sort such a metric has received.
    """
    settings = settings or Settings()
    by = _listed(by)
    metrics = _listed(metrics)
    whole = as_test(test)
    require_workers(workers)
    given = sitting
    files = None if marksheet is not None or people else row_files(given, whole)
    digests = None if files is None else survey_parts(whole, workers=workers)
    sitting = as_sitting(given, whole.kind) if files is None else files.sitting
    panel = as_people(people, whole)
    test = part_sat(whole, [sitting])
    by = known_fields(test, by)
    built = build_metrics(metrics or test.kind.metrics(test.header, test.facts), test)
    conditions = read_conditions(fail_under, built)
    for metric in built.values():
        if traffic is not None and (take_traffic := hook(metric, "take_traffic")) is not None:
            take_traffic(traffic)
    watch_metrics(built, watch_replies)
    alone = not panel and test.kind.people_from_key and test.facts.several > 0
    sorter = _classifier(test) if classes else None
    seen = seen_part(test, sitting)
    fields = UnitFields(test, by)
    empty, counters = EmptyAnswers(), _table_counters(test)
    sliceable: list[str] = []
    main = test.kind.main_metric
    found: Tally | None = None
    gaps: ScoreGaps | None = None
    if files is not None:
        # The jackknife's interval of a share is narrower the more units there are.
        summed = not (units or by or alone or sorter) and settings.interval != JACKKNIFE
        summed = summed and need_only_sums(built)
        marking = PartMarking(sitting.header, built, by, alone, sorter, SLICE_FIELDS, summed)
        merged = None
        plain = test is whole and not counters and not fields.rules
        if digests and plain and marking.can_be_sent():
            merged = mark_parts(whole, files, marking, digests, workers=workers, watch=watch)
        if merged is None:
            sitting = as_sitting(given, whole.kind)
        else:
            joined, sitting = merged
            found, empty, sliceable = joined.tally, joined.empty, list(joined.slice_fields)
            gaps = joined.gaps
    with contextlib.ExitStack() as stack:
        on_unit: Callable[[UnitMarks], None] | None = None
        sheet = None
        if marksheet is not None:
            sheet = stack.enter_context(
                sheet_for(
                    marksheet,
                    test,
                    sitting,
                    built,
                    settings,
                    panel,
                    redact,
                    by,
                    fields,
                    sorter,
                    seen,
                )
            )
            on_unit = sheet.add
        on_unit = _noting_fields(sliceable, on_unit)
        if alone:
            on_unit = empty.before(on_unit)
        if counters:
            on_unit = _counting(counters.values(), on_unit)
        if watch is not None:
            on_unit = watched(on_unit, watch, test.facts.units)
        found = found or tally(
            test,
            sitting,
            built,
            by=by,
            fields=fields,
            panel=panel,
            alone=alone,
            classes=sorter,
            on_unit=on_unit,
        )
        require_unchanged(test.facts.files)  # fingerprints and marks must be of the same units
        if strict and found.unknown:
            raise DataError(unknown_words(found.unknown), file=sitting.file)
        require_marks(built)
        vectors = {name: column.matrix() for name, column in found.vectors.items()}
        method = PANEL if panel else LEAVE_ONE_OUT
        marks = make_marks(built, vectors, found.groups, test.kind, settings)
        by_slice = slices(found, test.kind, settings, vectors)
        named = marked_test(test)
        beside = _comparison_with_people(found, method, settings) if panel or alone else None
        if beside is not None:
            beside = replace(beside, who=people_or_references(named, method))
            if seen is not None and not settings.count_seen:
                beside = beside.without_ratios()
        result = Marks(
            test=named,
            candidate=sitting.candidate,
            units=found.units,
            unanswered=found.unanswered,
            errors=found.errors,
            unknown=found.unknown,
            elsewhere=found.elsewhere,
            unkeyed=found.unkeyed,
            covers=coverage_words(sitting),
            marks=marks,
            by=by_slice,
            people=beside,
            repeats=across_repeats(found),
            not_sat=found.not_sat,
            missing={at: ids for at, ids in found.missing.items() if at not in found.not_sat},
            ids=found.ids,
            vectors={} if found.summed else vectors,
            metrics=built,
            classes=_classes(found, sorter, sat=True, method=method if panel or alone else None),
            notes=[
                *_seen_notes(sitting, seen, settings),
                *part_notes(whole, test, [sitting]),
                *notes(test, sitting, found),
                *panel_notes(test, panel),
                *_undefined(test, found, panel),
                *empty.notes(test),
            ],
            derived=fields.rules,
            unmet=[
                line for condition in conditions if (line := condition.failure(marks)) is not None
            ],
            spent=found.spent,
            tables={
                name: table
                for name, counter in counters.items()
                if (table := counter.counted()) is not None
            },
            failed={
                name: many
                for name, metric in built.items()
                if (many := hook(metric, "failed", lambda _: 0)(vectors[name]))
            },
            interval_notes=_interval_notes(marks, by_slice, beside, test, settings),
            calibration=calibration(
                gaps or score_gaps(found.scores, built, vectors), found.groups, settings
            ),
            main_metric=main if main in built else next(iter(built)),
            slice_fields=sliceable,
            uncounted={name: len(ids) for name, ids in found.summed_uncounted.items()},
            refused=found.refused,
            trends=level_trends(found, settings, method=None if beside is None else method),
            seen=seen,
            count_seen=settings.count_seen,
        )
        if sheet is not None:
            sheet.close(result.as_json(units=False))
    return result


def _seen_notes(sitting: Sitting, seen: SeenPassages | None, settings: Settings) -> list[str]:
    if seen is None:
        return []
    apart = "" if settings.count_seen else "; it is not compared with people and never leads"
    return [f"{sitting.file}: warning: {seen.words}{apart}"]


def people(
    test: TestInput,
    *sittings: SittingInput,
    metrics: Sequence[str] | str = (),
    by: Sequence[str] | str = (),
    method: str | None = None,
    settings: Settings | None = None,
    marksheet: str | Path | None = None,
    redact: bool = False,
) -> PeopleMarks:
    """How well people do: a panel's sittings, or the key's answers left out one by one.

    ``redact`` leaves what people answered out of the marksheet.
    """
    settings = settings or Settings()
    by = _listed(by)
    metrics = _listed(metrics)
    whole = as_test(test)
    method = method or (PANEL if sittings else LEAVE_ONE_OUT)
    panel = as_people(sittings, whole)
    test = part_sat(whole, panel)
    by = known_fields(test, by)
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
    built = build_metrics(metrics or test.kind.metrics(test.header, test.facts), test)
    alone = method == LEAVE_ONE_OUT
    classes = _classifier(test)
    fields = UnitFields(test, by)
    empty = EmptyAnswers()
    with contextlib.ExitStack() as stack:
        on_unit: Callable[[UnitMarks], None] | None = None
        sheet = None
        if marksheet is not None:
            sheet = stack.enter_context(
                sheet_for(
                    marksheet, test, None, built, settings, panel, redact, by, fields, classes
                )
            )
            on_unit = sheet.add
        found = tally(
            test,
            None,
            built,
            by=by,
            fields=fields,
            panel=panel,
            alone=alone,
            each=True,
            classes=classes,
            on_unit=empty.before(on_unit) if alone else on_unit,
        )
        require_marks(built)
        result = people_marks(found, method, test.kind, settings)
        counted = _classes(found, classes, sat=False, method=method)
        result = replace(
            result,
            classes=counted,
            derived=fields.rules,
            test=marked_test(test),
            trends=level_trends(found, settings, method=method, sat=False),
        )
        if sheet is not None:
            sheet.close(result.as_json())
    told = [
        *part_notes(whole, test, panel),
        *panel_notes(test, panel),
        *_undefined(test, found, panel),
        *empty.notes(test),
    ]
    told += [
        f"{test.file}: {name} {unmarked}"
        for name, metric in built.items()
        if panel and (unmarked := hook(metric, "unmarked")) is not None
    ]
    return replace(result, notes=told)


MOST_WORKERS = 1_024


def require_workers(workers: int) -> None:
    """Refuse a number of processes that makes no sense."""
    if not 1 <= workers <= MOST_WORKERS:
        raise UsageError(f"`workers` {workers} is not from 1 to {MOST_WORKERS:,}")


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


def _counting(
    counters: Iterable[TableCounter], on_unit: Callable[[UnitMarks], None] | None
) -> Callable[[UnitMarks], None]:
    def each(marked: UnitMarks) -> None:
        for counter in counters:
            counter.add(marked.unit, marked.references, marked.rows)
        if on_unit is not None:
            on_unit(marked)

    return each


def _undefined(test: Test, tallied: Tally, panel: Sequence[Sitting]) -> list[str]:
    """Of whom of the panel a metric is undefined."""
    if not panel:
        return []
    names = [member.candidate for member in panel]
    return [f"{test.file}: {member}" for member in undefined_people(tallied, names)]


def _comparison_with_people(
    tallied: Tally, method: str, settings: Settings
) -> ComparedWithPeople | None:
    """The candidate compared with people, when there are any on the units that were sat."""
    compared = compare_with_people(tallied, method, settings)
    return compared if compared.units else None


def _interval_notes(
    marks: Mapping[str, Mark],
    by: By,
    compared: ComparedWithPeople | None,
    test: Test,
    settings: Settings,
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


def _listed(names: Sequence[str] | str) -> Sequence[str]:
    """Names as a list; one name alone is a list of it, never of its letters."""
    return [names] if isinstance(names, str) else names
