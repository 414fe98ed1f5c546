"""What the candidate and the members of a panel answered to one unit, repeat by repeat.

Where an error, a reply without words or a missing row stands for an answer, the answer is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.binding import part_sat
from readmark.core.records import Unit
from readmark.core.sitting import FAILED, Row, Sitting
from readmark.core.test import Test
from readmark.hooks import Case, Kind
from readmark.marking.checked_metric import CheckedMetric
from readmark.marking.covered_units import covered_units
from readmark.marking.kind_extras import ErrorClassifier
from readmark.marking.vectors import UnitVector, unit_vector


@dataclass(slots=True)
class UnitReplies:
    """A unit with its references and every answer to it."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    rows: Sequence[Row]
    """The candidate's rows, without those of repeats that the sitting does not declare."""
    answers: Sequence[Any | None]
    """The candidate's, one for each repeat."""
    people: Sequence[Sequence[Any | None] | None] = ()
    """Each panel member's, one for each repeat; None where the member was not to sit the unit."""
    repeats: int = 1
    missing: Sequence[int] = ()
    """The repeats of several that have no row."""
    has_extra_repeats: bool = False

    @classmethod
    def of(
        cls,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        sitting: Sitting | None,
        members: Sequence[PanelMember],
        kind: Kind,
    ) -> UnitReplies:
        """The answers to a unit in a sitting, if there is one, and in those of a panel."""
        rows: Sequence[Row] = ()
        repeats = 1
        if sitting is not None:
            rows, repeats = sitting.of(unit.id), sitting.header.repeats
        has_extra_repeats = any(not 0 <= row.repeat < repeats for row in rows)
        missing: Sequence[int] = ()
        # A header without repeats may come from any tool: then all rows count, as their numbers
        # say.
        if repeats > 1:
            rows = [row for row in rows if 0 <= row.repeat < repeats]
            begun = {row.repeat for row in rows}
            missing = [repeat for repeat in range(repeats) if repeat not in begun]
        return cls(
            unit,
            references,
            rows,
            answers_by_repeat(kind, rows, repeats),
            [member.answers(kind, unit.id) for member in members],
            repeats,
            missing,
            has_extra_repeats,
        )

    def cases(self) -> Iterable[Case]:
        """Each answer, with the first answers of the panel's members."""
        people = [
            answer
            for answers in self.people
            for answer in (answers or ())[:1]
            if answer is not None
        ]
        return (Case(self.unit, self.references, answer, people) for answer in self.answers)

    def answers_or_failures(self) -> list[Any]:
        """The candidate's answers, with FAILED in place of those whose row is an error."""
        failed = {row.repeat for row in self.rows if row.error is not None}
        repeats = repeats_of(self.rows, self.repeats)
        return [
            FAILED if repeat in failed else answer
            for repeat, answer in zip(repeats, self.answers, strict=True)
        ]

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
        """One answer for each repeat; None where the member was not to sit the unit."""
        if self._covers is not None and id not in self._covers:
            return None
        return answers_by_repeat(kind, self._sitting.of(id), self._sitting.header.repeats)


def answers_by_repeat(kind: Kind, rows: Sequence[Row], repeats: int) -> Sequence[Any | None]:
    """One answer for each repeat, of a sitting that declares so many."""
    if repeats == 1 and len(rows) <= 1:  # most often
        return [kind.read_answer(row) if row.answered else None for row in rows] or [None]
    answered = {row.repeat: row for row in rows if row.answered}
    return [
        kind.read_answer(answered[repeat]) if repeat in answered else None
        for repeat in repeats_of(rows, repeats)
    ]


def repeats_of(rows: Sequence[Row], repeats: int) -> Sequence[int]:
    """The numbers of the repeats that a unit has answers to, or should have."""
    return range(repeats) if repeats > 1 else sorted(row.repeat for row in rows) or [0]
