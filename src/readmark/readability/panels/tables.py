"""Raters by metrics: Table 1 of the DARPA readability evaluation, and what goes with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
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
from readmark.readability.metrics.undefined import ALIKE
from readmark.readability.panels.novices import (
    ALPHA,
    METRICS,
    Judges,
    NoviceVerdict,
    Null,
    PanelRatings,
    against_judges,
    left_out,
    verdicts,
)


@dataclass(frozen=True, slots=True)
class RaterLine:
    """One rater on some passages: its marks, the novices' null, and whole judges, by metric."""

    candidate: str
    passages: int
    marks: Mapping[str, Mark]
    verdicts: Mapping[str, NoviceVerdict]
    judges: Mapping[str, Judges]
    why: Mapping[str, str] = field(default_factory=dict)
    """Why a metric has no p, where it has none."""
    single: int = 0
    """Passages of them that one novice alone rated."""

    @property
    def better(self) -> list[str]:
        """The metrics by which the document's test calls the rater better than a novice."""
        return [name for name, verdict in self.verdicts.items() if verdict.better]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A novice as the machine against the others, by the document's test."""

    novice: str
    passages: int
    verdicts: Mapping[str, NoviceVerdict]

    @property
    def passes(self) -> list[str]:
        """The metrics by which the novice is called better than a novice."""
        return [name for name, verdict in self.verdicts.items() if verdict.better]


@dataclass(frozen=True, slots=True)
class PanelTables(Result):
    """Everything that ``panel mark`` shows."""

    test: str
    novices: Sequence[str]
    experts: Sequence[str]
    passages: int
    narrow: int
    """Passages whose target has no width."""
    single: int
    """Passages that one novice alone rated."""
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
        """What decided each metric's numbers: the mark's signature, and the null's."""
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
        """One document; notes are on stderr."""
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
        """Table 1, whole judges, novices as machines; the claims last."""
        size = (
            f": {counted(self.passages, 'passage')}, {counted(len(self.experts), 'expert')}, "
            f"{counted(len(self.novices), 'novice')}"
        )
        console.print(headline("panel", " of ", self.test, size))
        console.print(_targets(self))
        title = "p: how often ratings of randomly drawn novices score at least as high"
        _print_p(console, title, self.raters, self.passages)
        for name, labels in self.by.items():
            for label, lines in labels.items():
                most = max(line.passages for line in lines)
                passages = counted(most, "passage")
                _print_p(console, f"p, {name} {label}: {passages}", lines, most)
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


def rater_line(
    candidate: str,
    gathered: PanelRatings,
    null: Null,
    marks: Mapping[str, Mark],
) -> RaterLine:
    """One rater's line."""
    novice_verdicts = verdicts(gathered.panel, gathered.machine, null(gathered.panel))
    judges = against_judges(gathered.panel, gathered.machine)
    return RaterLine(
        candidate,
        gathered.panel.passages,
        marks,
        dict(zip(METRICS, novice_verdicts, strict=True)),
        dict(zip(METRICS, judges, strict=True)),
        _why(gathered, novice_verdicts),
        int(gathered.panel.single.sum()),
    )


def _why(gathered: PanelRatings, found: Sequence[NoviceVerdict]) -> dict[str, str]:
    """Why there is no p, where there is none: nothing is drawn, or no correlation."""
    none = {}
    if gathered.panel.single.all():
        none = dict.fromkeys(METRICS, "no p: every passage has one novice, so nothing is drawn")
    if math.isfinite(found[2].observed):
        return none
    return {**none, **_why_undefined(gathered)}


def _why_undefined(gathered: PanelRatings) -> dict[str, str]:
    ratings = gathered.machine[:, 2]
    if not gathered.answered:
        missing = int(np.count_nonzero(~np.isfinite(ratings)))
        return {METRICS[2]: f"undefined: {missing} unanswered"}
    if len(ratings) < 2:
        return {METRICS[2]: "undefined: one passage"}
    for what, values in (("ratings", ratings), ("gold ratings", gathered.panel.gold)):
        if np.ptp(values) == 0:
            return {METRICS[2]: f"undefined: the {what} are all the same"}
    return {METRICS[2]: f"undefined: {ALIKE}"}


def leave_each_out(gathered: PanelRatings, *, seed: int, draws: int) -> list[LeftOut]:
    """Every novice who shares a passage with another, as the machine."""
    left_outs = []
    each = left_out(gathered.panel, seed=seed, draws=draws)
    for index, (name, novice_verdicts) in enumerate(zip(gathered.novices, each, strict=True)):
        if novice_verdicts is not None:
            passages = int(gathered.panel.without(index)[1].sum())
            left_outs.append(
                LeftOut(name, passages, dict(zip(METRICS, novice_verdicts, strict=True)))
            )
    return left_outs


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


# The tables in a terminal.


def _targets(found: PanelTables) -> str:
    """How many targets have no width, and what hits them."""
    share = numbers.percent(found.narrow / found.passages, 0)
    text = f"passages on which all experts agree: {found.narrow:,} ({share})"
    if found.narrow:
        hit = "rounds to" if found.rounded else "is exactly"
        text += f"; there a rating hits the target if it {hit} theirs"
    elif found.rounded:
        text += "; for the target, ratings are rounded to stars"
    return text


def _print_p(console: Console, title: str, lines: Sequence[RaterLine], most: int) -> None:
    """Table 1 of the document: metrics down, raters across, in as many tables as fit."""
    console.print(title, style="bold")
    names = [line.candidate for line in lines]
    room = console.width - max(map(len, METRICS)) - GAP
    for shown in fitting(names, room, least=len("< 0.0001")):
        table = plain_table("metric", *shown)
        for name in METRICS:
            table.add_row(name, *(_p_cell(line, name) for line in lines if line.candidate in shown))
        console.print(table)
    for line in lines:
        if line.passages < most:
            console.print(f"{line.candidate}: on {line.passages:,} of {most:,} passages")


def _p_cell(line: RaterLine, name: str) -> Text:
    verdict = line.verdicts[name]
    return Text(_p(verdict.p), "bold" if verdict.better else "")


def _print_rater(console: Console, line: RaterLine) -> None:
    """One rater: marks with what had to be exceeded, and whole judges."""
    table = plain_table(line.candidate, "mark", "to exceed", "p", "beaten", "p")
    for name in METRICS:
        verdict, mark = line.verdicts[name], line.marks.get(name)
        table.add_row(
            name,
            _with_interval(verdict.observed, mark),
            _three(verdict.critical),
            _p_cell(line, name),
            *_judged(line.judges[name]),
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


def _print_left_out(console: Console, found: PanelTables) -> None:
    if not found.left_out:
        return
    console.print("each novice as the machine, against the other novices", style="bold")
    table = plain_table("p", "passages", *METRICS)
    for out in found.left_out:
        cells = [
            Text(_p(out.verdicts[name].p), "bold" if out.verdicts[name].better else "")
            for name in METRICS
        ]
        table.add_row(out.novice, f"{out.passages:,}", *cells)
    passing = [f"{found.passing[name]} of {len(found.left_out)}" for name in METRICS]
    table.add_row("pass", "", *passing)
    console.print(table)


def _with_interval(value: float, mark: Mark | None) -> Text:
    """A mark over its interval."""
    low, high = (None, None) if mark is None else (mark.low, mark.high)
    return Text(f"{_three(value)}\n").append(numbers.interval(low, high, 1), "dim")


def _judged(judges: Judges) -> list[str]:
    if not judges.judges:
        return [ABSENT, ABSENT]
    return [f"{judges.beaten} of {judges.judges}", _p(judges.p)]


def _three(value: float) -> str:
    return numbers.mark(None if math.isnan(value) else value, 1)


def _p(p: float) -> str:
    return numbers.p_value(None if math.isnan(p) else p)


# What may be claimed of raters compared with novices, and what not, in plain words.


JUDGES_NEEDED = math.ceil(1 / ALPHA) - 1
"""So many whole judges must be beaten, all of them, before p can be 0.025."""


def claims(raters: Sequence[RaterLine], novices: Sequence[LeftOut]) -> list[str]:
    """A line a rater, then what the panel itself says of the test."""
    most = max((line.passages for line in raters), default=0)
    # Where a rater is above all whole judges, the panel's own passing takes nothing from it.
    above = bool(raters) and all(line.better and _above_judges(line) for line in raters)
    said = [_claim(line, most) for line in raters]
    return [*said, *_of_the_panel(novices, warn=not above)]


def every_draw(line: RaterLine) -> list[str]:
    """The metrics by which every single draw was at least as good."""
    return [name for name, verdict in line.verdicts.items() if verdict.p == 1]


def _claim(line: RaterLine, most: int) -> str:
    part = f" (on {line.passages:,} of {most:,} passages)" if line.passages < most else ""
    text = f"{line.candidate}{part}: {_may_claim(line)}"
    if line.single and any(math.isfinite(verdict.p) for verdict in line.verdicts.values()):
        few = f"{line.single} of {line.passages} passages have"
        text += (
            f". But {few if line.single > 1 else few.replace('have', 'has')} one novice alone, "
            "where nothing is drawn: the fewer the novices, the less p says"
        )
    return text


def _may_claim(line: RaterLine) -> str:
    defined = [name for name in METRICS if not math.isnan(line.verdicts[name].p)]
    if not defined:
        return "nothing can be claimed, no metric has a p"
    better = line.better
    if not better:
        text = (
            "not shown to be better than ratings drawn from the novices by any metric; "
            "that does not show it to be worse, or as good"
        )
        return f"{text}{_behind(line)}"
    which = "all three metrics" if len(better) == len(METRICS) else listed(better)
    text = f"better than ratings of randomly drawn novices, by {which}"
    if len(better) < len(defined):
        text += f"; not shown by {listed([name for name in defined if name not in better])}"
    return f"{text}{_behind(line)}. {_judges(line)}"


def _behind(line: RaterLine) -> str:
    found = every_draw(line)
    return f". Every draw was at least as good by {listed(found)}" if found else ""


def _above_judges(line: RaterLine) -> bool:
    compared = [line.judges[name] for name in line.better if line.judges[name].judges]
    return bool(compared) and all(judges.p <= ALPHA for judges in compared)


def _judges(line: RaterLine) -> str:
    """Whether the claim reaches from drawn ratings to novices as people."""
    compared = [line.judges[name] for name in line.better if line.judges[name].judges]
    if not compared:
        return "No whole judge could be compared"
    least = min(compared, key=lambda judges: judges.beaten / judges.judges)
    if _above_judges(line):
        return (
            f"Better than novices as persons too: it beats at least {least.beaten} of "
            f"{least.judges} by each of these metrics"
        )
    which = "each of these metrics" if len(compared) > 1 else "this metric"
    bound = "at least " if len(compared) > 1 and least.beaten < least.judges else ""
    beaten = (
        "This does not show that it is better than a novice as a person: it beats "
        f"{bound}{least.beaten} of {least.judges} by {which}"
    )
    if least.smallest > ALPHA:
        return (
            f"{beaten}, and with {least.judges} novices p cannot be below "
            f"{numbers.p_value(least.smallest)} ({JUDGES_NEEDED} novices are needed for {ALPHA:g})"
        )
    return f"{beaten} (p {numbers.p_value(least.p)})"


def _of_the_panel(novices: Sequence[LeftOut], *, warn: bool) -> list[str]:
    if not novices:
        return []
    some = sum(bool(out.passes) for out in novices)
    every = sum(len(out.passes) == len(METRICS) for out in novices)
    text = (
        f"of your {counted(len(novices), 'novice')}, {some} would pass the same test by at least "
        f"one metric and {every} by all three, each compared with the others"
    )
    if some > ALPHA * len(METRICS) * len(novices):
        text += (
            ": a consistent person passes it more often than 2.5% of the time, so passing shows a "
            "rater to be better than the novices mixed together"
        )
        if warn:
            text += ", not than each of them"
    return [text]


def listed(names: Sequence[str]) -> str:
    """Names with an "and" before the last."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
