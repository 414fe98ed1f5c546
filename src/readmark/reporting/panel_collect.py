"""What a panel said, in a terminal: who did how much, what is odd, how far they agree."""

from __future__ import annotations

from collections import Counter

from rich.console import Console

from readmark.measures.agreement import Agreement
from readmark.reporting.terminal import ABSENT, counted, make_console, number, plain_table, span
from readmark.setting.panels.collecting import Collected
from readmark.setting.panels.findings import CODES

SHOWN = 3
"""Findings of a code that are shown; the report has them all."""
CRITERIA = 15


def print_collected(done: Collected) -> None:
    """Judges, findings, agreement, criteria."""
    console = make_console()
    console.print(
        f"{counted(done.rows, 'row')} read: {done.rated:,} of {done.expected:,} ratings are there"
    )
    table = plain_table("judge", "panel", "rated", "mean", "sd", "with panel", "with experts")
    for name, one in done.agreement.judges.items():
        table.add_row(
            name,
            one.panel,
            f"{one.rated:,}",
            number(one.mean),
            number(one.deviation),
            number(one.with_panel.value),
            number(one.with_experts.value),
        )
    console.print(table)
    console.print("with panel, with experts: correlation with the mean of the others", style="dim")
    _print_findings(console, done)
    _print_agreement(console, done)
    if done.criteria:
        criteria = plain_table("criterion", "times", "experts")
        for each in done.criteria[:CRITERIA]:
            criteria.add_row(each.text, str(each.times), ", ".join(each.experts))
        console.print(criteria)
        if len(done.criteria) > CRITERIA:
            console.print(f"… and {len(done.criteria) - CRITERIA} more; --json has them all")


def _print_findings(console: Console, done: Collected) -> None:
    counts = Counter(one.code for one in done.findings)
    for code, what in CODES.items():
        if not counts[code]:
            continue
        console.print(f"{code}: {counts[code]:,} – {what}", highlight=False)
        found = [one for one in done.findings if one.code == code]
        for one in found[:SHOWN]:
            who = f"{one.judge}: " if one.judge else ""
            where = f"{one.file}:{one.line}: " if one.file else ""
            console.print(f"  {where}{who}{one.message}", markup=False, highlight=False)
        if len(found) > SHOWN:
            console.print(f"  … and {len(found) - SHOWN} more")


def _print_agreement(console: Console, done: Collected) -> None:
    table = plain_table("agreement", "judges", "measure", "value", "interval", "n")
    reasons: list[str] = []
    for panel, within in done.agreement.panels.items():
        for one in within.measures:
            table.add_row(panel, str(len(within.judges)), *_cells(one))
            if one.reason is not None:
                reasons.append(f"{panel} {one.measure}: {one.reason}")
    between = done.agreement.between
    table.add_row("expert – novice", "means", *_cells(between))
    if between.reason is not None:
        reasons.append(f"expert – novice: {between.reason}")
    console.print(table)
    for reason in reasons:
        console.print(reason, style="dim")


def _cells(one: Agreement) -> tuple[str, str, str, str]:
    interval = span(one.low, one.high) if one.low is not None else ABSENT
    return one.measure, number(one.value), interval, f"{one.n:,}"
