"""What a run did: its tests with sittings and marks, the tables and the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.cli.run.pairings import Pairing
from readmark.core.display import Result, counted, headline
from readmark.core.test import Test
from readmark.marking import Comparisons, Marks
from readmark.reporting import Standings
from readmark.sitting import SatResult


@dataclass(frozen=True, slots=True)
class SatCandidate:
    """What a candidate did on a test: its sitting and marks, or why there are none."""

    pairing: Pairing
    sat: SatResult | None = None
    marks: Marks | None = None
    failure: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The candidate's member of ``run --json``."""
        return {
            "candidate": self.pairing.candidate,
            "sitting": str(self.pairing.sitting),
            "marksheet": str(self.pairing.marksheet) if self.marks is not None else None,
            "errors": self.sat.errors if self.sat is not None else None,
            "marks": None if self.marks is None else self.marks.as_json(units=False),
            "failure": self.failure,
        }


@dataclass(frozen=True, slots=True)
class SatTest:
    """A test with what every candidate did on it, each compared with the first."""

    name: str
    test: Test
    candidates: Sequence[SatCandidate]
    comparisons: Comparisons | None
    chosen: Sequence[str] = ()
    """The metrics that the run file names, the main one first; none if it names none."""

    @property
    def marked(self) -> list[SatCandidate]:
        """The candidates that have marks."""
        return [candidate for candidate in self.candidates if candidate.marks is not None]

    @property
    def marks(self) -> list[Marks]:
        """The marks of these candidates."""
        return [candidate.marks for candidate in self.candidates if candidate.marks is not None]

    def as_json(self) -> dict[str, Any]:
        """The test's member of ``run --json``."""
        compared = self.comparisons.as_json()["comparisons"] if self.comparisons else []
        return {
            "name": self.name,
            "file": self.test.file,
            "kind": self.test.kind.name,
            "candidates": [candidate.as_json() for candidate in self.candidates],
            "comparisons": compared,
        }


@dataclass(frozen=True, repr=False)
class RunResult(Result):
    """What a run did: its tests, a table for each kind of test, and the report."""

    folder: Path
    tests: Sequence[SatTest]
    tables: Mapping[str, Standings]
    report: Path | None
    notes: tuple[str, ...] = ()

    @property
    def failures(self) -> list[str]:
        """What could not be sat or marked, and what has error rows, one per line."""
        lines = []
        for test in self.tests:
            for candidate in test.candidates:
                where = f"{test.name}: {candidate.pairing.candidate}"
                if candidate.failure is not None:
                    lines.append(f"{where}: {candidate.failure}")
                elif candidate.sat is not None and candidate.sat.errors:
                    errors = counted(candidate.sat.errors, "error row")
                    lines.append(f"{where}: {errors}; run again to retry them")
        return lines

    def as_json(self) -> dict[str, Any]:
        """The document that ``run --json`` prints."""
        return {
            "out": str(self.folder),
            "tests": [test.as_json() for test in self.tests],
            "tables": {kind: standings.as_json() for kind, standings in self.tables.items()},
            "report": None if self.report is None else str(self.report),
            "failures": self.failures,
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        """Print a table for each kind of test, who is better than whom, and where files are."""
        for standings in self.tables.values():
            standings.show(console)
            console.print()
        for test in self.tests:
            lines = _verdicts(test)
            if lines:
                console.print(f"{test.name}:", soft_wrap=True)
            for line in lines:
                console.print(f"  {line}", soft_wrap=True)
        for line in self.failures:
            console.print(line, soft_wrap=True)
        console.print(f"Sittings, marksheets and tables: {self.folder}", soft_wrap=True)
        if self.report is not None:
            console.print(headline("Report", ": ", str(self.report), ""), soft_wrap=True)


def _verdicts(test: SatTest) -> list[str]:
    """Each candidate against the first, by the main metric."""
    if test.comparisons is None or not test.marked:
        return []
    assert test.marked[0].marks is not None
    compared = {comparison.metric for comparison in test.comparisons}
    main = next(
        (name for name in test.chosen if name in compared), test.marked[0].marks.scores.main
    )
    return [
        f"{comparison.b}, {main}: {comparison.verdict(test.comparisons.alpha)}"
        for comparison in test.comparisons
        if comparison.metric == main
    ]
