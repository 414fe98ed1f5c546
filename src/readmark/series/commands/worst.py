"""``readmark series worst``: the worst rewrites of a sitting, and what got worse."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import METRIC_NAME, OUTPUT_FILE


@click.command("worst")
@click.argument("series")
@click.argument("sitting")
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    help="Metric that ranks the rewrites  [default: jaccard]",
    type=METRIC_NAME,
)
@click.option("--show", type=int, default=10, help="Number of rewrites to show")
@click.option(
    "--plot",
    metavar="FILE",
    help="Plot the distribution of scores to this file, .svg, .png or .pdf.",
    type=OUTPUT_FILE,
)
@click.option(
    "--baseline",
    metavar="SITTING",
    help="Earlier sitting to compare with; lists what got worse, and exits with status "
    "1 if anything did.",
)
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def worst_command(
    ctx: click.Context,
    /,
    series: str,
    sitting: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Show the worst rewrites of a SITTING with target, question, gold and every metric.

    Rewrites are grouped by error: wrong antecedent, over-expansion, missing target, grammar.
    --json lists every question that is not perfect. Exits with status 1 if a rewrite is an
    error.
    """
    from readmark.formats.inputs import load
    from readmark.series.worst.worst_rewrites import worst_rewrites

    test = load(series, format=from_format, split=split)
    result = worst_rewrites(test, sitting, **settings)
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.worse or result.errors:
        ctx.exit(1)
