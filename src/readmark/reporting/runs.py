"""Which marksheets make up one row of a table: those of one run, as far as that can be known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from readmark.core.seen import SeenPassages
from readmark.core.sitting import PER_LANGUAGE
from readmark.reporting.marks_in_memory import Cells
from readmark.reporting.page.sections import portable_name
from readmark.reporting.split_sheets import SplitSheet

VERSION = "readmark"
"""The part of a signature that runs of one candidate may differ in."""
HOW = ("without", "cross", "rewrite", "shuffle_options", "repeats")
"""What a marksheet's header says of how it was sat."""


@dataclass(slots=True)
class RunRow:
    """A candidate's marks by split, or people's."""

    name: str
    cells: Cells = field(default_factory=dict)
    by_name: bool = False
    """Whether nothing but their name says that its marksheets are of one run."""
    seen: dict[str, SeenPassages] = field(default_factory=dict)
    """By split, how much of what was marked the candidate learnt from, where it did."""
    may_lead: bool = True
    """Whether it has a rank on those splits all the same."""


@dataclass(slots=True)
class _Run:
    """What one file holds; it may be given for several splits, or twice for one."""

    name: str
    file: Path
    sat: dict[str, Any]
    """How it was sat: the signature, and the options of the sitting."""
    cells: Cells
    language: str | None = None
    seen: SeenPassages | None = None
    may_lead: bool = True
    per_language: frozenset[str] = frozenset()
    """The members of ``sat`` that differ between languages by design: prompts, analysers."""

    @property
    def sat_elsewhere(self) -> dict[str, Any]:
        """What must be the same in a run of the same candidate in another language."""
        return {key: value for key, value in self.sat.items() if key not in self.per_language}


def rows_of(parts: Sequence[tuple[SplitSheet, Cells]]) -> tuple[list[RunRow], list[str]]:
    """One row per run, in the order given, and notes on how runs were distinguished.

    One file is one run. Files of one name and one signature are one run where no split is in two
    of them; otherwise nobody knows which of them belong together, and each has a row. Between
    languages a signature may differ in what it lists as made for each language.
    """
    runs: list[_Run] = []
    for part, cells in parts:
        _keep(runs, part, cells)
    rows: list[RunRow] = []
    notes: list[str] = []
    for name in dict.fromkeys(run.name for run in runs):
        groups = list(_alike([run for run in runs if run.name == name]))
        for group in groups:
            rows += _joined(name, group, notes)
        notes += _differing(name, [group[0].sat for group in groups])
    by_name = [row.name for row in rows if row.by_name]
    if by_name:
        notes.append(f"joined by name alone, for lack of a signature: {', '.join(by_name)}")
    number_names(rows)
    return rows, notes


def _keep(runs: list[_Run], part: SplitSheet, cells: Cells) -> None:
    """Add a marksheet to the run of its file, or as a run."""
    header = part.sheet.header
    name = portable_name(header.candidate)
    if header.covers is not None:
        name = f"{name} ({header.covers})"
    file = Path(part.sheet.file).resolve()
    for run in runs:
        if run.file == file and run.cells.keys().isdisjoint(cells):
            run.cells.update(cells)
            return
    sat = {
        key: value for key, value in header.signature.items() if key not in (VERSION, PER_LANGUAGE)
    }
    sat.update((how, getattr(header, how)) for how in HOW)
    runs.append(
        _Run(
            name,
            file,
            sat,
            dict(cells),
            language=header.test.language,
            seen=header.seen,
            may_lead=part.sheet.may_lead,
            per_language=frozenset(header.signature.get(PER_LANGUAGE, ())),
        )
    )


def _alike(runs: Sequence[_Run]) -> Iterator[list[_Run]]:
    """Runs that were sat alike; in several languages, if there is one way in each of them."""
    for related in _grouped(runs, lambda run: run.sat_elsewhere):
        ways = _grouped(related, lambda run: run.sat)
        languages = [language for way in ways for language in {run.language for run in way}]
        if len(languages) == len(set(languages)):
            yield related
        else:
            yield from ways


def _grouped(runs: Sequence[_Run], known_by: Callable[[_Run], dict[str, Any]]) -> list[list[_Run]]:
    """Runs with equal members, in the order of the first of each group."""
    groups: list[list[_Run]] = []
    for run in runs:
        group = next((group for group in groups if known_by(group[0]) == known_by(run)), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    return groups


def _joined(name: str, runs: Sequence[_Run], notes: list[str]) -> list[RunRow]:
    """One row of runs that were sat alike; a row each where a split is in two of them."""
    pairs = combinations(runs, 2)
    apart = [first.cells.keys().isdisjoint(second.cells) for first, second in pairs]
    if not all(apart):
        if any(apart):
            notes.append(f"marksheets of {name} may be of several runs, so each has its own row")
        return [RunRow(name, run.cells, **_seen([run])) for run in runs]
    cells = {split: levels for run in runs for split, levels in run.cells.items()}
    unsigned = runs[0].sat.keys() <= set(HOW)
    return [RunRow(name, cells, unsigned and len(runs) > 1, **_seen(runs))]


def _seen(runs: Sequence[_Run]) -> dict[str, Any]:
    seen = {split: run.seen for run in runs if run.seen is not None for split in run.cells}
    return {"seen": seen, "may_lead": all(run.may_lead for run in runs)}


def _differing(name: str, ways: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What distinguishes rows of one name."""
    keys = dict.fromkeys(key for way in ways for key in way)
    differ = [key for key in keys if any(way.get(key) != ways[0].get(key) for way in ways)]
    if differ:
        yield f"rows of {name} differ in {', '.join(differ)}"


def number_names(rows: Sequence[RunRow]) -> None:
    """Number the second row of a name, and those after it."""
    names: set[str] = set()
    for row in rows:
        name, number = row.name, 1
        while row.name in names:
            number += 1
            row.name = f"{name} ({number})"
        names.add(row.name)
