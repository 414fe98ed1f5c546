"""``readmark series table``."""

from __future__ import annotations

from collections.abc import Mapping

import click
from rich.cells import cell_len
from rich.console import Console

from readmark import console as options
from readmark.core.display import (
    ABSENT,
    GAP,
    counted,
    fitting,
    headline,
    make_console,
    plain_table,
    print_signatures,
)
from readmark.core.registry import Name, parse_name
from readmark.series.tables import APPEND, GOLD, NONE, UNIGRAMS, Line, StrategyTable, Tables


@click.command("table")
@click.argument("series")
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="Rewriter to mark in addition to none and append (repeatable).",
)
@click.option(
    "-s",
    "--sitting",
    "sittings",
    multiple=True,
    metavar="SITTING",
    help="Sitting whose rewrites are also marked (repeatable).",
)
@options.metrics_option
@click.option(
    "--variant",
    type=click.Choice(["standard", "simmetrics"]),
    default="standard",
    help="Definitions of the metrics, if no --metric is given",
)
@options.from_option
@options.json_option
@click.pass_context
def table_command(
    ctx: click.Context,
    series: str,
    rewriters: tuple[str, ...],
    sittings: tuple[str, ...],
    metrics: tuple[str, ...],
    variant: str,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Mark the strategies none, append, gold and any REWRITER with every metric and weighting.

    The tables are those of the question series document; gaps are recomputed from the columns.
    With --metric, there is one table of the given metrics. Exits with status 1 if a rewriter
    failed on a question.
    """
    from readmark.console import stdout_kept_for_the_result
    from readmark.formats.registry import load
    from readmark.series.tables import strategy_tables

    with stdout_kept_for_the_result():
        found = strategy_tables(
            load(series, format=from_format),
            rewriters=rewriters,
            sittings=sittings,
            metrics=metrics,
            variant=variant,
        )
    options.notify(found.notes)
    if as_json:
        options.print_json(found.as_json())
    else:
        print_tables(found)
    if found.failed:
        ctx.exit(1)


# Strategies of rewriting in a terminal: a table a weighting, at the width that there is.


SCORE = len("+0.000")
PLACES = 3
LESS = " - append"


def print_tables(found: Tables) -> None:
    """Every table, then what decided the numbers."""
    console = make_console()
    unkeyed = f", {found.unkeyed} without gold left out" if found.unkeyed else ""
    size = f": {counted(found.questions, 'question')}{unkeyed}"
    console.print(headline("rewriting", " of ", found.series, size))
    words = {
        line.label: line
        for table in found.tables
        if table.weights == UNIGRAMS
        for line in table.lines
    }
    for table in found.tables:
        _print(console, table, found, words)
    if any(table.gaps for table in found.tables):
        console.print("gap: append less none", style="dim")
    if any(line.change is not None for table in found.tables for line in table.lines):
        console.print("change: the gap less that of words alone", style="dim")
    if found.variant is None:
        print_signatures(console, found.signatures)
    else:
        names = [line.metric for line in found.tables[0].lines]
        print_signatures(console, dict(_unweighted(name, found.signatures[name]) for name in names))


def _unweighted(metric: str, signature: str) -> tuple[str, str]:
    """A metric and its signature without the weights: each table says its own."""
    name = parse_name(metric)
    rest = {key: value for key, value in name.parameters.items() if key not in "ubt"}
    parts = [part for part in signature.split("|") if not part.startswith("weights:")]
    return str(Name(name.base, rest)), "|".join(parts)


def score(value: float | None) -> str:
    """A similarity with three decimals."""
    return ABSENT if value is None else f"{value:.{PLACES}f}"


def difference(value: float | None) -> str:
    """A difference of similarities with its sign."""
    return ABSENT if value is None else f"{round(value, PLACES) + 0.0:+.{PLACES}f}"


def less(one: float | None, other: float | None) -> float | None:
    """The difference of two numbers as they are printed."""
    return None if one is None or other is None else round(one, PLACES) - round(other, PLACES)


def _print(
    console: Console, table: StrategyTable, found: Tables, words: Mapping[str, Line]
) -> None:
    console.print(table.title, style="bold")
    columns = [*(one for one in found.strategies if one != GOLD), GOLD]
    if table.gaps:
        columns.append("gap")
        if any(line.change is not None for line in table.lines):
            columns.append("change")
    over = [f"{one}{LESS}" for one in found.rewriters]
    labels = max(cell_len(line.label) for line in table.lines)
    room = console.width - min(labels, console.width // 3) - GAP
    for shown in fitting([*columns, *over], room, least=SCORE):
        out = plain_table("metric", *shown)
        for line in table.lines:
            out.add_row(line.label, *(_cell(line, column, words) for column in shown))
        console.print(out)


def _cell(line: Line, column: str, words: Mapping[str, Line]) -> str:
    """A mark, or the difference of the columns as they stand there."""
    if column in line.marks:
        return score(line.marks[column])
    if column == "gap":
        return difference(_gap(line))
    if column == "change":
        return difference(less(_gap(line), _gap(words[line.label])))
    return difference(less(line.marks[column.removesuffix(LESS)], line.marks[APPEND]))


def _gap(line: Line) -> float | None:
    return less(line.marks[APPEND], line.marks[NONE])
