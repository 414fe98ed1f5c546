"""Raters compared with novices: the results by metric, as JSON and in a terminal.

The first table is that of the DARPA Machine Reading evaluation (section 2.2, Table 1): p-values,
metrics down and raters across.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import (
    ABSENT,
    GAP,
    Result,
    counted,
    fitting,
    headline,
    plain_table,
    print_signatures,
)
from readmark.marking import Mark
from readmark.readability.panels.novices import ALPHA, METRICS, NoviceVerdict, WholeJudges
from readmark.readability.panels.rater_lines import LeftOut, RaterLine


@dataclass(frozen=True, slots=True)
class PanelTables(Result):
    """What ``panel mark`` shows of raters compared with novices."""

    test: str
    novices: Sequence[str]
    experts: Sequence[str]
    passages: int
    narrow: int
    """Passages whose target has no width."""
    single: int
    """Passages that a single novice rated."""
    rounded: bool
    """Whether ratings were rounded to stars for the target."""
    draws: int
    seed: int
    raters: Sequence[RaterLine]
    by: Mapping[str, Mapping[str, Sequence[RaterLine]]]
    left_out: Sequence[LeftOut]
    claims: Sequence[str] = ()
    excluded: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids that were not counted, by the reason."""
    failed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Ids with error rows, by rater."""
    notes: Sequence[str] = ()

    @property
    def passing(self) -> dict[str, int]:
        """How many of the novices pass by each metric."""
        return {
            name: sum(name in out.passes for out in self.left_out if name in out.verdicts)
            for name in METRICS
        }

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each metric's mark, with that of the null."""
        null = (
            f"null:novice per passage|novices:{len(self.novices)}|null draws:{self.draws}"
            f"|alpha:{ALPHA:g}"
        )
        marks = self.raters[0].marks
        return {
            name: f"{mark.signature}|{null}" if name in METRICS else mark.signature
            for name, mark in marks.items()
        }

    def as_json(self) -> dict[str, Any]:
        """The document of ``panel mark --json``; notes are on stderr."""
        return {
            "test": self.test,
            "passages": self.passages,
            "novices": list(self.novices),
            "experts": list(self.experts),
            "zero_width": {"targets": self.narrow, "share": self.narrow / self.passages},
            "one_novice": self.single,
            "round": self.rounded,
            "draws": self.draws,
            "seed": self.seed,
            "alpha": ALPHA,
            "signatures": self.signatures,
            "raters": {line.candidate: _line_json(line) for line in self.raters},
            "by": {
                name: {
                    label: {line.candidate: _line_json(line) for line in lines}
                    for label, lines in labels.items()
                }
                for name, labels in self.by.items()
            },
            "leave_one_out": {
                out.novice: {
                    "passages": out.passages,
                    **{name: _verdict_json(verdict) for name, verdict in out.verdicts.items()},
                }
                for out in self.left_out
            },
            "passing": {"novices": len(self.left_out), **self.passing},
            "claims": list(self.claims),
            "excluded": {name: list(ids) for name, ids in self.excluded.items()},
            "errors": {name: list(ids) for name, ids in self.failed.items()},
        }

    def show(self, console: Console) -> None:
        """The table of p-values, each rater, the novices as machines; the claims last."""
        size = (
            f": {counted(self.passages, 'passage')}, {counted(len(self.experts), 'expert')}, "
            f"{counted(len(self.novices), 'novice')}"
        )
        console.print(headline("panel", " of ", self.test, size))
        console.print(_targets(self))
        title = "p: how often ratings of randomly drawn novices score at least as high"
        _print_p_values(console, title, self.raters, self.passages)
        for name, labels in self.by.items():
            for label, lines in labels.items():
                most = max(line.passages for line in lines)
                title = f"p, {name} {label}: {counted(most, 'passage')}"
                _print_p_values(console, title, lines, most)
        for line in self.raters:
            _print_rater(console, line)
        _print_other_marks(console, self.raters)
        _print_left_out(console, self)
        for claim in self.claims:
            console.print(claim)
        console.print(
            f"{self.draws:,} draws, seed {self.seed}; to exceed: the mark for p <= {ALPHA:g}; "
            "beaten: novices, each as one person on all passages, and the p of that count",
            style="dim",
        )
        print_signatures(console, self.signatures)


def _line_json(line: RaterLine) -> dict[str, Any]:
    return {
        "passages": line.passages,
        "metrics": {
            name: {
                **_verdict_json(line.verdicts[name]),
                **({"low": mark.low, "high": mark.high} if (mark := line.marks.get(name)) else {}),
                "judges": {
                    "beaten": line.judges[name].beaten,
                    "of": line.judges[name].judges,
                    "p": numbers.finite(line.judges[name].p),
                    "smallest_p": line.judges[name].smallest,
                },
                **({"why": line.why[name]} if name in line.why else {}),
            }
            for name in METRICS
        },
        "beside": {
            name: {"score": mark.score, "low": mark.low, "high": mark.high}
            for name, mark in line.marks.items()
            if name not in METRICS
        },
    }


def _verdict_json(verdict: NoviceVerdict) -> dict[str, Any]:
    return {
        "observed": numbers.finite(verdict.observed),
        "critical": numbers.finite(verdict.critical),
        "p": numbers.finite(verdict.p),
        "better": verdict.better if not math.isnan(verdict.p) else None,
    }


def _targets(tables: PanelTables) -> str:
    """How many targets have no width, and what hits them."""
    share = numbers.percent(tables.narrow / tables.passages, 0)
    text = f"passages on which all experts agree: {tables.narrow:,} ({share})"
    if tables.narrow:
        hit = "rounds to" if tables.rounded else "is exactly"
        text += f"; there a rating hits the target if it {hit} theirs"
    elif tables.rounded:
        text += "; for the target, ratings are rounded to stars"
    return text


def _print_p_values(console: Console, title: str, lines: Sequence[RaterLine], most: int) -> None:
    """Metrics down and raters across, in as many tables as the terminal's width takes."""
    console.print(title, style="bold")
    names = [line.candidate for line in lines]
    room = console.width - max(map(len, METRICS)) - GAP
    for fitting_names in fitting(names, room, least=len("< 0.0001")):
        table = plain_table("metric", *fitting_names)
        for name in METRICS:
            cells = (_p_cell(line, name) for line in lines if line.candidate in fitting_names)
            table.add_row(name, *cells)
        console.print(table)
    for line in lines:
        if line.passages < most:
            console.print(f"{line.candidate}: on {line.passages:,} of {most:,} passages")


def _p_cell(line: RaterLine | LeftOut, name: str) -> Text:
    verdict = line.verdicts[name]
    return Text(_p(verdict.p), "bold" if verdict.better else "")


def _print_rater(console: Console, line: RaterLine) -> None:
    """A rater's marks, the values that they had to exceed, and whole judges."""
    table = plain_table(line.candidate, "mark", "to exceed", "p", "beaten", "p")
    for name in METRICS:
        verdict, mark = line.verdicts[name], line.marks.get(name)
        table.add_row(
            name,
            _with_interval(verdict.observed, mark),
            _three(verdict.critical),
            _p_cell(line, name),
            *_judges_cells(line.judges[name]),
        )
    console.print(table)
    for why in dict.fromkeys(line.why.values()):
        names = [name for name in METRICS if line.why.get(name) == why]
        console.print(f"{', '.join(names)}: {why}")


def _print_other_marks(console: Console, lines: Sequence[RaterLine]) -> None:
    names = [name for name in lines[0].marks if name not in METRICS]
    table = plain_table("also", *names)
    for line in lines:
        marks = [line.marks[name] for name in names]
        cells = [
            _with_interval(math.nan if mark.score is None else mark.score, mark) for mark in marks
        ]
        table.add_row(line.candidate, *cells)
    console.print(table)


def _print_left_out(console: Console, tables: PanelTables) -> None:
    if not tables.left_out:
        return
    console.print("each novice as the machine, against the other novices", style="bold")
    table = plain_table("p", "passages", *METRICS)
    for out in tables.left_out:
        cells = (_p_cell(out, name) for name in METRICS)
        table.add_row(out.novice, f"{out.passages:,}", *cells)
    passing = [f"{tables.passing[name]} of {len(tables.left_out)}" for name in METRICS]
    table.add_row("pass", "", *passing)
    console.print(table)


def _with_interval(value: float, mark: Mark | None) -> Text:
    """A mark, and its interval below it."""
    low, high = (None, None) if mark is None else (mark.low, mark.high)
    return Text(f"{_three(value)}\n").append(numbers.interval(low, high, 1), "dim")


def _judges_cells(judges: WholeJudges) -> tuple[str, str]:
    if not judges.judges:
        return ABSENT, ABSENT
    return f"{judges.beaten} of {judges.judges}", _p(judges.p)


def _three(value: float) -> str:
    return numbers.mark(None if math.isnan(value) else value, 1)


def _p(p: float) -> str:
    return numbers.p_value(None if math.isnan(p) else p)
