"""One unit as it was marked, before it is added to a tally or written to a marksheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.marking.columns import UnitClasses
from readmark.marking.vectors import LeftOutVectors, UnitVector


@dataclass(slots=True)
class UnitMarks:
    """One unit as it was marked: what a marksheet's row is made of."""

    unit: Unit
    references: Sequence[Sequence[Any]]
    rows: Sequence[Row]
    vectors: Mapping[str, UnitVector]
    left_out: Mapping[str, LeftOutVectors] | None = None
    """The vectors against the leave-one-out reference sets, where those were asked for."""
    panel: Mapping[str, Sequence[UnitVector | None]] | None = None
    """Each panel member's vector; None where the member was not to sit the unit."""
    annotators: Sequence[str] = ()
    """Whose references the unit has, where leave-one-out was asked for."""
    repeated: Mapping[str, Sequence[UnitVector]] | None = None
    """Each repeat's vector, when the unit was asked several times."""
    missing: Sequence[int] = ()
    """The repeats without a row, when the unit was to be asked several times."""
    has_extra_repeats: bool = False
    """Whether there are rows of repeats that the sitting's header does not declare."""
    classes: UnitClasses | None = None
    is_astray: bool = False
    """Whether an answer's offsets do not point at its text."""
    empty_answers: int = 0
    """How many people found no answer by the key, where leave-one-out was asked for."""
