"""Marking unit by unit: what was answered to a unit against its references, by every metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from readmark.core.binding import answers_elsewhere, part_sat, require_known_ids
from readmark.core.record_members import text_of
from readmark.core.records import Unit, annotator_names
from readmark.core.sitting import FAILED, Row, Sitting
from readmark.core.spans import is_astray
from readmark.core.survey import KEYED
from readmark.core.test import Test
from readmark.hooks import Case, Kind, Metric
from readmark.marking.checked_metric import CheckedMetric
from readmark.marking.columns import UnitClasses
from readmark.marking.kind_extras import ErrorClassifier, NamesEmptyAnswers
from readmark.marking.tally import Tally, require_marked
from readmark.marking.unit_marks import UnitMarks
from readmark.marking.vectors import UnitVector, leave_one_out, mean, unit_vector

BLOCK = 256
"""How many units are marked together: enough to share the cost of a call, few enough to hold."""


class UnitMarker:
    """Marks units against their references; it knows afterwards how many there were."""

    def __init__(
        self,
        kind: Kind,
        sitting: Sitting | None,
        metrics: Mapping[str, Metric],
        *,
        members: Sequence[PanelMember] = (),
        leave_one_out: bool = False,
        classifier: ErrorClassifier | None = None,
    ) -> None:
        self.covered = 0
        self.unkeyed = 0
        """Units with nothing to be marked against: left out and counted."""
        self._kind = kind
        self._sitting = sitting
        self._repeats = sitting.header.repeats if sitting is not None else 1
        self._metrics = {name: CheckedMetric(name, metric) for name, metric in metrics.items()}
        self._members = members
        self._leave_one_out = leave_one_out
        self._classifier = classifier

    @classmethod
    def of_test(
        cls,
        test: Test,
        sitting: Sitting | None,
        metrics: Mapping[str, Metric],
        *,
        panel: Sequence[Sitting] = (),
        leave_one_out: bool = False,
        classifier: ErrorClassifier | None = None,
    ) -> UnitMarker:
        """A marker of a whole test's units; sittings of which no id is the test's are refused.

        ``leave_one_out`` asks for vectors against the sets that lack one person each, where a unit
        has answers of several people; ``classifier`` for error classes too.
        """
        for sat in (*panel, *(() if sitting is None else (sitting,))):
            require_known_ids(part_sat(test, [sat]), sat)
        members = [PanelMember(test, member) for member in panel]
        return cls(
            test.kind,
            sitting,
            metrics,
            members=members,
            leave_one_out=leave_one_out,
            classifier=classifier,
        )

    def mark(self, units: Iterable[Unit]) -> Iterator[UnitMarks]:
        """Each unit that has a key, marked; repeats are averaged, an error is an unanswered one."""
        units = iter(units)
        while block := list(islice(units, BLOCK)):
            self.covered += len(block)
            replies = []
            for unit in block:
                references = self._kind.references(unit)
                if references or KEYED in self._kind.unit_facts(unit):
                    replies.append(self._reply(unit, references))
                else:
                    self.unkeyed += 1
            cases = [case for reply in replies for case in reply.cases()]
            vectors = {
                name: metric.batch_statistics(cases) for name, metric in self._metrics.items()
            }
            start = 0
            for reply in replies:
                end = start + len(reply.answers)
                yield self._marked(
                    reply, {name: column[start:end] for name, column in vectors.items()}
                )
                start = end

    def finish(self, tally: Tally, test: Test) -> None:
        """Add to a tally what is known at the end; a tally of nothing is refused."""
        tally.coverage.unkeyed = self.unkeyed
        require_marked(tally, test, self.covered)
        if self._sitting is not None:
            _find_unknown(tally, test, self._sitting)

    def _reply(self, unit: Unit, references: Sequence[Sequence[Any]]) -> _Reply:
        rows = self._sitting.of(unit.id) if self._sitting is not None else ()
        repeats = self._repeats
        is_plain = repeats == 1 and not self._members
        if is_plain and (not rows or (len(rows) == 1 and not rows[0].repeat)):  # most often
            answers = [self._kind.read_answer(row) if row.answered else None for row in rows]
            return _Reply(unit, references, rows, answers or [None])
        # A header without repeats may come from any tool: then the rows give their number.
        in_range = [row for row in rows if repeats <= 1 or 0 <= row.repeat < repeats]
        begun = {row.repeat for row in in_range}
        missing = [repeat for repeat in range(repeats) if repeat not in begun]
        return _Reply(
            unit,
            references,
            in_range,
            _answers(self._kind, in_range, repeats),
            [member.answers(self._kind, unit.id) for member in self._members],
            repeats,
            missing=missing if repeats > 1 else [],
            has_extra_repeats=any(not 0 <= row.repeat < repeats for row in rows),
        )

    def _marked(self, reply: _Reply, vectors: Mapping[str, Sequence[UnitVector]]) -> UnitMarks:
        """A unit with the vectors of its answers; those of people are made here."""
        unit, references, metrics = reply.unit, reply.references, self._metrics
        leaves_out = self._leave_one_out and len(references) > 1
        return UnitMarks(
            unit,
            references,
            reply.rows,
            {name: metrics[name].mean_of(rows, unit.id) for name, rows in vectors.items()},
            left_out={
                name: leave_one_out(unit, references, reply.answers, metric)
                for name, metric in metrics.items()
            }
            if leaves_out
            else None,
            panel={name: reply.panel_vectors(metric) for name, metric in metrics.items()}
            if reply.people
            else None,
            annotators=annotator_names(references) if leaves_out else (),
            repeated={name: [mean([vector]) for vector in rows] for name, rows in vectors.items()}
            if reply.repeats > 1
            else None,
            missing=reply.missing,
            has_extra_repeats=reply.has_extra_repeats,
            classes=self._classes(reply, self._classifier) if self._classifier else None,
            is_astray=any(_is_astray(row, unit) for row in reply.rows),
            empty_answers=self._empty_answers(unit) if self._leave_one_out else 0,
        )

    def _empty_answers(self, unit: Unit) -> int:
        kind = self._kind
        return kind.empty_answers(unit) if isinstance(kind, NamesEmptyAnswers) else 0

    def _classes(self, reply: _Reply, classifier: ErrorClassifier) -> UnitClasses:
        """The error classes of the same answers, by the same rules for repeats and for people."""
        unit, references = reply.unit, reply.references
        failed = {row.repeat for row in reply.rows if row.error is not None}
        answers = [
            FAILED if repeat in failed else answer
            for repeat, answer in zip(
                _repeats_of(reply.rows, reply.repeats), reply.answers, strict=True
            )
        ]
        machine = left_out = None
        if self._sitting is not None:
            machine = mean([classifier.statistics(unit, references, answer) for answer in answers])
        if self._leave_one_out and len(references) > 1:
            left_out = leave_one_out(unit, references, answers, classifier)
        panel = reply.panel_vectors(classifier) if reply.people else None
        return UnitClasses(machine, left_out, panel)


@dataclass(slots=True)
class _Reply:
    """What was answered to one unit, by the candidate and by the panel."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    rows: Sequence[Row]
    answers: Sequence[Any | None]
    """One per repeat."""
    people: Sequence[Sequence[Any | None] | None] = ()
    """Each panel member's, one per repeat; None where the member was not to sit the unit."""
    repeats: int = 1
    missing: Sequence[int] = ()
    has_extra_repeats: bool = False

    def cases(self) -> Iterable[Case]:
        """Each answer, with what the panel's members said first."""
        if not self.people:
            return (Case(self.unit, self.references, answer) for answer in self.answers)
        people = [
            answer
            for answers in self.people
            for answer in (answers or ())[:1]
            if answer is not None
        ]
        return (Case(self.unit, self.references, answer, people) for answer in self.answers)

    def panel_vectors(self, metric: CheckedMetric | ErrorClassifier) -> list[UnitVector | None]:
        """Each panel member's vector against the whole key."""
        return [
            None if answers is None else unit_vector(metric, self.unit, self.references, answers)
            for answers in self.people
        ]


class PanelMember:
    """A panel member: which units the member was to sit, and what was answered."""

    def __init__(self, test: Test, sitting: Sitting) -> None:
        self._sitting = sitting
        header = sitting.header
        is_part = header.covers is not None or header.limit is not None
        is_part = is_part or part_sat(test, [sitting]) is not test
        self._covers = (
            frozenset(unit.id for unit in covered_units(test, sitting)) if is_part else None
        )

    def answers(self, kind: Kind, id: str) -> Sequence[Any | None] | None:
        """One answer per repeat; None where the member was not to sit the unit."""
        if self._covers is not None and id not in self._covers:
            return None
        return _answers(kind, self._sitting.of(id), self._sitting.header.repeats)


def tally_sitting(test: Test, sitting: Sitting, metrics: Mapping[str, Metric]) -> Tally:
    """Mark every unit that a sitting covers."""
    tally = Tally.empty(metrics, sitting.header.repeats)
    marker = UnitMarker.of_test(test, sitting, metrics)
    for marked in marker.mark(covered_units(test, sitting)):
        tally.add(marked)
    marker.finish(tally, test)
    return tally


def covered_units(test: Test, sitting: Sitting | None) -> Iterator[Unit]:
    """The units that a sitting covers; all of them without a sitting."""
    if sitting is None:
        return test.units()
    units, header = part_sat(test, [sitting]).units(), sitting.header
    if header.covers is not None:
        covers = frozenset(header.covers)
        return (unit for unit in units if unit.id in covers)
    return islice(units, header.limit)  # a limit of None is none


def _answers(kind: Kind, rows: Sequence[Row], repeats: int) -> Sequence[Any | None]:
    """One answer per repeat; an error is none, nor is a reply without words or a missing row."""
    if repeats == 1 and len(rows) == 1:
        return [kind.read_answer(rows[0]) if rows[0].answered else None]
    answered = {row.repeat: row for row in rows if row.answered}
    return [
        kind.read_answer(answered[repeat]) if repeat in answered else None
        for repeat in _repeats_of(rows, repeats)
    ]


def _repeats_of(rows: Sequence[Row], repeats: int) -> Sequence[int]:
    """The repeats that a unit has answers of, or should have."""
    return range(repeats) if repeats > 1 else sorted(row.repeat for row in rows) or [0]


def _is_astray(row: Row, unit: Unit) -> bool:
    if row.start is None and not isinstance(row.answer, (list, tuple)):  # most often
        return False
    return is_astray(row, text_of(unit.record), unit.group)


def _find_unknown(tally: Tally, test: Test, sitting: Sitting) -> None:
    """Add to a tally the ids that no unit has, and how many answers are to other splits' units.

    A full look is taken only when some ids are unaccounted for.
    """
    coverage = tally.coverage
    if len(sitting.rows) == len(tally.ids) - len(coverage.unanswered):
        return
    marked = set(tally.ids)
    strangers = [id for id in sitting if id not in marked]
    if strangers and (coverage.unkeyed or len(marked) < test.facts.units):
        units = {unit.id for unit in test.units()}
        strangers = [id for id in strangers if id not in units]
    unknown, coverage.elsewhere = answers_elsewhere(test, sitting, strangers)
    coverage.unknown = tuple(unknown)
