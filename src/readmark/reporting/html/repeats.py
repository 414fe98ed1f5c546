"""What asking again changes: a candidate's own variance, apart from the items'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.marking.results import Repeated
from readmark.reporting.html.answers import answer_words
from readmark.reporting.html.sections import Candidate
from readmark.reporting.html.words import Both


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The marks of each repeat, and on how many units every repeat said the same."""

    candidate: Both
    repeats: int
    marks: Mapping[str, Repeated]
    same: int
    units: int


def steadiness(candidate: Candidate) -> Steadiness | None:
    """How steady a candidate is; None where units were asked once."""
    asked = [unit.answers for unit in candidate.sheet.units]
    most = max((len(rows) for rows in asked), default=0)
    if most < 2:
        return None
    several = [rows for rows in asked if len(rows) > 1]
    same = sum(
        len({answer_words(row) for row in rows}) == 1 and all(row.answered for row in rows)
        for rows in several
    )
    return Steadiness(candidate.label, most, candidate.sheet.told.repeats, same, len(several))
