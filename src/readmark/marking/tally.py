"""Marking unit by unit: every metric's vector for every unit, in the order of the test.

Nothing here is a mark yet. A tally holds numbers and ids alone, so a million units fit.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.core.binding import answers_elsewhere, part_sat, require_known_ids
from readmark.core.errors import DataError
from readmark.core.labels import ABSENT
from readmark.core.records import Unit, annotator_names, distinct_names
from readmark.core.sitting import FAILED, REFUSED, Row, Sitting
from readmark.core.spans import is_astray
from readmark.core.spent import Spent
from readmark.core.survey import KEYED
from readmark.core.test import Test
from readmark.hooks import Case, Kind, Metric
from readmark.marking.kind_extras import ErrorClassifier
from readmark.marking.metrics import (
    CheckedMetric,
    LeftOutVectors,
    averaged,
    in_blocks,
    leave_one_out,
    mean,
)
from readmark.statistics.resampling import cluster_sums

# Vectors of all units in columns of numbers, so that a million units fit.


UnitVector = Sequence[float]


@dataclass(slots=True)
class VectorColumn:
    """One candidate's vectors on all units; a unit that does not count has zeros."""

    width: int
    cells: array[float] = field(default_factory=lambda: array("d"))

    def add(self, vector: UnitVector | None) -> None:
        """The next unit's vector, or none."""
        self.cells.extend(vector if vector is not None else (0.0,) * self.width)

    def matrix(self) -> Floats:
        """Units by width."""
        return np.frombuffer(self.cells, dtype=np.float64).reshape(-1, self.width)

    def sum_rows(self, codes: NDArray[np.int64], clusters: int) -> None:
        """Keep a sum for each cluster in the place of the units' vectors."""
        self.cells = array("d", cluster_sums(self.matrix(), codes, clusters).tobytes())


@dataclass(slots=True)
class Classed:
    """The error classes of one unit's answers, as vectors: the candidate's and people's."""

    own: UnitVector | None
    """The candidate's against the whole key; None where nobody sat."""
    alone: Sequence[Any] | None = None
    """The candidate's and people's against the leave-one-out reference sets."""
    panel: Sequence[UnitVector | None] | None = None
    """Each panel member's; None where the member was not to sit the unit."""


@dataclass(slots=True)
class ClassColumns:
    """The error classes of all units."""

    own: VectorColumn
    alone: tuple[VectorColumn, ...]
    """The candidate's and people's, where leave-one-out was asked for."""
    panel: list[VectorColumn]

    @classmethod
    def empty(cls, width: int, *, alone: bool, members: int) -> ClassColumns:
        """With columns for leave-one-out, and for a panel of so many members."""
        pair = (VectorColumn(width), VectorColumn(width)) if alone else ()
        return cls(VectorColumn(width), pair, [VectorColumn(width) for _ in range(members)])

    def add(self, classed: Classed | None) -> None:
        """Take one unit in."""
        one = classed or Classed(None)
        self.own.add(one.own)
        for index, column in enumerate(self.alone):
            column.add(one.alone[index] if one.alone is not None else None)
        for index, column in enumerate(self.panel):
            column.add(one.panel[index] if one.panel is not None else None)


@dataclass(slots=True)
class UnitMarks:
    """One unit as it was marked: what a marksheet's row is made of."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    rows: Sequence[Row]
    vectors: Mapping[str, Sequence[float]]
    alone: Mapping[str, LeftOutVectors] | None
    """The candidate's and people's vectors against the leave-one-out reference sets."""
    panel: Mapping[str, Sequence[Sequence[float] | None]] | None
    """Each panel member's vector; None where the member was not to sit the unit."""
    annotators: Sequence[str] = ()
    """Whose references the unit has, where leave-one-out was asked for."""
    repeated: Mapping[str, Sequence[Sequence[float]]] | None = None
    """Each repeat's vector, when the unit was asked several times."""
    missing: Sequence[int] = ()
    """The repeats without a row, when the unit was to be asked several times."""
    beyond: bool = False
    """Whether there are rows of repeats that the sitting's header does not declare."""
    classed: Classed | None = None
    astray: bool = False
    """Whether an answer's offsets do not point at its text."""


@dataclass(slots=True)
class PersonColumns:
    """One person's vectors: those of the units that the person answered, and which they are."""

    units: array[int]
    vectors: dict[str, VectorColumn]

    @classmethod
    def empty(cls, metrics: Mapping[str, Metric]) -> PersonColumns:
        """A column for each metric."""
        widths = {name: VectorColumn(metric.facts.width) for name, metric in metrics.items()}
        return cls(array("q"), widths)

    def add(self, unit: int, vectors: Mapping[str, UnitVector]) -> None:
        """The vectors of a unit, by its place in the test."""
        self.units.append(unit)
        for name, column in self.vectors.items():
            column.add(vectors[name])


@dataclass
class Tally:
    """What marking a sitting found, before any statistics."""

    metrics: Mapping[str, Metric]
    ids: list[str] = field(default_factory=list)
    spent: Spent = field(default_factory=Spent)
    unanswered: list[str] = field(default_factory=list)
    """Units that lack an answer, be it in one repeat of several."""
    refused: list[str] = field(default_factory=list)
    """Units of which a reply declined to answer; they are among the unanswered."""
    errors: list[str] = field(default_factory=list)
    summed: int = 0
    """Units of which only the sums per cluster are kept, and not the ids."""
    summed_uncounted: dict[str, list[str]] = field(default_factory=dict)
    """Ids of those among them that a metric does not count, by metric."""
    unkeyed: int = 0
    """Units with nothing to be marked against: left out and counted."""
    unknown: tuple[str, ...] = ()
    """Ids answered that the test does not have."""
    elsewhere: int = 0
    """How many answers are to units of other splits than those marked."""
    astray: list[str] = field(default_factory=list)
    """Ids whose answer's offsets do not point at its text in the passage."""
    missing: dict[int, list[str]] = field(default_factory=dict)
    """The ids that each repeat of several has no row of."""
    beyond: list[str] = field(default_factory=list)
    """Ids with rows of repeats that the sitting's header does not declare."""
    vectors: dict[str, VectorColumn] = field(default_factory=dict)
    alone: dict[str, tuple[VectorColumn, VectorColumn]] = field(default_factory=dict)
    alone_units: array[int] = field(default_factory=lambda: array("b"))
    panel: dict[str, list[VectorColumn]] = field(default_factory=dict)
    repeats: dict[str, list[VectorColumn]] = field(default_factory=dict)
    """A column a repeat, when every unit was asked several times."""
    panel_units: array[int] = field(default_factory=lambda: array("b"))
    each: dict[str, PersonColumns] | None = None
    """The columns of every person by name, where they were asked for."""
    members: Sequence[str] = ()
    """The names of the panel's members."""
    classes: ClassColumns | None = None
    """The error classes, where they were asked for."""
    fields: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    field_of: Callable[[Unit, str], Any] = Unit.field
    """How a unit's value of a field is looked up."""
    _scores: array[float] = field(default_factory=lambda: array("d"))
    _groups: array[int] = field(default_factory=lambda: array("q"))
    _group_codes: dict[str, int] = field(default_factory=dict)
    _costs: array[float] = field(default_factory=lambda: array("d"))
    """What each row cost that counts it: sums of such numbers depend on their order."""

    @property
    def units(self) -> int:
        """How many units were marked."""
        return len(self.ids) + self.summed

    @property
    def not_sat(self) -> list[int]:
        """The repeats that were never begun: no unit has a row of them."""
        return [at for at, ids in sorted(self.missing.items()) if len(ids) == self.units]

    @property
    def scores(self) -> Floats:
        """The mean score of each unit's answers, NaN where there is none."""
        return np.frombuffer(self._scores, dtype=np.float64) if self._scores else np.zeros(0)

    @functools.cached_property
    def groups(self) -> NDArray[np.int64]:
        """Each unit's cluster as a number, by the order of the clusters' ids.

        Draws belong to numbers, so a test in another order gets the same intervals.
        """
        codes = self._group_codes
        ranks = np.empty(len(codes), dtype=np.int64)
        ranks[[codes[group] for group in sorted(codes)]] = np.arange(len(codes))
        return np.asarray(ranks[np.frombuffer(self._groups, dtype=np.int64)])

    def add(self, marked: UnitMarks) -> None:
        """Take one unit in."""
        self.ids.append(marked.unit.id)
        codes = self._group_codes
        self._groups.append(codes.setdefault(marked.unit.group, len(codes)))
        score = mean_score(marked.rows)
        self._scores.append(np.nan if score is None else score)
        failed = refused = False
        answered = bool(marked.rows) and not marked.missing
        for row in marked.rows:
            if row.usage is not None:
                self.spent = self.spent.with_row(row)
                self._costs.append(0.0 if row.usage.get("cached") else row.usage.get("cost") or 0.0)
            reason = row.no_answer_reason
            if row.error is not None:
                failed = True
            elif reason is not None:
                answered = False
                refused = refused or reason == REFUSED
        if failed:
            self.errors.append(marked.unit.id)
        elif not answered:
            self.unanswered.append(marked.unit.id)
        if refused:
            self.refused.append(marked.unit.id)
        for at in marked.missing:
            self.missing.setdefault(at, []).append(marked.unit.id)
        if marked.beyond:
            self.beyond.append(marked.unit.id)
        if marked.astray:
            self.astray.append(marked.unit.id)
        for name, vector in marked.vectors.items():
            self.vectors[name].add(vector)
        self.alone_units.append(marked.alone is not None)
        for name, (machine, people) in self.alone.items():
            pair = marked.alone[name] if marked.alone is not None else (None, None)
            machine.add(pair[0])
            people.add(pair[1])
        for name, columns in self.repeats.items():
            for index, column in enumerate(columns):
                column.add(marked.repeated[name][index] if marked.repeated is not None else None)
        sat = False
        for name, members in self.panel.items():
            for index, member in enumerate(members):
                cells = marked.panel[name][index] if marked.panel is not None else None
                sat = sat or cells is not None
                member.add(cells)
        self.panel_units.append(sat)
        if self.each is not None:
            self._add_each(self.each, marked)
        if self.classes is not None:
            self.classes.add(marked.classed)
        for name, labels in self.fields.items():
            labels.append(labels_of(self.field_of(marked.unit, name)))

    def extend(self, other: Tally) -> None:
        """Take in the units that follow, of another part of the test: as if added one by one."""
        codes = self._group_codes
        theirs = [codes.setdefault(group, len(codes)) for group in other._group_codes]
        recoded = np.array(theirs, dtype=np.int64)[np.frombuffer(other._groups, dtype=np.int64)]
        self._groups.frombytes(recoded.tobytes())
        self._scores.extend(other._scores)
        self.spent = self.spent.plus(other.spent, other._costs)
        self.unkeyed += other.unkeyed
        self.summed += other.summed
        for name, ids in other.summed_uncounted.items():
            self.summed_uncounted.setdefault(name, []).extend(ids)
        for name in ("ids", "unanswered", "refused", "errors", "astray", "beyond"):
            getattr(self, name).extend(getattr(other, name))
        for at, ids in other.missing.items():
            self.missing.setdefault(at, []).extend(ids)
        self.alone_units.extend(other.alone_units)
        self.panel_units.extend(other.panel_units)
        for mine, more in zip(self._columns(), other._columns(), strict=True):
            mine.cells.extend(more.cells)
        for name, labels in self.fields.items():
            labels.extend(other.fields[name])

    def uncounted(self, name: str) -> list[str]:
        """Ids of the units that a metric does not count, where it says that some do not."""
        metric = self.metrics[name]
        if self.summed or not metric.facts.uncounted:
            return self.summed_uncounted.get(name, [])
        values = metric.aggregate(self.vectors[name].matrix())
        return [id for id, none in zip(self.ids, np.isnan(values), strict=True) if none]

    def sum_clusters(self) -> tuple[NDArray[np.int64], int]:
        """Keep sums per cluster in the place of units' vectors: all that a mark is made of.

        Statistics lie on the grid, so nothing is rounded. Ids stay of what is listed only. The
        cluster of each unit comes back, and how many clusters there are.
        """
        self.summed_uncounted = {
            name: ids for name in self.vectors if (ids := self.uncounted(name))
        }
        codes = np.array(self._groups, dtype=np.int64)
        clusters = len(self._group_codes)
        for column in self._columns():
            column.sum_rows(codes, clusters)
        self.summed += len(self.ids)
        self.ids = []
        self._groups = array("q", range(clusters))
        self._scores = array("d")
        self.alone_units, self.panel_units = array("b"), array("b")
        return codes, clusters

    def _columns(self) -> Iterator[VectorColumn]:
        """Every column of vectors but those of single people and of a panel."""
        yield from self.vectors.values()
        for pair in self.alone.values():
            yield from pair
        for columns in self.repeats.values():
            yield from columns
        if self.classes is not None:
            yield self.classes.own
            yield from self.classes.alone

    def _add_each(self, each: dict[str, PersonColumns], marked: UnitMarks) -> None:
        """A unit's vectors of every person who answered it: the panel's members, or the key's."""
        people: Mapping[str, Sequence[UnitVector | None]] = marked.panel or {}
        names = self.members
        if not people and marked.alone is not None:
            names = marked.annotators
            people = {name: left_out.each for name, left_out in marked.alone.items()}
        for index, person in enumerate(names if people else ()):
            own = {name: vectors[index] for name, vectors in people.items()}
            if person not in each:
                each[person] = PersonColumns.empty(self.metrics)
            sat = {name: vector for name, vector in own.items() if vector is not None}
            if sat:
                each[person].add(len(self.ids) - 1, sat)


def mean_score(rows: Sequence[Row]) -> float | None:
    """The mean of the scores that a unit's answers have; None unless every answer has one."""
    if len(rows) == 1:
        return rows[0].score if rows[0].error is None else None
    scores = [row.score for row in rows if row.score is not None and row.error is None]
    return sum(scores) / len(scores) if rows and len(scores) == len(rows) else None


def labels_of(value: Any) -> tuple[str, ...]:
    """The slices that a field's value puts a unit in: a list puts it in each."""
    if isinstance(value, (list, tuple)):
        return tuple(dict.fromkeys(_label(one)[0] for one in value))
    return _label(value)


@functools.lru_cache(maxsize=4096, typed=True)
def _label(value: Any) -> tuple[str]:
    # Kept, so that a million units of one slice share one tuple.
    if value is None:
        return (ABSENT,)
    if isinstance(value, bool):
        return ("true" if value else "false",)
    return (str(value),)


def tally(test: Test, sitting: Sitting, metrics: Mapping[str, Metric]) -> Tally:
    """Mark every unit that a sitting covers."""
    result = empty_tally(metrics, sitting.header.repeats)
    marker = UnitMarker.of_test(test, sitting, metrics)
    for marked in marker.mark(covered_units(test, sitting)):
        result.add(marked)
    marker.finish(result, test)
    return result


def empty_tally(
    metrics: Mapping[str, Metric],
    repeats: int | None,
    *,
    by: Sequence[str] = (),
    panel: Sequence[Sitting] = (),
    alone: bool = False,
    each: bool = False,
    classes: ErrorClassifier | None = None,
) -> Tally:
    """A tally of no unit yet; ``repeats`` is None where nobody sat."""
    result = Tally(
        metrics,
        each={} if each else None,
        members=distinct_names(sitting.candidate for sitting in panel),
    )
    for name, metric in metrics.items():
        result.vectors[name] = VectorColumn(metric.facts.width)
        if alone:
            result.alone[name] = VectorColumn(metric.facts.width), VectorColumn(metric.facts.width)
        if repeats is not None and repeats > 1:
            result.repeats[name] = [VectorColumn(metric.facts.width) for _ in range(repeats)]
        if panel:
            result.panel[name] = [VectorColumn(metric.facts.width) for _ in panel]
    for name in by:
        result.fields[name] = []
    if classes is not None:
        result.classes = ClassColumns.empty(classes.width, alone=alone, members=len(panel))
    return result


class UnitMarker:
    """Marks units against their references; it knows afterwards how many there were."""

    def __init__(
        self,
        kind: Kind,
        sitting: Sitting | None,
        metrics: Mapping[str, Metric],
        *,
        members: Sequence[MemberCoverage] = (),
        alone: bool = False,
        classes: ErrorClassifier | None = None,
    ) -> None:
        self.covered = 0
        self.unkeyed = 0
        """Units with nothing to be marked against: left out and counted."""
        self._kind = kind
        self._sitting = sitting
        self._metrics = {name: CheckedMetric(name, metric) for name, metric in metrics.items()}
        self._members = members
        self._alone = alone
        self._classes = classes

    @classmethod
    def of_test(
        cls,
        test: Test,
        sitting: Sitting | None,
        metrics: Mapping[str, Metric],
        *,
        panel: Sequence[Sitting] = (),
        alone: bool = False,
        classes: ErrorClassifier | None = None,
    ) -> UnitMarker:
        """A marker of a whole test's units; sittings of which no id is the test's are refused.

        ``alone`` asks for leave-one-out vectors where a unit has answers of several people,
        ``classes`` for error classes too.
        """
        for member in (*panel, *(() if sitting is None else (sitting,))):
            require_known_ids(part_sat(test, [member]), member)
        members = [MemberCoverage(test, member) for member in panel]
        return cls(test.kind, sitting, metrics, members=members, alone=alone, classes=classes)

    def mark(self, units: Iterable[Unit]) -> Iterator[UnitMarks]:
        """Each unit that has a key, marked."""
        alone, sitting = self._alone, self._sitting
        for block in in_blocks(units):
            self.covered += len(block)
            sat = []
            for unit in block:
                references = self._kind.references(unit)
                if references or KEYED in self._kind.unit_facts(unit):
                    sat.append(_sat(self._kind, unit, references, sitting, self._members))
                else:
                    self.unkeyed += 1
            for answered, marked in zip(sat, _marked(sat, self._metrics, alone=alone), strict=True):
                if self._classes is not None:
                    marked.classed = _classed(
                        answered, self._classes, sitting=sitting is not None, alone=alone
                    )
                marked.astray = any(_is_astray(row, marked.unit) for row in marked.rows)
                yield marked

    def finish(self, result: Tally, test: Test) -> None:
        """Add to a tally what is known at the end; a tally of nothing is refused."""
        result.unkeyed = self.unkeyed
        require_marked(result, test, self.covered)
        if self._sitting is not None:
            result.unknown, result.elsewhere = _unknown(test, self._sitting, result)


def _is_astray(row: Row, unit: Unit) -> bool:
    if row.start is None and not isinstance(row.answer, (list, tuple)):  # most often
        return False
    return is_astray(row, getattr(unit.record, "text", None), unit.group)


def require_marked(result: Tally, test: Test, covered: int) -> None:
    """Refuse a tally of nothing."""
    if not result.units:
        raise DataError(
            "no unit has a key to be marked against" if covered else "no unit is covered",
            file=test.file,
        )


@dataclass(slots=True)
class _Sat:
    """What was answered to one unit, by the candidate and by the panel."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    rows: Sequence[Row]
    answers_given: Sequence[Any | None]
    """One answer per repeat."""
    people: Sequence[Sequence[Any | None] | None]
    repeats: int
    missing: Sequence[int]
    beyond: bool
    is_plain: bool = False
    """Whether it was asked once, and nobody else was."""

    def cases(self) -> Iterable[Case]:
        """Each answer, with what the panel's members said first."""
        if self.is_plain:
            return (Case(self.unit, self.references, self.answers_given[0]),)
        known = [
            answer
            for answers in self.people
            for answer in (answers or ())[:1]
            if answer is not None
        ]
        return (Case(self.unit, self.references, one, known) for one in self.answers_given)


def _sat(
    kind: Kind,
    unit: Unit,
    references: Sequence[Sequence[Any]],
    sitting: Sitting | None,
    members: Sequence[MemberCoverage],
) -> _Sat:
    found = sitting.of(unit.id) if sitting is not None else ()
    repeats = sitting.header.repeats if sitting is not None else 1
    if repeats == 1 and not members and (not found or (len(found) == 1 and not found[0].repeat)):
        answers = [kind.read_answer(row) if row.answered else None for row in found] or [None]
        return _Sat(unit, references, found, answers, (), 1, (), False, is_plain=True)
    # A header without repeats may come from any tool: then the rows give their number.
    rows = [row for row in found if repeats <= 1 or 0 <= row.repeat < repeats]
    begun = {row.repeat for row in rows}
    return _Sat(
        unit,
        references,
        rows,
        _answers(kind, rows, repeats),
        [member.answers(kind, unit.id) for member in members],
        repeats,
        missing=[index for index in range(repeats) if index not in begun] if repeats > 1 else [],
        beyond=any(not 0 <= row.repeat < repeats for row in found),
    )


def _marked(
    block: Sequence[_Sat], metrics: Mapping[str, CheckedMetric], *, alone: bool
) -> Iterator[UnitMarks]:
    """Units against their references; repeats are averaged, an error counts as unanswered."""
    cases = [case for sat in block for case in sat.cases()]
    found = {name: metric.batch_statistics(cases) for name, metric in metrics.items()}
    at = 0
    for sat in block:
        if sat.is_plain and not (alone and len(sat.references) > 1):
            vectors = {
                name: metrics[name].mean_of(many[at : at + 1], sat.unit.id)
                for name, many in found.items()
            }
            at += 1
            yield UnitMarks(sat.unit, sat.references, sat.rows, vectors, None, None)
            continue
        each = {name: many[at : at + len(sat.answers_given)] for name, many in found.items()}
        at += len(sat.answers_given)
        repeated = None
        if sat.repeats > 1:
            repeated = {name: [mean([one]) for one in several] for name, several in each.items()}
        alone_vectors = None
        if alone and len(sat.references) > 1:
            alone_vectors = {
                name: leave_one_out(sat.unit, sat.references, sat.answers_given, metric)
                for name, metric in metrics.items()
            }
        yield UnitMarks(
            sat.unit,
            sat.references,
            sat.rows,
            {name: metrics[name].mean_of(several, sat.unit.id) for name, several in each.items()},
            alone_vectors,
            _panel(sat, metrics) if sat.people else None,
            annotator_names(sat.references) if alone_vectors is not None else (),
            repeated,
            missing=sat.missing,
            beyond=sat.beyond,
        )


def _panel(
    sat: _Sat, metrics: Mapping[str, CheckedMetric | ErrorClassifier]
) -> dict[str, list[Sequence[float] | None]]:
    return {
        name: [
            None
            if answers is None
            else averaged(
                metric, [metric.statistics(sat.unit, sat.references, answer) for answer in answers]
            )
            for answers in sat.people
        ]
        for name, metric in metrics.items()
    }


def _classed(sat: _Sat, classes: ErrorClassifier, *, sitting: bool, alone: bool) -> Classed:
    """The error classes of the same answers, by the same rules for repeats and for people."""
    failed = {row.repeat for row in sat.rows if row.error is not None}
    answers_given = [
        FAILED if number in failed else one
        for number, one in zip(_numbers(sat.rows, sat.repeats), sat.answers_given, strict=True)
    ]
    own = (
        [classes.statistics(sat.unit, sat.references, one) for one in answers_given]
        if sitting
        else []
    )
    several = alone and len(sat.references) > 1
    return Classed(
        mean(own) if own else None,
        leave_one_out(sat.unit, sat.references, answers_given, classes) if several else None,
        _panel(sat, {"": classes})[""] if sat.people else None,
    )


class MemberCoverage:
    """A panel member: which units the member was to sit, and what was answered."""

    def __init__(self, test: Test, sitting: Sitting) -> None:
        self._sitting = sitting
        part = (sitting.header.covers, sitting.header.limit) != (None, None)
        part = part or part_sat(test, [sitting]) is not test
        self._covers = frozenset(unit.id for unit in covered_units(test, sitting)) if part else None

    def answers(self, kind: Kind, id: str) -> Sequence[Any | None] | None:
        if self._covers is not None and id not in self._covers:
            return None
        return _answers(kind, self._sitting.of(id), self._sitting.header.repeats)


def _answers(kind: Kind, rows: Sequence[Row], repeats: int) -> Sequence[Any | None]:
    """One answer per repeat; an error is none, nor is a reply without words or a missing row."""
    if repeats == 1 and len(rows) == 1:
        return [kind.read_answer(rows[0]) if rows[0].answered else None]
    known = {row.repeat: row for row in rows if row.answered}
    numbers = _numbers(rows, repeats)
    return [kind.read_answer(known[number]) if number in known else None for number in numbers]


def _numbers(rows: Sequence[Row], repeats: int) -> Sequence[int]:
    """The repeats that a unit has answers of, or should have."""
    return range(repeats) if repeats > 1 else sorted(row.repeat for row in rows) or [0]


def covered_units(test: Test, sitting: Sitting | None) -> Iterator[Unit]:
    """The units that a sitting covers; all of them without a sitting."""
    if sitting is not None:
        test = part_sat(test, [sitting])
    header = sitting.header if sitting is not None else None
    if header is not None and header.covers is not None:
        wanted = frozenset(header.covers)
        yield from (unit for unit in test.units() if unit.id in wanted)
    elif header is not None and header.limit is not None:
        for index, unit in enumerate(test.units()):
            if index >= header.limit:
                return
            yield unit
    else:
        yield from test.units()


def _unknown(test: Test, sitting: Sitting, result: Tally) -> tuple[tuple[str, ...], int]:
    """Ids answered that no unit has, and how many answers are to units of other splits.

    A full look is taken only when some ids are unaccounted for.
    """
    if len(sitting.rows) == len(result.ids) - len(result.unanswered):
        return (), 0
    marked = set(result.ids)
    strangers = [id for id in sitting if id not in marked]
    if strangers and (result.unkeyed or len(marked) < test.facts.units):
        here = {unit.id for unit in test.units()}
        strangers = [id for id in strangers if id not in here]
    unknown, elsewhere = answers_elsewhere(test, sitting, strangers)
    return tuple(unknown), elsewhere
