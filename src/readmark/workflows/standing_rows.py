"""Which marksheets make up one row of a table: those of one run, as far as that can be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from readmark.reporting.html.sections import portable_name
from readmark.workflows.standing_sheets import Cells, SplitSheet

VERSION = "readmark"
"""The part of a signature that runs of one candidate may differ in."""
HOW = ("without", "cross", "rewrite", "shuffle_options", "repeats")
"""What a marksheet's header says of how it was sat."""


@dataclass(slots=True)
class Row:
    """A candidate's marks by split, or people's."""

    name: str
    cells: Cells = field(default_factory=dict)
    by_name: bool = False
    """Whether nothing but their name says that its marksheets are of one run."""


@dataclass(slots=True)
class _Run:
    """What one file holds; it may be given for several splits, or twice for one."""

    name: str
    file: Path
    sat: dict[str, Any]
    cells: Cells


def rows_of(parts: Sequence[tuple[SplitSheet, Cells]]) -> tuple[list[Row], list[str]]:
    """A row a run, in the order given, and what there is to say about how runs were told apart.

    One file is one run. Files of one name and one signature are one run where no split is in two
    of them; otherwise nobody knows which of them belong together, and each has a row.
    """
    runs: list[_Run] = []
    for part, cells in parts:
        _keep(runs, part, cells)
    rows: list[Row] = []
    notes: list[str] = []
    for name in dict.fromkeys(run.name for run in runs):
        own = [run for run in runs if run.name == name]
        alike = list(_alike(own))
        for several in alike:
            rows += _joined(name, several, notes)
        notes += _differing(name, [several[0].sat for several in alike])
    by_name = [row.name for row in rows if row.by_name]
    if by_name:
        notes.append(f"joined by name alone, having no signature: {', '.join(by_name)}")
    _number(rows)
    return rows, notes


def _keep(runs: list[_Run], part: SplitSheet, cells: Cells) -> None:
    header = part.sheet.header
    name = portable_name(header.candidate)
    if header.covers is not None:
        name = f"{name} ({header.covers})"
    file = Path(part.sheet.file).resolve()
    for run in runs:
        if run.file == file and run.cells.keys().isdisjoint(cells):
            run.cells.update(cells)
            return
    told = {key: value for key, value in header.signature.items() if key != VERSION}
    told.update((how, getattr(header, how)) for how in HOW)
    runs.append(_Run(name, file, told, dict(cells)))


def _alike(runs: Sequence[_Run]) -> Iterator[list[_Run]]:
    """Runs that were sat alike."""
    left = list(runs)
    while left:
        first = left[0]
        yield [run for run in left if run.sat == first.sat]
        left = [run for run in left if run.sat != first.sat]


def _joined(name: str, runs: Sequence[_Run], notes: list[str]) -> list[Row]:
    apart = [one.cells.keys().isdisjoint(other.cells) for one, other in combinations(runs, 2)]
    if not all(apart):
        if any(apart):
            notes.append(f"which marksheets of {name} are of one run cannot be told: a row each")
        return [Row(name, run.cells) for run in runs]
    cells = {split: one for run in runs for split, one in run.cells.items()}
    unsigned = runs[0].sat.keys() <= set(HOW)
    return [Row(name, cells, by_name=unsigned and len(runs) > 1)]


def _differing(name: str, sat: Sequence[dict[str, Any]]) -> Iterator[str]:
    keys = dict.fromkeys(key for one in sat for key in one)
    differ = [key for key in keys if any(one.get(key) != sat[0].get(key) for one in sat)]
    if differ:
        yield f"rows of {name} differ in {', '.join(differ)}"


def _number(rows: Sequence[Row]) -> None:
    """The second row of a name says so."""
    taken: set[str] = set()
    for row in rows:
        name, at = row.name, 1
        while row.name in taken:
            at += 1
            row.name = f"{name} ({at})"
        taken.add(row.name)
