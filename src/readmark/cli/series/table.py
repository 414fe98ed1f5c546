"""``readmark series table``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("table")
@click.argument("series")
@click.option(
    "-w",
    "--rewriter",
    "rewriters",
    multiple=True,
    metavar="REWRITER",
    help="A rewriter beside none and append; may be repeated.",
)
@click.option(
    "-s",
    "--sitting",
    "sittings",
    multiple=True,
    metavar="SITTING",
    help="The rewrites of a sitting beside them; may be repeated.",
)
@options.metrics_option
@click.option(
    "--variant",
    type=click.Choice(["standard", "simmetrics"]),
    default="standard",
    show_default=True,
    help="The definitions of the metrics when none is named.",
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
    """Mark the strategies none, append, gold and any REWRITER by every metric and weighting.

    The tables are those of the question series document; gaps are recomputed from the columns.
    With METRICs named there is one table of them. Exit 1 when a rewriter failed on a question.
    """
    from readmark.cli.sit import stdout_kept_for_the_result
    from readmark.workflows import api
    from readmark.workflows.series import strategy_tables

    with stdout_kept_for_the_result():
        found = strategy_tables(
            api.load(series, format=from_format),
            rewriters=rewriters,
            sittings=sittings,
            metrics=metrics,
            variant=variant,
        )
    options.say(found.notes)
    if as_json:
        options.print_json(found.as_json())
    else:
        from readmark.reporting.series import print_tables

        print_tables(found)
    if found.failed:
        ctx.exit(1)
