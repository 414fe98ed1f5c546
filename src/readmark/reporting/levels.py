"""Levels in a terminal: how many questions of each, the reasons, agreement with people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rich.console import Console

from readmark.measures.agreement import Agreement
from readmark.reporting.terminal import ABSENT, counted, headline, make_console, plain_table, some
from readmark.setting.levels.comparing import Compared
from readmark.setting.levels.levelling import RULES, Judged
from readmark.setting.levels.values import LEVELS, REASONS

SAYS = {
    1: "string match",
    2: "wording or word order differs",
    3: "one type of reasoning",
    4: "several types of reasoning",
}


def print_levels(name: str, judgements: Mapping[str, Judged], beside: Compared | None) -> None:
    """The levels of a test, then how the rules stand beside people."""
    console = make_console()
    levels = Counter(one.level for one in judgements.values())
    people = sum(one.person is not None for one in judgements.values())
    console.print(headline("levels", " of ", name, f": {counted(len(judgements), 'question')}"))
    whose = f"{people:,} by people, {len(judgements) - people:,} by rules" if people else "by rules"
    console.print(f"{whose} ({RULES})")
    total = len(judgements) or 1
    table = plain_table("level", "questions", "share")
    table.add_column("needs", overflow="fold")
    for level in LEVELS:
        share = f"{100 * levels[level] / total:.1f}%"
        table.add_row(str(level), f"{levels[level]:,}", share, SAYS[level])
    if levels[None]:
        table.add_row(ABSENT, f"{levels[None]:,}", f"{100 * levels[None] / total:.1f}%", "no level")
    console.print(table)
    _print_reasons(console, judgements)
    for why, ids in _unlevelled(judgements).items():
        console.print(f"no level, {why}: {some(ids)}")
    if beside is not None:
        print_compared(console, beside, whose="people")


def print_reasons(judgements: Mapping[str, Judged]) -> None:
    """Every question with its level by the rules and what they found, a person's level beside."""
    console = make_console()
    table = plain_table("id", "level", "people")
    for column in ("reasons", "why"):
        table.add_column(column, overflow="fold")
    for id, one in judgements.items():
        machine = one.machine
        people = "" if one.person is None else str(one.person.level)
        level = ABSENT if machine.level is None else str(machine.level)
        table.add_row(id, level, people, "\n".join(machine.reasons), machine.why)
    console.print(table)


def print_compared(console: Console, beside: Compared, *, whose: str) -> None:
    """Agreement of the rules with people, and where they differ."""
    console.print(f"the rules beside {whose}: {counted(beside.questions, 'question')}")
    table = plain_table("", "agree", "interval", "kappa")
    rows = (("exact", beside.exact, beside.kappa), ("1-2 / 3-4", beside.hard, beside.hard_kappa))
    for label, share, kappa in rows:
        table.add_row(label, _percent(share), _interval(share), _kappa(kappa))
    console.print(table)
    matrix = plain_table(whose, *(f"rules {level}" for level in LEVELS))
    for level, row in zip(LEVELS, beside.confusion, strict=True):
        matrix.add_row(str(level), *(str(count) if count else "·" for count in row))
    console.print(matrix)


def _print_reasons(console: Console, judgements: Mapping[str, Judged]) -> None:
    reasons = Counter(reason for one in judgements.values() for reason in one.reasons)
    table = plain_table("reason", "questions")
    for reason in REASONS:
        if reasons[reason]:
            table.add_row(reason, f"{reasons[reason]:,}")
    if table.row_count:
        console.print(table)


def _unlevelled(judgements: Mapping[str, Judged]) -> dict[str, list[str]]:
    """The questions without a level, by what is missing."""
    found: dict[str, list[str]] = {}
    for id, one in judgements.items():
        if one.level is None:
            found.setdefault(one.machine.why, []).append(id)
    return found


def _percent(one: Agreement) -> str:
    return ABSENT if one.value is None else f"{100 * one.value:.1f}%"


def _interval(one: Agreement) -> str:
    if one.low is None or one.high is None:
        return ABSENT
    return f"{100 * one.low:.1f}–{100 * one.high:.1f}"


def _kappa(one: Agreement) -> str:
    return ABSENT if one.value is None else f"{one.value:.2f}"
