"""``readmark compare``."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.marking import MarkSettings


@click.command("compare")
@click.argument("test")
@click.argument("a")
@click.argument("others", nargs=-1, required=True, metavar="B [C...]")
@options.settings_option(
    MarkSettings,
    "metrics",
    "-m",
    "--metric",
    metavar="METRIC",
    default_words="the kind's main metric, f1 for comprehension",
)
@options.by_option
@options.trials_option
@options.draws_option
@options.confidence_option
@options.paired_interval_option
@options.seed_option
@click.option("--alpha", type=float, default=0.05, help="Significance level")
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit with status 3 if any sitting is worse than A by any metric, with p < alpha.",
)
@options.errors_option
@options.split_option
@options.from_option
@options.plot_option
@options.full_option
@options.format_option
@options.json_option
@click.pass_context
def compare_command(
    ctx: click.Context,
    /,
    test: str,
    a: str,
    others: tuple[str, ...],
    by: str | None,
    alpha: float,
    fail_if_worse: bool,
    errors_as_wrong: bool,
    split: str | None,
    from_format: str | None,
    plot: str | None,
    full: bool,
    as_format: str,
    as_json: bool,
    **fields: Any,
) -> None:
    """Compare sittings (or marksheets) of a TEST: each of B, C... against A.

    The difference is B - A. Its p-value comes from a paired randomisation test, which swaps whole
    passages between the two sittings. With several sittings, p-values are Holm-adjusted for each
    metric; with --by, those of slices are adjusted over all slices of a field and all sittings.
    """
    from readmark.core import numbers
    from readmark.formats.inputs import load
    from readmark.marking import compare

    options.require_plot(plot, test, a, *others)
    with options.Ticker() as ticker:
        comparisons = compare(
            load(test, format=from_format, split=split),
            a,
            *others,
            settings=MarkSettings(by=options.fields(by), **fields),
            alpha=alpha,
            errors_as_wrong=errors_as_wrong,
            watch_replies=ticker.replies,
        )
    options.notify(comparisons.notes)
    options.print_result(comparisons, as_json=as_json, as_format=as_format, full=full)
    if plot is not None:
        comparisons.plot().save(plot)
        options.notify([f"{plot} written"])
    failed = [comparison for comparison in comparisons if comparison.failed]
    options.notify(
        f"{comparison.a} and {comparison.b}: answers without a reply: {comparison.failed:,}; "
        "run the command again to retry them"
        for comparison in failed
    )
    worse = comparisons.worse if fail_if_worse else []
    if worse:
        listed = ", ".join(
            f"{comparison.b} in {comparison.metric} "
            f"({numbers.mark(comparison.difference, comparison.scale, signed=True)}, "
            f"p {numbers.p_words(comparison.decisive_p or 0)})"
            for comparison in worse
        )
        line = f"condition not met: significantly worse than {comparisons[0].a}: {listed}"
        options.notify([line])
    if failed:
        ctx.exit(1)
    if worse:
        ctx.exit(options.UNMET)
