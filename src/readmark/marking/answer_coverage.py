"""Which units lack an answer, and which answers something is wrong with."""

from __future__ import annotations

from dataclasses import dataclass, field

from readmark.core.sitting import REFUSED
from readmark.marking.unit_marks import UnitMarks


@dataclass(slots=True)
class AnswerCoverage:
    """Ids of units, in the order of the test, by what is missing or odd about their answers."""

    unanswered: list[str] = field(default_factory=list)
    """Units that lack an answer, be it in one repeat of several."""
    refused: list[str] = field(default_factory=list)
    """Units of which a reply declined to answer; they are among the unanswered."""
    errors: list[str] = field(default_factory=list)
    astray: list[str] = field(default_factory=list)
    """Units whose answer's offsets do not point at its text in the passage."""
    extra_repeats: list[str] = field(default_factory=list)
    """Units with rows of repeats that the sitting's header does not declare."""
    missing: dict[int, list[str]] = field(default_factory=dict)
    """The units that each repeat of several has no row of."""
    unkeyed: int = 0
    """Units with nothing to be marked against: left out and counted."""
    unknown: tuple[str, ...] = ()
    """Ids answered that the test does not have."""
    elsewhere: int = 0
    """How many answers are to units of other splits than those marked."""

    def add(self, marked: UnitMarks) -> None:
        """Take one unit in."""
        id = marked.unit.id
        is_answered = bool(marked.rows) and not marked.missing
        has_failed = is_refused = False
        for row in marked.rows:
            reason = row.no_answer_reason
            if row.error is not None:
                has_failed = True
            elif reason is not None:
                is_answered = False
                is_refused = is_refused or reason == REFUSED
        if has_failed:
            self.errors.append(id)
        elif not is_answered:
            self.unanswered.append(id)
        if is_refused:
            self.refused.append(id)
        for repeat in marked.missing:
            self.missing.setdefault(repeat, []).append(id)
        if marked.has_extra_repeats:
            self.extra_repeats.append(id)
        if marked.is_astray:
            self.astray.append(id)

    def extend(self, other: AnswerCoverage) -> None:
        """Take in the units that follow, of another part of the test."""
        self.unanswered += other.unanswered
        self.refused += other.refused
        self.errors += other.errors
        self.astray += other.astray
        self.extra_repeats += other.extra_repeats
        for repeat, ids in other.missing.items():
            self.missing.setdefault(repeat, []).extend(ids)
        self.unkeyed += other.unkeyed

    def not_sat(self, units: int) -> list[int]:
        """The repeats that were never begun: none of the units has a row of them."""
        return [repeat for repeat, ids in sorted(self.missing.items()) if len(ids) == units]
