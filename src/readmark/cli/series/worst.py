"""``readmark series worst``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("worst")
@click.argument("series")
@click.argument("sitting")
@click.option(
    "-m", "--metric", metavar="METRIC", help="What makes a rewrite bad; jaccard when absent."
)
@click.option("--show", type=int, default=10, show_default=True, help="How many rewrites to show.")
@click.option("--plot", metavar="FILE", help="Draw the distribution of scores: .svg or .png.")
@click.option(
    "--baseline", metavar="SITTING", help="List what got worse since; exit 1 when anything did."
)
@options.from_option
@options.json_option
@click.pass_context
def worst_command(
    ctx: click.Context,
    series: str,
    sitting: str,
    metric: str | None,
    show: int,
    plot: str | None,
    baseline: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Show the worst rewrites of a SITTING with target, question, gold and every metric.

    Rewrites are grouped by what went wrong: wrong antecedent, over-expansion, missing target,
    grammar. --json has every question that is not perfect. Exit 1 when a rewrite is an error.
    """
    from readmark.corpus.errors import UsageError
    from readmark.corpus.outputs import require_apart
    from readmark.workflows import api
    from readmark.workflows.series_worst import judge

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    if plot is not None:
        from readmark.reporting.corpus_plot import require_picture

        require_picture(plot)
        require_apart([plot], [series, sitting, baseline])
    found = judge(api.load(series, format=from_format), sitting, metric=metric, baseline=baseline)
    options.say(found.notes)
    if plot is not None:
        from readmark.reporting.series_plot import write_distribution

        write_distribution(found, plot)
        options.say([f"{plot}: the distribution of scores"])
    if as_json:
        options.print_json(found.as_json())
    else:
        from readmark.reporting.series_worst import print_judged

        print_judged(found, show=show)
    if found.worse or found.errors:
        ctx.exit(1)
