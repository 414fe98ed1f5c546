"""``readmark series tune``: weights of a metric, searched or fitted to people's scores."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import METRIC_NAME


@click.command("tune")
@click.argument("series")
@click.argument("sittings", nargs=-1, metavar="[SITTING...]")
@click.option(
    "-m",
    "--metric",
    default="jaccard",
    metavar="METRIC",
    help="Metric whose weights are searched: jaccard, dice, cosine or block",
    type=METRIC_NAME,
)
@click.option("--most", type=int, default=5, help="Largest whole-number weight to try")
@click.option(
    "--real", is_flag=True, help="Search real weights that sum to 1, sampled with --seed."
)
@click.option(
    "--order-cost",
    type=float,
    default=0.1,
    help="Minimum average loss of score that a changed word order must cause",
)
@click.option(
    "--judgements",
    metavar="FILE",
    help="Table with people's scores of SITTING's rewrites: id and score.",
)
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def tune_command(
    ctx: click.Context,
    /,
    series: str,
    sittings: tuple[str, ...],
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Search the weights u, b and t with the largest gap between two SITTINGs, the worse one first.

    Without SITTINGs, the gap is that of append over none. One half of the series is searched;
    the other half is only reported. With --judgements, weights are fitted to people's scores of
    one SITTING instead, and the correlation is measured on the other half. Exits with status 1
    if no weighting meets the requirements or a rewrite is an error.
    """
    from readmark.core.errors import UsageError
    from readmark.formats.inputs import load
    from readmark.series.tuning.tune import tune_weights

    if settings["judgements"] is not None:
        search_only = [name for name in ("most", "real", "order_cost") if _is_set(ctx, name)]
        if search_only:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in search_only)
            raise UsageError(f"{names} cannot be combined with --judgements")
    if settings["real"] and _is_set(ctx, "most"):
        raise UsageError("--most is for whole weights, not for --real")
    test = load(series, format=from_format, split=split)
    result = tune_weights(test, sittings, **settings)
    options.notify(result.notes)
    options.print_result(result, as_json=as_json)
    if result.failed:
        ctx.exit(1)


def _is_set(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
