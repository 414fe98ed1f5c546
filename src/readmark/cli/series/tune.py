"""``readmark series tune``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("tune")
@click.argument("series")
@click.argument("sittings", nargs=-1, metavar="[SITTING...]")
@click.option(
    "-m",
    "--metric",
    default="jaccard",
    show_default=True,
    metavar="METRIC",
    help="Whose weights: jaccard, dice, cosine or block.",
)
@click.option("--most", type=int, default=5, show_default=True, help="The largest whole weight.")
@click.option("--real", is_flag=True, help="Search real weights that sum to 1, drawn by --seed.")
@click.option(
    "--order-cost",
    type=float,
    default=0.1,
    show_default=True,
    help="What a changed order must cost on average.",
)
@click.option(
    "--judgements", metavar="FILE", help="People's scores of SITTING's rewrites: id and score."
)
@options.seed_option
@options.from_option
@options.json_option
@click.pass_context
def tune_command(
    ctx: click.Context,
    series: str,
    sittings: tuple[str, ...],
    metric: str,
    most: int,
    real: bool,
    order_cost: float,
    judgements: str | None,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Search the weights u, b and t with the largest gap between two SITTINGs, worse one first.

    Without SITTINGs the gap is that of append over none. Half of the series is searched, the
    other half only reported. With --judgements weights are fitted to people's scores of one
    SITTING instead, and the correlation is that of the other half. Exit 1 when no weighting meets
    the requirements, or a rewrite is an error.
    """
    from readmark.corpus.errors import UsageError
    from readmark.workflows import api
    from readmark.workflows.series_fit import fit_judgements
    from readmark.workflows.series_tune import search_weights

    if judgements is not None:
        given = [name for name in ("most", "real", "order_cost") if _was_given(ctx, name)]
        if given:
            named = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            raise UsageError(f"{named} is for a search of weights, not for --judgements")
    if real and _was_given(ctx, "most"):
        raise UsageError("--most is for whole weights, not for --real")
    loaded = api.load(series, format=from_format)
    if judgements is not None:
        fitted = fit_judgements(loaded, sittings, judgements, metric=metric, seed=seed)
        options.say(fitted.notes)
        if as_json:
            options.print_json(fitted.as_json())
        else:
            from readmark.reporting.series_tune import print_fit

            print_fit(fitted)
        if fitted.errors:
            ctx.exit(1)
        return
    tuned = search_weights(
        loaded, sittings, metric=metric, most=most, real=real, order_cost=order_cost, seed=seed
    )
    options.say(tuned.notes)
    if as_json:
        options.print_json(tuned.as_json())
    else:
        from readmark.reporting.series_tune import print_tuned

        print_tuned(tuned)
    if tuned.errors or not tuned.found:
        ctx.exit(1)


def _was_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
