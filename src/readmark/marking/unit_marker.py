"""Marking unit by unit: every metric's vector of the answers to a unit against its references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from readmark.core.binding import answers_elsewhere, part_sat, require_known_ids
from readmark.core.record_members import text_of
from readmark.core.records import Unit, annotator_names
from readmark.core.sitting import Row, Sitting
from readmark.core.spans import is_astray
from readmark.core.survey import KEYED
from readmark.core.test import Test
from readmark.hooks import Kind, Metric
from readmark.marking.checked_metric import CheckedMetric
from readmark.marking.columns import UnitClasses
from readmark.marking.covered_units import covered_units
from readmark.marking.kind_extras import ErrorClassifier, NamesEmptyAnswers
from readmark.marking.tally import Tally, require_marked
from readmark.marking.unit_marks import UnitMarks
from readmark.marking.unit_replies import PanelMember, UnitReplies
from readmark.marking.vectors import UnitVector, leave_one_out, mean

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
        sittings = panel if sitting is None else (*panel, sitting)
        for sat in sittings:
            require_known_ids(part_sat(test, [sat]), sat)
        return cls(
            test.kind,
            sitting,
            metrics,
            members=[PanelMember(test, member) for member in panel],
            leave_one_out=leave_one_out,
            classifier=classifier,
        )

    def mark(self, units: Iterable[Unit]) -> Iterator[UnitMarks]:
        """Each unit that has a key, marked; repeats are averaged.

        An error row is marked as if the unit had not been answered.
        """
        units = iter(units)
        while block := list(islice(units, BLOCK)):
            self.covered += len(block)
            keyed: list[UnitReplies] = []
            for unit in block:
                references = self._kind.references(unit)
                if references or KEYED in self._kind.unit_facts(unit):
                    keyed.append(
                        UnitReplies.of(unit, references, self._sitting, self._members, self._kind)
                    )
                else:
                    self.unkeyed += 1
            cases = [case for replies in keyed for case in replies.cases()]
            vectors = {
                name: metric.batch_statistics(cases) for name, metric in self._metrics.items()
            }
            start = 0
            for replies in keyed:
                end = start + len(replies.answers)
                yield self._marked(
                    replies, {name: column[start:end] for name, column in vectors.items()}
                )
                start = end

    def finish(self, tally: Tally, test: Test) -> None:
        """Add to a tally what is known at the end; a tally of nothing is refused."""
        coverage = tally.coverage
        coverage.unkeyed = self.unkeyed
        require_marked(tally, test, self.covered)
        sitting = self._sitting
        if sitting is not None and (unmarked := _unmarked_ids(tally, test, sitting)):
            unknown, coverage.elsewhere = answers_elsewhere(test, sitting, unmarked)
            coverage.unknown = tuple(unknown)

    def _marked(
        self, replies: UnitReplies, vectors: Mapping[str, Sequence[UnitVector]]
    ) -> UnitMarks:
        """A unit with the vectors of its answers; those of people are made here."""
        unit, references = replies.unit, replies.references
        marked = UnitMarks(
            unit,
            references,
            replies.rows,
            {name: self._metrics[name].mean_of(rows, unit.id) for name, rows in vectors.items()},
            missing=replies.missing,
            has_extra_repeats=replies.has_extra_repeats,
            is_astray=any(_is_astray(row, unit) for row in replies.rows),
        )
        if replies.repeats > 1:
            marked.repeated = {
                name: [mean([vector]) for vector in rows] for name, rows in vectors.items()
            }
        if replies.people:
            marked.panel = {
                name: replies.panel_vectors(metric) for name, metric in self._metrics.items()
            }
        if self._leave_one_out:
            if isinstance(self._kind, NamesEmptyAnswers):
                marked.empty_answers = self._kind.empty_answers(unit)
            if len(references) > 1:
                marked.annotators = annotator_names(references)
                marked.left_out = {
                    name: leave_one_out(unit, references, replies.answers, metric)
                    for name, metric in self._metrics.items()
                }
        if self._classifier is not None:
            marked.classes = self._classes(replies, self._classifier)
        return marked

    def _classes(self, replies: UnitReplies, classifier: ErrorClassifier) -> UnitClasses:
        """The error classes of the same answers, by the same rules for repeats and for people."""
        unit, references = replies.unit, replies.references
        answers = replies.answers_or_failures()
        machine = left_out = None
        if self._sitting is not None:
            machine = mean([classifier.statistics(unit, references, answer) for answer in answers])
        if self._leave_one_out and len(references) > 1:
            left_out = leave_one_out(unit, references, answers, classifier)
        panel = replies.panel_vectors(classifier) if replies.people else None
        return UnitClasses(machine, left_out, panel)


def tally_sitting(test: Test, sitting: Sitting, metrics: Mapping[str, Metric]) -> Tally:
    """Mark every unit that a sitting covers."""
    tally = Tally.empty(metrics, sitting.header.repeats)
    marker = UnitMarker.of_test(test, sitting, metrics)
    for marked in marker.mark(covered_units(test, sitting)):
        tally.add(marked)
    marker.finish(tally, test)
    return tally


def _is_astray(row: Row, unit: Unit) -> bool:
    if row.start is None and not isinstance(row.answer, (list, tuple)):  # most often
        return False
    return is_astray(row, text_of(unit.record), unit.group)


def _unmarked_ids(tally: Tally, test: Test, sitting: Sitting) -> list[str]:
    """The ids of a sitting's answers that are not to units of the test.

    A full look is taken only when some ids are unaccounted for.
    """
    coverage = tally.coverage
    if len(sitting.rows) == len(tally.ids) - len(coverage.unanswered):
        return []
    marked = set(tally.ids)
    unmarked = [id for id in sitting if id not in marked]
    if unmarked and (coverage.unkeyed or len(marked) < test.facts.units):
        units = {unit.id for unit in test.units()}
        unmarked = [id for id in unmarked if id not in units]
    return unmarked
