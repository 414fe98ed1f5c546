"""The screening report: a header, then a line for every passage, kept or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
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
    """The first line: what was screened and by which thresholds."""

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

    People have it, too, where by their decisions on others this is a copy, or no longer one.
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
    """How the text begins, of what is discarded."""


@dataclass(slots=True)
class CheckTally:
    """How often a check would discard if nobody decided, and how often it alone would."""

    threshold: Any
    discarded: int = 0
    alone: int = 0


@dataclass(frozen=True, slots=True)
class Pairwise:
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
    """What a screening did."""

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
    """Passages that as many people would keep as discard: kept, for somebody to decide."""
    agreement: list[Pairwise] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """What the formats written cannot hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was lost, where the report is, and whether nothing is left."""
        nothing = () if self.kept else (f"{self.output}: no passage was kept",)
        reasons = [f"{self.report}: every passage with its reasons"] if self.report else []
        return (*self.lost, *reasons, *nothing)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

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
            bounds = tally.threshold
            if isinstance(bounds, list):
                shown = "–".join(f"{bound:g}" for bound in bounds)
            else:
                shown = ABSENT if bounds is None else f"{bounds:g}"
            table.add_row(name, shown, f"{tally.discarded:,}", share, f"{tally.alone:,}")
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


# How far the rules and people agree, and people with each other.


RULES, PEOPLE = "rules", "people"


class Votes:
    """The votes on every passage that somebody decided: the rules', each person's, the majority."""

    def __init__(self, people: Sequence[str]) -> None:
        self._columns: dict[str, list[Verdict | None]] = {person: [] for person in people}
        self._rules: list[Verdict | None] = []
        self._majority: list[Verdict | None] = []

    def add(self, rules: Verdict, majority: Verdict | None, people: Sequence[Decision]) -> None:
        """Take a passage's votes; a tie counts for nobody."""
        said = {person.person: person.decision for person in people}
        for person, column in self._columns.items():
            column.append(said.get(person))
        self._rules.append(rules)
        self._majority.append(majority)

    def counts(self) -> dict[str, dict[str, int]]:
        """How many each person would keep and discard."""
        return {
            person: {"keep": column.count("keep"), "discard": column.count("discard")}
            for person, column in self._columns.items()
        }

    def agreement(self) -> list[Pairwise]:
        """Rules against the majority, against each person where there are several, then pairs."""
        if not self._rules:
            return []
        sides = [(RULES, PEOPLE, self._rules, self._majority)]
        if len(self._columns) > 1:
            sides += [(RULES, name, self._rules, own) for name, own in self._columns.items()]
        for (a, one), (b, other) in combinations(self._columns.items(), 2):
            sides.append((a, b, one, other))
        return [_pairwise(*side) for side in sides]


def _pairwise(
    a: str, b: str, one: Sequence[Verdict | None], other: Sequence[Verdict | None]
) -> Pairwise:
    from readmark.statistics.agreement.cohen import cohen_kappa
    from readmark.statistics.agreement.percent import percent_agreement

    kappa = cohen_kappa(one, other)
    same = percent_agreement(one, other)
    percent = None if same.value is None else 100 * same.value
    return Pairwise(a, b, same.n, percent, kappa.value, kappa.reason)
