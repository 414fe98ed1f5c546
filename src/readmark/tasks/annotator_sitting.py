"""What an annotator found, as a sitting of theirs: so people are marked as machines are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from readmark.core.binding import paper_members
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.tasks.gold import TaskGold
from readmark.tasks.records import Solution


def annotator_sitting(
    test: Test, gold: TaskGold, *, name: str, documents: Iterable[str]
) -> Sitting:
    """A gold as somebody's sitting: they answered every query on the documents they annotated."""
    annotated = frozenset(documents)
    solutions: dict[tuple[str, str], list[Solution]] = defaultdict(list)
    for row in gold.rows:
        solutions[row.document, row.query].append(row.solution())
    units = list(test.units())
    covered = [unit for unit in units if unit.group in annotated]
    rows = {
        unit.id: Row(id=unit.id, answer=msgspec.to_builtins(solutions[unit.group, unit.item.query]))
        for unit in covered
        if unit.group not in gold.contradicted
    }
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=name,
        signature={"annotator": name},
        covers=None if len(covered) == len(units) else tuple(unit.id for unit in covered),
    )
    return Sitting(header, rows)
