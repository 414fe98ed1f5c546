"""The worst rewrites of a sitting in a terminal, and what got worse since another."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from readmark.marking.series.failures import FAILURES, PERFECT
from readmark.marking.series.judged import BINS, Judged, Rewrite, Worse
from readmark.reporting.series import difference, score
from readmark.reporting.terminal import (
    counted,
    headline,
    make_console,
    plain_table,
    print_signatures,
)

LABEL = 10
BAR = 40
"""The longest bar of the distribution, in characters."""
NOTHING = "(none)"


def print_judged(found: Judged, *, show: int) -> None:
    """Distribution, failures, the worst rewrites, and what got worse."""
    console = make_console()
    size = f": {counted(len(found.rewrites), 'question')}, {found.metric} {score(found.mean)}"
    console.print(headline(found.candidate, " on ", found.series, size))
    _print_distribution(console, found)
    _print_failures(console, found)
    worst = found.worst()
    if worst and show:
        console.print(f"the worst {min(show, len(worst))} of {len(worst)}", style="bold")
        chosen = worst[:show]
        for name in FAILURES:
            group = [one for one in chosen if one.failure.name == name]
            if group:
                console.print(f"{name}: {len(group)}", style="bold")
            for one in group:
                _print_rewrite(console, one)
    if found.baseline is not None:
        _print_worse(console, found)
    print_signatures(console, {found.metric: found.signature})


def _print_distribution(console: Console, found: Judged) -> None:
    counts = found.distribution()
    most = max(counts)
    table = plain_table(found.metric, "questions", "")
    table.columns[2].justify = "left"
    for at, count in enumerate(counts):
        if count or any(counts[:at]):
            bar = "█" * max(round(BAR * count / most), 1 if count else 0)
            end = "]" if at == BINS - 1 else ")"
            table.add_row(f"[{at / BINS:.2f}, {(at + 1) / BINS:.2f}{end}", f"{count:,}", bar)
    for line in console.render_lines(table, pad=False):  # no blanks after a bar
        shown = Text.assemble(*((part.text, part.style or "") for part in line))
        shown.rstrip()
        console.print(shown)


def _print_failures(console: Console, found: Judged) -> None:
    table = plain_table("what went wrong", "questions", "share", "mean")
    whole = len(found.rewrites)
    for name, (count, mean) in found.groups().items():
        shown = f"nothing ({PERFECT})" if name == PERFECT else name
        table.add_row(shown, f"{count:,}", f"{count / whole:.1%}", score(mean))
    console.print(table)


def _print_rewrite(console: Console, one: Rewrite) -> None:
    console.print(Text.assemble((one.id, "bold"), f" {score(one.score)}"))
    _say(console, "target", one.target)
    _say(console, "question", one.question)
    _say(console, "rewrite", NOTHING if one.rewrite is None else one.rewrite)
    _say(console, "gold", one.gold)
    if one.previous:
        _say(console, "previous", "; ".join(one.previous))
    if one.failure.missing:
        _say(console, "missing", " ".join(one.failure.missing))
    if one.failure.extra:
        _say(console, "extra", " ".join(one.failure.extra))
    marks = (f"{name} {score(value)}" for name, value in one.marks.items())
    _say(console, "metrics", ", ".join(marks))
    console.print()


def _say(console: Console, label: str, text: str) -> None:
    """A label, and a text that goes on under itself."""
    lines = Text(text).wrap(console, max(console.width - LABEL - 2, 10))
    for at, line in enumerate(lines):
        line.rstrip()
        console.print(Text(f"  {label if not at else '':<{LABEL}}", "dim").append_text(line))


def _print_worse(console: Console, found: Judged) -> None:
    console.print(
        f"beside {found.baseline}, {counted(len(found.before or {}), 'question')}: "
        f"{found.better} better, {len(found.worse)} worse",
        style="bold",
    )
    for one in found.worse:
        _print_change(console, one)


def _print_change(console: Console, one: Worse) -> None:
    scores = f" {score(one.before)} to {score(one.after)} ({difference(one.after - one.before)})"
    console.print(Text.assemble((one.id, "bold"), scores))
    _say(console, "target", one.target)
    _say(console, "question", one.question)
    _say(console, "before", NOTHING if one.rewrite_before is None else one.rewrite_before)
    _say(console, "after", NOTHING if one.rewrite is None else one.rewrite)
    _say(console, "gold", one.gold)
    console.print()
