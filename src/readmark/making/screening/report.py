"""The screening report: a header, then a line for every passage, kept or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from readmark.core import numbers
from readmark.core.display import (
    ABSENT,
    Result,
    counted,
    plain_table,
)
from readmark.core.numbers import listed_ids
from readmark.core.records import Value
from readmark.core.test import SCHEMA
from readmark.formats.passage_decisions import Decision, Verdict

if TYPE_CHECKING:
    from rich.console import Console

QUOTED = 60
"""How many characters of a discarded passage the report quotes."""

By = Literal["rules", "people", "tie"]


class ReportHeader(Value, frozen=True):
    """The first line of the file: the test and the thresholds."""

    readmark: int = SCHEMA
    file: str = "screening"
    source: str = ""
    """The test's name, else its file's."""
    language: str = ""
    config: Mapping[str, Mapping[str, float]] = {}
    passages: int = 0
    kept: int = 0
    discarded: int = 0


class ScreeningRow(Value, frozen=True):
    """What became of one passage, and why."""

    id: str
    version: str
    """The first 12 hex digits of the text's SHA-256: a decision may name it."""
    verdict: Verdict
    by: By
    """Who had the last word; ``tie`` where people were divided, and the passage is kept.

    It is also ``people`` where their decisions on other passages make this a copy, or no copy.
    """
    reasons: tuple[str, ...]
    """Checks that discard it, or people's reasons."""
    rules: Verdict
    """What the checks alone would have done."""
    checks: msgspec.Raw
    people: tuple[Decision, ...]
    article: str | None = None
    title: str | None = None
    quote: str | None = None
    """How a discarded text begins."""


@dataclass(slots=True)
class CheckTally:
    """How often a check would discard if nobody decided, and how often it alone would."""

    threshold: Any
    discarded: int = 0
    alone: int = 0


@dataclass(frozen=True, slots=True)
class VoteAgreement:
    """Agreement of two sides on the passages that both decided."""

    a: str
    b: str
    passages: int
    percent: float | None
    kappa: float | None
    reason: str | None = None
    """Why kappa is undefined."""


@dataclass(slots=True)
class Screening(Result):
    """A screening: how many passages were kept, by which checks and people."""

    output: str = ""
    format: str = ""
    report: str | Path | None = None
    discarded_file: str | Path | None = None
    form: str | Path | None = None
    language: str = ""
    passages: int = 0
    kept: int = 0
    discarded: int = 0
    questions_kept: int = 0
    questions_discarded: int = 0
    checks: dict[str, CheckTally] = field(default_factory=dict)
    people: dict[str, dict[str, int]] = field(default_factory=dict)
    """Each person's decisions: how many to keep and to discard."""
    overruled: int = 0
    """Passages where people decided against the rules."""
    undecided: list[str] = field(default_factory=list)
    """Passages that as many people would keep as discard; they are kept until somebody decides."""
    agreement: list[VoteAgreement] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """What the formats written cannot hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was lost, where the report is, and whether nothing is left."""
        notes = [*self.lost]
        if self.report:
            notes.append(f"{self.report}: every passage with its reasons")
        if not self.kept:
            notes.append(f"{self.output}: no passage was kept")
        return tuple(notes)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per check."""
        return [{"check": name, **asdict(tally)} for name, tally in self.checks.items()]

    def show(self, console: Console) -> None:
        questions = ""
        if self.questions_kept or self.questions_discarded:
            questions = f" (questions: {self.questions_kept:,} and {self.questions_discarded:,})"
        console.print(
            f"{counted(self.passages, 'passage')}: {self.kept:,} kept, "
            f"{self.discarded:,} discarded{questions}"
        )
        table = plain_table("check", "threshold", "discards", "of all", "alone")
        for name, tally in self.checks.items():
            share = numbers.percent(tally.discarded / self.passages if self.passages else None)
            if isinstance(tally.threshold, list):
                threshold = "–".join(f"{bound:g}" for bound in tally.threshold)
            else:
                threshold = ABSENT if tally.threshold is None else f"{tally.threshold:g}"
            table.add_row(name, threshold, f"{tally.discarded:,}", share, f"{tally.alone:,}")
        console.print(table)
        if self.people:
            self._show_people(console)

    def _show_people(self, console: Console) -> None:
        for person, votes in self.people.items():
            console.print(f"{person}: {votes['keep']:,} to keep, {votes['discard']:,} to discard")
        console.print(f"people against the rules: {counted(self.overruled, 'passage')}")
        if self.undecided:
            console.print(
                f"people divided, kept until somebody decides: {listed_ids(self.undecided)}"
            )
        table = plain_table("agreement", "passages", "percent", "kappa")
        for pair in self.agreement:
            percent = numbers.percent(None if pair.percent is None else pair.percent / 100)
            names = f"{pair.a} – {pair.b}"
            table.add_row(names, f"{pair.passages:,}", percent, numbers.mark(pair.kappa, 1))
        console.print(table)
        for pair in self.agreement:
            if pair.reason is not None:
                console.print(f"kappa of {pair.a} – {pair.b}: {pair.reason}", style="dim")


def quote_of(text: str) -> str:
    """How a text begins: its first line with anything on it, cut short."""
    lines = text.split("\n")
    first = next((line.strip() for line in lines if line.strip()), "")
    return first if len(first) <= QUOTED else first[: QUOTED - 1] + "…"
