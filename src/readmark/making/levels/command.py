"""Levels in a terminal: how many questions of each, the reasons, agreement with people."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from readmark import console as options
from readmark.comprehension.levels.cues import LEVELS, REASONS
from readmark.console import Ticker
from readmark.core.display import ABSENT, counted, headline, make_console, plain_table, some
from readmark.making.levels.labels import RULES, Compared, Judged
from readmark.stats.agreement.value import Agreement

if TYPE_CHECKING:
    from readmark.making.levels.labels import Judgements


# ``readmark set levels``: the reasoning that each question needs, 1 to 4, with reasons.


SHOWN = 3
"""How many levels of another scale a line names."""


@click.command("levels")
@click.argument("test")
@click.option("-o", "--output", metavar="OUT", help="Test to write, with the levels in its key.")
@click.option(
    "--labels",
    metavar="FILE",
    help="People's labels as JSON Lines or CSV (id, level, reasons, person); they take "
    "precedence over the rules.",
)
@click.option("--why", is_flag=True, help="Print each question with the reasons for its level.")
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix; .json is smart]",
)
@options.json_option
def levels_command(
    test: str,
    output: str | None,
    labels: str | None,
    why: bool,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Label each question of a TEST by the reasoning that it needs.

    Level 1 is a string match; level 2 differs in wording or order; level 3 takes one type of
    reasoning (reference, time, cause, several sentences, comparison); level 4 takes several. A
    person's level, in the test or in --labels, takes precedence; the level by rules is stored
    too, and both are compared. A level on another scale is kept as the field level_given.
    """
    from readmark.core.files import require_apart
    from readmark.formats.registry import format_for, open_test, save_test
    from readmark.making.levels.labels import beside_people, judged, read_labels, with_levels
    from readmark.sitting.runner import Progress

    require_apart([output], [test, labels])
    asked = open_test(test, format=from_format)
    format = None
    if output is not None:
        format = to_format or format_for(Path(output), asked)
        if to_format is None and format.startswith("squad"):
            format = "smart"  # the JSON of that shape that holds levels
    people = read_labels(labels) if labels else {}
    total = asked.facts.units
    ticker = Ticker()
    began = time.monotonic()

    def watch(done: int) -> None:
        ticker.show(Progress(total, 0, done, 0, time.monotonic() - began))

    try:
        judgements = judged(asked, people, watch=watch)
        lost: list[str] = []
        if output is not None:
            lost = save_test(with_levels(asked, judgements), output, format=format)
    finally:
        ticker.end()
    options.notify(_remarks(judgements, written=output is not None))
    beside = beside_people(judgements.values())
    if as_json:
        about = {"output": output, "format": format, "lost": lost}
        options.print_json({**_document(asked.header.name or test, judgements, beside), **about})
        return

    options.notify(f"{format}: {line}" for line in lost)
    if why:
        print_reasons(judgements)
    print_levels(asked.header.name or test, judgements, beside)
    if output is not None:
        without = any(line.startswith("levels cannot be held") for line in lost)
        said = f"out levels: {format} has no place for them" if without else " levels"
        options.notify([f"{output}: written with{said}"])


def _remarks(judgements: Judgements, *, written: bool) -> list[str]:
    split = sum(len({one.level for one in each.people}) > 1 for each in judgements.values())
    foreign = {
        id: str(one.given)
        for id, one in judgements.items()
        if one.given is not None and one.level is not None
    }
    remarks = []
    if foreign:
        from readmark.core.display import some

        scale = ", ".join(list(dict.fromkeys(foreign.values()))[:SHOWN])
        kept = "kept as the field level_given" if written else "-o keeps them as level_given"
        remarks.append(f"levels of another scale ({scale}), {kept}: {some(list(foreign))}")
    if split:
        remarks.append(
            f"{split} questions whose people disagree: most labels decide, else the first"
        )
    return remarks


def _document(name: str, judgements: Judgements, beside: Compared | None) -> dict[str, Any]:
    from readmark.making.levels.labels import RULES

    return {
        "test": name,
        "rules": RULES,
        "levels": {id: _told(one) for id, one in judgements.items()},
        "agreement": None if beside is None else _agreement(beside),
    }


def _told(one: Judged) -> dict[str, Any]:
    told: dict[str, Any] = {
        "level": one.level,
        "reasons": one.reasons,
        "sentences": one.machine.sentences,
        "why": one.machine.why,
        "by": one.by,
    }
    if one.given is not None:
        told["given"] = one.given
    if one.person is not None:
        told["machine"] = {"level": one.machine.level, "reasons": one.machine.reasons}
        told["people"] = [
            {"person": each.person, "level": each.level, "reasons": each.reasons}
            for each in one.people
        ]
    return told


def _agreement(beside: Compared) -> dict[str, Any]:
    def figure(one: Any) -> dict[str, Any]:
        told = {"value": one.value, "low": one.low, "high": one.high}
        return {**told, "reason": one.reason} if one.value is None else told

    return {
        "questions": beside.questions,
        "exact": figure(beside.exact),
        "easy_hard": figure(beside.hard),
        "kappa": figure(beside.kappa),
        "easy_hard_kappa": figure(beside.hard_kappa),
        "confusion": beside.confusion,
    }


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
    console.print(f"the rules compared with {whose}: {counted(beside.questions, 'question')}")
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
