"""What merging golds gives: sizes, agreement, missing golds, and what is left to decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console

from readmark.core import numbers
from readmark.core.display import Result, counted, headline, plain_table
from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.problems import Problem
from readmark.making.agreement.report import AgreementReport
from readmark.making.blind.golds import GoldSizes


@dataclass(frozen=True)
class MergedGolds(Result):
    """The merged golds: sizes, agreement, outstanding questions, and breaches of the guidelines."""

    output: str | None
    """The test that was written; None while faults or undecided questions prevent it."""
    people: Mapping[str, GoldSizes]
    sizes: GoldSizes
    owed: Mapping[str, Sequence[str]]
    """By person, the questions of the sheet without a gold."""
    agreement: AgreementReport | None = None
    problems: Sequence[Problem] = ()
    """What breaks the guidelines, and what may, in the order of people and rows."""
    disagreements: str | None = None
    """The adjudication file that was written."""
    decisions: str | None = None
    """The adjudication file that was read."""
    open_decisions: int = 0
    """Its questions without a decision."""
    decided: Mapping[str, int] = field(default_factory=dict)
    """How many questions were decided each way."""
    undecided: Sequence[str] = ()
    format: str = ""
    lost: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """What a person should look at, then what was written."""
        written = []
        if self.disagreements is not None:
            questions = counted(self.open_decisions, "question")
            state = f"{questions} to decide" if self.open_decisions else "everything is decided"
            written.append(f"{self.disagreements}: {state}; then: --decisions")
        if self.output is not None:
            written.append(f"{self.output} written as {self.format}")
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*self.notes, *map(str, self.problems), *lost, *written)

    @property
    def faults(self) -> list[Problem]:
        """What breaks the guidelines."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def require_written(self) -> None:
        """Raise an error that says why no test was written, unless one was."""
        if self.output is not None:
            return
        if self.undecided:
            ids = first_ids(self.undecided)
            questions = counted(len(self.undecided), "question")
            raise DataError(f"{questions} undecided: {ids}", file=self.decisions)
        faults = counted(len(self.faults), "fault")
        raise DataError(f"{faults} by the guidelines, nothing written; `keep_faults` merges them")

    def as_json(self) -> dict[str, Any]:
        """The document that ``set merge --json`` prints."""
        return {
            "output": self.output,
            "format": self.format,
            "lost": self.lost,
            "sizes": self.sizes.as_json(),
            "people": {name: sizes.as_json() for name, sizes in self.people.items()},
            "owed": self.owed,
            "agreement": None if self.agreement is None else self.agreement.as_json(),
            "problems": [asdict(problem) for problem in self.problems],
            "disagreements": self.disagreements,
            "open": self.open_decisions,
            "decisions": self.decisions,
            "decided": self.decided,
            "undecided": self.undecided,
            "notes": self.notes,
        }

    def show(self, console: Console) -> None:
        """Print the sizes by person, outstanding questions, then the agreement."""
        table = plain_table("golds of", "questions", "golds", "maximum", "mean")
        rows = dict(self.people)
        if len(rows) != 1 or self.sizes not in rows.values():
            rows["the test"] = self.sizes
        for name, sizes in rows.items():
            mean = numbers.decimal(sizes.mean)
            table.add_row(name, f"{sizes.questions:,}", f"{sizes.golds:,}", str(sizes.most), mean)
        console.print(table)
        for way, count in self.decided.items():
            console.print(f"decided {way}: {counted(count, 'question')}")
        for name, ids in self.owed.items():
            console.print(headline("still owed", " by ", name, f": {len(ids)} ({first_ids(ids)})"))
        if self.agreement is not None:
            console.print()
            self.agreement.show(console)
