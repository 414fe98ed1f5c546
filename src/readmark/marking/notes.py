"""What a reader of marks and comparisons should know besides the numbers, one per line."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.binding import answers_elsewhere
from readmark.core.counts import counted
from readmark.core.error_rows import listed_errors
from readmark.core.labels import ABSENT
from readmark.core.numbers import SHOWN, listed_ids
from readmark.core.row_lines import holds_json
from readmark.core.seen import SeenPassages, seen_by
from readmark.core.sitting import Sitting, SittingHeader
from readmark.core.test import Test
from readmark.hooks import MetricReport
from readmark.marking.kind_extras import (
    CountsUnjudged,
    ExplainsUnkeyed,
    NotesAnswers,
    NotesMetrics,
    NotesTests,
)
from readmark.marking.metrics import report_of
from readmark.marking.tally import Tally
from readmark.marking.unit_marks import UnitMarks


def notes(test: Test, sitting: Sitting, tally: Tally, *, compared: bool = False) -> list[str]:
    """What a reader of the marks should know, or of a comparison of them."""
    coverage = tally.coverage
    lines = [*matching_notes(test, sitting, coverage.unknown, coverage.elsewhere), *sitting.notes]
    faulty = test.facts.faulty
    if faulty:
        lines.append(
            f"{test.file}: offsets of {listed_ids(faulty)} do not point at their answers; "
            "the answer's text was trusted"
        )
    if coverage.astray and sitting.header.without is None:
        lines.append(f"{sitting.file}: {astray_words(test, coverage.astray)}")
    lines += _unfinished(sitting, tally)
    if coverage.refused:
        lines.append(
            f"{sitting.file}: refusals, counted as unanswered: {listed_ids(coverage.refused)}"
        )
    if coverage.unknown:
        lines.append(f"{sitting.file}: {unknown_words(coverage.unknown)}")
    if isinstance(test.kind, NotesMetrics):
        metric_notes = test.kind.metric_notes(test, tally.metrics)
        lines += [f"{test.file}: {note}" for note in metric_notes]
    if isinstance(test.kind, NotesTests):
        lines += test.kind.notes(test)
    if isinstance(test.kind, NotesAnswers):
        answer_notes = test.kind.answer_notes(test, sitting, of_person=False)
        lines += [f"{sitting.file}: {note}" for note in answer_notes]
    if coverage.unkeyed:
        units = counted(coverage.unkeyed, "unit has no key and was", "units have no key and were")
        why = test.kind.unkeyed_words(test) if isinstance(test.kind, ExplainsUnkeyed) else ""
        lines.append(f"{test.file}: {units} left out{f': {why}' if why else ''}")
    lines += _metric_notes(test, sitting, tally, compared=compared)
    for name, labels in tally.fields.items():
        if all(label == (ABSENT,) for label in labels):
            lines.append(f"{test.file}: no unit has the field {name!r}")
    return lines


def _metric_notes(test: Test, sitting: Sitting, tally: Tally, *, compared: bool) -> Iterator[str]:
    """What each metric says of its mark, and that marks are provisional, once for all of them."""
    reports: dict[str, MetricReport] = {}
    for name, metric in tally.metrics.items():
        facts = metric.facts
        if compared and facts.from_people:
            yield f"{test.file}: {name}: {facts.from_people}"
        elif ids := tally.uncounted(name):
            yield f"{test.file}: {name} does not count {listed_ids(ids)}: {facts.uncounted}"
        reports[name] = report_of(metric, tally.vectors[name].matrix())
        for remark in reports[name].remarks:
            yield f"{sitting.file}: {name}: {remark}"
    yield from _provisional(test, sitting, reports)


def _provisional(
    test: Test, sitting: Sitting, reports: Mapping[str, MetricReport]
) -> Iterator[str]:
    unjudged = {name: report for name, report in reports.items() if report.unjudged}
    counts = {name: report.provisional for name, report in unjudged.items()}
    answers = max(counts.values(), default=0)
    if not answers:
        return
    if isinstance(test.kind, CountsUnjudged):
        answers = test.kind.unjudged_answers(counts)
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    meaning = " or ".join(dict.fromkeys(report.unjudged for report in unjudged.values()))
    yield (
        f"{sitting.file}: provisional: answers neither in the gold nor judged: "
        f"{answers} ({listed}); {meaning}"
    )


def _unfinished(sitting: Sitting, tally: Tally) -> Iterator[str]:
    """What of the repeats was not sat, and rows of repeats that were never asked for."""
    repeats, not_sat = sitting.header.repeats, tally.not_sat
    if not_sat:
        listed = ", ".join(str(repeat + 1) for repeat in not_sat)
        which = f"repeats {listed}" if len(not_sat) > 1 else f"repeat {listed}"
        were = "were" if len(not_sat) > 1 else "was"
        yield (
            f"{sitting.file}: the sitting is not finished: {which} of {repeats} {were} not sat, "
            "and every answer there counts as wrong; sit again to resume"
        )
    missing = tally.coverage.missing
    begun = [(repeat, ids) for repeat, ids in sorted(missing.items()) if repeat not in not_sat]
    if begun:
        first = [f"{id} in repeat {repeat + 1}" for repeat, ids in begun for id in ids[:SHOWN]]
        listed = listed_ids(first, sum(len(ids) for _, ids in begun))
        yield f"{sitting.file}: answers are missing and count as wrong: {listed}"
    if extra := tally.coverage.extra_repeats:
        what = "left out" if repeats > 1 else "averaged with the rest"
        yield (
            f"{sitting.file}: rows of repeats beyond the {repeats} of its header were {what}: "
            f"{listed_ids(extra)}"
        )


def matching_notes(
    test: Test, sitting: Sitting, unknown: Sequence[str], elsewhere: int
) -> Iterator[str]:
    """How many answers belong to the test, where under half do; those to other splits apart."""
    answers = len(sitting.rows)
    matching = answers - len(unknown)
    if 2 * matching < answers:
        yield (
            f"{sitting.file}: warning: only {matching} of {answers} answers are to "
            f"units of {test.file}; is it a sitting of another test?"
        )
    if elsewhere:
        yield f"{sitting.file}: answers to units of other splits were ignored: {elsewhere}"


def coverage_notes(sitting: Sitting, tally: Tally, compared_with: Container[str]) -> Iterator[str]:
    """What a sitting left out of what is compared, for those who see no list of it."""
    covers = coverage_words(sitting.header)
    if covers is not None:
        yield f"{sitting.file}: what was sat: {covers}"
    unanswered = [id for id in tally.coverage.unanswered if id in compared_with]
    if unanswered:
        yield f"{sitting.file}: unanswered, counted as wrong: {listed_ids(unanswered)}"


def coverage_words(header: SittingHeader) -> str | None:
    """What part of the test was sat, when it was not the whole."""
    parts = []
    if header.limit is not None:
        parts.append(f"the first {counted(header.limit, 'unit')}")
    elif header.covers is not None:
        parts.append(f"{counted(len(header.covers), 'chosen unit')}")
    if header.without is not None:
        parts.append(f"without the {header.without}")
    if header.cross is not None:
        questions, _, passages = header.cross.partition("-")
        parts.append(f"questions in {questions} on passages in {passages}")
    if header.rewrite is not None:
        parts.append(f"questions of series rewritten by {header.rewrite}")
    return ", ".join(parts) or None


def seen_part(test: Test, sitting: Sitting) -> SeenPassages | None:
    """How many of the passages that are marked the candidate learnt from; None where it did not.

    The sitting's header knows which they are in all of what was sat.
    """
    recorded = seen_by(sitting.header, sitting.file)
    if recorded is None:
        return None
    covers = None if sitting.header.covers is None else frozenset(sitting.header.covers)
    marked = [
        record.id
        for record in test.records()
        if covers is None or any(unit.id in covers for unit in test.kind.units(record))
    ]
    seen = frozenset(recorded.ids).intersection(marked)
    if not seen:
        return None
    return SeenPassages(
        passages=len(seen), of=len(marked), sources=recorded.sources, noun=recorded.noun
    )


def panel_notes(test: Test, panel: Sequence[Sitting]) -> list[str]:
    """What a reader should know of people's sittings: strange ids, and errors counted as wrong."""
    units = {unit.id for unit in test.units()} if panel else set()
    lines: list[str] = []
    if isinstance(test.kind, NotesAnswers):
        for sitting in panel:
            answer_notes = test.kind.answer_notes(test, sitting, of_person=True)
            lines += [f"{sitting.file}: {note}" for note in answer_notes]
    for sitting in panel:
        strange = [id for id in sitting if id not in units]
        unknown, elsewhere = answers_elsewhere(test, sitting, strange)
        lines += [*matching_notes(test, sitting, unknown, elsewhere), *sitting.notes]
        if unknown:
            lines.append(f"{sitting.file}: {unknown_words(unknown)}")
        covers = None if sitting.header.covers is None else frozenset(sitting.header.covers)
        failed = [
            id
            for id in sitting
            if (covers is None or id in covers)
            and any(row.error is not None for row in sitting.of(id))
        ]
        if failed:
            lines.append(f"{sitting.file}: {listed_errors(failed, counted=True)}")
    return list(dict.fromkeys(lines))  # a table of a class is the file of many sittings


@dataclass(slots=True)
class EmptyAnswers:
    """People's empty answers, which the key only names: leave-one-out does not count them."""

    count: int = 0
    ids: list[str] = field(default_factory=list)

    def add(self, marked: UnitMarks) -> None:
        """Look at a unit that was marked."""
        if marked.empty_answers:
            self.count += marked.empty_answers
            self.ids.append(marked.unit.id)

    def notes(self, test: Test) -> list[str]:
        """What a reader of people's figure should know."""
        if not self.count:
            return []
        were = counted(self.count, "empty answer of a person is", "empty answers of people are")
        return [
            f"{test.file}: {were} not counted, so people's figure is an upper bound: "
            f"{listed_ids(self.ids)}"
        ]


def astray_words(test: Test, ids: Sequence[str]) -> str:
    """The message on offsets that do not point at what they claim to."""
    if holds_json(test.kind):
        return f"excerpts of {listed_ids(ids)} do not occur in their documents; they give no credit"
    return (
        f"offsets of {listed_ids(ids)} do not point at their answers; the answer's text was trusted"
    )


def unknown_words(ids: Sequence[str]) -> str:
    """The message on answers to unknown units."""
    return f"answers to units that the test does not have: {listed_ids(ids)}"
