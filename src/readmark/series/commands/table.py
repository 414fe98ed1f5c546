"""``readmark series table``: rewriters side by side, by metric and weighting."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import candidate_name


@click.command("table")
@click.argument("series")
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="Rewriter to mark in addition to none and append (repeatable).",
    type=candidate_name("series"),
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
@click.option(
    "--pairs",
    type=click.Choice(["sliding", "disjoint"]),
    default="sliding",
    help="Where pairs and triples of words begin, if no --metric is given: at each word, or "
    "where the one before ended",
)
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def table_command(
    ctx: click.Context,
    /,
    series: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Mark the strategies none, append, gold and any REWRITER with every metric and weighting.

    The tables are those of the question series document; gaps are recomputed from the columns.
    With --metric, there is one table of the given metrics. Exits with status 1 if a rewriter
    failed on a question.
    """
    from readmark.formats.inputs import load
    from readmark.series.tables.strategy_tables import strategy_tables

    with options.candidate_output_to_stderr():
        result = strategy_tables(load(series, format=from_format, split=split), **settings)
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.failed:
        ctx.exit(1)
