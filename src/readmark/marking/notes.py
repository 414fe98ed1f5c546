"""What a reader of marks and comparisons should know besides the numbers, one per line."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.binding import answers_elsewhere
from readmark.core.counts import counted
from readmark.core.labels import ABSENT
from readmark.core.numbers import SHOWN, listed_ids
from readmark.core.records import QuestionKey
from readmark.core.row_lines import holds_json
from readmark.core.seen import SeenPassages, seen_by
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.hooks import MetricReport
from readmark.marking.kind_extras import ExplainsUnkeyed, NotesAnswers, NotesTests
from readmark.marking.marksheets import coverage_words
from readmark.marking.metrics import report_of
from readmark.marking.tally import Tally, UnitMarks


def notes(test: Test, sitting: Sitting, tally: Tally, *, compared: bool = False) -> list[str]:
    """What a reader of the marks should know, or of a comparison of them."""
    lines = [*matching_notes(test, sitting, tally.unknown, tally.elsewhere), *sitting.notes]
    faulty = test.facts.faulty
    if faulty:
        lines.append(
            f"{test.file}: offsets of {listed_ids(faulty)} do not point at their answers; "
            "the answer's text was trusted"
        )
    if tally.astray and sitting.header.without is None:
        lines.append(f"{sitting.file}: {astray_words(test, tally.astray)}")
    lines += _unfinished(sitting, tally)
    if tally.refused:
        lines.append(
            f"{sitting.file}: refusals, counted as unanswered: {listed_ids(tally.refused)}"
        )
    if tally.unknown:
        lines.append(f"{sitting.file}: {unknown_words(tally.unknown)}")
    unanswerable = test.facts.count("unanswerable")
    if unanswerable and _profile_without_empty(tally):
        lines.append(
            f"{test.file}: {counted(unanswerable, 'unanswerable question')} cannot be "
            "right by profile cmrc2018, where an empty answer scores 0; profile=zh takes them"
        )
    if isinstance(test.kind, NotesTests):
        lines += test.kind.notes(test)
    if isinstance(test.kind, NotesAnswers):
        answer_notes = test.kind.answer_notes(test, sitting, of_person=False)
        lines += [f"{sitting.file}: {note}" for note in answer_notes]
    if tally.unkeyed:
        units = counted(tally.unkeyed, "unit has no key and was", "units have no key and were")
        why = test.kind.unkeyed_words(test) if isinstance(test.kind, ExplainsUnkeyed) else ""
        lines.append(f"{test.file}: {units} left out{f': {why}' if why else ''}")
    reports: dict[str, MetricReport] = {}
    for name, metric in tally.metrics.items():
        facts = metric.facts
        if compared and facts.from_people:
            lines.append(f"{test.file}: {name}: {facts.from_people}")
        elif ids := tally.uncounted(name):
            lines.append(f"{test.file}: {name} does not count {listed_ids(ids)}: {facts.uncounted}")
        reports[name] = report_of(metric, tally.vectors[name].matrix())
        lines += [f"{sitting.file}: {name}: {remark}" for remark in reports[name].remarks]
    lines += _provisional(sitting, reports)
    for name, labels in tally.fields.items():
        if all(label == (ABSENT,) for label in labels):
            lines.append(f"{test.file}: no unit has the field {name!r}")
    return lines


def seen_part(test: Test, sitting: Sitting) -> SeenPassages | None:
    """How many of the passages that are marked the candidate learnt from; None where it did not.

    The sitting's header knows which they are in all of what was sat.
    """
    recorded = seen_by(sitting.header, sitting.file)
    if recorded is None:
        return None
    ids = frozenset(recorded.ids)
    covers = None if sitting.header.covers is None else frozenset(sitting.header.covers)
    marked = [
        record.id
        for record in test.records()
        if covers is None or any(unit.id in covers for unit in test.kind.units(record))
    ]
    count = sum(id in ids for id in marked)
    if not count:
        return None
    return SeenPassages(
        passages=count, of=len(marked), sources=recorded.sources, noun=recorded.noun
    )


def matching_notes(
    test: Test, sitting: Sitting, unknown: Sequence[str], elsewhere: int
) -> Iterator[str]:
    """How many answers belong to the test, where under half do; those to other splits apart."""
    answers = len(sitting.rows)
    if 2 * (answers - len(unknown)) < answers:
        yield (
            f"{sitting.file}: warning: only {answers - len(unknown)} of {answers} answers are to "
            f"units of {test.file}; is it a sitting of another test?"
        )
    if elsewhere:
        yield f"{sitting.file}: answers to units of other splits were ignored: {elsewhere}"


def _provisional(sitting: Sitting, reports: Mapping[str, MetricReport]) -> list[str]:
    """That marks are provisional while answers are not judged, once for all metrics."""
    judged = {name: report for name, report in reports.items() if report.unjudged}
    counts = {name: report.provisional for name, report in judged.items()}
    most = max(counts.values(), default=0)
    if not most:
        return []
    apart = ", ".join(f"{name} {count}" for name, count in counts.items())
    whole = sum(counts[name] for name in ("facts", "inferences") if name in counts)
    how = " or ".join(dict.fromkeys(report.unjudged for report in judged.values()))
    return [
        f"{sitting.file}: provisional: answers neither in the gold nor judged: "
        f"{max(most, whole)} ({apart}); {how}"
    ]


def _unfinished(sitting: Sitting, tally: Tally) -> list[str]:
    """What of the repeats was not sat, and rows of repeats that were never asked for."""
    said = []
    repeats = sitting.header.repeats
    if tally.not_sat:
        numbers = [str(at + 1) for at in tally.not_sat]
        were = f"repeats {', '.join(numbers)} of {repeats} were"
        said.append(
            f"{sitting.file}: the sitting is not finished: "
            f"{were if len(numbers) > 1 else f'repeat {numbers[0]} of {repeats} was'} not sat, "
            "and every answer there counts as wrong; sit again to resume"
        )
    begun = [(at, ids) for at, ids in sorted(tally.missing.items()) if at not in tally.not_sat]
    if begun:
        first = [f"{id} in repeat {at + 1}" for at, ids in begun for id in ids[:SHOWN]]
        told = listed_ids(first, sum(len(ids) for _, ids in begun))
        said.append(f"{sitting.file}: answers are missing and count as wrong: {told}")
    if tally.beyond:
        what = "left out" if repeats > 1 else "averaged with the rest"
        said.append(
            f"{sitting.file}: rows of repeats beyond the {repeats} of its header were {what}: "
            f"{listed_ids(tally.beyond)}"
        )
    return said


def _profile_without_empty(tally: Tally) -> bool:
    return any(metric.signature().get("profile") == "cmrc2018" for metric in tally.metrics.values())


def gaps(sitting: Sitting, tally: Tally, compared_with: Container[str]) -> list[str]:
    """What a sitting left out of what is compared, for those who see no list of it."""
    said = []
    covers = coverage_words(sitting)
    if covers is not None:
        said.append(f"{sitting.file}: what was sat: {covers}")
    unanswered = [id for id in tally.unanswered if id in compared_with]
    if unanswered:
        said.append(f"{sitting.file}: unanswered, counted as wrong: {listed_ids(unanswered)}")
    return said


def panel_notes(test: Test, panel: Sequence[Sitting]) -> list[str]:
    """What a reader should know of people's sittings: strange ids, and errors counted as wrong."""
    known = {unit.id for unit in test.units()} if panel else set()
    said: list[str] = []
    if isinstance(test.kind, NotesAnswers):
        for sitting in panel:
            answer_notes = test.kind.answer_notes(test, sitting, of_person=True)
            said += [f"{sitting.file}: {note}" for note in answer_notes]
    for sitting in panel:
        strange = [id for id in sitting if id not in known]
        unknown, elsewhere = answers_elsewhere(test, sitting, strange)
        said += [*matching_notes(test, sitting, unknown, elsewhere), *sitting.notes]
        if unknown:
            said.append(f"{sitting.file}: {unknown_words(unknown)}")
        covers = None if sitting.header.covers is None else frozenset(sitting.header.covers)
        failed = [
            id
            for id in sitting
            if (covers is None or id in covers)
            and any(row.error is not None for row in sitting.of(id))
        ]
        if failed:
            said.append(f"{sitting.file}: error rows: {listed_ids(failed)}; they count as wrong")
    return list(dict.fromkeys(said))  # a table of a class is the file of many sittings


@dataclass(slots=True)
class EmptyAnswers:
    """People's empty answers, which the key only names: leave-one-out does not count them."""

    count: int = 0
    ids: list[str] = field(default_factory=list)

    def add(self, marked: UnitMarks) -> None:
        """Look at a unit that was marked."""
        from readmark.formats.returned_work import without_answer

        key = marked.unit.key
        if isinstance(key, QuestionKey) and key.fields and not key.unanswerable:
            people = len(without_answer(key))
            if people:
                self.count += people
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


def error_words(ids: Sequence[str], *, counted: bool = False) -> str:
    """What to do about error rows, unless they are counted as asked."""
    if counted:
        return f"error rows: {listed_ids(ids)}; they count as wrong"
    return (
        f"error rows: {listed_ids(ids)}; resume the sitting, or count them as wrong "
        "with `errors_as_wrong`"
    )


def unknown_words(ids: Sequence[str]) -> str:
    """The message on answers to unknown units."""
    return f"answers to units that the test does not have: {listed_ids(ids)}"
