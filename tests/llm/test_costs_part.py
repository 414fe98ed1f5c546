"""The report's part on what a language model took: a part of the cost is not shown as the cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from readmark.core.sitting import Row
from readmark.llm.costs import costs_section
from readmark.marking import Marksheet
from readmark.reporting import SectionData
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.comparisons import ComparedCandidates
from readmark.reporting.page.layout import Cell, Part
from readmark.reporting.page.sections import sections_of
from sheets import GOOD, POOR, harbour, sheet, sitting

PRICED = {"input": 10, "output": 2, "cost": 0.0001}
FREE = {"input": 10, "output": 2}
UNCOUNTED = {"input": 0, "output": 0, "uncounted": 1}


def part(folder: Path, **usages: list[dict[str, Any]]) -> Part | None:
    """The part of a report on candidates whose answers took so much, one after another."""
    files = []
    for name, each in usages.items():
        answers = zip(GOOD.items(), each, strict=False)
        rows = {id: Row(id=id, answer=text, usage=usage) for (id, text), usage in answers}
        files.append(sheet(folder, harbour(), sitting(name, rows)))
    [section] = sections_of([Marksheet.read(str(file)) for file in files])
    return costs_section(SectionData(section, ComparedCandidates({}), people=[]))


def texts(cell: Cell) -> tuple[str, ...]:
    """A cell's text and what stands under it, in English."""
    lines = (cell.text, *(() if cell.under is None else (cell.under,)))
    return tuple(str(line.en) if isinstance(line, Bilingual) else str(line) for line in lines)


def column(costs: Part | None, head: str) -> list[tuple[str, ...]]:
    assert costs is not None
    table = costs.tables[0]
    index = [texts(cell)[0] for cell in table.head].index(head)
    return [texts(row[index]) for row in table.rows]


@pytest.mark.parametrize(
    ("usages", "cost"),
    [
        ([PRICED] * 3, ("0.0003",)),
        ([PRICED, FREE, FREE], ("0.0001", "for 1 of 3")),
        ([FREE] * 3, ("–",)),
        ([PRICED, {"cached": True}], ("0.0001",)),  # it was paid for before
    ],
)
def test_a_cost_says_of_how_many_it_is(
    tmp_path: Path, usages: list[dict[str, Any]], cost: tuple[str, ...]
) -> None:
    costs = part(tmp_path, one=usages)
    assert column(costs, "cost") == [cost]
    assert costs is not None
    assert bool(costs.notes) is (len(cost) > 1)
    assert "requests not counted" not in [texts(cell)[0] for cell in costs.tables[0].head]


def test_requests_that_nobody_counted_have_a_column(tmp_path: Path) -> None:
    costs = part(tmp_path, one=[PRICED, UNCOUNTED, UNCOUNTED], two=[PRICED] * 3)
    assert column(costs, "requests not counted") == [("2",), ("0",)]
    assert column(costs, "cost") == [("0.0001", "for 1 of 3"), ("0.0003",)]
    assert column(costs, "input tokens") == [("10",), ("30",)]
    assert costs is not None
    [note] = costs.notes
    assert isinstance(note, Bilingual)
    assert "the actual usage is higher" in str(note.en)


def test_who_counted_nothing_has_no_such_part(tmp_path: Path) -> None:
    file = sheet(tmp_path, harbour(), sitting("poor", POOR))
    [section] = sections_of([Marksheet.read(str(file))])
    assert costs_section(SectionData(section, ComparedCandidates({}), people=[])) is None
