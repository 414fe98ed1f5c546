"""``readmark panel mark``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import nan

import click
from rich.console import Console
from rich.text import Text

from readmark import console as options
from readmark.core.display import (
    ABSENT,
    GAP,
    counted,
    fitting,
    headline,
    make_console,
    p_value,
    plain_table,
    print_signatures,
    span,
)
from readmark.marking.marks import Mark
from readmark.readability.panels.novices import ALPHA, METRICS, Judges
from readmark.readability.panels.tables import PanelTables, RaterLine


@click.command("mark")
@click.argument("test")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "--novice",
    "novices",
    multiple=True,
    required=True,
    metavar="SITTING",
    help="Sitting with a novice's ratings (repeatable, once per novice).",
)
@options.by_option
@click.option(
    "--draws",
    type=int,
    default=10_000,
    help="Times that novices' ratings are drawn in place of the machine's, up to 1,000,000",
)
@options.seed_option
@click.option(
    "--round", "rounded", is_flag=True, help="Round ratings to whole stars for the metric target."
)
@click.option(
    "-o", "--output", metavar="FOLDER", help="Folder to write the marksheets to, for a report."
)
@options.errors_option
@options.from_option
@options.json_option
@click.pass_context
def mark_command(
    ctx: click.Context,
    test: str,
    sittings: tuple[str, ...],
    novices: tuple[str, ...],
    by: str | None,
    draws: int,
    seed: int,
    rounded: bool,
    output: str | None,
    errors_as_wrong: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Test whether raters are as good as novices: mark each SITTING against the experts.

    Reports the document's three metrics, each with the probability that ratings drawn from the
    novices do as well. Also compares the rater with each novice as a whole judge, and marks
    each novice like a machine. --by split separates cross-validated and blind passages.
    """
    from readmark.formats.registry import load
    from readmark.marking.marks import Settings
    from readmark.marking.notes import error_words
    from readmark.readability.panels.claims import panel_mark

    found = panel_mark(
        load(test, format=from_format),
        sittings,
        novices,
        by=options.fields(by),
        settings=Settings(seed=seed, trials=draws),
        round=rounded,
        folder=output,
    )
    options.notify(found.notes)
    if as_json:
        options.print_json(found.as_json())
    else:
        print_panel(found)
    if output:
        options.notify([f"marksheets written to {output}; readmark report {output}/*.marks.jsonl"])
    for name, ids in found.failed.items():
        options.notify([f"{name}: {error_words(ids, counted=errors_as_wrong)}"])
    if found.failed and not errors_as_wrong:
        ctx.exit(1)


# Raters beside novices in a terminal: Table 1, whole judges, novices as machines, the claims.


def print_panel(found: PanelTables) -> None:
    """Everything, the claims last."""
    console = make_console()
    size = (
        f": {counted(found.passages, 'passage')}, {counted(len(found.experts), 'expert')}, "
        f"{counted(len(found.novices), 'novice')}"
    )
    console.print(headline("panel", " of ", found.test, size))
    console.print(_targets(found))
    title = "p: how often novices drawn passage by passage do as well"
    _print_p(console, title, found.raters, found.passages)
    for field, labels in found.by.items():
        for label, lines in labels.items():
            most = max(one.passages for one in lines)
            passages = counted(most, "passage")
            _print_p(console, f"p, {field} {label}: {passages}", lines, most)
    for line in found.raters:
        _print_rater(console, line)
    _print_beside(console, found.raters)
    _print_left_out(console, found)
    for said in found.claims:
        console.print(said)
    console.print(
        f"{found.draws:,} draws, seed {found.seed}; critical: to be exceeded, upper "
        f"{100 * ALPHA:g}%; judges: novices beaten as whole judges, and p of that",
        style="dim",
    )
    print_signatures(console, found.signatures)


def _targets(found: PanelTables) -> str:
    """How many targets have no width, and what hits them."""
    share = f"{100 * found.narrow / found.passages:.0f}%"
    said = f"targets without width: {found.narrow:,} ({share})"
    if found.narrow:
        hit = "the rating rounded to stars" if found.rounded else "only that very rating"
        said += f"; {hit} hits {'it' if found.narrow == 1 else 'them'}"
    elif found.rounded:
        said += "; ratings are rounded to stars"
    return said


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
    table = plain_table(line.candidate, "mark", "critical", "p", "judges", "p")
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


def _print_beside(console: Console, lines: Sequence[RaterLine]) -> None:
    names = [name for name in lines[0].marks if name not in METRICS]
    table = plain_table("beside", *names)
    for line in lines:
        marks = [line.marks[name] for name in names]
        cells = [_with_interval(nan if one.score is None else one.score, one) for one in marks]
        table.add_row(line.candidate, *cells)
    console.print(table)


def _print_left_out(console: Console, found: PanelTables) -> None:
    if not found.left_out:
        return
    console.print("each novice as the machine, against the other novices", style="bold")
    table = plain_table("p", "passages", *METRICS)
    for one in found.left_out:
        cells = [
            Text(_p(one.verdicts[name].p), "bold" if one.verdicts[name].better else "")
            for name in METRICS
        ]
        table.add_row(one.novice, f"{one.passages:,}", *cells)
    passing = [f"{found.passing[name]} of {len(found.left_out)}" for name in METRICS]
    table.add_row("pass", "", *passing)
    console.print(table)


def _with_interval(value: float, mark: Mark | None) -> Text:
    """A mark over its interval."""
    low, high = (None, None) if mark is None else (mark.low, mark.high)
    return Text(f"{_three(value)}\n").append(span(low, high, _three), "dim")


def _judged(judges: Judges) -> list[str]:
    if not judges.judges:
        return [ABSENT, ABSENT]
    return [f"{judges.beaten} of {judges.judges}", _p(judges.p)]


def _three(value: float) -> str:
    return ABSENT if math.isnan(value) else f"{value:.3f}"


def _p(p: float) -> str:
    return p_value(None if math.isnan(p) else p)
